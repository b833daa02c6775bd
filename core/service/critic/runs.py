"""Debriefs by the critic as people start them: queued, tried again, taken back; what they may take and cost.

A run is a row. Whoever works finds it there, so a page or a command that queues it may be closed at once.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.critic_settings import CriticSettings
from core.critic.model_settings import ModelSettings
from core.errors import ModelNotConfigured, NotFound, Refused
from core.governance.people import duties_of
from core.service.critic.settings import model_settings, settings_of
from core.store.clock import now
from core.store.critic_records import CriticRun
from core.store.database import Database
from core.store.records import AgentSession
from core.vocabulary import Duty, RunState

MAY_START = frozenset({Duty.LEAD, Duty.DEVELOPER})
TO_BE_TRIED_AGAIN = (RunState.FAILED, RunState.STOPPED, RunState.SKIPPED)
_KNOWN = (RunState.QUEUED, RunState.RUNNING, RunState.DONE, RunState.SKIPPED)


@dataclass(frozen=True)
class Queued:
    """What became of a wish to debrief sessions: runs that were queued, and those that were there already."""

    new: tuple[int, ...] = ()
    known: tuple[int, ...] = ()

    @property
    def summary(self) -> str:
        """One sentence for people."""
        new, known = len(self.new), len(self.known)
        said = "1 debrief is queued" if new == 1 else f"{new} debriefs are queued"
        before = "1 session was" if known == 1 else f"{known} sessions were"
        return f"{said}; {before} reviewed this way before" if known else said


def queue(
    database: Database,
    refs: Sequence[str] | None,
    *,
    by: str,
    again: bool = False,
    environ: Mapping[str, str] = os.environ,
) -> Queued:
    """Queue the debrief of the named sessions, or of all; each once for one transcript, prompts and parameters.

    With ``again`` a session is debriefed anew although it was before; the model is asked only what it was not asked.
    Raises ``NotFound`` for an unknown reference, ``ModelNotConfigured``, and ``Refused`` for a person without the duty.
    """
    with database.reading() as db:
        sessions = sessions_named(db, refs)
        _may_start(db, by)
        how = {agent: way_of(db, agent, environ) for agent in {session.agent_id for session in sessions}}
    new: list[int] = []
    known: list[int] = []
    for chunk in _chunks(sessions, 200):
        with database.writing() as db:
            for session in chunk:
                run_id, fresh = _queued(db, session, how[session.agent_id], by, again)
                (new if fresh else known).append(run_id)
    return Queued(tuple(new), tuple(known))


def try_again(database: Database, run_ids: Iterable[int], *, by: str, environ: Mapping[str, str] = os.environ) -> int:
    """Queue runs again that failed, were stopped or skipped, with the settings in force now; returns how many.

    What they have got of the model stays, and is not asked again. A run that is under way, or whose session is under
    way in another, is left as it is. Raises ``NotFound`` and ``Refused``.
    """
    count = 0
    for run_id in run_ids:
        with database.writing() as db:
            _may_start(db, by)
            run = db.get(CriticRun, run_id)
            if run is None:
                raise NotFound("debrief", run_id)
            count += _queued_again(db, run, environ)
    return count


def take_back(database: Database, run_ids: Iterable[int] | None = None, *, by: str) -> int:
    """Stop runs that nobody has begun, all of them or the named ones; returns how many."""
    with database.writing() as db:
        _may_start(db, by)
        query = select(CriticRun).where(CriticRun.state == RunState.QUEUED)
        if run_ids is not None:
            query = query.where(col(CriticRun.id).in_(list(run_ids)))
        runs = db.exec(query).all()
        for run in runs:
            run.state, run.reason, run.ended_at = RunState.STOPPED, "taken_back", now()
            run.detail = f"{by} took it back before it began."
            db.add(run)
        return len(runs)


def sessions_named(db: DatabaseSession, refs: Sequence[str] | None) -> list[AgentSession]:
    """Sessions by reference, or all, oldest first. Raises ``NotFound``."""
    order = (col(AgentSession.started_at), col(AgentSession.place), col(AgentSession.id))
    if refs is None:
        return list(db.exec(select(AgentSession).order_by(*order)).all())
    found = {one.ref: one for one in db.exec(select(AgentSession).where(col(AgentSession.ref).in_(refs))).all()}
    for ref in refs:
        if ref not in found:
            raise NotFound("agent session", ref)
    return [found[ref] for ref in dict.fromkeys(refs)]


@dataclass(frozen=True)
class Way:
    """How the sessions of one agent are reviewed."""

    settings: CriticSettings
    model: ModelSettings

    @property
    def snapshot(self) -> dict[str, Any]:
        """The settings as a run keeps them."""
        return {**self.settings.model_dump(mode="json"), "model": self.model.model}

    @property
    def recipe(self) -> str:
        """The hash of all that a reply depends on beside the material."""
        return self.settings.recipe(self.model.endpoint.shown, self.model.model)


def way_of(db: DatabaseSession, agent_id: int, environ: Mapping[str, str]) -> Way:
    """How an agent's sessions are reviewed now. Raises ``ModelNotConfigured``."""
    settings = settings_of(db, agent_id)
    return Way(settings, model_settings(settings, environ))


def _may_start(db: DatabaseSession, by: str) -> None:
    if not duties_of(db, by).duties & MAY_START:
        raise Refused("not_your_duty", f"{by} lacks the duty lead or developer, so no debrief is started or stopped.")


def _queued(db: DatabaseSession, session: AgentSession, way: Way, by: str, again: bool) -> tuple[int, bool]:
    """The run of a session, and whether it is a new one."""
    same = (CriticRun.session_id == session.id, CriticRun.transcript_sha256 == session.sha256)
    states = (RunState.QUEUED, RunState.RUNNING) if again else _KNOWN
    query = select(CriticRun).where(*same, CriticRun.recipe == way.recipe, col(CriticRun.state).in_(states))
    known = db.exec(query.order_by(col(CriticRun.id).desc())).first()
    if known is not None:
        return known.id or 0, False
    run = CriticRun(
        session_id=session.id or 0,
        transcript_sha256=session.sha256,
        recipe=way.recipe,
        settings=way.snapshot,
        server=way.model.endpoint.shown,
        state=RunState.QUEUED,
        by=by,
        queued_at=now(),
    )
    db.add(run)
    db.flush()
    return run.id or 0, True


def _queued_again(db: DatabaseSession, run: CriticRun, environ: Mapping[str, str]) -> bool:
    if run.state not in TO_BE_TRIED_AGAIN:
        return False
    session = db.get_one(AgentSession, run.session_id)
    if session.sha256 != run.transcript_sha256:
        text = f"The transcript of {session.ref} has changed since; it can be debriefed anew."
        raise Refused("transcript_changed", text)
    way = way_of(db, session.agent_id, environ)
    run.settings = way.snapshot
    run.recipe, run.server = way.recipe, way.model.endpoint.shown
    run.state, run.attempt, run.queued_at = RunState.QUEUED, run.attempt + 1, now()
    run.reason, run.detail, run.started_at, run.ended_at = None, "", None, None
    db.add(run)
    try:
        with db.begin_nested():
            db.flush()
    except IntegrityError:
        db.refresh(run)
        return False
    return True


def _chunks(sessions: list[AgentSession], size: int) -> Iterable[list[AgentSession]]:
    return (sessions[at : at + size] for at in range(0, len(sessions), size))


def not_configured(settings: CriticSettings, environ: Mapping[str, str] = os.environ) -> str | None:
    """Why the critic cannot be asked; None where it can."""
    try:
        model_settings(settings, environ)
    except ModelNotConfigured as error:
        return str(error)
    return None
