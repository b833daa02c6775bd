"""The place of an item in the queue: by consequence, which is severity × scope × reach, and grows while it waits.

Every so many days of waiting count for twice as much. Two items that wait grow alike, so their order never changes by
itself: it is kept as one whole number, smallest first, and an index finds the page however many wait.
"""

import math
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Integer as WholeNumber
from sqlalchemy import String, case, extract, func, select, update
from sqlalchemy import cast as sql_cast
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.governance.numbers import numbers_in_force
from core.settings import Settings
from core.store.records import Item, LessonBody
from core.vocabulary import Kind, Scope, Severity, Status

DAY = 24 * 3_600
MOST_SESSIONS = 64
"""Sessions that count for the reach of an item; more make no difference."""

WAITING = frozenset({Status.PROPOSED, Status.HELD, Status.APPEALED})
"""The statuses in which an item of any kind waits for somebody. What a rule suspended waits, too."""


def waits(kind: str, status: str, severity: str, *, by_rule: bool) -> bool:
    """Whether an item waits for a person: a proposal, whatever is held, appealed or suspended by a rule, a critical
    note that is open.
    """
    if status == Status.OPEN:
        return kind == Kind.NOTE and severity == Severity.CRITICAL
    return status in WAITING or (status == Status.SUSPENDED and by_rule)


@dataclass(frozen=True)
class Consequence:
    """What an item counts for: the weights of its severity and scope, and its reach in sessions, each from 1 on."""

    severity: int
    scope: int
    reach: int

    @property
    def product(self) -> int:
        """Severity × scope × reach."""
        return self.severity * self.scope * self.reach


def consequence(severity: str, scope: Scope, sessions: int, numbers: Settings) -> Consequence:
    """What an item counts for. A severity that is not known counts as critical."""
    return Consequence(_weight(severity, numbers), _breadth(scope, numbers), min(max(sessions, 1), MOST_SESSIONS))


def rank(since: datetime, counts: Consequence, numbers: Settings) -> int:
    """The place in the queue, in seconds: what came earlier or weighs more has the smaller number.

    Each weight is a head start of its own, rounded to a second, so that one statement over the whole queue finds the
    same numbers.
    """
    days = numbers.queue_doubling_days
    ahead = sum(_head_start(one, days) for one in (counts.severity, counts.scope, counts.reach))
    return math.floor(since.timestamp()) - ahead


def requeue(db: DatabaseSession, item: Item) -> None:
    """Work out anew where an item stands in the queue, where it waits; the caller writes the row."""
    if item.queued_at is not None:
        numbers = numbers_in_force(db)
        counts = consequence(item.severity, scope_of(db, item), item.sessions, numbers)
        item.rank = rank(item.queued_at, counts, numbers)


def scope_of(db: DatabaseSession, item: Item) -> Scope:
    """For whom an item holds: a note and a belief for one user, a lesson as it says, a procedure for its task class.

    A scope that is not known here is read as a task class.
    """
    body = db.get(LessonBody, item.id) if item.kind == Kind.LESSON and item.id is not None else None
    return scope_as_known(item.kind, body.scope if body else None)


def scope_as_known(kind: str, scope: str | None) -> Scope:
    """The same for a kind and the scope that a lesson names."""
    if kind in (Kind.NOTE, Kind.BELIEF):
        return Scope.USER
    return Scope(scope) if scope in set(Scope) else Scope.TASK_CLASS


def requeue_all(db: DatabaseSession, numbers: Settings) -> None:
    """The same for everything that waits, in one statement: other numbers make another order."""
    db.flush()
    scope = case(
        (col(Item.kind).in_((Kind.NOTE, Kind.BELIEF)), Scope.USER.value),
        else_=func.coalesce(_scope_of_lesson().scalar_subquery(), Scope.TASK_CLASS.value),
    )
    days = numbers.queue_doubling_days
    severities = {str(one): _head_start(_weight(one, numbers), days) for one in Severity}
    scopes = {str(one): _head_start(_breadth(one, numbers), days) for one in Scope}
    reach = {sessions: _head_start(sessions, days) for sessions in range(1, MOST_SESSIONS)}
    head_start = (
        case(severities, value=col(Item.severity), else_=severities[Severity.CRITICAL])
        + case(scopes, value=scope, else_=scopes[Scope.TASK_CLASS])
        + case(
            (col(Item.sessions) >= MOST_SESSIONS, _head_start(MOST_SESSIONS, days)),
            else_=case(reach, value=col(Item.sessions), else_=0),
        )
    )
    since = _seconds(db)
    db.connection().execute(update(Item).where(col(Item.queued_at).is_not(None)).values(rank=since - head_start))
    db.expire_all()


def _scope_of_lesson() -> Any:
    return select(col(LessonBody.scope)).where(col(LessonBody.item_id) == col(Item.id)).correlate(Item)


def _seconds(db: DatabaseSession) -> object:
    if db.connection().dialect.name == "sqlite":
        # Cut to the second first: SQLite would round the last half millisecond up to the next one.
        whole = func.substr(sql_cast(col(Item.queued_at), String), 1, len("2026-11-30 09:12:00"))
        return sql_cast(func.strftime("%s", whole), WholeNumber)
    return func.floor(extract("epoch", col(Item.queued_at)))


def _weight(severity: str, numbers: Settings) -> int:
    known = severity if severity in set(Severity) else Severity.CRITICAL
    return int(getattr(numbers, f"queue_{known}"))


def _breadth(scope: Scope, numbers: Settings) -> int:
    return int(getattr(numbers, f"queue_{scope}_scope"))


@lru_cache(maxsize=4_096)
def _head_start(weight: int, doubling_days: int) -> int:
    """By how many seconds of waiting a weight is ahead of the weight 1."""
    return round(doubling_days * DAY * math.log2(weight))
