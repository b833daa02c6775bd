"""The pieces of the Escalations page: the list, one escalation with its drafts, and its answer."""

from collections.abc import Sequence

import streamlit as st

from core.errors import TutelageError
from core.service import desk_views
from core.service.self_review.escalations import answer_escalation
from core.service.self_review.lists import ReviewRow, ReviewView
from core.service.views import Page
from core.vocabulary import Duty, ReviewState
from ui import deciding
from ui.drawing import draw
from ui.frame import Desk, page_head
from ui.lists import choose_one, export
from ui.places import choose
from ui.self_review import STATES, answer_tree, review_tree
from ui.signing_in import still_here
from ui.table import Column, TableRow, table_tree
from ui.times import age, moment, short_moment
from ui.tree import joined, node

SHOWN = ("waiting", "answered", "all")
COLUMNS = (
    Column("Self-review", "keep"),
    Column("State", "some"),
    Column("Since (UTC)", "keep"),
    Column("Agent"),
    Column("User"),
    Column("What the user asked for", "grow"),
    Column("Drafts", "num"),
    Column("Answered by"),
)
EXPORTED = (
    "self_review",
    "state",
    "agent",
    "user",
    "task_class",
    "task",
    "at",
    "escalated_at",
    "drafts",
    "answer",
    "answered_by",
    "answered_at",
)


def filters(desk: Desk) -> tuple[str, str | None]:
    """Which state and whose; both in the address."""
    waiting = desk_views.waiting_escalations(desk.db)
    page_head("Escalations", f"{waiting} {'waits' if waiting == 1 else 'wait'} for an answer")
    with st.container(key="filters", horizontal=True, vertical_alignment="center"):
        state = st.segmented_control(
            "State",
            list(SHOWN),
            default="waiting",
            required=True,
            key="which",
            bind="query-params",
            label_visibility="collapsed",
        )
        agent = choose_one("Agent", desk_views.agents(desk.db), "escalations_agent", "every agent")
        export("escalations", lambda: _all_rows(desk, state or "waiting", agent))
    return state or "waiting", agent


def nothing_to_show(state: str, agent: str | None) -> tuple[str, str]:
    """What an empty list says."""
    if agent or state == "answered":
        return "No self-review fits these filters.", "Choose all, and every agent."
    sentence = "No escalation waits for an answer." if state == "waiting" else "No draft has been reviewed yet."
    return (
        sentence,
        "One appears when an agent has revised a draft as often as it may and it still is not good. "
        "Agents send drafts with python -m core self-review check; docs/self-review.md says how.",
    )


def show_list(desk: Desk, page: Page[ReviewRow]) -> None:
    """One page; a whole row is pressed."""
    rows = [_row(desk, row) for row in page.rows]
    draw(table_tree(COLUMNS, rows, foot=f"{len(rows)} of {page.total:,}"), key="escalations-table", on_press=_pressed)


def show_review(desk: Desk, ref: str) -> None:
    """One self-review: what was asked, each draft beside what was found in it, and the answer."""
    with st.container(key="session-head", horizontal=True, vertical_alignment="center"):
        st.button("Back to the list", key="to-list", type="tertiary", shortcut="esc", on_click=_to_list)
        draw(node("h1", "name", f"Self-review {ref}"), key="review-title", width="content")
    view = desk_views.review_view(desk.db, ref)
    draw(node("p", "meta", _facts(desk, view)), key="review-facts")
    draw(review_tree(view), key="review-words")
    answered = answer_tree(view.row)
    if answered is not None:
        draw(answered, key="review-answer")
    if view.row.state is ReviewState.ESCALATED:
        _answer_form(desk, view)
    deciding.show_answer()


def _facts(desk: Desk, view: ReviewView) -> str:
    row = view.row
    since = f"escalated {moment(row.escalated_at)}" if row.escalated_at else f"begun {moment(row.at)}"
    return joined((STATES[row.state], row.agent, row.user, row.task_class, since))


def _answer_form(desk: Desk, view: ReviewView) -> None:
    ref = view.row.id
    if not desk.may(Duty.LEAD):
        draw(
            node("p", "meta", f"{desk.person.name} reads here; an escalation is answered by a lead."), key="reads-only"
        )
        return
    last = view.drafts[-1].number if view.drafts else 0
    st.text_area(
        "What the agent is to do (needed, stays on record, and the agent reads it)",
        key=_field(ref),
        placeholder=f"Send {f'revision {last}' if last else 'the draft'} as it is, say this instead, or leave it to us",
        persist_state="session",
        height=110,
        width=680,
    )
    st.button("Answer", key=f"answer-{ref}", type="primary", shortcut="ctrl+enter", on_click=_answer, args=(desk, ref))


def _answer(desk: Desk, ref: str) -> None:
    try:
        still_here()
        answer_escalation(desk.db, ref, desk.person.name, str(st.session_state.get(_field(ref)) or ""))
    except TutelageError as error:
        deciding.say(str(error), refused=True)
        return
    deciding.say(f"{ref} answered just now. The agent reads it with self-review show.")
    st.session_state[_field(ref)] = ""


def _field(ref: str) -> str:
    return f"draft-answer-{ref}"


def _row(desk: Desk, row: ReviewRow) -> TableRow:
    since = row.escalated_at or row.at
    waits = f"waits {age(since, desk.now)}" if row.state is ReviewState.ESCALATED else STATES[row.state]
    task = " ".join(row.task.split())
    return TableRow(
        (
            node("b", "", row.id),
            waits,
            short_moment(since, desk.now),
            row.agent,
            row.user or "–",
            task if len(task) <= 180 else task[:179].rstrip() + "…",
            str(row.drafts),
            row.answer.by if row.answer else "–",
        ),
        press=f"review:{row.id}",
    )


def _all_rows(desk: Desk, state: str, agent: str | None) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    page = desk_views.review_list(desk.db, state=state, agent=agent, page=1, size=1_000_000)
    return EXPORTED, [
        (
            *(row.id, row.state, row.agent, row.user, row.task_class, row.task, row.at, row.escalated_at, row.drafts),
            *((row.answer.text, row.answer.by, row.answer.at) if row.answer else (None, None, None)),
        )
        for row in page.rows
    ]


def _pressed(value: str) -> None:
    what, _, which = value.partition(":")
    if what == "review":
        deciding.forget_answer()
        choose("review", which)


def _to_list() -> None:
    choose("review", None)
    deciding.forget_answer()
