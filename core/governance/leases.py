"""Who has an item before them: a lease of some minutes, so that two people do not work on the same thing.

It is visible, it is not a lock on the store, and it never blocks for good: it ends by itself, and soon after the page
that shows the item has closed. The desk still compares and sets.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, delete, select

from core.errors import Refused
from core.governance.desk_settings import DeskSettings, settings_in_force
from core.governance.people import TOKEN, duties_of
from core.governance.references import item_of
from core.governance.tokens import said_to_be
from core.store.asked_once import already_told
from core.store.clock import now
from core.store.database import Database
from core.store.governance_records import Lease
from core.store.records import Item
from core.vocabulary import Duty


@dataclass(frozen=True)
class Held:
    """Who has an item, and until when at the latest; it is free earlier when the page that shows it closes."""

    person: str
    until: datetime


def holder(db: DatabaseSession, item_id: int, at: datetime) -> Held | None:
    """Who has this item now; None when it is free."""
    return holders(db, [item_id], at).get(item_id)


def holders(db: DatabaseSession, item_ids: Collection[int], at: datetime) -> dict[int, Held]:
    """Who has which of these items now; items that are free are left out. At most two queries for all."""
    several = [already_told(db, ("lease", one)) for one in item_ids]
    rows = [row for some in several for row in some or () if row.until > at]
    if any(some is None for some in several):
        rows = list(db.exec(select(Lease).where(col(Lease.item_id).in_(item_ids), col(Lease.until) > at)).all())
    if not rows:
        return {}
    settings = settings_in_force(db)
    here = (row for row in rows if _end(row, settings) > at and not _from_later(row, settings, at))
    return {row.item_id: Held(row.person, row.until) for row in here}


def claim(database: Database, item_id: int, person: str, *, at: datetime | None = None) -> Held:
    """Take an item, or keep it for longer; what somebody else has is left with them. Returns who has it now.

    Whatever else this person had is free again: one works on one item. Raises ``NotFound`` for an unknown item, and
    ``Refused`` for what an agent shows at its door.
    """
    with database.writing() as db:
        item_of(db, item_id)
        if said_to_be(db, person).startswith(TOKEN):
            raise Refused("agent_token", "What an agent shows at its door can never have an item before it.")
        return take(db, item_id, person, at or now())


def take(db: DatabaseSession, item_id: int, person: str, at: datetime) -> Held:
    """The same for a person and an item that are known, inside a transaction that is open already."""
    others = holder(db, item_id, at)
    if others is not None and others.person != person:
        return others
    db.exec(delete(Lease).where(col(Lease.person) == person, col(Lease.item_id) != item_id))
    row = db.get(Lease, item_id)
    if row is None or row.person != person:
        if row is not None:
            db.delete(row)
            db.flush()
        row = Lease(item_id=item_id, person=person, since=at, until=at, beat_at=at)
    row.until, row.beat_at = at + settings_in_force(db).lease, at
    db.add(row)
    return Held(person, row.until)


def beat(database: Database, item_id: int, person: str, *, at: datetime | None = None) -> Held | None:
    """A sign that the page with the item is still open; it makes the lease no longer. Returns who has the item."""
    moment = at or now()
    with database.writing() as db:
        found = holder(db, item_id, moment)
        if found is None or found.person != person:
            return found
        row = db.get_one(Lease, item_id)
        row.beat_at = moment
        db.add(row)
        return Held(person, row.until)


def release(database: Database, item_id: int, person: str) -> None:
    """Give an item back; nothing happens when this person does not have it."""
    with database.writing() as db:
        give_back(db, item_id, person)


def give_back(db: DatabaseSession, item_id: int, person: str) -> None:
    """The same inside a transaction that is open already."""
    db.exec(delete(Lease).where(col(Lease.item_id) == item_id, col(Lease.person) == person))


def give_all_back(database: Database, person: str) -> None:
    """Whatever this person has before them is free again: they leave."""
    with database.writing() as db:
        db.exec(delete(Lease).where(col(Lease.person) == person))


def free_for(
    db: DatabaseSession, item: Item, reference: str, person: str, needed: frozenset[Duty], at: datetime
) -> None:
    """Refuse while somebody else has the item who may do as much. Raises ``Refused`` with who, and for how long.

    Whoever has it and none of the duties ``needed``, or no longer, only reads and holds nobody up.
    """
    found = holder(db, item.id or 0, at)
    if found is not None and found.person != person and needed & duties_of(db, found.person).duties:
        left = max(1, round((found.until - at).total_seconds() / 60))
        until = f"for {left} more minute{'' if left == 1 else 's'} at most"
        raise Refused(
            "leased", f"{reference} is with {found.person} {until}. Nothing was decided; it can be tried then."
        )


def _from_later(row: Lease, settings: DeskSettings, at: datetime) -> bool:
    """Whether a lease is from a time that has yet to come: the clock was set back, and it would last for too long."""
    return row.beat_at - at > settings.silence


def _end(row: Lease, settings: DeskSettings) -> datetime:
    return min(row.until, row.beat_at + settings.silence)
