"""The list of what waits: most consequential first, unread in bold with a dot."""

from datetime import datetime

from core.service.views import Page, QueueRow
from ui.badges import severity_mark
from ui.times import age
from ui.tree import Node, joined, node
from ui.waiting import overdue_mark, why_here


def queue_tree(page: Page[QueueRow], selected: int | None, now: datetime, me: str = "") -> Node:
    """The list; a row is pressed as ``item:ID``. ``me`` is who looks."""
    rows = [_row(row, row.id == selected, now, me) for row in page.rows]
    return node(
        "nav", "pane queue", node("div", "scroll", *rows, data_list=True), aria_label="What waits for a decision"
    )


def _row(row: QueueRow, selected: bool, now: datetime, me: str) -> Node:
    since = row.queued_at or row.created_at
    return node(
        "button",
        " ".join(word for word, on in (("item", True), ("unread", row.unread)) if on),
        node("span", "dot", aria_label=row.unread and "unread"),
        node(
            "span",
            "line",
            severity_mark(row.severity),
            node("span", "meta", age(since, now), overdue_mark(row, now)),
        ),
        node("span", "headline", row.headline),
        node("span", "meta", *_with_whom(row, me), _below(row, me)),
        data_press=f"item:{row.id}",
        title=why_here(row, now),
        aria_current=selected and "true",
        type="button",
    )


def _with_whom(row: QueueRow, me: str) -> list[Node]:
    """Who has it before them, where that is somebody else."""
    return [node("b", "lease", f"{row.with_whom} · ")] if row.with_whom not in (None, me) else []


def _below(row: QueueRow, me: str) -> str:
    turn = "yours" if row.assignee == me else f"given to {row.assignee}" if row.assignee else None
    quotes = None if row.evidence else "no quote"
    held = row.status if row.status != "proposed" else None
    owner = f"owner {row.owner}" if row.owner else None
    return joined((turn, str(row.kind).capitalize(), row.agent, row.task_class, held, quotes, row.evidence, owner))
