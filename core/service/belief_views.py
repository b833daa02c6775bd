"""Beliefs as pages show them: a list, page by page, and the tree of one down to the words in the transcripts.

Nothing is decided here. A tree that leads back to itself ends where it would begin again.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.errors import NotFound
from core.evidence.in_words import STALE, VERDICTS
from core.governance.as_of import standing, up_to
from core.governance.bodies import quotes_of
from core.governance.drafts import Quoted
from core.governance.references import episode_reference, item_of, reference, version_reference
from core.governance.sources import citing, own_quotes, standing_of, why_not
from core.service.views import Page, page_within
from core.service.views.beliefs import BeliefRow, BeliefsAsked, BeliefTree, RestsOnIt, SourceNode, SourceQuote
from core.store.database import Database
from core.store.in_pieces import in_pieces
from core.store.memory_records import BeliefBody, Citation, Episode
from core.store.records import Agent, AgentSession, Decision, Item
from core.vocabulary import Cause, EpisodeSource, Kind, Status

SHOWN = tuple(one for one in Status if one not in (Status.SUPERSEDED, Status.MERGED))
"""The statuses of a list that is narrowed to none."""


def belief_list(
    database: Database, asked: BeliefsAsked | None = None, *, page: int = 1, size: int = 50
) -> Page[BeliefRow]:
    """One page of beliefs, by agent, user and number; without a status all versions but those that were replaced."""
    asked = asked or BeliefsAsked()
    query = (
        select(Item, BeliefBody, Episode, col(Agent.name))
        .join(BeliefBody, col(BeliefBody.item_id) == col(Item.id))
        .join(Episode, col(Episode.belief_id) == col(Item.id))
        .join(Agent, col(Agent.id) == col(Item.agent_id))
    )
    order = (col(Agent.name), col(Item.user), col(Item.number), col(Item.version).desc())
    with database.reading() as db:
        query = query.where(*_narrowed(db, asked))
        total = int(db.execute(select(func.count()).select_from(query.subquery())).scalar_one())
        number = page_within(page, total, size)
        found = db.execute(query.order_by(*order).limit(size).offset((number - 1) * size)).all()
        return Page(tuple(_rows(db, found)), total, number, size)


def belief_tree(database: Database, item_id: int) -> BeliefTree:
    """A belief with what it cites, beliefs among it unfolded in turn, down to the quoted words.

    Raises ``NotFound`` for what is no belief.
    """
    with database.reading() as db:
        item = item_of(db, item_id)
        if item.kind != Kind.BELIEF:
            raise NotFound("belief", reference(item))
        return _tree(db, item_id, frozenset())


def _narrowed(db: DatabaseSession, asked: BeliefsAsked) -> list[Any]:
    where: list[Any] = [col(Item.kind) == Kind.BELIEF]
    where += [col(Episode.true_from) <= asked.true_at] if asked.true_at is not None else []
    if asked.known_at is not None:
        where.append(standing(Status.ACTIVE, up_to(db, asked.known_at)))
    if asked.status or asked.known_at is None:
        where.append(col(Item.status) == asked.status if asked.status else col(Item.status).in_(SHOWN))
    where += [col(Agent.name) == asked.agent] if asked.agent is not None else []
    where += [col(Item.user).is_not_distinct_from(asked.user or None)] if asked.user is not None else []
    where += [col(Item.cause) == Cause.STALE_SOURCE] if asked.stale else []
    where += [func.lower(col(BeliefBody.text)).contains(asked.words.lower(), autoescape=True)] if asked.words else []
    return where


def _rows(db: DatabaseSession, found: Sequence[Any]) -> list[BeliefRow]:
    ids = [item.id or 0 for item, *_ in found]
    cites = _cites(db, ids)
    stand = standing_of(db, {one for each in cites.values() for one in each})
    since, gone = _left(db, ids), _withdrawn(db, cites, stand)
    return [
        BeliefRow(
            id=item.id or 0,
            ref=reference(item),
            version=item.version,
            revision=item.revision,
            status=item.status,
            text=body.text,
            agent=agent,
            user=item.user,
            depth=body.depth,
            importance=body.importance,
            question=body.question,
            cites=len(cites[item.id or 0]),
            standing=sum(one in stand for one in cites[item.id or 0]),
            true_from=place.true_from,
            known_from=place.at,
            known_until=since.get(item.id or 0) if item.status != Status.ACTIVE else None,
            stale=tuple(gone[one] for one in cites[item.id or 0] if one in gone),
            is_stale=item.cause == Cause.STALE_SOURCE,
        )
        for item, body, place, agent in found
    ]


def _tree(db: DatabaseSession, item_id: int, higher: frozenset[int]) -> BeliefTree:
    query = (
        select(Item, BeliefBody, Episode, col(Agent.name))
        .join(BeliefBody, col(BeliefBody.item_id) == col(Item.id))
        .join(Episode, col(Episode.belief_id) == col(Item.id))
        .join(Agent, col(Agent.id) == col(Item.agent_id))
        .where(col(Item.id) == item_id)
    )
    [row] = _rows(db, db.execute(query).all())
    if item_id in higher:
        return BeliefTree(row, (), again=True)
    [cites] = _cites(db, [item_id]).values()
    episodes = db.execute(select(Episode).where(col(Episode.id).in_(cites)).order_by(col(Episode.true_from))).scalars()
    rows = list(episodes)
    stand, refs = standing_of(db, cites), _session_refs(db, rows)
    sources = tuple(_source(db, one, one.id in stand, refs, higher | {item_id}) for one in rows)
    places = [one.id or 0 for one in db.execute(select(Episode).where(col(Episode.belief_id) == item_id)).scalars()]
    above = {item.id: item for item, _ in citing(db, places)}
    return BeliefTree(
        row,
        sources,
        tuple(RestsOnIt(one.id or 0, version_reference(one), one.status, one.headline) for one in above.values()),
    )


def _source(
    db: DatabaseSession, one: Episode, stands: bool, refs: Mapping[int, str], higher: frozenset[int]
) -> SourceNode:
    belief = None if one.belief_id is None else _tree(db, one.belief_id, higher)
    quotes: Sequence[Quoted] = own_quotes(db, one) if belief is None else quotes_of(db, one.belief_id or 0)
    further = _session_refs_of(db, {quote.session_id for quote in quotes} - refs.keys())
    note = None if one.note_id is None else reference(item_of(db, one.note_id))
    return SourceNode(
        id=one.id or 0,
        ref=episode_reference(one.id or 0),
        text=one.text,
        source=EpisodeSource(one.source),
        importance=one.importance,
        true_from=one.true_from,
        known_from=one.at,
        known_until=one.withdrawn_at,
        stands=stands,
        why_not="" if stands else why_not(one, belief.row.status if belief else None),
        session=one.session_id,
        session_ref=refs.get(one.session_id or 0),
        note_ref=note,
        quotes=tuple(_quote(quote, {**refs, **further}) for quote in quotes) if belief is None else (),
        belief=belief,
    )


def _quote(quote: Quoted, refs: Mapping[int, str]) -> SourceQuote:
    span = next(iter(quote.grounding.spans), None)
    return SourceQuote(
        text=quote.quote,
        speaker=quote.speaker,
        found=quote.found,
        verdict=STALE if quote.stale else VERDICTS[quote.grounding.verdict],
        session=quote.session_id,
        session_ref=refs.get(quote.session_id, ""),
        turn=None if span is None else span.turn + 1,
        start=None if span is None else span.start,
        end=None if span is None else span.end,
    )


def _cites(db: DatabaseSession, items: Sequence[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {one: [] for one in items}
    query = select(col(Citation.item_id), col(Citation.episode_id)).order_by(col(Citation.episode_id))
    for ids in in_pieces(items):
        for item, episode in db.execute(query.where(col(Citation.item_id).in_(ids))).all():
            found[item].append(episode)
    return found


def _withdrawn(db: DatabaseSession, cites: Mapping[int, Sequence[int]], stand: set[int]) -> dict[int, str]:
    """What became of each cited episode that stands no longer."""
    gone = {one for each in cites.values() for one in each} - stand
    query = select(Episode, col(Item.status)).outerjoin(Item, col(Item.id) == col(Episode.belief_id))
    pieces = (db.execute(query.where(col(Episode.id).in_(ids))).all() for ids in in_pieces(gone))
    return {one.id: f"{episode_reference(one.id)}, {why_not(one, status)}" for rows in pieces for one, status in rows}


def _left(db: DatabaseSession, items: Sequence[int]) -> dict[int, datetime]:
    """When each version last left its force."""
    left = (col(Decision.before) == Status.ACTIVE, col(Decision.after) != Status.ACTIVE)
    query = select(col(Decision.item_id), func.max(col(Decision.at))).where(*left).group_by(col(Decision.item_id))
    pieces = (db.execute(query.where(col(Decision.item_id).in_(ids))).all() for ids in in_pieces(items))
    return {item: at for rows in pieces for item, at in rows}


def _session_refs(db: DatabaseSession, rows: Sequence[Episode]) -> dict[int, str]:
    return _session_refs_of(db, {row.session_id for row in rows if row.session_id is not None})


def _session_refs_of(db: DatabaseSession, ids: set[int]) -> dict[int, str]:
    query = select(col(AgentSession.id), col(AgentSession.ref)).where(col(AgentSession.id).in_(ids))
    return {row[0]: row[1] for row in db.execute(query).all()} if ids else {}
