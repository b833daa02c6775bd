"""What every work that asks a model does alike: plan what is due, ask it, and keep a fault as the end of a run.

A run is a row of its work's own table, with a state, an attempt, the settings it was queued with and the server that is
asked. Requests are rows of the critic's, so caps, pace, cost and stored replies are the same for all.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.critic_settings import CriticSettings
from core.critic.model_settings import ModelSettings
from core.errors import ModelNotConfigured
from core.governance.debriefs import Event, moved
from core.service.critic.calls import Planned, ask, leave, plan_call
from core.service.critic.doors import Doors, with_caps
from core.service.critic.settings import settings_of
from core.service.jobs import Due
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticRun
from core.store.database import Database
from core.store.memory_records import Consolidation
from core.vocabulary import CallState, RunState

Run = TypeVar("Run", CriticRun, Consolidation)


@dataclass(frozen=True)
class Wanted:
    """Requests that a run needs next, and what of its ``material`` is noted with them, in one transaction."""

    requests: Sequence[Planned] = ()
    material: Mapping[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.requests or self.material)


class AskingWork(ABC, Generic[Run]):
    """The part of ``jobs.Work`` that does not depend on what a run is for. It may be shared between threads."""

    runs: type[Run]
    called: ClassVar[str]
    """What a person calls one of its runs."""

    def __init__(self, database: Database, environ: Mapping[str, str] = os.environ) -> None:
        self.database = database
        self._doors = Doors(environ)

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
            run = db.get_one(self.runs, self._run_of(db.get_one(CriticCall, call_id)))
            settings = with_caps(settings_with(run), settings_of(db))
        try:
            ask(self.database, call_id, settings, self._doors.door(self._way(run, settings)))
        except ModelNotConfigured as error:
            leave(self.database, call_id, error.code, str(error))

    def fail(self, run_id: int, why: str) -> None:
        """Keep a fault of our own as the end of a run."""
        self._failed(run_id, "fault", why)

    def close(self) -> None:
        """Close the connections to models."""
        self._doors.close()

    @abstractmethod
    def _begun(self, run_id: int) -> bool:
        """Whether a run is under way, begun now if nobody has."""

    @abstractmethod
    def _planned(self, run_id: int) -> tuple[Sequence[Due], Wanted]:
        """The requests of a run that wait, else what follows."""

    @abstractmethod
    def _calls(self, db: DatabaseSession, run: Run) -> Sequence[CriticCall]:
        """The requests of a run that count: what is answered, and what this attempt has asked."""

    @abstractmethod
    def _run_of(self, call: CriticCall) -> int | None:
        """The id of the run that a request is for."""

    def _requests(self, db: DatabaseSession, run: Run, wanted: Wanted) -> Sequence[Planned]:
        """What is planned of what a run wants, in the transaction that stores it."""
        return wanted.requests

    def _stored(self, run_id: int, wanted: Wanted) -> Sequence[Due]:
        """Requests as rows, unless somebody planned them meanwhile or the run is over."""
        with self.database.writing() as db:
            run = db.get_one(self.runs, run_id)
            if run.state != RunState.RUNNING:
                return ()
            if waiting := due_of(run, self._calls(db, run)):
                return waiting
            settings = settings_with(run)
            how = self._way(run, settings)
            return due_of(run, [plan_call(db, one, settings, how) for one in self._requests(db, run, wanted)])

    def _failed(self, run_id: int, reason: str, detail: str) -> None:
        with self.database.writing() as db:
            run = db.get_one(self.runs, run_id)
            if moved(run, Event.FAIL, now(), reason=reason, detail=detail):
                db.add(run)

    def _way(self, run: Run, settings: CriticSettings) -> ModelSettings:
        """How the model of a run is asked from here. Raises ``ModelNotConfigured`` where another server is named."""
        return self._doors.way(settings, run.server, self.called)


def calls_that_count(db: DatabaseSession, run: CriticRun | Consolidation, of_run: Any) -> list[CriticCall]:
    """The requests of a run, named by the column ``of_run``: what is answered, and what this attempt has asked."""
    query = select(CriticCall).where(of_run == run.id).order_by(col(CriticCall.id))
    return [call for call in db.exec(query) if call.attempt == run.attempt or call.state == CallState.ANSWERED]


def due_of(run: CriticRun | Consolidation, calls: Sequence[CriticCall]) -> Sequence[Due]:
    """The requests among these that have no answer."""
    return tuple(Due(call.id or 0, run.server) for call in calls if call.state in (CallState.DUE, CallState.ASKED))


def settings_with(run: CriticRun | Consolidation) -> CriticSettings:
    """The settings that a run was queued with."""
    return CriticSettings.model_validate(run.settings)
