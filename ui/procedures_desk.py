"""The pieces of the Procedures page: the table with its small lines, the chart, suspending and reinstating."""

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from core.errors import TutelageError
from core.service import desk_views
from core.service.for_everybody import propose_for_everybody
from core.service.views import Page, ProcedureRow
from core.vocabulary import Action, Kind, Severity
from ui import deciding
from ui.chart import LIMIT, confidence_figure, spark
from ui.drawing import draw
from ui.frame import Desk, page_head
from ui.governed import yes_in_words
from ui.keeping import keep_while_typing
from ui.places import go
from ui.signing_in import still_here
from ui.table import Column, TableRow, table_tree
from ui.tree import joined, node

STATUSES = {"approved": "active", "suspended": "suspended", "all": "all"}
EXPORTED = (
    "procedure",
    "version",
    "status",
    "title",
    "trigger",
    "instruction",
    "kind",
    "agent",
    "user",
    "confidence",
    "in_briefing",
    "successes",
    "failures",
)


def choose_status() -> str:
    """Approved, suspended, or every one that was approved once."""
    picked = st.segmented_control(
        "Status",
        list(STATUSES),
        default="approved",
        required=True,
        key="status",
        bind="query-params",
        label_visibility="collapsed",
    )
    return STATUSES[picked or "approved"]


def all_rows(desk: Desk, agent: str | None, status: str) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """Every procedure of the filter, for an export."""
    page = desk_views.procedures(desk.db, agent=agent, status=status, page=1, size=1_000_000)
    return EXPORTED, [
        (
            r.ref,
            r.version,
            r.status,
            r.title,
            r.trigger,
            r.instruction,
            r.kind,
            r.agent,
            r.user,
            r.confidence,
            r.in_briefing,
            r.successes,
            r.failures,
        )
        for r in page.rows
    ]


def show_head(page: Page[ProcedureRow], threshold: Decimal) -> None:
    """Title, how many there are and how many of them are read."""
    read = sum(row.in_briefing for row in page.rows)
    known = joined((f"{page.total:,} in this list", f"{read} of them read, from {threshold:.2f} up"))
    page_head("Procedures", known if page.rows else "")


def charted_rows(page: Page[ProcedureRow]) -> list[ProcedureRow]:
    """The rows on the chart, in the order in which they were pressed; at first the topmost alone."""
    wanted: list[int] = st.session_state.get("charted", [])
    by_id = {row.id: row for row in page.rows}
    return [by_id[one] for one in wanted if one in by_id] or [page.rows[0]]


def show_table(page: Page[ProcedureRow], charted: list[ProcedureRow], threshold: Decimal) -> None:
    """The table; pressing a row adds it to the chart or takes it off."""
    columns = (
        Column("Procedure", "grow"),
        Column("Now", "num"),
        Column(f"Confidence, {threshold:.2f} dashed"),
        Column("Briefing"),
        Column("+ / −", "num"),
    )
    shown = {row.id for row in charted}
    rows = [
        TableRow(
            (
                node(
                    "span",
                    "",
                    node("b", "", row.title),
                    node("span", "meta", f" {joined((row.ref, row.kind, for_whom(row)))}"),
                ),
                f"{row.confidence:.2f}",
                spark(row, threshold),
                "in" if row.in_briefing else "out",
                f"{row.successes} / {row.failures}",
            ),
            press=f"procedure:{row.id}",
            selected=row.id in shown,
        )
        for row in page.rows
    ]
    foot = f"Press rows to add them to the chart, {LIMIT} at most. A mark on the chart opens the session behind it."
    draw(table_tree(columns, rows, foot=foot), key="procedures-table", on_press=_pressed)


def for_whom(row: ProcedureRow) -> str | None:
    """Which user alone reads it; None for everybody."""
    return f"for {row.user} alone" if row.user else None


def _pressed(value: str) -> None:
    row = int(value.partition(":")[2])
    charted: list[int] = st.session_state.get("charted", [])
    st.session_state["charted"] = [one for one in charted if one != row] if row in charted else [*charted, row][-LIMIT:]
    deciding.forget_answer()


def show_chart(charted: list[ProcedureRow], threshold: Decimal) -> None:
    """The confidence of the chosen procedures over time; a pressed mark opens its session."""
    figure = confidence_figure(charted, threshold, dark=st.context.theme.type == "dark")
    shown = "-".join(str(row.id) for row in charted)
    chosen = st.plotly_chart(
        figure,
        theme=None,
        key=f"chart-{shown}",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
        alt=_in_words(charted),
    )
    marks = "□ start · ● success · × failure · ○ read, no outcome · ◆ decision"
    legend = f"{marks} · shaded: not read, so it cannot climb by itself"
    draw(node("p", "meta", legend), key="chart-legend")
    points = chosen["selection"]["points"] if chosen else []
    session = next((point.get("customdata") for point in points if point.get("customdata")), None)
    if session:
        go("sessions", session=str(session[0] if isinstance(session, list) else session))


def _in_words(charted: list[ProcedureRow]) -> str:
    return "; ".join(f"{row.title}: {row.confidence:.2f}, {row.successes} up, {row.failures} down" for row in charted)


def show_acts(desk: Desk, row: ProcedureRow) -> None:
    """What the procedure says, and suspending or reinstating it with a reason."""
    card = desk_views.card(desk.db, row.id, person=desk.person.name)
    what = deciding.seen(card)
    deciding.restore(what, card.governed.kept)
    text = node(
        "div",
        "",
        node("h3", "", joined((f"{row.ref} v{row.version}", row.status, for_whom(row)))),
        node("p", "improve", node("b", "", "When: "), row.trigger),
        node("p", "quotation", row.instruction),
    )
    draw(text, key="procedure-text")
    possible = ((Action.REINSTATE,), (Action.SUSPEND,))
    acts = [deciding.choice(Kind.PROCEDURE, row.status, Severity.MEDIUM, desk.person, actions) for actions in possible]
    allowed = [one for one in acts if one is not None and one.allowed]
    if allowed:
        _show_form(desk, what, row, allowed)
        keep_while_typing(desk, what)
    if row.user and desk.person.duties:
        st.button("Propose for everybody", key=f"for-everybody-{what.key}", on_click=_for_everybody, args=(desk, row))
    if card.governed.yes:
        draw(node("p", "meta", yes_in_words(card.governed.yes[0])), key="procedure-hint")
    deciding.show_answer()
    deciding.mark_shown(what)


def _for_everybody(desk: Desk, row: ProcedureRow) -> None:
    try:
        still_here()
        made = propose_for_everybody(desk.db, row.id, person=desk.person.name)
    except TutelageError as error:
        deciding.say(str(error), refused=True)
    else:
        deciding.say(f"{made.ref} is {WHAT[made.what]} for everybody; {row.ref} stays with {row.user}.")


WHAT = {"new": "proposed", "added": "proposed already", "known": "proposed already", "returned": "decided already"}


def _show_form(desk: Desk, what: deciding.Seen, row: ProcedureRow, allowed: list[deciding.Choice]) -> None:
    with st.container(key="acts", horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Reason (needed, stays in the log)", key=deciding.draft_key(what), persist_state="session", width=340
        )
        confidence = st.number_input(
            "Confidence from now on",
            0.0,
            1.0,
            max(0.6, float(row.confidence)),
            0.01,
            key=f"confidence-{what.key}",
            width=160,
        )
        for one in allowed:
            stated = Decimal(f"{confidence:.2f}") if one.action is Action.REINSTATE else None
            args = (desk.db, desk.person.name, what, one.action, None, stated)
            label = deciding.LABELS[one.action]
            st.button(label, key=f"{one.action}-{what.key}", on_click=deciding.carry_out, args=args)
