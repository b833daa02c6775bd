"""The pieces of the page for several at once: its filters, its table, and what became of a batch."""

from collections.abc import Sequence

import streamlit as st

from core.governance.bulk import would_be
from core.governance.never_in_bulk import TOGETHER
from core.service import desk_views
from core.service.bulk_views import BatchRow, BulkRow, batch_rows, bulk_page
from core.service.views import Narrowed, Page
from core.vocabulary import Action, Status
from ui import bulk_deciding
from ui.badges import severity_mark
from ui.bulk_deciding import chosen, toggle
from ui.drawing import draw
from ui.frame import Desk, empty, page_head
from ui.lists import choose_one
from ui.places import follow, leave_later
from ui.review_desk import EVERY_AGENT, EVERY_KIND, EVERY_VERDICT
from ui.table import Column, TableRow, table_tree
from ui.tree import Node, joined, node

ACTS = {str(action): action for action in TOGETHER}
STATES = (Status.PROPOSED, Status.HELD, Status.OPEN, Status.ACTIVE, Status.SUSPENDED)
EVERY_STATE = "every state"
COLUMNS = (
    Column("", "keep"),
    Column("Item", "keep"),
    Column("What it says", "grow"),
    Column("For", "some"),
    Column("Evidence", "some"),
    Column("What the act would do", "some"),
)
BATCH_COLUMNS = (
    Column("Item", "keep"),
    Column("What it says", "grow"),
    Column("What became of it", "some"),
    Column("Stands as", "keep"),
)


def filters(desk: Desk) -> tuple[Action, Narrowed]:
    """What is to be done, and to which items; all of it in the address."""
    page_head("Several at once", "one decision an item; plants, conflicts and what needs two people are decided alone")
    with st.container(key="filters", horizontal=True, vertical_alignment="center"):
        act = st.selectbox(
            "Act", list(ACTS), key="several_act", bind="query-params", label_visibility="collapsed", width=190
        )
        kind = choose_one("Kind", ["lesson", "procedure", "note"], "several_kind", EVERY_KIND)
        agent = choose_one("Agent", desk_views.agents(desk.db), "several_agent", EVERY_AGENT)
        evidence = choose_one("Evidence", desk_views.verdict_filters, "several_evidence", EVERY_VERDICT)
        state = choose_one("State", STATES, "several_state", EVERY_STATE)
    return ACTS[act], Narrowed(kind, agent, evidence, state)


def read(desk: Desk, action: Action, narrowed: Narrowed, number: int) -> Page[BulkRow]:
    """The items that the act could be about."""
    return bulk_page(desk.db, action, narrowed, person=desk.person.name, page=number)


def show_table(page: Page[BulkRow], action: Action, narrowed: Narrowed) -> None:
    """One page of items; a row that can be chosen is pressed whole."""
    if not page.rows:
        empty("Nothing here fits these filters.", "Another act or another filter may find something.")
        return
    picked = chosen(action, narrowed)
    rows = [_row(row, action, picked=row.id in picked) for row in page.rows]
    tree = table_tree(COLUMNS, rows, foot=f"{len(rows)} of {page.total:,}")
    draw(
        tree,
        key="bulk-table",
        place=f"{action} {page.number}",
        on_press=lambda press: _pressed(press, action, narrowed),
    )


def _pressed(press: str, action: Action, narrowed: Narrowed) -> None:
    what, _, which = press.partition(":")
    if what == "box":
        toggle(action, narrowed, int(which))
    else:
        follow(press)


def _row(row: BulkRow, action: Action, *, picked: bool) -> TableRow:
    box = node(
        "span",
        "box on" if picked else "box",
        role="checkbox",
        aria_checked="true" if picked else "false",
        aria_label=f"Choose {row.ref}",
    )
    said = node("span", "meta", f"not in bulk: {row.why_not}") if row.why_not else would_be(action)
    cells: tuple[Node, ...] = (
        "" if row.why_not else box,
        node("div", "", _link(row.ref), node("div", "meta", severity_mark(row.severity))),
        node("span", "lines", row.headline),
        joined((str(row.kind), row.status, row.agent, row.task_class)),
        row.evidence,
        said,
    )
    return TableRow(cells, None if row.why_not else f"box:{row.id}", picked)


def _link(ref: str) -> Node:
    return node("button", "link", ref, data_press=f"item:{ref}", type="button")


def shows_a_batch(desk: Desk) -> bool:
    """Whether the address names a batch; then what became of its items is shown, and nothing else."""
    batch = st.query_params.get("batch")
    if not batch:
        return False
    rows = batch_rows(desk.db, batch)
    told = bulk_deciding.told_of(batch)
    page_head(f"Batch {batch}", f"{len(rows)} decided together")
    if not rows and not told:
        empty("No decision bears this name.", "Names of batches stand in the Decision log.")
        return True
    draw(_batch_tree(rows, told), key="batch-table", on_press=follow)
    with st.container(key="batch-acts", horizontal=True):
        undo, can = bulk_deciding.undo, _can(desk, rows)
        st.button("Undo the batch", key="undo-batch", on_click=undo, args=(desk, batch), disabled=not can)
        log = {"find": batch}
        st.button("Show it in the log", key="batch-log", on_click=leave_later, args=("decisions",), kwargs=log)
        st.button("Back to choosing", key="batch-back", on_click=bulk_deciding.leave_batch)
    return True


def _can(desk: Desk, rows: Sequence[BatchRow]) -> bool:
    return any(row.stands and row.by == desk.person.name for row in rows)


def _batch_tree(rows: Sequence[BatchRow], told: dict[int, str]) -> Node:
    by_id = {row.item_id: row for row in rows}
    shown = [_batch_row(row, told.get(row.item_id) or _became(row)) for row in rows]
    refused = [
        TableRow((_link(ref), "", node("span", "", text), "")) for ref, text in bulk_deciding.refused_of(told, by_id)
    ]
    return table_tree(BATCH_COLUMNS, [*shown, *refused])


def _batch_row(row: BatchRow, said: str) -> TableRow:
    return TableRow((_link(row.version), node("span", "lines", row.headline), said, row.status))


def _became(row: BatchRow) -> str:
    return f"{row.what} by {row.by}" + ("" if row.stands else "; something has happened since")
