"""What a worker does for one debrief: says which requests are due, asks them, and writes what came of them.

The critic's side of the durable engine. Every step can be repeated: ``due`` plans a request once, ``ask`` leaves a
request alone that has its answer, and ``finish`` writes in one transaction that only a running debrief passes.
"""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.debriefs import Event, moved
from core.service.critic.asking import AskingWork, Wanted, calls_that_count, due_of, settings_with
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
from core.vocabulary import Kind, RunState

AT_ONE_LOOK = 5_000
"""Runs that one look for work reads."""


class CriticWork(AskingWork[CriticRun]):
    """The work of debriefs on one database."""

    runs = CriticRun
    called = "debrief"

    def waiting(self) -> Sequence[Waiting]:
        """Runs that are not over, oldest first."""
        with self.database.reading() as db:
            under_way = col(CriticRun.state).in_((RunState.QUEUED, RunState.RUNNING))
            query = select(CriticRun.id, CriticRun.attempt, CriticRun.queued_at).where(under_way)
            rows = db.exec(query.order_by(col(CriticRun.id)).limit(AT_ONE_LOOK)).all()
            return tuple(Waiting(run_id or 0, attempt, queued_at) for run_id, attempt, queued_at in rows)

    def finish(self, run_id: int) -> None:
        """Write what came of a run, and where it stands then."""
        finish_run(self.database, run_id, self._doors.environ)

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

    def _planned(self, run_id: int) -> tuple[Sequence[Due], Wanted]:
        """The requests of a run that wait, else those that follow: of every session first, then from the replies."""
        with self.database.reading() as db:
            run = db.get_one(CriticRun, run_id)
            calls = self._calls(db, run)
            waiting = due_of(run, calls)
            session = db.get_one(AgentSession, run.session_id)
            if waiting or session.sha256 != run.transcript_sha256:
                return waiting, Wanted()
            settings = settings_with(run)
            how = self._way(run, settings)
            plan = Plan(db, session, settings, how, calls, run_id=run.id, attempt=run.attempt)
            then = (plan.first, plan.smaller, plan.once_more, plan.opinions)
            return (), Wanted(next((found for step in then if (found := tuple(step()))), ()))

    def _calls(self, db: DatabaseSession, run: CriticRun) -> Sequence[CriticCall]:
        return calls_that_count(db, run, CriticCall.run_id)

    def _run_of(self, call: CriticCall) -> int | None:
        return call.run_id


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


def _begin(db: DatabaseSession, run: CriticRun, addressed: list[dict[str, Any]]) -> None:
    """Start a run, or end it where its session is not to be reviewed."""
    session = db.get_one(AgentSession, run.session_id)
    if session.sha256 != run.transcript_sha256:
        why = "The transcript has changed since; it can be debriefed anew."
        moved(run, Event.FAIL, now(), reason="transcript_changed", detail=why)
    elif session.external_failure:
        why = f"It failed outside the agent: {session.external_failure}"
        moved(run, Event.SKIP, now(), reason="external_failure", detail=why)
    elif settings_with(run).only_suspicious and not suspicious(db, session):
        why = "The checks found nothing, and nobody says that it went wrong."
        moved(run, Event.SKIP, now(), reason="nothing_suspicious", detail=why)
    elif moved(run, Event.BEGIN, now()):
        run.addressed = addressed
    db.add(run)
