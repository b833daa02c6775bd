"""The pieces of the Decision log: its search, its table, its export."""

from collections.abc import Sequence

import streamlit as st

from core.service import desk_views
from core.service.views import DecisionRow, Page
from ui.drawing import draw
from ui.frame import Desk, page_head
from ui.lists import export
from ui.table import Column, TableRow, table_tree
from ui.times import stamp
from ui.tree import node

EXPORTED = (
    "id",
    "at",
    "who",
    "action",
    "item",
    "version",
    "before",
    "after",
    "reason",
    "self_approved",
    "content_hash",
)


def ask(desk: Desk) -> str:
    """Words to look for, in the address."""
    page_head("Decision log", "append only; times with their offset from UTC")
    with st.container(key="filters", horizontal=True, vertical_alignment="center"):
        search = st.text_input(
            "Search",
            key="find",
            bind="query-params",
            label_visibility="collapsed",
            width=320,
            placeholder="A person, L-0142, an action, a reason",
        )
        export("decisions", lambda: _all_rows(desk, search or ""))
    return search or ""


def _all_rows(desk: Desk, search: str) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    page = desk_views.decisions(desk.db, search=search, page=1, size=1_000_000)
    return EXPORTED, [
        (r.id, r.at, r.who, r.action, r.ref, r.version, r.before, r.after, r.reason, r.self_approved, r.content_hash)
        for r in page.rows
    ]


def show_table(page: Page[DecisionRow]) -> None:
    """One page, newest first, in the reader's own zone with its offset."""
    columns = (
        Column("When", "keep"),
        Column("Who", "keep"),
        Column("Did", "keep"),
        Column("Item", "keep"),
        Column("From → to", "keep"),
        Column("Why", "grow"),
        Column("Content", "keep"),
    )
    rows = [_row(row, st.context.timezone) for row in page.rows]
    draw(table_tree(columns, rows, foot=f"{len(rows)} of {page.total:,}"), key="decisions-table")


def _row(row: DecisionRow, zone: str | None) -> TableRow:
    who = node("span", "", row.who, node("span", "meta", " · self-approved") if row.self_approved else None)
    moved = f"{row.before} → {row.after}" if row.before else row.after
    return TableRow(
        (
            stamp(row.at, zone),
            who,
            row.action,
            f"{row.ref} v{row.version}",
            moved,
            row.reason or "–",
            row.content_hash[:8],
        )
    )
