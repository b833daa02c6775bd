"""What a worker does for one consolidation: says which requests are due, asks them, and has written what came of them.

The second kind of work of the durable engine, with the same promises as the critic's. Requests to the model are rows of
the critic's, so caps, pace, cost and stored replies are the same. What a run needs and writes is its memory's own.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import monotonic

from sqlalchemy import text
from sqlmodel import col, select

from core.critic.critic_settings import CriticSettings
from core.critic.model_settings import ModelSettings
from core.errors import ModelNotConfigured
from core.governance.debriefs import Event, moved
from core.service.consolidation import beliefs, buffer
from core.service.consolidation.contract import Consolidating, Wanted
from core.service.consolidation.runs import calls_of
from core.service.consolidation.sums import queue_all_due
from core.service.critic.calls import ask, leave, plan_call
from core.service.critic.doors import Doors, with_caps
from core.service.critic.settings import settings_of
from core.service.jobs import Due, Waiting
from core.store.clock import now
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.memory_records import UNDER_WAY, Consolidation
from core.vocabulary import CallState, Memory, RunState

CONSOLIDATION = "consolidation"
UNASKED = "consolidation without a model"
"""The kind of those runs that ask no model, so that a desk that cannot ask one carries them out, too."""

AT_ONE_LOOK = 1_000
"""Runs that one look for work reads."""

DUE_EVERY = 5.0
"""Seconds between two looks for sums that are due: nearly all are queued when their last episode comes in."""

MEMORIES: Mapping[Memory, Consolidating] = {Memory.BELIEFS: beliefs, Memory.BUFFER: buffer}


class ConsolidationWork:
    """The consolidations of one database that ask a model, or those that ask none; it may be shared between threads."""

    def __init__(self, database: Database, environ: Mapping[str, str] = os.environ, *, asks: bool = True) -> None:
        self.database = database
        self.asks = asks
        self._doors = Doors(environ)
        self._looks_at = 0.0

    def waiting(self) -> Sequence[Waiting]:
        """Runs that are not over, oldest first; those that are due and were not queued are queued first."""
        if self.asks and monotonic() > self._looks_at:
            self._looks_at = monotonic() + DUE_EVERY
            queue_all_due(self.database, environ=self._doors.environ)
        kind = CONSOLIDATION if self.asks else UNASKED
        mine = Consolidation.server != "" if self.asks else Consolidation.server == ""
        with self.database.reading() as db:
            query = select(Consolidation.id, Consolidation.attempt, Consolidation.queued_at)
            rows = db.exec(query.where(text(UNDER_WAY), mine).order_by(col(Consolidation.id)).limit(AT_ONE_LOOK)).all()
            return tuple(Waiting(run_id or 0, attempt, at, kind) for run_id, attempt, at in rows)

    def due(self, run_id: int) -> Sequence[Due]:
        """The requests of a run to be sent next; none when it has all, asks no model, or is over."""
        if not self._begun(run_id):
            return ()
        try:
            pending, wanted = self._planned(run_id)
            return self._stored(run_id, wanted) if wanted.requests or wanted.material else pending
        except ModelNotConfigured as error:
            self._failed(run_id, error.code, str(error))
            return ()

    def ask(self, call_id: int) -> None:
        """Send one request, with the settings of its run and the caps in force now."""
        with self.database.reading() as db:
            run = db.get_one(Consolidation, db.get_one(CriticCall, call_id).consolidation_id)
            settings = with_caps(_settings(run), settings_of(db))
        try:
            ask(self.database, call_id, settings, self._doors.door(self._way(run, settings)))
        except ModelNotConfigured as error:
            leave(self.database, call_id, error.code, str(error))

    def finish(self, run_id: int) -> None:
        """Have its memory write what came of a run, and end it."""
        with self.database.reading() as db:
            run = db.get_one(Consolidation, run_id)
        if run.state == RunState.RUNNING:
            MEMORIES[Memory(run.memory)].finish(self.database, run_id)

    def fail(self, run_id: int, why: str) -> None:
        """Keep a fault of our own as the end of a run."""
        self._failed(run_id, "fault", why)

    def close(self) -> None:
        """Close the connections to models."""
        self._doors.close()

    def _begun(self, run_id: int) -> bool:
        """Whether a run is under way, begun now if nobody has."""
        with self.database.writing() as db:
            run = db.get_one(Consolidation, run_id)
            if moved(run, Event.BEGIN, now()):
                db.add(run)
            return run.state == RunState.RUNNING

    def _planned(self, run_id: int) -> tuple[Sequence[Due], Wanted]:
        """The requests of a run that wait, else those that follow."""
        with self.database.reading() as db:
            run = db.get_one(Consolidation, run_id)
            calls = calls_of(db, run)
            waiting = _due(run, calls)
            if waiting or not run.server:
                return waiting, Wanted()
            self._way(run, _settings(run))
            return (), MEMORIES[Memory(run.memory)].wanted(db, run, calls)

    def _stored(self, run_id: int, wanted: Wanted) -> Sequence[Due]:
        """Requests as rows, unless somebody planned meanwhile or the run is over."""
        with self.database.writing() as db:
            run = db.get_one(Consolidation, run_id)
            if run.state != RunState.RUNNING:
                return ()
            if waiting := _due(run, calls_of(db, run)):
                return waiting
            settings = _settings(run)
            how = self._way(run, settings)
            run.material = {**run.material, **wanted.material}
            db.add(run)
            mine = [replace(one, consolidation_id=run.id, attempt=run.attempt) for one in wanted.requests]
            return _due(run, [plan_call(db, one, settings, how) for one in mine])

    def _failed(self, run_id: int, reason: str, detail: str) -> None:
        with self.database.writing() as db:
            run = db.get_one(Consolidation, run_id)
            if moved(run, Event.FAIL, now(), reason=reason, detail=detail):
                db.add(run)

    def _way(self, run: Consolidation, settings: CriticSettings) -> ModelSettings:
        return self._doors.way(settings, run.server, "run")


def _due(run: Consolidation, calls: Sequence[CriticCall]) -> Sequence[Due]:
    """The requests among these that have no answer."""
    return tuple(Due(call.id or 0, run.server) for call in calls if call.state in (CallState.DUE, CallState.ASKED))


def _settings(run: Consolidation) -> CriticSettings:
    return CriticSettings.model_validate(run.settings)
