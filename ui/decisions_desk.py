"""The pieces of the Decision log: whether it is whole, its filters, its table, its export."""

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from core.governance.acts import in_words
from core.governance.audit import Verified, verify
from core.governance.log import head
from core.service import desk_views
from core.service.log_export import log_csv, log_jsonl
from core.service.log_views import LogAsked, LogView
from core.service.views import LogRow, Page
from ui.drawing import draw
from ui.frame import Desk, page_head
from ui.lists import choose_day, choose_one
from ui.places import follow
from ui.signing_in import while_here
from ui.table import Column, TableRow, table_tree
from ui.times import age, stamp, zone_of_reader
from ui.tree import Node, node

CHECKED_AT_ONCE = 2_000
"""Rows up to which the log is checked when the page is opened; a longer one is checked when somebody asks."""

NOTHING = {
    LogView.DECISIONS: (
        "Nothing has been decided yet.",
        "Decisions are made on the Review and Critical notes pages.",
    ),
    LogView.REFUSALS: ("Nothing has been refused yet.", "What a rule refuses is kept here, with the reason it gave."),
    LogView.RIGHTS: (
        "Nobody's rights were changed yet, and no settings.",
        "People, tokens and the desk's settings are kept on the page Settings and people.",
    ),
    LogView.OVERSIGHT: (
        "No policy was changed yet, nothing was assigned and no blind verdict given.",
        "All of it is kept here as soon as it happens.",
    ),
}
"""What a view without any row says, and what comes next."""


def show_head() -> None:
    """The title, and how the log is ordered."""
    page_head("Decision log", "append only; newest first by number; times with their offset from UTC")


def _show_state(desk: Desk) -> None:
    """Whether the log is whole: how many rows, when that was checked, its head to copy."""
    rows, sha256 = head(desk.db)
    said = st.empty()
    pressed = st.button("Verify", key="verify", help="Check every link, every row and every state.")
    with st.popover("Head", key="log-head"):
        st.text("Keep it where nobody of the desk can write; audit verify --expect compares.")
        st.code(f"{rows}:{sha256}", language=None, wrap_lines=True)
    if pressed or ("log-checked" not in st.session_state and rows <= CHECKED_AT_ONCE):
        st.session_state["log-checked"] = (verify(desk.db), desk.now)
    with said.container(width="content"):
        draw(_state(rows, st.session_state.get("log-checked"), desk.now), key="log-state-words", width="content")


def _state(rows: int, checked: tuple[Verified, datetime] | None, now: datetime) -> Node:
    if checked is None:
        return node("p", "meta", f"{rows:,} rows, not checked since you came")
    found, at = checked
    ago = age(at, now)
    when = "checked just now" if ago == "now" else f"checked {ago} ago"
    more = f"; {rows - found.rows:,} more rows since" if rows > found.rows else ""
    if found.whole:
        notes = [f"{len(found.masked)} masked"] if found.masked else []
        notes += [f"a trigger of {', '.join(found.unguarded)} is missing"] if found.unguarded else []
        return node("p", "meta", "; ".join([f"{found.text}, {when}{more}", *notes]))
    others = f" and {len(found.breaks) - 1} more" if len(found.breaks) > 1 else ""
    return node("p", "problem", f"{found.text}{others}, {when}{more}", role="alert")


def ask(desk: Desk) -> LogAsked:
    """The filters, all of them in the address; days are meant in the reader's own zone, which stands beside them."""
    zone = zone_of_reader(st.context.timezone)
    with st.container(key="log-views", horizontal=True, vertical_alignment="center"):
        picked = st.segmented_control(
            "View",
            list(LogView),
            default=LogView.DECISIONS,
            required=True,
            key="view",
            bind="query-params",
            label_visibility="collapsed",
        )
        view = LogView(picked or LogView.DECISIONS)
        search = st.text_input(
            "Search",
            key="find",
            bind="query-params",
            label_visibility="collapsed",
            width=280,
            placeholder="Words, a person, L-0142, B-1f0c22d9",
        )
        _show_state(desk)
    offered = desk_views.log_choices(desk.db, view)
    with st.container(key="filters", horizontal=True, vertical_alignment="center"):
        person = choose_one("Person", offered.people, "by", "everybody")
        kind = choose_one("Kind", offered.kinds, "log_kind", "every kind")
        did = choose_one("What was done", offered.actions, "did", "every act") if offered.actions else None
        with st.container(key="log-from", horizontal=True, vertical_alignment="center", width="content"):
            draw(node("p", "meta", f"days in {zone} from"), key="log-zone", width="content")
            first = choose_day("First day", "first", shown=False)
        with st.container(key="log-until", horizontal=True, vertical_alignment="center", width="content"):
            draw(node("p", "meta", "to"), key="log-to", width="content")
            last = choose_day("Last day", "last", shown=False)
        asked = LogAsked(view, search or "", person, kind, did, first, last, zone)
        _export(desk, asked)
    return asked


def _export(desk: Desk, asked: LogAsked) -> None:
    """The filtered log as a file; it is made when a person asks for it."""
    name = asked.view.name.lower()
    csv, jsonl = f"{name}.csv", f"{name}.jsonl"
    made_csv = while_here(lambda: b"".join(log_csv(desk.db, asked)))
    made_jsonl = while_here(lambda: b"".join(log_jsonl(desk.db, asked)))
    with st.popover("Export", key="export-decisions"), st.container(horizontal=True):
        st.download_button("CSV", made_csv, csv, "text/csv", on_click="ignore", key=csv)
        st.download_button("JSON lines", made_jsonl, jsonl, "application/jsonl", on_click="ignore", key=jsonl)


COLUMNS: dict[LogView, Sequence[Column]] = {
    LogView.DECISIONS: (
        Column("No.", "num"),
        Column("When", "keep"),
        Column("Who", "some"),
        Column("Did", "keep"),
        Column("Item", "keep"),
        Column("From → to", "keep"),
        Column("Why", "grow"),
        Column("Screen", "keep"),
        Column("Content", "keep"),
        Column("Link", "keep"),
    ),
    LogView.REFUSALS: (
        Column("No.", "num"),
        Column("When", "keep"),
        Column("Who", "some"),
        Column("Tried to", "keep"),
        Column("Item", "keep"),
        Column("Refused because", "grow"),
        Column("Code", "keep"),
        Column("Link", "keep"),
    ),
    LogView.RIGHTS: (
        Column("No.", "num"),
        Column("When", "keep"),
        Column("Who", "some"),
        Column("Changed", "some"),
        Column("From", "some"),
        Column("To", "some"),
        Column("Why", "grow"),
        Column("Link", "keep"),
    ),
    LogView.OVERSIGHT: (
        Column("No.", "num"),
        Column("When", "keep"),
        Column("Who", "some"),
        Column("Did", "keep"),
        Column("About", "some"),
        Column("To", "some"),
        Column("Why", "grow"),
        Column("Link", "keep"),
    ),
}


def show_table(page: Page[LogRow], asked: LogAsked) -> None:
    """One page, newest link first; a row about an item leads to it."""
    cells = CELLS[asked.view]
    rows = [
        TableRow(
            (f"{row.seq}", stamp(row.at, asked.zone), _who(row), *cells(row), row.link[:8]),
            f"item:{row.ref}" if row.ref else None,
        )
        for row in page.rows
    ]
    tree = table_tree(COLUMNS[asked.view], rows, foot=f"{len(rows)} of {page.total:,}")
    draw(tree, key="decisions-table", on_press=follow)


def _who(row: LogRow) -> Node:
    remarks = [" · self-approved"] if row.self_approved else []
    remarks += [f" · batch {row.batch}"] if row.batch else []
    people = f"{row.who} and {row.second}" if row.second else row.who
    people = f"the rule “{row.rule}”, after {people}" if row.rule else people
    return node("span", "", people, *(node("span", "meta", remark) for remark in remarks))


def _decision(row: LogRow) -> tuple[Node, ...]:
    moved = f"{row.before} → {row.after}" if row.before else row.after
    return (
        "masked" if row.masked else in_words(row.action),
        f"{row.ref} v{row.version}",
        moved,
        _why(row),
        row.screen_hash[:8] or "–",
        row.content_hash[:8],
    )


def _refusal(row: LogRow) -> tuple[Node, ...]:
    item = f"{row.ref} v{row.version}" if row.ref else "–"
    return ("masked" if row.masked else in_words(row.action), item, _why(row), row.code)


def _rights(row: LogRow) -> tuple[Node, ...]:
    return (row.about, row.before or "–", row.after or "–", _why(row))


def _oversight(row: LogRow) -> tuple[Node, ...]:
    about = row.about or (f"{row.ref} v{row.version}" if row.ref else "–")
    return ("masked" if row.masked else in_words(row.action), about, row.after or "–", _why(row))


CELLS = {
    LogView.DECISIONS: _decision,
    LogView.REFUSALS: _refusal,
    LogView.RIGHTS: _rights,
    LogView.OVERSIGHT: _oversight,
}


def _why(row: LogRow) -> str:
    return "secrets were taken out; this link stands for the row as it is now" if row.masked else row.reason or "–"
