"""The pieces of the Critical notes page: the table, the note with its words, its history, and closing it."""

from contextlib import suppress

import streamlit as st

from core.errors import TutelageError
from core.evidence.in_words import SPEAKERS
from core.screening.invisible import shown
from core.service import desk_views
from core.service.case_views import CaseView
from core.service.views import Card, NoteRow, Page, SessionView
from core.vocabulary import Severity
from ui import deciding
from ui.assigning import show_assigning
from ui.badges import severity_mark
from ui.blind import blind_tree
from ui.card import proof_tree
from ui.critic_words import trail_tree
from ui.deciding import Seen
from ui.drawing import WALK, draw
from ui.findings import findings_tree
from ui.frame import Desk, page_head, take_along
from ui.governed import appeal_tree, difference_tree, governed_badges, returns_tree
from ui.keeping import keep_while_typing
from ui.leasing import show_lease
from ui.notes_case import case_cell, case_tree, timeline_tree
from ui.notes_closing import show_choices
from ui.notes_export import show_bundle
from ui.opening import keep_opened
from ui.places import choose, chosen, follow, leave_later, turn_in_address
from ui.policy_look import policy_badges, policy_changes_tree, policy_tree
from ui.table import Column, TableRow, table_tree
from ui.times import age, moment, short_moment
from ui.transcript import excerpt_tree
from ui.tree import joined, node

STATES = {"open and held": "open", "closed": "closed", "all": "all"}
EVERY_SEVERITY = "every severity"
COLUMNS = (
    Column("Note", "keep"),
    Column("State"),
    Column("When (UTC)", "keep"),
    Column("Agent"),
    Column("What was observed", "grow"),
    Column("Session", "keep"),
    Column("Case"),
    Column("Evidence", "some"),
    Column("Closed by"),
)


def show_head(desk: Desk) -> None:
    """Title, and how many stand where."""
    counts = desk_views.critical_counts(desk.db)
    parts = (f"{count} {state}" for state, count in sorted(counts.items()))
    page_head("Critical notes", joined((*parts, "kept for good")))


def choose_state() -> str:
    """Open and held, closed, or all."""
    picked = st.segmented_control(
        "State",
        list(STATES),
        default="open and held",
        required=True,
        key="state",
        bind="query-params",
        label_visibility="collapsed",
    )
    return STATES[picked or "open and held"]


def choose_severity() -> str | None:
    """Critical ones, or those of another weight too."""
    options = [*(str(one) for one in Severity), EVERY_SEVERITY]
    picked = st.selectbox(
        "Severity", options, key="severity", bind="query-params", label_visibility="collapsed", width=160
    )
    return None if picked == EVERY_SEVERITY else picked


def nothing_to_show(desk: Desk) -> tuple[str, str]:
    """What an empty list says."""
    closed = sum(
        count for state, count in desk_views.critical_counts(desk.db).items() if state in ("resolved", "dismissed")
    )
    return (
        "No critical note is open." if not closed else f"No critical note is open. {closed} are closed.",
        "A note appears here when a debrief finds a breach. Other states and severities are in the filters above.",
    )


def let_filters_hold_what_is_named(desk: Desk) -> None:
    """An address that names a note shows it, also one that is closed or not critical: the filters are opened for it."""
    named = st.query_params.get("note")
    if not named or named == st.session_state.get("chosen-note"):
        return
    with suppress(TutelageError):  # what the address names is told below, where the note would be
        card = desk_views.card(desk.db, desk_views.item_id_of(desk.db, named), person=desk.person.name)
        if desk_views.waited_for(card.status) == ():
            st.session_state["state"] = "all"
        if card.severity != Severity.CRITICAL:
            st.session_state["severity"] = EVERY_SEVERITY


def current_row(desk: Desk, page: Page[NoteRow]) -> NoteRow:
    """The chosen note, the one that the address names, else the first. The address then names it."""
    wanted = chosen("note")
    row = next((row for row in page.rows if row.ref == wanted), None)
    if row is None:
        if wanted:
            _say_where(desk, wanted)
        row = page.rows[0]
    choose("note", row.ref)
    return row


def _say_where(desk: Desk, ref: str) -> None:
    try:
        card = desk_views.card(desk.db, desk_views.item_id_of(desk.db, ref), person=desk.person.name)
    except TutelageError as error:
        deciding.say(f"{error} The first note of the list is shown.", refused=True)
        return
    if deciding.last_answer() is None:
        deciding.say(f"{card.ref} is {card.status} and not in this list; the first note of the list is shown.")


def show_table(desk: Desk, page: Page[NoteRow], current: NoteRow) -> None:
    """The list; a whole row is pressed."""
    rows = [
        TableRow(
            (
                node("b", "", row.ref),
                row.state,
                short_moment(row.when, desk.now),
                row.agent,
                row.observation,
                row.session_ref,
                case_cell(row.case),
                row.evidence or "no quote",
                row.closed_by or "–",
            ),
            press=f"note:{row.ref}",
            selected=row.id == current.id,
        )
        for row in page.rows
    ]
    resolved, dismissed = "it happened and was dealt with", "it did not happen, or the note is wrong"
    foot = f"{len(rows)} of {page.total:,} · resolved: {resolved} · dismissed: {dismissed}"
    draw(table_tree(COLUMNS, rows, foot=foot), key="notes-table", on_press=_pressed)


def _pressed(value: str) -> None:
    what, _, which = value.partition(":")
    st.session_state.pop("answer", None)
    if what == "note":
        choose("note", which)


def show_history(desk: Desk, row: NoteRow) -> None:
    """The way of the case in a row, and everything that happened to the note, with seconds."""
    steps = timeline_tree(desk_views.case_view(desk.db, row.id, at=desk.now))
    draw(node("div", "", node("h2", "", f"Case {row.ref}"), steps), key="notes-timeline", on_press=follow)
    happened = desk_views.history(desk.db, row.id)
    rows = [TableRow((moment(one.at, seconds=True), one.who, one.what, one.detail)) for one in happened]
    columns = (Column("When", "keep"), Column("Who"), Column("What"), Column("Detail", "grow"))
    draw(node("div", "", node("h2", "", f"History of {row.ref}"), table_tree(columns, rows)), key="notes-history")


def _edit(what: Seen, card: Card) -> None:
    deciding.open_bar(what, "edit")
    take_along("Review")
    leave_later("review", item=card.ref)


def show_detail(desk: Desk, page: Page[NoteRow], row: NoteRow) -> None:
    """The note with its quotes, the turns they stand in, and what can be done."""
    desk_views.bring_up(desk.db, row.id, desk.person.name)
    card = desk_views.card(desk.db, row.id, person=desk.person.name)
    session = desk_views.session_view(desk.db, row.session)
    ids = [one.id for one in page.rows]
    below = ids[ids.index(row.id) + 1 :][:1]
    what = deciding.seen(card, below)
    deciding.restore(what, card.governed.kept)
    case = desk_views.case_view(desk.db, row.id, at=desk.now)
    _show_note(desk, card, what, session, case)
    with st.container(key="note-closing", gap="small"):
        show_choices(desk, card, what, page, case.open_recurrences)
    with st.container(horizontal=True):
        st.button(
            "Open the session",
            key=f"open-{row.id}",
            type="tertiary",
            shortcut="o",
            on_click=leave_later,
            args=("sessions",),
            kwargs={"session": row.session_ref, "turn": str(_first_turn(card))},
        )
        if deciding.may_edit(card, desk.person):
            st.button(
                "Edit, or correct the quote",
                key=f"edit-{row.id}",
                type="tertiary",
                shortcut="e",
                on_click=_edit,
                args=(what, card),
            )
        show_assigning(desk, card, "note")
        show_bundle(desk, row)
    keep_while_typing(desk, what)
    here = [quote for quote in card.quotes if quote.session == session.row.id]
    keep_opened(desk, card.id, here[0] if here else None, here)
    show_lease(desk, card.id, card.governed.lease)
    deciding.mark_shown(what)


def _show_note(desk: Desk, card: Card, what: Seen, session: SessionView, case: CaseView) -> None:
    about = joined(
        (
            card.ref,
            str(card.dimension or "").replace("_", " "),
            f"about the {SPEAKERS[card.about].lower()}" if card.about else None,
            card.agent,
            card.user,
            f"{card.status}, {age(card.created_at, desk.now)}",
        )
    )
    transcripts = {session.row.id: session.transcript}
    here = tuple(quote for quote in card.quotes if quote.session == session.row.id)
    tree = node(
        "article",
        "note",
        node(
            "div",
            "first",
            node("span", "", severity_mark(card.severity), node("span", "meta", f" {about}")),
            node("span", "badges", *policy_badges(card), *governed_badges(card, desk.person.name, desk.now)),
        ),
        node("p", "lesson", shown(card.observation or card.text)),
        node("p", "improve", node("b", "", "Next time: "), shown(card.improvement)) if card.improvement else None,
        *policy_changes_tree(card),
        *case_tree(case),
        *appeal_tree(card.governed),
        *blind_tree(card),
        *difference_tree(card),
        proof_tree(card, transcripts, session.row.id, settles=deciding.may_edit(card, desk.person)),
        *findings_tree(card.findings, shown(card.observation or card.text)),
        *policy_tree(card),
        *returns_tree(card.governed),
        *trail_tree(card.trail),
        node("hr", ""),
        excerpt_tree(session.row, session.transcript, here),
    )

    def pressed(value: str) -> None:
        if not deciding.settle(desk.db, desk.person.name, what, value):
            follow(value)

    light, stops = here[0].number if here else None, [(quote.number, "") for quote in here]
    turn = turn_in_address()
    draw(tree, key="note-tree", place=card.ref, light=light, turn=turn, stops=stops, keys=WALK, on_press=pressed)


def _first_turn(card: Card) -> int:
    places = [span.turn + 1 for quote in card.quotes for span in quote.grounding.spans or quote.grounding.nearest]
    return min(places, default=1)
