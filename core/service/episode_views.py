"""Episodes as pages and commands list them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.governance.references import episode_reference, version_reference
from core.governance.sources import citing
from core.service.views import Page, page_within
from core.service.views.beliefs import EpisodeRow
from core.store.database import Database
from core.store.memory_records import Episode
from core.store.records import Agent, AgentSession
from core.vocabulary import EpisodeSource


@dataclass(frozen=True)
class EpisodesAsked:
    """What a list of episodes is narrowed to; None narrows nothing. An empty ``user`` asks for those of nobody.

    ``standing`` is ``stands``, ``held`` or ``withdrawn``.
    """

    agent: str | None = None
    user: str | None = None
    standing: str | None = None
    source: EpisodeSource | None = None
    session: str | None = None
    true_at: datetime | None = None
    """Only what had happened by then."""
    known_at: datetime | None = None
    """Only what was written and not withdrawn then. What was withdrawn and restored since counts as never gone."""
    number: int | None = None
    """Only the one of this id."""


def episode_list(
    database: Database, asked: EpisodesAsked | None = None, *, page: int = 1, size: int = 50
) -> Page[EpisodeRow]:
    """One page of episodes, newest first; beliefs stand in a list of their own."""
    query = (
        select(Episode, col(Agent.name), col(AgentSession.ref))
        .join(Agent, col(Agent.id) == col(Episode.agent_id))
        .outerjoin(AgentSession, col(AgentSession.id) == col(Episode.session_id))
        .where(col(Episode.belief_id).is_(None), *_narrowed(asked or EpisodesAsked()))
    )
    order = (col(Episode.true_from).desc(), col(Episode.id).desc())
    with database.reading() as db:
        total = int(db.execute(select(func.count()).select_from(query.subquery())).scalar_one())
        number = page_within(page, total, size)
        found = db.execute(query.order_by(*order).limit(size).offset((number - 1) * size)).all()
        names = _cited_by(db, [row.id for row, _, _ in found])
        return Page(tuple(_row(row, agent, ref, names) for row, agent, ref in found), total, number, size)


def _narrowed(asked: EpisodesAsked) -> list[Any]:
    where: list[Any] = [col(Agent.name) == asked.agent] if asked.agent is not None else []
    where += [col(Episode.user).is_not_distinct_from(asked.user or None)] if asked.user is not None else []
    where += [col(Episode.source) == asked.source] if asked.source else []
    where += [col(Episode.id) == asked.number] if asked.number is not None else []
    where += [col(AgentSession.ref) == asked.session] if asked.session is not None else []
    where += [col(Episode.true_from) <= asked.true_at] if asked.true_at is not None else []
    if asked.known_at is not None:
        not_gone = or_(col(Episode.withdrawn_at).is_(None), col(Episode.withdrawn_at) > asked.known_at)
        where += [col(Episode.at) <= asked.known_at, not_gone]
    stands = (col(Episode.held).is_(None), col(Episode.withdrawn).is_(None))
    if asked.standing == "stands":
        where += stands
    elif asked.standing == "held":
        where += [col(Episode.held).is_not(None), col(Episode.withdrawn).is_(None)]
    elif asked.standing == "withdrawn":
        where.append(col(Episode.withdrawn).is_not(None))
    return where


def _cited_by(db: DatabaseSession, episodes: list[int]) -> dict[int, list[str]]:
    named: dict[int, list[str]] = {}
    for item, episode in citing(db, episodes):
        named.setdefault(episode, []).append(version_reference(item))
    return named


def _row(row: Episode, agent: str, ref: str | None, names: dict[int, list[str]]) -> EpisodeRow:
    return EpisodeRow(
        id=row.id or 0,
        ref=episode_reference(row.id or 0),
        text=row.text,
        agent=agent,
        user=row.user,
        source=EpisodeSource(row.source),
        importance=row.importance,
        true_from=row.true_from,
        known_from=row.at,
        known_until=row.withdrawn_at,
        held=row.held,
        withdrawn=row.withdrawn,
        session_ref=ref,
        cited_by=tuple(names.get(row.id or 0, ())),
    )
