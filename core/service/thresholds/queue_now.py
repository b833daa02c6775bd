"""The queue as it stands, for trying other weights and days on it."""

from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.queueing import consequence, rank
from core.service.overdue import due_at
from core.service.thresholds.happened import Waiting
from core.settings import Settings
from core.store.records import Item, LessonBody
from core.vocabulary import Kind, Scope

MOST = 1_000
"""Items of the queue that are looked at, the first ones."""


def waiting(db: DatabaseSession) -> tuple[Waiting, ...]:
    """The first items of the queue, in its order."""
    query = select(Item, LessonBody.scope).outerjoin(LessonBody, col(LessonBody.item_id) == Item.id)
    rows = db.exec(query.where(col(Item.queued_at).is_not(None)).order_by(col(Item.rank), col(Item.id)).limit(MOST))
    return tuple(
        Waiting(item.id or 0, item.severity, _scope(item, scope), item.sessions, item.queued_at)
        for item, scope in rows.all()
        if item.queued_at is not None
    )


def flipped(queue: tuple[Waiting, ...], at: datetime, now: Settings, draft: Settings) -> int:
    """How many items would have another place, or be overdue where they are not, or not where they are."""
    places, others = _places(queue, now), _places(queue, draft)
    return sum(
        places[one.item] != others[one.item] or _overdue(one, at, now) is not _overdue(one, at, draft) for one in queue
    )


def _places(queue: tuple[Waiting, ...], numbers: Settings) -> dict[int, int]:
    ranked = sorted(
        queue,
        key=lambda one: (
            rank(one.since, consequence(one.severity, one.scope, one.sessions, numbers), numbers),
            one.item,
        ),
    )
    return {one.item: place for place, one in enumerate(ranked)}


def _overdue(one: Waiting, at: datetime, numbers: Settings) -> bool:
    return due_at(one.severity, one.since, numbers) <= at


def _scope(item: Item, scope: str | None) -> Scope:
    if item.kind == Kind.NOTE:
        return Scope.USER
    return Scope(scope) if scope else Scope.TASK_CLASS
