"""Where sums and runs of beliefs stand, as pages and commands show them."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.errors import NotFound
from core.governance.numbers import numbers_in_force
from core.governance.references import episode_reference
from core.service.consolidation.recollection import of_high_importance_each
from core.service.consolidation.runs import under_way_of_each
from core.service.consolidation.sums import no_model_for, threshold
from core.service.views import Page, page_within
from core.service.views.beliefs import BeliefRunRow, BeliefRunView, SumRow
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.in_pieces import in_pieces
from core.store.memory_records import Accumulator, Consolidation, Episode
from core.store.records import Agent
from core.vocabulary import Memory, RunState, Writer

NO_MODEL = "no model is configured, so no run is queued and the sum goes on growing"


def belief_sums(
    database: Database,
    agent: str | None = None,
    user: str | None = None,
    *,
    most: int | None = None,
    environ: Mapping[str, str] = os.environ,
) -> tuple[SumRow, ...]:
    """How far each agent and user are from their next run, the nearest first, at ``most`` so many.

    An empty ``user`` asks for nobody in particular, None for each.
    """
    with database.reading() as db:
        return tuple(_sums(db, db.execute(_nearest(agent, user).limit(most)).all(), environ))


def belief_sums_page(
    database: Database,
    agent: str | None = None,
    *,
    page: int = 1,
    size: int = 50,
    environ: Mapping[str, str] = os.environ,
) -> Page[SumRow]:
    """One page of the same."""
    query = _nearest(agent, None)
    with database.reading() as db:
        total = int(db.execute(select(func.count()).select_from(query.subquery())).scalar_one())
        number = page_within(page, total, size)
        found = db.execute(query.limit(size).offset((number - 1) * size)).all()
        return Page(tuple(_sums(db, found, environ)), total, number, size)


def belief_runs(
    database: Database, *, agent: str | None = None, user: str | None = None, page: int = 1, size: int = 50
) -> Page[BeliefRunRow]:
    """One page of the runs that drew beliefs, newest first. An empty ``user`` asks for those of nobody."""
    query = select(Consolidation, col(Agent.name)).join(Agent, col(Agent.id) == col(Consolidation.agent_id))
    query = query.where(col(Consolidation.memory) == Memory.BELIEFS)
    query = query.where(col(Agent.name) == agent) if agent is not None else query
    query = query.where(col(Consolidation.user_key) == user) if user is not None else query
    with database.reading() as db:
        total = int(db.execute(select(func.count()).select_from(query.subquery())).scalar_one())
        number = page_within(page, total, size)
        paged = query.order_by(col(Consolidation.id).desc()).limit(size).offset((number - 1) * size)
        found = db.execute(paged).all()
        used = _used(db, [row.id for row, _ in found])
        return Page(tuple(_row(row, name, used) for row, name in found), total, number, size)


def belief_run(database: Database, run_id: int) -> BeliefRunView:
    """One run down to its questions, the episodes that were shown, and what became of each belief.

    Raises ``NotFound``.
    """
    with database.reading() as db:
        run = db.get(Consolidation, run_id)
        if run is None or run.memory != Memory.BELIEFS:
            raise NotFound("run", run_id)
        row = _row(run, db.get_one(Agent, run.agent_id).name, _used(db, [run_id]))
        query = select(CriticCall).where(col(CriticCall.consolidation_id) == run_id).order_by(col(CriticCall.id))
        calls = {call.place: call for call in db.execute(query).scalars() if call.writer == Writer.BELIEFS}
        shown = run.material.get("questions", ())
        texts = _texts(db, [one["id"] for each in shown for one in each["episodes"]])
        return BeliefRunView(row, tuple(_question(one, calls.get(place), texts) for place, one in enumerate(shown, 1)))


def _nearest(agent: str | None, user: str | None) -> Any:
    query = select(Accumulator, col(Agent.name)).join(Agent, col(Agent.id) == col(Accumulator.agent_id))
    query = query.where(col(Agent.name) == agent) if agent is not None else query
    query = query.where(col(Accumulator.user_key) == user) if user is not None else query
    return query.order_by(col(Accumulator.hundredths).desc(), col(Agent.name), col(Accumulator.user_key))


def _sums(db: DatabaseSession, found: Sequence[Any], environ: Mapping[str, str]) -> Iterator[SumRow]:
    """The rows as they are shown; their high episodes and what is under way is asked once for all of them."""
    numbers, keys = numbers_in_force(db), [(row.agent_id, row.user_key) for row, _ in found]
    high, running = of_high_importance_each(db, keys, numbers), under_way_of_each(db, Memory.BELIEFS, keys)
    without_model = cache(lambda agent_id: no_model_for(db, agent_id, environ))
    for row, agent in found:
        key = row.agent_id, row.user_key
        yield SumRow(
            agent=agent,
            user=row.user_key or None,
            total=_decimal(row.hundredths),
            threshold=numbers.belief_sum,
            high=high.get(key, 0),
            floor=numbers.episode_floor,
            runs=row.runs,
            last_run_at=row.last_run_at,
            under_way=running.get(key),
            waits=_waits(row, running.get(key), without_model) if row.hundredths >= threshold(numbers) else "",
        )


def _waits(row: Accumulator, running: int | None, without_model: Callable[[int], bool]) -> str:
    if running is not None:
        return f"run {running} is under way; the next one follows when it is over"
    return NO_MODEL if without_model(row.agent_id) else "a worker queues it within seconds"


def _used(db: DatabaseSession, runs: Sequence[int]) -> dict[int, tuple[int, int | None]]:
    """Tokens and cost of each run; no cost where one of its requests has none that is known."""
    tokens = func.coalesce(col(CriticCall.tokens_prompt), 0) + func.coalesce(col(CriticCall.tokens_completion), 0)
    query = select(
        col(CriticCall.consolidation_id),
        func.sum(tokens),
        func.sum(col(CriticCall.cost)),
        func.count(col(CriticCall.cost)),
        func.count(),
    )
    query = query.group_by(col(CriticCall.consolidation_id))
    pieces = (db.execute(query.where(col(CriticCall.consolidation_id).in_(ids))).all() for ids in in_pieces(runs))
    rows = [row for each in pieces for row in each]
    return {run: (int(sent or 0), int(cost or 0) if known == count else None) for run, sent, cost, known, count in rows}


def _row(run: Consolidation, agent: str, used: Mapping[int, tuple[int, int | None]]) -> BeliefRunRow:
    found = run.found
    tokens, cost = used.get(run.id or 0, (0, 0))
    return BeliefRunRow(
        id=run.id or 0,
        agent=agent,
        user=run.user_key or None,
        state=RunState(run.state),
        reason=run.reason,
        detail=run.detail,
        by=run.by,
        attempt=run.attempt,
        importance=_decimal(run.hundredths),
        queued_at=run.queued_at,
        started_at=run.started_at,
        ended_at=run.ended_at,
        questions=found.get("questions", 0),
        skipped=found.get("skipped", 0),
        beliefs=found.get("beliefs", 0),
        known=found.get("known", 0),
        dropped=found.get("dropped", {}),
        beyond=found.get("beyond", 0),
        tokens=tokens,
        cost=cost,
    )


def _question(shown: Mapping[str, Any], call: CriticCall | None, texts: Mapping[int, str]) -> Mapping[str, Any]:
    named = (
        (one, {"ref": episode_reference(one["id"]), "text": texts.get(one["id"], "")}) for one in shown["episodes"]
    )
    episodes = [{**one, **more} for one, more in named]
    became = list(call.read.get("became", ())) if call else []
    said = {"status": call.status or call.state, "detail": call.detail} if call else {"status": "", "detail": ""}
    return {"question": shown["question"], "skipped": shown["skipped"], "episodes": episodes, "became": became, **said}


def _texts(db: DatabaseSession, episodes: Sequence[int]) -> dict[int, str]:
    query = select(col(Episode.id), col(Episode.text)).where(col(Episode.id).in_(set(episodes)))
    return {row[0]: row[1] for row in db.execute(query).all()}


def _decimal(hundredths: int) -> Decimal:
    return Decimal(hundredths).scaleb(-2)
