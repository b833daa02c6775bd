"""The pieces of the Sessions page: the list, one session with its evidence, and marking its answer as wrong."""

from collections.abc import Sequence

import streamlit as st

from core.errors import TutelageError
from core.service import desk_views
from core.service.feedback import mark_wrong
from core.service.views import Page, SessionRow, SessionView
from core.vocabulary import Role
from ui import deciding
from ui.drawing import WALK, draw
from ui.frame import Desk, page_head
from ui.lists import choose_one, export
from ui.places import choose, follow, turn_in_address
from ui.session_facts import session_facts_tree
from ui.session_review import show_review
from ui.signing_in import still_here
from ui.table import Column, TableRow, table_tree
from ui.times import short_moment
from ui.transcript import transcript_tree
from ui.tree import node

BECAME = {
    "new": "{} waits in Review",
    "added": "{} says the same, waits in Review and got this quote",
    "known": "{} says the same and waits in Review",
    "returned": "{} says the same and was decided before; that it came back is counted there",
}
OUTCOMES = ("passed", "failed", "unknown")
COLUMNS = (
    Column("Session", "keep"),
    Column("Started (UTC)", "keep"),
    Column("Agent"),
    Column("User"),
    Column("Task class"),
    Column("Task", "grow"),
    Column("Turns", "num"),
    Column("Notes", "num"),
    Column("Outcome"),
)
EXPORTED = ("session", "started_at", "agent", "user", "task_class", "task", "turns", "notes", "outcome")


def filters(desk: Desk) -> tuple[str, str | None, str | None]:
    """Words to look for, agent and outcome; all in the address."""
    page_head("Sessions")
    with st.container(key="filters", horizontal=True, vertical_alignment="center"):
        search = st.text_input(
            "Search",
            key="search",
            bind="query-params",
            label_visibility="collapsed",
            width=320,
            placeholder="Reference, user, task, or words that were said",
        )
        agent = choose_one("Agent", desk_views.agents(desk.db), "sessions_agent", "every agent")
        outcome = choose_one("Outcome", OUTCOMES, "outcome", "every outcome")
        export("sessions", lambda: _all_rows(desk, search or "", agent, outcome))
    return search or "", agent, outcome


def _all_rows(
    desk: Desk, search: str, agent: str | None, outcome: str | None
) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    page = desk_views.session_list(desk.db, search=search, agent=agent, outcome=outcome, page=1, size=1_000_000)
    return EXPORTED, [
        (r.ref, r.started_at, r.agent, r.user, r.task_class, r.task, r.turns, r.notes, r.outcome) for r in page.rows
    ]


def show_list(desk: Desk, page: Page[SessionRow]) -> None:
    """One page of sessions; a whole row is pressed."""
    rows = [
        TableRow(
            (
                node("b", "", row.ref),
                short_moment(row.started_at, desk.now),
                row.agent,
                row.user or "–",
                row.task_class,
                _short(row.task),
                str(row.turns),
                str(row.notes),
                row.outcome,
            ),
            press=f"session:{row.ref}",
        )
        for row in page.rows
    ]
    draw(table_tree(COLUMNS, rows, foot=f"{len(rows)} of {page.total:,}"), key="sessions-table", on_press=_pressed)


def _short(task: str) -> str:
    return task if len(task) <= 180 else task[:179].rstrip() + "…"


def _pressed(value: str) -> None:
    what, _, which = value.partition(":")
    if what == "session":
        choose("session", which)
    else:
        follow(value)


def show_session(desk: Desk, ref: str) -> None:
    """One session: the transcript, and beside it where it came from and what was found in it."""
    with st.container(key="session-head", horizontal=True, vertical_alignment="center"):
        st.button("Back to the list", key="to-list", type="tertiary", shortcut="esc", on_click=_to_list)
        draw(node("h1", "name", f"Session {ref}"), key="session-title", width="content")
    view = desk_views.session_view(desk.db, desk_views.session_id_of(desk.db, ref))
    with st.container(key="session-panes"):
        words, side = st.columns([60, 40], gap="medium")
    light = view.quotes[0][1].number if view.quotes else None
    with words:
        _show_words(view, light)
    with side, st.container(key="session-side"):
        show_review(desk, view.row)
        draw(session_facts_tree(view), key="session-facts", place=ref, light=light, on_press=_pressed)
        _mark_wrong_form(desk, view)


def _show_words(view: SessionView, light: int | None) -> None:
    quotes = [quote for _, quote in view.quotes]
    names = {quote.number: ref for ref, quote in view.quotes}
    tree = transcript_tree(view.row, view.transcript, quotes, names=names)
    stops = [(quote.number, "") for quote in quotes]
    turn = turn_in_address()
    draw(tree, key="session-words", place=view.row.ref, light=light, turn=turn, stops=stops, keys=WALK)


def _to_list() -> None:
    choose("session", None)
    deciding.forget_answer()


def _mark_wrong_form(desk: Desk, view: SessionView) -> None:
    key = f"{view.row.id}"
    deciding.show_answer()
    with st.expander("Mark the answer as wrong"):
        turns = [
            at
            for at, message in enumerate(view.transcript.messages)
            if message.role is Role.ASSISTANT and message.content
        ]
        st.selectbox(
            "Which answer",
            turns,
            format_func=lambda at: f"turn {at + 1}",
            key=f"wrong-turn-{key}",
            index=len(turns) - 1 if turns else None,
        )
        st.text_area("What was wrong (needed)", key=f"draft-wrong-{key}", persist_state="session")
        st.text_area(
            "Next time, in general words (becomes a proposed lesson)", key=f"draft-next-{key}", persist_state="session"
        )
        st.button("Mark as wrong", key=f"mark-{key}", on_click=_mark, args=(desk, view.row.id))


def _mark(desk: Desk, session: int) -> None:
    turn = st.session_state.get(f"wrong-turn-{session}")
    reason = str(st.session_state.get(f"draft-wrong-{session}") or "")
    next_time = str(st.session_state.get(f"draft-next-{session}") or "")
    try:
        still_here()
        marked = mark_wrong(desk.db, session, person=desk.person.name, reason=reason, next_time=next_time, turn=turn)
    except TutelageError as error:
        deciding.say(str(error), refused=True)
        return
    lesson = f"; {BECAME[marked.lesson.what].format(marked.lesson.ref)}" if marked.lesson else ""
    deciding.say(f"{marked.session_ref} is marked as wrong{lesson}.")
    for field in ("wrong", "next"):
        st.session_state[f"draft-{field}-{session}"] = ""
