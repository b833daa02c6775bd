"""Debriefs by the critic as people start them: queued, tried again, taken back; what they may take and cost.

A run is a row. Whoever works finds it there, so a page or a command that queues it may be closed at once.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.critic_settings import CriticSettings
from core.critic.model_settings import ModelSettings
from core.errors import ModelNotConfigured, NotFound, Refused
from core.governance.debriefs import Event, moved
from core.governance.people import duties_of
from core.governance.policy_adoption import adopt
from core.service.critic.identity import identities
from core.service.critic.settings import model_settings, settings_of
from core.store.clock import now
from core.store.critic_records import UNDER_WAY, CriticRun
from core.store.database import Database
from core.store.records import AgentSession
from core.store.sessions import OLDEST_FIRST, sessions_named
from core.vocabulary import Duty, RunState

MAY_START = frozenset({Duty.LEAD, Duty.DEVELOPER})
TO_BE_TRIED_AGAIN = (RunState.FAILED, RunState.STOPPED, RunState.SKIPPED)
_KNOWN = (RunState.QUEUED, RunState.RUNNING, RunState.DONE)


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
    adopt(database)
    with database.reading() as db:
        sessions = sessions_to_review(db, refs)
        _may_start(db, by)
        how = {agent: way_of(db, agent, environ) for agent in {session.agent_id for session in sessions}}
        of = identities(db, sessions, {agent: way.recipe for agent, way in how.items()})
    new: list[int] = []
    known: list[int] = []
    for chunk in _chunks(sessions, 200):
        with database.writing() as db:
            for session in chunk:
                run_id, fresh = _queued(db, session, how[session.agent_id], of[session.id or 0], by, again)
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
            why = f"{by} took it back before it began."
            moved(run, Event.TAKE_BACK, now(), reason="taken_back", detail=why)
            db.add(run)
        return len(runs)


def sessions_to_review(db: DatabaseSession, refs: Sequence[str] | None) -> list[AgentSession]:
    """Sessions by reference as they were named, or all, oldest first. Raises ``NotFound``."""
    if refs is not None:
        return sessions_named(db, refs)
    return list(db.exec(select(AgentSession).order_by(*OLDEST_FIRST)).all())


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
        return self.settings.recipe(self.model.endpoint.named, self.model.model)


def way_of(db: DatabaseSession, agent_id: int, environ: Mapping[str, str]) -> Way:
    """How an agent's sessions are reviewed now. Raises ``ModelNotConfigured``."""
    settings = settings_of(db, agent_id)
    return Way(settings, model_settings(settings, environ))


def _may_start(db: DatabaseSession, by: str) -> None:
    if not duties_of(db, by).duties & MAY_START:
        raise Refused("not_your_duty", f"{by} lacks the duty lead or developer, so no debrief is started or stopped.")


def _queued(
    db: DatabaseSession, session: AgentSession, way: Way, identity: str, by: str, again: bool
) -> tuple[int, bool]:
    """The run of a session, and whether it is queued now: one that failed or was stopped goes on."""
    same = (CriticRun.session_id == session.id, CriticRun.transcript_sha256 == session.sha256)
    query = select(CriticRun).where(*same, CriticRun.recipe == identity).order_by(col(CriticRun.id).desc())
    runs = db.exec(query).all()
    under_way = next((run for run in runs if run.state in (RunState.QUEUED, RunState.RUNNING)), None)
    known = under_way or next((run for run in runs if run.state in _KNOWN and not again), None)
    if known is not None:
        return known.id or 0, False
    if runs and runs[0].state in TO_BE_TRIED_AGAIN and not again:
        return runs[0].id or 0, _go_on(db, runs[0], way, identity)
    run = CriticRun(
        session_id=session.id or 0,
        transcript_sha256=session.sha256,
        recipe=identity,
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
        why = f"The transcript of {session.ref} has changed since; it can be debriefed anew."
        raise Refused("transcript_changed", why)
    way = way_of(db, session.agent_id, environ)
    identity = identities(db, [session], {session.agent_id: way.recipe})[session.id or 0]
    return _go_on(db, run, way, identity)


def _go_on(db: DatabaseSession, run: CriticRun, way: Way, identity: str) -> bool:
    """Queue a run that is over once more, as things are now; False where another one is under way for the same."""
    same = (CriticRun.session_id == run.session_id, CriticRun.transcript_sha256 == run.transcript_sha256)
    under_way = select(CriticRun.id).where(*same, CriticRun.recipe == identity, text(UNDER_WAY))
    if db.exec(under_way).first() is not None:
        return False
    if not moved(run, Event.TRY_AGAIN, now()):
        return False
    run.settings, run.recipe, run.server = way.snapshot, identity, way.model.endpoint.shown
    db.add(run)
    db.flush()
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
