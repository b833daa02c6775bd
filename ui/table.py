"""A table whose rows are pressed whole and whose text wraps: nothing that a person must read is cut."""

from collections.abc import Sequence
from dataclasses import dataclass

from ui.tree import Node, node


@dataclass(frozen=True)
class Column:
    """One column.

    ``look`` is ``grow`` (takes the room), ``num`` (figures, right), ``keep`` (one line), ``some`` (room for some words)
    or empty (as wide as its words).
    """

    title: str
    look: str = ""


@dataclass(frozen=True)
class TableRow:
    """One row. ``press`` is what the press reports; without it the row only shows."""

    cells: tuple[Node, ...]
    press: str | None = None
    selected: bool = False


def table_tree(columns: Sequence[Column], rows: Sequence[TableRow], *, foot: str = "") -> Node:
    """The table; on a narrow screen each row becomes a block whose cells carry their column's title."""
    head = node("thead", "", node("tr", "", *(node("th", c.look, c.title, scope="col") for c in columns)))
    body = node("tbody", "", *(_row(columns, row) for row in rows), data_list=True)
    return node(
        "div", "tablebox", node("div", "held", node("table", "", head, body)), node("p", "meta", foot) if foot else None
    )


def _row(columns: Sequence[Column], row: TableRow) -> Node:
    cells = [
        node("td", column.look, cell, data_title=column.title) for column, cell in zip(columns, row.cells, strict=True)
    ]
    return node(
        "tr",
        "row" if row.press else "",
        *cells,
        data_press=row.press or False,
        tabindex="0" if row.press else False,
        aria_current=row.selected and "true",
    )
