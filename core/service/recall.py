"""A question about a user, answered by the right layer: one event by episodes, a pattern by beliefs and what is behind.

The answer says which layer it took, why, and by which words. What an agent is given was approved: beliefs in force, and
of episodes those behind them, unless the setting ``episodes_read`` opens all that are proven. Whoever is at the desk
sees everything that was not withdrawn, each with its standing. Source: Reflection: From Experiences to Beliefs.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.briefing.asked import Asked
from core.briefing.read import agent_named
from core.briefing.sources import Looking, beliefs_for
from core.governance.citations import citation_counts
from core.governance.groundings import is_found
from core.governance.numbers import numbers_in_force
from core.governance.references import by_number, episode_reference, version_reference
from core.governance.sources import joined, stands
from core.governance.stop_words import stop_words
from core.memory.beliefs import BeliefCandidate, choose_beliefs
from core.memory.confidence import ZERO
from core.memory.episodes import EpisodeCandidate, FoundEpisode, best_episodes
from core.memory.routing import Layer, Routed, route
from core.screening.named import name_kept
from core.service.consolidation.recollection import CANDIDATE, as_candidate, similarity_in_use
from core.settings import Settings
from core.store.clock import now
from core.store.database import Database
from core.store.memory_records import BeliefBody, Citation, Episode
from core.store.records import Agent, Item
from core.vocabulary import EpisodesRead, Kind, Status

STANDS = "stands"
"""How an episode stands that counts."""


@dataclass(frozen=True)
class RecalledEpisode:
    """An episode with the factors by which it was found; ``standing`` is ``stands`` where it counts, else why not."""

    ref: str
    text: str
    true_from: datetime
    importance: Decimal
    standing: str
    recency: float = 0.0
    similarity: float = 0.0
    score: float = 0.0


@dataclass(frozen=True)
class RecalledBelief:
    """A belief with why it is among the answers, and the episodes that it cites."""

    ref: str
    text: str
    importance: Decimal
    standing: str
    why: str
    behind: tuple[RecalledEpisode, ...]


@dataclass(frozen=True)
class Recalled:
    """An answer: the layer that gave it, why in a sentence, and the words that decided; the other layer is empty."""

    layer: Layer
    why: str
    words: tuple[str, ...]
    beliefs: tuple[RecalledBelief, ...] = ()
    episodes: tuple[RecalledEpisode, ...] = ()


@dataclass(frozen=True)
class Question:
    """What an agent wants to know of one of its users; without a user, of sessions of nobody in particular."""

    agent: str
    question: str
    user: str | None = None


@dataclass(frozen=True)
class _Asked:
    """A question with all that its answer depends on. ``approved`` narrows it to what an agent may be given."""

    db: DatabaseSession
    agent: Agent
    user: str | None
    question: str
    numbers: Settings
    at: datetime
    approved: bool


def recall(
    database: Database,
    agent: str,
    user: str | None,
    question: str,
    *,
    approved: bool = True,
    at: datetime | None = None,
) -> Recalled:
    """What is remembered of exactly this user that answers a question; without a user, what is about nobody.

    ``approved`` is what an agent may be given; without it, all that was not withdrawn. Where no belief answers a
    question about a pattern, episodes do, and it says so. Raises ``NotFound`` for an unknown agent.
    """
    with database.reading() as db:
        row = agent_named(db, agent)
        whom = name_kept(user) if user else None
        asked = _Asked(db, row, whom, question, numbers_in_force(db), at or now(), approved)
        routed = route(question)
        if routed.layer is Layer.EPISODES:
            return _episodes(asked, routed)
        beliefs = _beliefs(asked)
        if beliefs:
            return Recalled(Layer.BELIEFS, routed.why, routed.words, beliefs=beliefs)
        why = f"{routed.why} No belief answers it, so episodes do."
        found = _episodes(asked, Routed(Layer.EPISODES, why, routed.words))
        neither = f"{routed.why} Neither a belief nor an episode that may be given answers it."
        return found if found.episodes else replace(found, why=neither)


def _episodes(asked: _Asked, routed: Routed) -> Recalled:
    rows = _rows(asked)
    candidates, standing = [row for row, _ in rows], {row.id: how for row, how in rows}
    found = best_episodes(candidates, asked.question, asked.at, asked.numbers, similarity=similarity_in_use())
    answers = tuple(_found(one, standing[one.episode.id]) for one in found if one.similarity > 0)
    return Recalled(routed.layer, routed.why, routed.words, episodes=answers)


def _rows(asked: _Asked) -> list[tuple[EpisodeCandidate, str]]:
    """The episodes that may be given, beliefs apart, each with how it stands."""
    query = joined(select(Episode).with_only_columns(*CANDIDATE, col(Episode.held))).where(
        Episode.agent_id == asked.agent.id,
        Episode.user == asked.user,
        col(Episode.belief_id).is_(None),
        col(Episode.withdrawn).is_(None),
    )
    if not asked.approved:
        return [(_candidate(row), _standing(row)) for row in asked.db.execute(query).all()]
    query = query.where(*stands())
    if asked.numbers.episodes_read is EpisodesRead.GROUNDED:
        rows = asked.db.execute(query.add_columns(col(Episode.quotes))).all()
        return [(_candidate(row), STANDS) for row in rows if row.quotes and all(map(is_found, row.quotes))]
    active = (col(Item.kind) == Kind.BELIEF, col(Item.status) == Status.ACTIVE)
    of_user = (Item.agent_id == asked.agent.id, col(Item.user).is_not_distinct_from(asked.user))
    behind = select(Citation.episode_id).join(Item, col(Item.id) == col(Citation.item_id)).where(*active, *of_user)
    return [(_candidate(row), STANDS) for row in asked.db.execute(query.where(col(Episode.id).in_(behind))).all()]


def _candidate(row: Any) -> EpisodeCandidate:
    return EpisodeCandidate(row.id, row.text, row.importance or ZERO, row.true_from, row.depth)


def _beliefs(asked: _Asked) -> tuple[RecalledBelief, ...]:
    candidates = _in_force(asked) if asked.approved else _all_beliefs(asked)
    standing = {one.item: one.status for one in candidates}
    general = stop_words(asked.agent.name)
    chosen = choose_beliefs([_as_if_active(one) for one in candidates], asked.question, asked.numbers, general).taken
    behind = _behind(asked, [one.item.item for one in chosen])
    return tuple(
        RecalledBelief(
            ref=one.item.key,
            text=one.item.text,
            importance=one.item.importance,
            standing=standing[one.item.item],
            why=one.why if standing[one.item.item] == Status.ACTIVE else one.why.removeprefix("approved, "),
            behind=behind.get(one.item.item, ()),
        )
        for one in chosen
    )


def _in_force(asked: _Asked) -> list[BeliefCandidate]:
    """What a person approved of this user, as a briefing chooses among it."""
    return beliefs_for(asked.db, asked.agent, Asked(asked.agent.name, asked.user, None, asked.question), Looking())


def _all_beliefs(asked: _Asked) -> list[BeliefCandidate]:
    """Every belief of a user that was neither turned down nor replaced, for people at the desk."""
    gone = (Status.REJECTED, Status.SUPERSEDED, Status.MERGED, Status.RETIRED)
    of_user = (Item.agent_id == asked.agent.id, Item.kind == Kind.BELIEF)
    query = select(Item, BeliefBody).join(BeliefBody, col(BeliefBody.item_id) == col(Item.id))
    query = query.where(*of_user, col(Item.user).is_not_distinct_from(asked.user), col(Item.status).not_in(gone))
    rows = asked.db.exec(query.order_by(by_number(), col(Item.version))).all()
    cites = citation_counts(asked.db, [item.id or 0 for item, _ in rows])
    return [
        BeliefCandidate(
            key=version_reference(item),
            text=body.text,
            importance=body.importance,
            status=item.status,
            at=item.created_at,
            order=item.id or 0,
            item=item.id or 0,
            rests_on=cites.get(item.id or 0, 0),
        )
        for item, body in rows
    ]


def _as_if_active(one: BeliefCandidate) -> BeliefCandidate:
    """The rule chooses among what is in force; at the desk what is not stands in line with it, and says so."""
    return replace(one, status=Status.ACTIVE)


def _behind(asked: _Asked, items: Sequence[int]) -> Mapping[int, tuple[RecalledEpisode, ...]]:
    """The episodes that each belief cites and that were not withdrawn; for an agent only those that stand."""
    query = (
        select(Citation.item_id, Episode, Item.status)
        .join(Episode, col(Episode.id) == col(Citation.episode_id))
        .outerjoin(Item, col(Item.id) == col(Episode.belief_id))
        .where(col(Citation.item_id).in_(items), col(Episode.withdrawn).is_(None))
        .order_by(col(Citation.item_id), col(Episode.true_from), col(Episode.id))
    )
    found: dict[int, list[RecalledEpisode]] = {}
    for item, row, status in asked.db.exec(query).all():
        standing = str(status) if status is not None and status != Status.ACTIVE else _standing(row)
        if standing == STANDS or not asked.approved:
            found.setdefault(item, []).append(_plain(as_candidate(row), standing))
    return {item: tuple(each) for item, each in found.items()}


def _standing(row: Any) -> str:
    return STANDS if row.held is None else f"held: {row.held}"


def _plain(one: EpisodeCandidate, standing: str) -> RecalledEpisode:
    return RecalledEpisode(episode_reference(one.id), one.text, one.at, one.importance, standing)


def _found(found: FoundEpisode, standing: str) -> RecalledEpisode:
    one = found.episode
    factors = (round(found.recency, 6), round(found.similarity, 6), round(found.score, 6))
    return RecalledEpisode(episode_reference(one.id), one.text, one.at, one.importance, standing, *factors)


def recalled_in_words(recalled: Recalled) -> dict[str, object]:
    """An answer as plain JSON values: times in ISO form, importances as text."""
    plain: dict[str, object] = json.loads(json.dumps(asdict(recalled), default=_as_text))
    return plain


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
