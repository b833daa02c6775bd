"""How long and at what somebody looked before they decided: kept with each decision, for what it says about many.

Which quotes were looked at in their transcript is told by the pages that put them into the light; nothing is refused
for it.
"""

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.store.clock import now
from core.store.database import Database
from core.store.records import Evidence, ReadMark

LONGEST = 2**31 - 1
"""The largest number of milliseconds that is kept, some 24 days."""


def looked_ms(shown_at: datetime | None, at: datetime) -> int | None:
    """Milliseconds since an item came on the screen; None without a screen, and where a clock was put back."""
    if shown_at is None or shown_at > at:
        return None
    return min(int((at - shown_at).total_seconds() * 1_000), LONGEST)


def opened_by(db: DatabaseSession, item_id: int, person: str) -> frozenset[int]:
    """The quotes of an item that this person has looked at in their transcript, by id."""
    mark = db.get(ReadMark, (item_id, person))
    if mark is None or not mark.opened:
        return frozenset()
    return frozenset(mark.opened) & _quotes_of(db, item_id)


def mark_opened(
    database: Database, item_id: int, person: str, quotes: Collection[int], *, at: datetime | None = None
) -> None:
    """Keep that somebody has looked at these quotes; what is no quote of the item is left out."""
    wanted = frozenset(quotes)
    with database.reading() as db:
        if not wanted - opened_by(db, item_id, person):
            return
    with database.writing() as db:
        fresh = wanted & _quotes_of(db, item_id)
        mark = db.get(ReadMark, (item_id, person))
        known = frozenset(mark.opened or ()) if mark else frozenset()
        if not fresh - known:
            return
        mark = mark or ReadMark(item_id=item_id, person=person, at=at or now())
        mark.opened = sorted(known | fresh)
        db.add(mark)


def _quotes_of(db: DatabaseSession, item_id: int) -> frozenset[int]:
    return frozenset(one or 0 for one in db.exec(select(Evidence.id).where(col(Evidence.item_id) == item_id)).all())
