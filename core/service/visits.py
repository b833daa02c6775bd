"""When somebody was at the desk, so that Home can say what has changed since.

A visit is written at most once a minute. Whoever was away for hours comes back to a new one, and what counts as new to
them is what happened after they left.
"""

from contextlib import suppress
from datetime import datetime, timedelta

from core.errors import StoreBusy
from core.governance.people import Person
from core.store.clock import now
from core.store.database import Database
from core.store.oversight_records import Visit

WRITTEN_EVERY = timedelta(minutes=1)
AWAY = timedelta(hours=4)
"""How long somebody is away before their next page begins another visit."""


def note_visit(database: Database, person: Person, at: datetime | None = None) -> None:
    """Keep that somebody with a duty is here now."""
    moment = at or now()
    if not person.duties:
        return
    with database.reading() as db:
        known = db.get(Visit, person.name)
        if known is not None and timedelta() <= moment - known.here_at < WRITTEN_EVERY:
            return
    with suppress(StoreBusy), database.writing() as db:  # a page is drawn although the store is busy
        row = db.get(Visit, person.name)
        if row is None:
            row = Visit(person=person.name, here_at=moment)
        elif moment - row.here_at > AWAY:
            row.before_at = row.here_at
        row.here_at = moment
        db.add(row)


def away_since(database: Database, person: str) -> datetime | None:
    """When the visit before this one ended; None where there was none."""
    with database.reading() as db:
        known = db.get(Visit, person)
        return known.before_at if known else None
