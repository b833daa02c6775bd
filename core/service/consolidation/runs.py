"""Consolidations as rows: queued once for what is to be consolidated, ended, and tried again."""

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import text
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import ModelNotConfigured, NotFound, Refused
from core.governance.debriefs import Event, moved
from core.governance.people import duties_of
from core.service.critic.asking import calls_that_count
from core.service.critic.caps import OVER_CAP
from core.service.critic.runs import MAY_START, Way, way_of
from core.store.clock import now
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.memory_records import UNDER_WAY, Consolidation
from core.vocabulary import CallState, Memory, RunState


def queue(
    db: DatabaseSession,
    memory: Memory,
    agent_id: int,
    *,
    by: str,
    way: Way | None,
    user: str | None = None,
    task_class: str = "",
    hundredths: int = 0,
) -> int | None:
    """Queue one run in the caller's transaction; its id, or None where one for the same is under way.

    ``way`` says how a model is asked (``way_of``); without one the run asks none.
    """
    if under_way(db, memory, agent_id, user=user, task_class=task_class) is not None:
        return None
    run = Consolidation(
        memory=memory,
        agent_id=agent_id,
        user_key=user or "",
        task_class=task_class,
        settings=way.snapshot if way else {},
        server=way.model.endpoint.shown if way else "",
        state=RunState.QUEUED,
        by=by,
        hundredths=hundredths,
        queued_at=now(),
    )
    db.add(run)
    db.flush()
    return run.id


def under_way(
    db: DatabaseSession, memory: Memory, agent_id: int, *, user: str | None = None, task_class: str = ""
) -> int | None:
    """The id of the run that is queued or running for exactly this; None where there is none."""
    same = (Consolidation.memory == memory, Consolidation.agent_id == agent_id)
    of = (Consolidation.user_key == (user or ""), Consolidation.task_class == task_class)
    return db.exec(select(Consolidation.id).where(*same, *of, text(UNDER_WAY))).first()


def under_way_of_each(
    db: DatabaseSession, memory: Memory, keys: Collection[tuple[int, str]]
) -> dict[tuple[int, str], int]:
    """The same for several agents and users, in one statement; those of which none is under way are left out."""
    query = select(Consolidation.agent_id, Consolidation.user_key, Consolidation.id)
    query = query.where(Consolidation.memory == memory, Consolidation.task_class == "", text(UNDER_WAY))
    of_these = (
        col(Consolidation.agent_id).in_({agent_id for agent_id, _ in keys}),
        col(Consolidation.user_key).in_({user for _, user in keys}),
    )
    return {(agent_id, user): run or 0 for agent_id, user, run in db.exec(query.where(*of_these)).all()}


def calls_of(db: DatabaseSession, run: Consolidation) -> list[CriticCall]:
    """The requests of a run that count: what is answered, and what this attempt has asked."""
    return calls_that_count(db, run, CriticCall.consolidation_id)


def end(
    db: DatabaseSession,
    run: Consolidation,
    calls: Sequence[CriticCall],
    *,
    found: dict[str, Any],
    reason: str | None = None,
    detail: str = "",
) -> None:
    """End a run that is under way, in the caller's transaction: as done only where each request has its answer.

    ``found`` says what came of it. One whose requests failed says why, and can be tried again: what was answered is
    not asked again.
    """
    run.found = found
    failed = [call for call in calls if call.attempt == run.attempt and call.state == CallState.FAILED]
    if failed:
        capped = [call for call in failed if call.status == OVER_CAP]
        first = (capped or failed)[0]
        of_all = sum(call.attempt == run.attempt for call in calls)
        said = f"{len(failed)} of {of_all} requests: {first.detail}"
        moved(run, Event.STOP if capped else Event.FAIL, now(), reason=first.status, detail=said)
    else:
        moved(run, Event.FINISH, now(), reason=reason, detail=detail)
    db.add(run)


def try_again(database: Database, run_id: int, *, by: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Queue a run again that failed or was stopped, with the settings in force now; whether it is.

    What it has got of the model stays and is not asked again. Where another run is under way for the same, it is left
    as it is. Raises ``NotFound``, ``ModelNotConfigured``, and ``Refused`` for a person without the duty.
    """
    with database.writing() as db:
        may_start(db, by)
        run = db.get(Consolidation, run_id)
        if run is None:
            raise NotFound("run", run_id)
        same = {"user": run.user_key, "task_class": run.task_class}
        if under_way(db, Memory(run.memory), run.agent_id, **same) is not None:
            return False
        way = way_of(db, run.agent_id, environ) if run.server else None
        if not moved(run, Event.TRY_AGAIN, now()):
            return False
        if way:
            run.settings, run.server = way.snapshot, way.model.endpoint.shown
        db.add(run)
        return True


def way_if_any(db: DatabaseSession, agent_id: int, environ: Mapping[str, str]) -> Way | None:
    """How the model is asked for an agent from here; None where none is configured."""
    try:
        return way_of(db, agent_id, environ)
    except ModelNotConfigured:
        return None


def may_start(db: DatabaseSession, by: str) -> None:
    """Refuse whoever may start no run. Raises ``Refused``."""
    if not duties_of(db, by).duties & MAY_START:
        raise Refused("not_your_duty", f"{by} lacks the duty lead or developer, so no run is started.")
