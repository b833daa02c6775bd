"""What a worker does for one debrief: says which requests are due, asks them, and writes what came of them.

The critic's side of the durable engine. Every step can be repeated: ``due`` plans a request once, ``ask`` leaves a
request alone that has its answer, and ``finish`` writes in one transaction that only a running debrief passes.
"""

import os
from collections.abc import Mapping, Sequence
from threading import Lock

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.critic_settings import CriticSettings
from core.critic.llm import Llm
from core.critic.model_settings import ModelSettings
from core.errors import ModelNotConfigured
from core.service.critic_calls import ask, leave, plan_call
from core.service.critic_material import material_of, words_to_reviewer
from core.service.critic_plan import Plan, lessons_from
from core.service.critic_settings import model_settings, settings_of
from core.service.critic_writing import finish_run
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
        self.environ = environ
        self._doors: dict[ModelSettings, Llm] = {}
        self._lock = Lock()

    def waiting(self) -> Sequence[Waiting]:
        """Runs that are not over, oldest first."""
        with self.database.reading() as db:
            under_way = col(CriticRun.state).in_((RunState.QUEUED, RunState.RUNNING))
            query = select(CriticRun.id, CriticRun.attempt).where(under_way).order_by(col(CriticRun.id))
            return tuple(Waiting(run_id or 0, attempt) for run_id, attempt in db.exec(query.limit(AT_ONE_LOOK)).all())

    def due(self, run_id: int) -> Sequence[Due]:
        """The requests of a run to be sent next; none when it has all, or is over."""
        self._checks_first(run_id)
        with self.database.writing() as db:
            run = db.get_one(CriticRun, run_id)
            if run.state == RunState.QUEUED:
                _begin(db, run)
            if run.state != RunState.RUNNING:
                return ()
            calls = _calls(db, run)
            pending = [call for call in calls if call.state in (CallState.DUE, CallState.ASKED)]
            try:
                pending = pending or self._planned(db, run, calls)
            except ModelNotConfigured as error:
                _end(run, RunState.FAILED, error.code, str(error))
                db.add(run)
            return tuple(Due(call.id or 0, run.server) for call in pending)

    def ask(self, call_id: int) -> None:
        """Send one request, with the settings of its run and the caps in force now."""
        with self.database.reading() as db:
            run = db.get_one(CriticRun, db.get_one(CriticCall, call_id).run_id)
            settings = _with_caps(_settings(run), settings_of(db))
        try:
            ask(self.database, call_id, settings, self._door(self._way(run, settings)))
        except ModelNotConfigured as error:
            leave(self.database, call_id, error)

    def finish(self, run_id: int) -> None:
        """Write what came of a run, and where it stands then."""
        finish_run(self.database, run_id)

    def fail(self, run_id: int, why: str) -> None:
        """Keep a fault of our own as the end of a run."""
        with self.database.writing() as db:
            run = db.get_one(CriticRun, run_id)
            if run.state in (RunState.QUEUED, RunState.RUNNING):
                run.state, run.reason, run.detail, run.ended_at = RunState.FAILED, "fault", why, now()
                db.add(run)

    def close(self) -> None:
        """Close the connections to models."""
        with self._lock:
            for llm in self._doors.values():
                llm.close()
            self._doors.clear()

    def _door(self, how: ModelSettings) -> Llm:
        """The one door for these settings: requests share its connections."""
        with self._lock:
            if how not in self._doors:
                self._doors[how] = Llm(how)
            return self._doors[how]

    def _checks_first(self, run_id: int) -> None:
        """Let the code checks look at a session that they have not seen in its present form."""
        with self.database.reading() as db:
            run = db.get_one(CriticRun, run_id)
            session = db.get_one(AgentSession, run.session_id)
            seen = run.state != RunState.QUEUED or session.debriefed_sha256 == session.sha256
        if not seen:
            debrief(self.database, [session.ref])

    def _planned(self, db: DatabaseSession, run: CriticRun, calls: Sequence[CriticCall]) -> list[CriticCall]:
        """The next requests, stored: first what every session is asked, then what follows from the replies."""
        settings = _settings(run)
        plan = Plan(db, run, settings, calls)
        wanted = list(plan.first()) or list(plan.smaller()) or list(plan.once_more()) or list(plan.opinions())
        how = self._way(run, settings)
        return [plan_call(db, one, settings, how) for one in wanted]

    def _way(self, run: CriticRun, settings: CriticSettings) -> ModelSettings:
        """How the model of a run is asked from here. Raises ``ModelNotConfigured`` where another server is named."""
        how = model_settings(settings, self.environ)
        if how.endpoint.shown != run.server:
            what = f"this worker's OPENAI_BASE_URL is {how.endpoint.shown}, and the debrief is for {run.server}"
            raise ModelNotConfigured(what, "Set it to that address, or try the debrief again for this one.")
        return how


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


def _begin(db: DatabaseSession, run: CriticRun) -> None:
    """Start a run, or end it where its session is not to be reviewed."""
    session = db.get_one(AgentSession, run.session_id)
    run.started_at = now()
    if session.sha256 != run.transcript_sha256:
        _end(run, RunState.FAILED, "transcript_changed", "The transcript has changed since; it can be debriefed anew.")
    elif session.external_failure:
        _end(run, RunState.SKIPPED, "external_failure", f"It failed outside the agent: {session.external_failure}")
    elif _settings(run).only_suspicious and not suspicious(db, session):
        nothing = "The checks found nothing, and nobody says that it went wrong."
        _end(run, RunState.SKIPPED, "nothing_suspicious", nothing)
    else:
        run.state = RunState.RUNNING
        run.addressed = list(words_to_reviewer(material_of(db, session)))
    db.add(run)


def _end(run: CriticRun, state: RunState, reason: str, detail: str) -> None:
    run.state, run.reason, run.detail, run.ended_at = state, reason, detail, now()


def _calls(db: DatabaseSession, run: CriticRun) -> list[CriticCall]:
    """The requests of a run that count: what is answered, and what this attempt has asked."""
    rows = db.exec(select(CriticCall).where(CriticCall.run_id == run.id).order_by(col(CriticCall.id))).all()
    return [call for call in rows if call.attempt == run.attempt or call.state == CallState.ANSWERED]


def _settings(run: CriticRun) -> CriticSettings:
    return CriticSettings.model_validate(run.settings)


def _with_caps(settings: CriticSettings, desk: CriticSettings) -> CriticSettings:
    """The settings of a run with the caps that the desk has now."""
    return settings.model_copy(update={"daily_cost": desk.daily_cost, "daily_tokens": desk.daily_tokens})
