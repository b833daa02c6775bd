"""How much importance has come together for an agent and user, and the run that it sets off.

An episode that is admitted adds its exact hundredths once, in the transaction that admits it. Where the sum has reached
the setting, one run is queued and the sum is zero again, in that same transaction: whatever comes of the run, it is not
paid for twice. Source: Reflection: From Experiences to Beliefs, "the accumulator resets unconditionally".
"""

import os
from collections import Counter
from collections.abc import Iterable, Mapping

from sqlalchemy import update
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.numbers import numbers_in_force
from core.memory.beliefs import in_hundredths
from core.service.consolidation.runs import queue, under_way, way_if_any
from core.service.critic.runs import Way
from core.settings import Settings
from core.store.clock import now
from core.store.database import Database
from core.store.memory_records import Accumulator, Episode
from core.vocabulary import Memory

RULE = "importance of episodes"
"""Who queued a run that nobody asked for, as it stands with the run."""


def admit(db: DatabaseSession, episodes: Iterable[Episode], *, environ: Mapping[str, str] = os.environ) -> list[int]:
    """Count episodes that may be rested on from now on, and queue the runs that they set off; the ids of these.

    What is held, withdrawn, a belief, or has no importance does not count. The caller admits each episode once: when
    it is written, or when a person releases it.
    """
    sums: Counter[tuple[int, str]] = Counter()
    for one in episodes:
        if one.held is None and one.withdrawn is None and one.belief_id is None and one.importance is not None:
            sums[one.agent_id, one.user or ""] += in_hundredths(one.importance)
    for (agent_id, user), hundredths in sorted(sums.items()):
        _add(db, agent_id, user, hundredths)
    queued = [queue_if_due(db, agent_id, user, environ=environ) for agent_id, user in sorted(sums)]
    return [run for run in queued if run is not None]


def queue_if_due(
    db: DatabaseSession, agent_id: int, user: str | None, *, environ: Mapping[str, str] = os.environ
) -> int | None:
    """Queue a run where the sum has reached the setting, and begin the sum anew; None where nothing is queued.

    While a run is under way for them the sum stays, and is asked about again when that one is over; so it does, and
    goes on growing, where no model is configured.
    """
    row = db.get(Accumulator, (agent_id, user or ""))
    if row is None or row.hundredths < threshold(numbers_in_force(db)):
        return None
    way = way_if_any(db, agent_id, environ)
    if way is None or under_way(db, Memory.BELIEFS, agent_id, user=user) is not None:
        return None
    return queue_now(db, agent_id, user, by=RULE, way=way)


def queue_now(db: DatabaseSession, agent_id: int, user: str | None, *, by: str, way: Way) -> int | None:
    """Queue a run whatever the sum is, and take the sum along; None where one is under way."""
    row = _row(db, agent_id, user or "")
    run = queue(db, Memory.BELIEFS, agent_id, by=by, way=way, user=user, hundredths=row.hundredths)
    if run is not None:
        row.hundredths, row.runs, row.last_run_at = 0, row.runs + 1, now()
        db.add(row)
        db.flush()
    return run


def queue_all_due(database: Database, *, environ: Mapping[str, str] = os.environ) -> list[int]:
    """Queue every run that is due and was not, because a run was under way or no model was configured then."""
    with database.reading() as db:
        due = _due(db)
        if not any(way_if_any(db, agent_id, environ) for agent_id in {agent_id for agent_id, _ in due}):
            return []
        free = [key for key in due if under_way(db, Memory.BELIEFS, key[0], user=key[1]) is None]
    if not free:
        return []
    with database.writing() as db:
        queued = [queue_if_due(db, agent_id, user, environ=environ) for agent_id, user in free]
        return [run for run in queued if run is not None]


def no_model_for(db: DatabaseSession, agent_id: int, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether no model can be asked for an agent from here, so that its sums only grow."""
    return way_if_any(db, agent_id, environ) is None


def threshold(numbers: Settings) -> int:
    """The sum that sets off a run, in hundredths."""
    return in_hundredths(numbers.belief_sum)


def _due(db: DatabaseSession) -> list[tuple[int, str]]:
    reached = select(Accumulator.agent_id, Accumulator.user_key)
    reached = reached.where(col(Accumulator.hundredths) >= threshold(numbers_in_force(db)))
    return [(agent_id, user) for agent_id, user in db.exec(reached.order_by(col(Accumulator.agent_id))).all()]


def _add(db: DatabaseSession, agent_id: int, user: str, hundredths: int) -> None:
    """Add in the statement itself, so that what another transaction added meanwhile is kept."""
    _row(db, agent_id, user)
    mine = (col(Accumulator.agent_id) == agent_id, col(Accumulator.user_key) == user)
    more = {"hundredths": Accumulator.hundredths + hundredths}
    db.connection().execute(update(Accumulator).where(*mine).values(more))
    db.expire(db.get_one(Accumulator, (agent_id, user)))


def _row(db: DatabaseSession, agent_id: int, user: str) -> Accumulator:
    row = db.get(Accumulator, (agent_id, user))
    if row is None:
        row = Accumulator(agent_id=agent_id, user_key=user)
        db.add(row)
        db.flush()
    return row
