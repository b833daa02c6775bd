"""What a worker does for one debrief: says which requests are due, asks them, and writes what came of them.

The critic's side of the durable engine. Every step can be repeated: ``due`` plans a request once, ``ask`` leaves a
request alone that has its answer, and ``finish`` writes in one transaction that only a running debrief passes.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.critic_settings import CriticSettings
from core.critic.model_settings import ModelSettings
from core.errors import ModelNotConfigured
from core.governance.debriefs import Event, moved
from core.service.critic.calls import Planned, ask, leave, plan_call
from core.service.critic.doors import Doors, with_caps
from core.service.critic.material import material_of, words_to_reviewer
from core.service.critic.plan import Plan, lessons_from
from core.service.critic.settings import settings_of
from core.service.critic.writing import finish_run
from core.service.debrief import debrief
from core.service.jobs import Due, Waiting, WorkSettings
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticRun
from core.store.database import Database
from core.store.records import AgentSession, Item
from core.vocabulary import CallState, Kind, RunState

AT_ONE_LOOK = 5_000
"""Runs that one look for work reads."""


class CriticWork:
    """The work of debriefs on one database. It may be shared between threads."""

    def __init__(self, database: Database, environ: Mapping[str, str] = os.environ) -> None:
        self.database = database
        self._doors = Doors(environ)

    def waiting(self) -> Sequence[Waiting]:
        """Runs that are not over, oldest first."""
        with self.database.reading() as db:
            under_way = col(CriticRun.state).in_((RunState.QUEUED, RunState.RUNNING))
            query = select(CriticRun.id, CriticRun.attempt, CriticRun.queued_at).where(under_way)
            rows = db.exec(query.order_by(col(CriticRun.id)).limit(AT_ONE_LOOK)).all()
            return tuple(Waiting(run_id or 0, attempt, queued_at) for run_id, attempt, queued_at in rows)

    def due(self, run_id: int) -> Sequence[Due]:
        """The requests of a run to be sent next; none when it has all, or is over."""
        if not self._begun(run_id):
            return ()
        try:
            pending, wanted = self._planned(run_id)
            return self._stored(run_id, wanted) if wanted else pending
        except ModelNotConfigured as error:
            self._failed(run_id, error.code, str(error))
            return ()

    def ask(self, call_id: int) -> None:
        """Send one request, with the settings of its run and the caps in force now."""
        with self.database.reading() as db:
            run = db.get_one(CriticRun, db.get_one(CriticCall, call_id).run_id)
            settings = with_caps(_settings(run), settings_of(db))
        try:
            ask(self.database, call_id, settings, self._doors.door(self._way(run, settings)))
        except ModelNotConfigured as error:
            leave(self.database, call_id, error.code, str(error))

    def finish(self, run_id: int) -> None:
        """Write what came of a run, and where it stands then."""
        finish_run(self.database, run_id, self._doors.environ)

    def fail(self, run_id: int, why: str) -> None:
        """Keep a fault of our own as the end of a run."""
        self._failed(run_id, "fault", why)

    def close(self) -> None:
        """Close the connections to models."""
        self._doors.close()

    def _begun(self, run_id: int) -> bool:
        """Whether a run is under way, begun now if nobody has. The session is looked at before any lock is taken."""
        with self.database.reading() as db:
            run = db.get_one(CriticRun, run_id)
            if run.state != RunState.QUEUED:
                return run.state == RunState.RUNNING
            session = db.get_one(AgentSession, run.session_id)
            addressed = words_to_reviewer(material_of(db, session))
        if session.debriefed_sha256 != session.sha256:
            debrief(self.database, [session.ref], critic_follows=True)
        with self.database.writing() as db:
            run = db.get_one(CriticRun, run_id)
            if run.state == RunState.QUEUED:
                _begin(db, run, addressed)
            return run.state == RunState.RUNNING

    def _planned(self, run_id: int) -> tuple[Sequence[Due], Sequence[Planned]]:
        """The requests of a run that wait, else those that follow: of every session first, then from the replies."""
        with self.database.reading() as db:
            run = db.get_one(CriticRun, run_id)
            calls = _calls(db, run)
            waiting = _due(run, calls)
            session = db.get_one(AgentSession, run.session_id)
            if waiting or session.sha256 != run.transcript_sha256:
                return waiting, ()
            settings = _settings(run)
            how = self._way(run, settings)
            plan = Plan(db, session, settings, how, calls, run_id=run.id, attempt=run.attempt)
            return (), list(plan.first()) or list(plan.smaller()) or list(plan.once_more()) or list(plan.opinions())

    def _stored(self, run_id: int, wanted: Sequence[Planned]) -> Sequence[Due]:
        """Requests as rows, unless somebody planned them meanwhile or the run is over."""
        with self.database.writing() as db:
            run = db.get_one(CriticRun, run_id)
            if run.state != RunState.RUNNING:
                return ()
            waiting = _due(run, _calls(db, run))
            if waiting:
                return waiting
            settings = _settings(run)
            how = self._way(run, settings)
            return _due(run, [plan_call(db, one, settings, how) for one in wanted])

    def _failed(self, run_id: int, reason: str, detail: str) -> None:
        with self.database.writing() as db:
            run = db.get_one(CriticRun, run_id)
            if moved(run, Event.FAIL, now(), reason=reason, detail=detail):
                db.add(run)

    def _way(self, run: CriticRun, settings: CriticSettings) -> ModelSettings:
        """How the model of a run is asked from here. Raises ``ModelNotConfigured`` where another server is named."""
        return self._doors.way(settings, run.server, "debrief")


def work_settings(database: Database) -> WorkSettings:
    """The pace of work, as the desk's settings have it now."""
    with database.reading() as db:
        desk = settings_of(db)
    return WorkSettings(
        debriefs_at_once=desk.debriefs_at_once,
        requests_at_once=desk.requests_at_once,
        requests_per_minute=desk.requests_per_minute,
    )


def suspicious(db: DatabaseSession, session: AgentSession) -> bool:
    """Whether a check has found something in a session, or somebody says that it went wrong."""
    of_checks = select(Item.id).where(
        Item.kind == Kind.NOTE, Item.session_id == session.id, col(Item.proposer).startswith("check ")
    )
    return db.exec(of_checks.limit(1)).first() is not None or bool(lessons_from(db, session))


def _due(run: CriticRun, calls: Iterable[CriticCall]) -> Sequence[Due]:
    """The requests among these that have no answer."""
    return tuple(Due(call.id or 0, run.server) for call in calls if call.state in (CallState.DUE, CallState.ASKED))


def _begin(db: DatabaseSession, run: CriticRun, addressed: list[dict[str, Any]]) -> None:
    """Start a run, or end it where its session is not to be reviewed."""
    session = db.get_one(AgentSession, run.session_id)
    if session.sha256 != run.transcript_sha256:
        why = "The transcript has changed since; it can be debriefed anew."
        moved(run, Event.FAIL, now(), reason="transcript_changed", detail=why)
    elif session.external_failure:
        why = f"It failed outside the agent: {session.external_failure}"
        moved(run, Event.SKIP, now(), reason="external_failure", detail=why)
    elif _settings(run).only_suspicious and not suspicious(db, session):
        why = "The checks found nothing, and nobody says that it went wrong."
        moved(run, Event.SKIP, now(), reason="nothing_suspicious", detail=why)
    elif moved(run, Event.BEGIN, now()):
        run.addressed = addressed
    db.add(run)


def _calls(db: DatabaseSession, run: CriticRun) -> list[CriticCall]:
    """The requests of a run that count: what is answered, and what this attempt has asked."""
    rows = db.exec(select(CriticCall).where(CriticCall.run_id == run.id).order_by(col(CriticCall.id))).all()
    return [call for call in rows if call.attempt == run.attempt or call.state == CallState.ANSWERED]


def _settings(run: CriticRun) -> CriticSettings:
    return CriticSettings.model_validate(run.settings)
