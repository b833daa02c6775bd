"""What was true of a user at one moment, as it was known at another: two times, never mixed.

An episode is true from when it happened and known from when it was written, until it was withdrawn. A belief is true
from the first episode that it rests on, and known while it was in force, by the log.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import or_
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.as_of import standing, up_to
from core.governance.references import episode_reference, version_reference
from core.store.memory_records import Episode
from core.store.records import Item
from core.vocabulary import Kind, Status


@dataclass(frozen=True)
class TrueThen:
    """An episode, or a belief (``item``), with both its times."""

    id: int
    ref: str
    text: str
    true_from: datetime
    known_from: datetime
    item: int | None = None


def beliefs_as_of(
    db: DatabaseSession, agent_id: int, user: str | None, true_at: datetime, known_at: datetime
) -> tuple[TrueThen, ...]:
    """The beliefs about exactly this user that were in force at ``known_at`` and true by ``true_at``, by number."""
    query = select(Item, Episode).join(Episode, col(Episode.belief_id) == col(Item.id))
    of_user = (Item.agent_id == agent_id, Item.kind == Kind.BELIEF, col(Item.user).is_not_distinct_from(user))
    then = (standing(Status.ACTIVE, up_to(db, known_at)), col(Episode.true_from) <= true_at)
    rows = db.exec(query.where(*of_user, *then).order_by(col(Item.number), col(Item.version))).all()
    return tuple(
        TrueThen(place.id or 0, version_reference(item), place.text, place.true_from, place.at, item.id)
        for item, place in rows
    )


def episodes_as_of(
    db: DatabaseSession, agent_id: int, user: str | None, true_at: datetime, known_at: datetime
) -> tuple[TrueThen, ...]:
    """The episodes of exactly this user that had happened by ``true_at`` and were known at ``known_at``, oldest first.

    What was withdrawn and restored since counts as known throughout; only its last withdrawal is kept.
    """
    not_yet_gone = or_(col(Episode.withdrawn_at).is_(None), col(Episode.withdrawn_at) > known_at)
    known = (col(Episode.at) <= known_at, not_yet_gone, col(Episode.held).is_(None))
    of_user = (Episode.agent_id == agent_id, col(Episode.user).is_not_distinct_from(user))
    query = select(Episode).where(*of_user, *known, col(Episode.true_from) <= true_at)
    rows = db.exec(query.where(col(Episode.belief_id).is_(None)).order_by(col(Episode.true_from), col(Episode.id)))
    return tuple(
        TrueThen(row.id or 0, episode_reference(row.id or 0), row.text, row.true_from, row.at) for row in rows.all()
    )
