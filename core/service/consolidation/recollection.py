"""What is remembered of one user, read for the rules that choose: episodes that stand, and beliefs in force."""

import os
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import func, or_
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.sources import joined, stands
from core.memory.confidence import ZERO
from core.memory.episodes import EpisodeCandidate, Similarity
from core.screening.known import Fetcher
from core.screening.vectors import wordllama_fetcher
from core.settings import Settings
from core.store.memory_records import Episode

CANDIDATE: tuple[Any, ...] = tuple(
    map(col, (Episode.id, Episode.text, Episode.importance, Episode.true_from, Episode.depth))
)
"""What is read of an episode that has an importance, in the order of ``EpisodeCandidate``."""


def standing_episodes(
    db: DatabaseSession, agent_id: int, user: str | None, *, deepest: int = 0, newest: int | None = None
) -> list[EpisodeCandidate]:
    """The episodes of exactly this user that stand, newest first; with ``deepest``, beliefs up to that depth, too."""
    query = joined(select(Episode)).where(*_of_user(agent_id, user), *stands(), col(Episode.depth) <= deepest)
    query = query.order_by(col(Episode.true_from).desc(), col(Episode.id).desc())
    rows = db.execute(query.with_only_columns(*CANDIDATE).limit(newest)).all()
    return [EpisodeCandidate(*row) for row in rows if row.importance is not None]


def as_candidate(row: Episode) -> EpisodeCandidate:
    """An episode as the rules look at it; without an importance it counts for nothing."""
    return EpisodeCandidate(row.id or 0, row.text, row.importance or ZERO, row.true_from, row.depth)


def of_high_importance(db: DatabaseSession, agent_id: int, user: str | None, numbers: Settings) -> int:
    """How many episodes of a user count towards the floor: standing, no beliefs, important enough."""
    query = joined(select(func.count(col(Episode.id)))).where(*_of_user(agent_id, user), *_high(numbers))
    return int(db.exec(query).one())


def of_high_importance_each(
    db: DatabaseSession, keys: Collection[tuple[int, str]], numbers: Settings
) -> Mapping[tuple[int, str], int]:
    """The same for several agents and users, in one statement; an empty user is nobody. Those of none are left out."""
    of_agents = col(Episode.agent_id).in_({agent_id for agent_id, _ in keys})
    of_users = or_(col(Episode.user).in_({user for _, user in keys}), col(Episode.user).is_(None))
    query = joined(select(Episode.agent_id, Episode.user, func.count(col(Episode.id))))
    query = query.where(of_agents, of_users, *_high(numbers)).group_by(col(Episode.agent_id), col(Episode.user))
    return {(agent_id, user or ""): count for agent_id, user, count in db.execute(query).all()}


def similarity_in_use() -> Similarity | None:
    """A small embedding where one is installed and asked for; None for shared words, weighed by their rarity."""
    if os.environ.get("TUTELAGE_EMBEDDING") != "wordllama" or not _is_installed():
        return None
    return _embedded


def _embedded(question: str, texts: Sequence[str]) -> list[float]:
    fetcher: Fetcher | None = wordllama_fetcher()
    if fetcher is None:
        return [0.0] * len(texts)
    for place, text in enumerate(texts):
        fetcher.add(str(place), text)
    near = dict(fetcher.near(question, len(texts)))
    return [near[str(place)] for place in range(len(texts))]


@cache
def _is_installed() -> bool:
    return wordllama_fetcher() is not None


def _high(numbers: Settings) -> tuple[Any, ...]:
    return (*stands(), col(Episode.importance) >= numbers.high_importance, col(Episode.depth) == 0)


def _of_user(agent_id: int, user: str | None) -> tuple[object, object]:
    return col(Episode.agent_id) == agent_id, col(Episode.user).is_not_distinct_from(user)
