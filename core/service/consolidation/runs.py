"""Consolidations as rows: queued once for what is to be consolidated, ended, and tried again."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.debriefs import Event, moved
from core.service.critic.caps import OVER_CAP
from core.service.critic.runs import Way
from core.store.clock import now
from core.store.critic_records import CriticCall
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


def calls_of(db: DatabaseSession, run: Consolidation) -> list[CriticCall]:
    """The requests of a run that count: what is answered, and what this attempt has asked."""
    query = select(CriticCall).where(CriticCall.consolidation_id == run.id).order_by(col(CriticCall.id))
    return [call for call in db.exec(query) if call.attempt == run.attempt or call.state == CallState.ANSWERED]


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
