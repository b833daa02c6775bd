"""What a version of a belief rests on, and whether that still stands.

Episodes and beliefs share one address space, so a citation names either. Source: Reflection: From Experiences to
Beliefs.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.store.asked_once import once
from core.store.memory_records import Citation, Episode


def cited_episodes(db: DatabaseSession, item_id: int) -> Sequence[Episode]:
    """The episodes, and beliefs among them, that a version cites, oldest first."""
    cited = select(Episode).join(Citation, col(Citation.episode_id) == Episode.id).where(Citation.item_id == item_id)
    oldest = cited.order_by(col(Episode.true_from), col(Episode.id))
    return once(db, ("cited episodes", item_id), lambda: db.exec(oldest).all())


def citation_counts(db: DatabaseSession, items: Collection[int]) -> dict[int, int]:
    """How many episodes that were not withdrawn each of these beliefs cites; those that cite none are left out."""
    stand = (col(Episode.id) == Citation.episode_id) & col(Episode.withdrawn).is_(None)
    counted = select(Citation.item_id, func.count()).join(Episode, stand).where(col(Citation.item_id).in_(items))
    return dict(db.exec(counted.group_by(col(Citation.item_id))).all())
