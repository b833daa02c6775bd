"""Critical notes as cases: a breach that returns is linked to its first note, and re-opens it where it was resolved.

Two notes are of the same breach when they are of the same agent, from other sessions, and have the same fault; what
the critic or a person wrote has no fault of a check, so there the dimension and the words decide. Who the user was
makes no difference. Source: Self-reflection memory, critical notes as audit records.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.approvers import gravest
from core.governance.references import reference
from core.screening.comparison import Relation, compare
from core.store.asked_once import once
from core.store.oversight_records import Recurrence
from core.store.records import AgentSession, Decision, Item, NoteBody
from core.vocabulary import Kind, Severity, Status

RULE = "recurrence"
"""The name of the automatic rule that re-opens a resolved case."""

OF_THE_CRITIC = "critic:"
"""How the fault of a note begins that the critic wrote: it names its quotes, and no breach."""

ALIKE = (Relation.SAME, Relation.TWIN)
DISMISSED = (Status.DISMISSED, Status.APPEALED)
NOT_YET = (Status.HELD, *DISMISSED)
"""The statuses from which a note comes up that may never have been open."""


@dataclass(frozen=True)
class Returned:
    """A case that a new note re-opens, and what its log says of it."""

    case: Item
    text: str


def recurrence(db: DatabaseSession, item: Item, row: Decision) -> Returned | None:
    """Link a critical note to the case of its breach, where there is one; the caller holds the write lock.

    Returns the case where it is resolved and this note re-opens it: when it is linked, or by ``row`` stands open for
    the first time. One that is held, or was dismissed before it was ever open, shows nothing yet.
    """
    if item.kind != Kind.NOTE or gravest(db, item) != Severity.CRITICAL:
        return None
    known = case_of(db, item)
    first = known or _first_of_the_breach(db, item)
    if first is None:
        return None
    if known is None:
        db.add(Recurrence(item_id=item.id or 0, case_id=first.id or 0, at=row.at))
        db.flush()
    elif _stood_open(db, item, row):
        return None
    if item.status != Status.OPEN or first.status != Status.RESOLVED:
        return None
    where = db.get(AgentSession, item.session_id) if item.session_id else None
    there = f", in {where.ref}" if where else ""
    return Returned(first, f"{reference(item)} is of the same breach{there}.")


def _stood_open(db: DatabaseSession, item: Item, row: Decision) -> bool:
    """Whether any version of a note was open before this decision."""
    earlier = select(Decision.id).where(col(Decision.item_id).in_(_versions(item)), col(Decision.id) < row.id)
    return db.exec(earlier.where(Decision.after == Status.OPEN).limit(1)).first() is not None


def case_of(db: DatabaseSession, item: Item) -> Item | None:
    """The case that a note belongs to, as it stands now; None for a note that is the first of its breach, or alone."""
    return once(db, ("case", item.id or 0), lambda: _case_of(db, item))


def _case_of(db: DatabaseSession, item: Item) -> Item | None:
    row = db.exec(select(Recurrence).where(col(Recurrence.item_id).in_(_versions(item)))).first()
    return _as_it_stands(db, db.get_one(Item, row.case_id)) if row else None


def recurrences_of(db: DatabaseSession, item: Item) -> list[Item]:
    """The notes that were linked to a case, as they stand now, in the order in which they came."""
    return once(db, ("recurrences", item.id or 0), lambda: _recurrences_of(db, item))


def _recurrences_of(db: DatabaseSession, item: Item) -> list[Item]:
    linked = select(Item).join(Recurrence, col(Recurrence.item_id) == col(Item.id))
    rows = db.exec(linked.where(col(Recurrence.case_id).in_(_versions(item))).order_by(col(Item.number))).all()
    return [_as_it_stands(db, row) for row in rows]


def _versions(item: Item) -> Any:
    """The ids of all versions of a note, to be asked for within a query."""
    return select(col(Item.id)).where(col(Item.kind) == item.kind, col(Item.number) == item.number)


def _as_it_stands(db: DatabaseSession, item: Item) -> Item:
    """The version of a note that its reference means: the newest that did not give way to another."""
    same = select(Item).where(Item.kind == item.kind, Item.number == item.number, Item.status != Status.SUPERSEDED)
    return db.exec(same.order_by(col(Item.version).desc()).limit(1)).first() or item


def _first_of_the_breach(db: DatabaseSession, item: Item) -> Item | None:
    """The first other critical note of the same breach: one that stands before one that was dismissed, and one that
    is a case before one that is a recurrence itself.
    """
    found = list(_of_the_breach(db, item))
    linked = _linked(db, found)
    order = sorted(found, key=lambda one: (one.status in DISMISSED, one.number in linked, one.number))
    return order[0] if order else None


def _of_the_breach(db: DatabaseSession, item: Item) -> Iterator[Item]:
    has_fault = bool(item.fault) and not item.fault.startswith(OF_THE_CRITIC)
    of_agent = [Item.agent_id == item.agent_id, Item.kind == Kind.NOTE, Item.severity == Severity.CRITICAL]
    others = select(Item).where(*of_agent, Item.number != item.number).order_by(col(Item.number), col(Item.version))
    if has_fault:
        others = others.where(Item.fault == item.fault)
    else:
        said = db.get_one(NoteBody, item.id)
        others = others.join(NoteBody, col(NoteBody.item_id) == col(Item.id)).where(
            NoteBody.dimension == said.dimension
        )
    seen: set[int] = set()
    for other in db.exec(others).all():
        if other.number in seen or other.session_id == item.session_id:
            continue
        if has_fault or compare(item.headline, other.headline).relation in ALIKE:
            seen.add(other.number)
            yield _as_it_stands(db, other)


def _linked(db: DatabaseSession, found: Sequence[Item]) -> set[int]:
    """The numbers of those notes that are recurrences themselves."""
    numbers = select(Item.number).join(Recurrence, col(Recurrence.item_id) == col(Item.id))
    return set(db.exec(numbers.where(col(Item.number).in_([one.number for one in found]))).all()) if found else set()
