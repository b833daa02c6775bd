"""The first line of every page: who is here, may they see this, and the page's head.

A page that was opened by its own address is as safe as one reached through the navigation, because the check is here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import streamlit as st

from core.errors import TutelageError
from core.governance.people import Person
from core.service.queue_counts import QueueCounts, queue_counts
from core.service.start import start
from core.service.visits import note_visit
from core.store.clock import now
from core.store.database import Database
from core.vocabulary import Duty
from ui import signing_in
from ui.drawing import draw
from ui.places import leave_when_asked, visit
from ui.tree import Node, node
from ui.waiting import waits_tree
from ui.wording import as_label

_CSS = Path(__file__).with_name("frame.css")
_COUNTED = "counted"

KEYS = (
    ("G", "decide the next one, from Home"),
    ("A", "approve, or release"),
    ("X, then 1–6", "reject with that reason"),
    ("E", "edit"),
    ("1 – 3", "approve, and the near twin in force gives way"),
    ("M", "merge with a near twin"),
    ("S", "skip"),
    ("U", "undo the last decision"),
    ("J / K", "next / previous item"),
    ("N / Shift+N", "next / previous evidence"),
    ("O", "open the session"),
    ("↑ ↓ Enter", "in the queue and in tables"),
    ("Ctrl+Enter", "confirm a text"),
    ("Esc", "back"),
)


@dataclass(frozen=True)
class Desk:
    """What a page works with: the database, the person, and the moment at which it is drawn."""

    db: Database
    person: Person
    now: datetime
    counts: QueueCounts = field(default_factory=QueueCounts)
    """What waits, as it stood when the page began."""

    def may(self, *duties: Duty) -> bool:
        """Whether the person has one of these duties; buttons are shown by it, and core asks again."""
        return bool(self.person.duties & set(duties))


@st.cache_resource(show_spinner=False)
def database() -> Database:
    """The one database of this process."""
    return start()


def open_page(title: str, *, needs: tuple[Duty, ...] = tuple(Duty), head: bool = True, facts: str = "") -> Desk:
    """Check the person and draw the page's head; without one of the duties in ``needs`` nothing else is drawn.

    Where nobody has said who they are, the page asks that and draws nothing else.

    ``facts`` stand beside the title. With ``head=False`` the page draws its title itself.
    """
    st.html(_CSS)
    db = database()
    person = signing_in.who_is_here(db)
    if person is None:
        signing_in.ask(db)
        st.stop()
    desk = Desk(db, person, now(), _counts(db, person))
    leave_when_asked()
    _forget_another_page(title)
    signing_in.remember(db, person)
    note_visit(db, person, desk.now)
    _say_who(desk)
    if not desk.may(*needs):
        needed = " or ".join(sorted(needs))
        name = desk.person.name
        problem(f"{name} has no right to see {title}.", f"It needs the duty {needed}.")
        st.stop()
    if head:
        page_head(title, facts)
    return desk


def page_head(title: str, facts: str = "") -> None:
    """Title and facts in one line with a hairline below."""
    with st.container(key="head", horizontal=True, vertical_alignment="center"):
        st.title(as_label(title), anchor=False, width="content")
        if facts:
            draw(node("p", "meta", facts), key="head-facts", width="content")


def problem(text: str, possible: str = "") -> None:
    """What happened, and what is possible now, as the words of the error say it."""
    box = node("div", "problem", node("p", "", text), node("p", "meta", possible) if possible else None, role="alert")
    draw(box, key=f"problem-{abs(hash(text))}")


@contextmanager
def problems_shown() -> Iterator[None]:
    """Show an error that Tutelage raised on purpose as a problem box; anything else is a fault and passes on."""
    try:
        yield
    except TutelageError as error:
        problem(str(error))


def empty(sentence: str, facts: str = "") -> None:
    """What an empty page says: the state, and what to do next."""
    draw(
        node("div", "empty", node("p", "big", sentence), node("p", "", facts) if facts else None),
        key=f"empty-{abs(hash(sentence))}",
    )


def sheet_of_keys() -> Node:
    """The button "Keys ?" and the sheet that it opens."""
    rows = [node("tr", "", node("td", "", node("kbd", "", key)), node("td", "", what)) for key, what in KEYS]
    table = node("table", "", node("tbody", "", *rows))
    sheet = node("div", "sheet", node("h2", "", "Keys"), table, role="note", hidden=True, data_sheet=True)
    button = node("button", "sheetbutton", "Keys", node("kbd", "", "?"), data_press="sheet", type="button")
    return node("div", "", button, sheet)


def take_along(title: str) -> None:
    """Let what is open on this page, such as a question in the bar, go along to another."""
    st.session_state["on_page"] = title


def _forget_another_page(title: str) -> None:
    """What the desk answered on another page, and a question that was open there, end with that page."""
    if st.session_state.get("on_page") != title:
        st.session_state["on_page"] = title
        for name in ("answer", "bar"):
            st.session_state.pop(name, None)


def counted(db: Database, person: Person | None) -> QueueCounts:
    """What waits for somebody, counted once in a run: the script that navigates asks first, the page takes it over."""
    counts = queue_counts(db, person) if person else QueueCounts()
    st.session_state[_COUNTED] = (person, counts)
    return counts


def _counts(db: Database, person: Person) -> QueueCounts:
    known = st.session_state.pop(_COUNTED, None)
    return known[1] if known and known[0] == person else queue_counts(db, person)


def _say_who(desk: Desk) -> None:
    person = desk.person
    duties = f" · {', '.join(sorted(person.duties))}" if person.duties else ""
    words = node("span", "", person.name, node("span", "duties", duties))
    if person.single_operator:
        said = f"Single operator: {person.name} proposes and approves"
        words = node("span", "", said, node("span", "duties", "; every decision is marked self-approved"))
    away = node("button", "link", "Sign out", data_press="leave", type="button")
    waits = waits_tree(desk.counts) if person.duties else None
    line = node("p", "meta whois", waits, words, None if person.single_operator else away)

    def pressed(value: str) -> None:
        if value == "leave":
            signing_in.leave(desk.db)
        else:
            visit(value)

    with st.container(key="who"):
        draw(line, key="who-line", on_press=pressed, width="content")
