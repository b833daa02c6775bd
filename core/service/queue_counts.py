"""What waits for somebody, in figures that stand on every page: how much, what they have not seen, what is overdue.

Each figure is one small query that stops counting at a thousand, so that it costs the same whatever waits.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import exists, select, text
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.governance.numbers import numbers_in_force
from core.governance.people import Person
from core.governance.sealing import said_by
from core.service.counting import NONE, Count, count
from core.service.overdue import critical_overdue, is_overdue
from core.store.clock import now
from core.store.database import Database
from core.store.records import NOTES_CONDITION, QUEUE_CONDITION, WAITS_CONDITION, Item, ReadMark
from core.store.self_review_records import SelfReview
from core.vocabulary import Duty, ReviewState, Severity

ON_REVIEW, ANYWHERE, NOTES = text(QUEUE_CONDITION), text(WAITS_CONDITION), text(NOTES_CONDITION)
LOOKED_THROUGH = 5_000
"""Items at the head of the queue among which the unread ones are counted."""


@dataclass(frozen=True)
class QueueCounts:
    """What waits on Review, what of it is unread, overdue and this person's, and the critical notes that wait.

    All are none for a person without a duty.
    """

    waiting: Count = NONE
    unread: Count = NONE
    overdue: Count = NONE
    mine: Count = NONE
    critical: Count = NONE
    critical_overdue: Count = NONE
    escalations: Count = NONE
    decides_notes_only: bool = False
    """Whether the critical notes are this person's work, and Review is not."""

    @property
    def in_title(self) -> str:
        """What the title of the window says first, ``3 · 2 overdue``: the unread of Review, or the notes that wait."""
        waits, late = (self.critical, self.critical_overdue) if self.decides_notes_only else (self.unread, self.overdue)
        parts = (str(waits) if waits else "", f"{late} overdue" if late else "")
        return " · ".join(part for part in parts if part)


def queue_counts(database: Database, person: Person, *, at: datetime | None = None) -> QueueCounts:
    """The figures for one person at one moment."""
    if not person.duties:
        return QueueCounts()
    moment = at or now()
    with database.reading() as db:
        numbers = numbers_in_force(db)
        late = is_overdue(numbers, moment)
        here = (ON_REVIEW, *not_said_by(db, person.name))
        escalated = select(col(SelfReview.id)).where(col(SelfReview.state) == ReviewState.ESCALATED)
        return QueueCounts(
            waiting=count(db, _items(*here)),
            unread=_unread(db, person.name, here),
            overdue=count(db, _items(*here, late)),
            mine=count(db, _items(*here, col(Item.assignee) == person.name)),
            critical=count(db, _items(*critical_notes()).order_by(col(Item.rank))),
            critical_overdue=count(
                db, _items(*critical_notes(), critical_overdue(numbers, moment)).order_by(col(Item.rank))
            ),
            escalations=count(db, escalated),
            decides_notes_only=Duty.AUDITOR in person.duties and Duty.LEAD not in person.duties,
        )


def critical_notes() -> tuple[Any, ...]:
    """The conditions that a critical note waits for an auditor: open, held or appealed."""
    return (NOTES, col(Item.weight) == Severity.CRITICAL.rank)


def has_not_read(person: str) -> Any:
    """The condition that a person has not looked at an item."""
    return ~exists().where(col(ReadMark.item_id) == Item.id, col(ReadMark.person) == person)


def _items(*where: Any) -> Any:
    return select(col(Item.id)).where(*where)


def not_said_by(db: DatabaseSession, person: str) -> tuple[Any, ...]:
    """The condition that an item waits for this person: not for others, because they have said about it, blind."""
    said = said_by(db, person)
    return (col(Item.id).not_in(said),) if said else ()


def _unread(db: DatabaseSession, person: str, here: tuple[Any, ...]) -> Count:
    """The unread among the first of the queue; where more waits than is looked through, there may be more."""
    head = _items(*here).order_by(col(Item.rank), col(Item.id)).limit(LOOKED_THROUGH + 1).subquery()
    read = exists().where(col(ReadMark.item_id) == head.c.id, col(ReadMark.person) == person)
    found = count(db, select(head.c.id).where(~read))
    if found.more or count(db, _items(*here), LOOKED_THROUGH).more:
        return Count(found.number, True)
    return found
