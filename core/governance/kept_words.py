"""Words that a person has typed and not yet sent. They outlive a refresh, a crash of either side, and a lost race."""

from collections.abc import Mapping
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, delete, select

from core.governance.people import duties_of
from core.screening.secrets import mask
from core.store.asked_once import once
from core.store.clock import now
from core.store.database import Database
from core.store.governance_records import KeptWords
from core.store.records import Item

LONGEST = 20_000
"""Characters of one field that are kept."""


def keep_words(
    database: Database, item_id: int, person: str, words: Mapping[str, str], *, at: datetime | None = None
) -> None:
    """Keep what stands in some fields now; empty ones are forgotten. Secrets are masked; who has no duty keeps nothing.

    Nothing is kept about an item that is not there.
    """
    with database.writing() as db:
        if db.get(Item, item_id) is None or not duties_of(db, person).duties:
            return
        for field, text in words.items():
            row = db.get(KeptWords, (item_id, person, field))
            if text:
                row = row or KeptWords(item_id=item_id, person=person, field=field, text="", at=at or now())
                row.text, row.at = mask(text[:LONGEST]).text, at or now()
                db.add(row)
            elif row is not None:
                db.delete(row)


def kept_words(database: Database, item_id: int, person: str) -> dict[str, str]:
    """What this person has typed about an item, by field."""
    with database.reading() as db:
        return kept(db, item_id, person)


def kept(db: DatabaseSession, item_id: int, person: str) -> dict[str, str]:
    """The same within a transaction."""
    query = select(KeptWords).where(KeptWords.item_id == item_id, KeptWords.person == person)
    asked = once(db, (f"words kept for {person}", item_id), lambda: db.exec(query).all())
    return {row.field: row.text for row in asked}


def forget_words(database: Database, item_id: int, person: str) -> None:
    """Forget them: they were sent, or given up."""
    with database.writing() as db:
        forget(db, item_id, person)


def forget(db: DatabaseSession, item_id: int, person: str) -> None:
    """The same within a transaction."""
    db.exec(delete(KeptWords).where(col(KeptWords.item_id) == item_id, col(KeptWords.person) == person))
