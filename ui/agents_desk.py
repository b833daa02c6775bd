"""The pieces of the Agents page: the record of an agent, its task classes, the facts about its users."""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation

import streamlit as st

from core.errors import TutelageError
from core.governance.policies import policies_now
from core.service.agents import AgentRecord, add_agent, add_fact, agent_record, remove_fact, save_agent, user_facts
from core.vocabulary import Duty
from ui import deciding
from ui.drawing import draw
from ui.frame import Desk
from ui.signing_in import still_here
from ui.table import Column, TableRow, table_tree
from ui.tree import Node, node
from ui.wording import as_label

EDITORS = (Duty.LEAD, Duty.DEVELOPER, Duty.ADMIN)


def choose_agent(desk: Desk, names: tuple[str, ...]) -> str | None:
    """The agent, in the address; a person with the duty may name a new one."""
    with st.container(key="filters", horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Agent", names, key="name", bind="query-params", width=260) if names else None
        if desk.may(*EDITORS):
            st.text_input("A new agent", key="new-agent", width=260)
            st.button("Add", key="add-agent", on_click=_add, args=(desk,))
    return name


def _add(desk: Desk) -> None:
    name = str(st.session_state.get("new-agent") or "").strip()
    _try(lambda: add_agent(desk.db, name, owner=desk.person.name), f"{name} was added.")


def show_record(desk: Desk, name: str) -> None:
    """The record, and its fields where the person may change them."""
    record = agent_record(desk.db, name)
    off = not desk.may(*EDITORS)
    key = f"agent-{name}"
    with st.container(key="prompt"):
        st.text_area("Base prompt", record.base_prompt, height=220, key=f"{key}-prompt", disabled=off)
    known = sorted({policy.id for policy in policies_now(desk.db)} | set(record.policies))
    hint = "What the agent reads and was not screened against a policy that is added waits until somebody has looked."
    st.multiselect("Policies", known, list(record.policies), key=f"{key}-policies", disabled=off, help=hint)
    with st.container(horizontal=True):
        st.text_input("Owner", record.owner, key=f"{key}-owner", disabled=off, width=220)
        shown = "" if record.evaluator_threshold is None else f"{record.evaluator_threshold:.2f}"
        hint = "0.00 to 1.00; empty: any score below 1"
        st.text_input(
            "An evaluator's score counts as failed below",
            shown,
            key=f"{key}-threshold",
            placeholder=hint,
            disabled=off,
            width=300,
        )
    st.markdown("**Task classes that recur** :gray[:small[a lesson for a task that never comes back helps nobody]]")
    for task_class, recurs in record.task_classes.items():
        st.checkbox(as_label(task_class), recurs, key=f"{key}-recurs-{task_class}", disabled=off)
    if not off:
        st.button("Save the record", key=f"{key}-save", type="primary", on_click=_save, args=(desk, record))
    deciding.show_answer()


def _save(desk: Desk, record: AgentRecord) -> None:
    key = f"agent-{record.name}"
    state = st.session_state
    _try(
        lambda: save_agent(
            desk.db,
            AgentRecord(
                name=record.name,
                base_prompt=str(state[f"{key}-prompt"] or ""),
                policies=tuple(state[f"{key}-policies"]),
                task_classes={one: bool(state[f"{key}-recurs-{one}"]) for one in record.task_classes},
                evaluator_threshold=_threshold(str(state[f"{key}-threshold"] or "")),
                owner=str(state[f"{key}-owner"] or ""),
            ),
            by=desk.person.name,
        ),
        f"The record of {record.name} is saved.",
        "To be looked at again under its policies: {}.",
    )


def _threshold(text: str) -> Decimal | None:
    if not text.strip():
        return None
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        raise ThresholdUnreadable(text) from None
    if not value.is_finite() or not 0 <= value <= 1:
        raise ThresholdUnreadable(text)
    return value.quantize(Decimal("0.01"))


class ThresholdUnreadable(TutelageError):
    """The evaluator threshold is no number between 0 and 1."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"“{text}” is no score between 0.00 and 1.00; the record was not saved. Leave it empty for none."
        )


def show_facts(desk: Desk, name: str) -> None:
    """What is known of the agent's users, each fact with its source."""
    facts = user_facts(desk.db, name)
    draw(node("h3", "", f"What is known of its users · {len(facts)} facts"), key="facts-head")
    off = not desk.may(*EDITORS)
    rows = [
        TableRow((fact.user, fact.text, fact.source, "" if off else _remove_button(fact.id))) for fact in facts[:200]
    ]
    columns = (Column("User"), Column("Fact", "grow"), Column("Source"), Column(""))
    draw(
        table_tree(columns, rows, foot="" if rows else "Nothing is known yet."),
        key="facts-table",
        on_press=lambda value: _remove(desk, value),
    )
    if not off:
        _fact_form(desk, name)


def _remove_button(fact: int) -> Node:
    return node("button", "link", "take back", data_press=f"fact:{fact}", type="button")


def _remove(desk: Desk, value: str) -> None:
    fact = int(value.partition(":")[2])
    _try(lambda: remove_fact(desk.db, fact), "The fact was taken back.")


def _fact_form(desk: Desk, name: str) -> None:
    with st.form(f"fact-{name}", clear_on_submit=True):
        st.text_input("User", key="fact-user")
        st.text_input("Fact", key="fact-text")
        st.text_input("Source", key="fact-source", placeholder="Where this is known from")
        st.form_submit_button("Note the fact", on_click=_note_fact, args=(desk, name))


def _note_fact(desk: Desk, name: str) -> None:
    said = [str(st.session_state.get(f"fact-{field}") or "") for field in ("user", "text", "source")]
    _try(lambda: add_fact(desk.db, name, *said), "The fact is noted.")


def _try(act: Callable[[], tuple[str, ...] | None], done: str, then: str = "") -> None:
    """Do it, and say so; ``then`` says what follows for the references that the act returns."""
    try:
        still_here(*EDITORS)
        refs = act()
    except TutelageError as error:
        deciding.say(str(error), refused=True)
    else:
        deciding.say(f"{done} {then.format(', '.join(refs))}" if refs and then else done)
