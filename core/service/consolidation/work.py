"""What a worker does for one consolidation: says which requests are due, asks them, and has written what came of them.

The second kind of work of the durable engine, with the same promises as the critic's. Requests to the model are rows of
the critic's, so caps, pace, cost and stored replies are the same. What a run needs and writes is its memory's own.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import monotonic

from sqlalchemy import text
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.debriefs import Event, moved
from core.service.consolidation import beliefs, buffer
from core.service.consolidation.contract import Consolidating
from core.service.consolidation.runs import calls_of
from core.service.consolidation.sums import queue_all_due
from core.service.critic.asking import AskingWork, Wanted, due_of, settings_with
from core.service.critic.calls import Planned
from core.service.jobs import Due, Waiting
from core.store.clock import now
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.memory_records import UNDER_WAY, Consolidation
from core.vocabulary import Memory, RunState

CONSOLIDATION = "consolidation"
UNASKED = "consolidation without a model"
"""The kind of those runs that ask no model, so that a desk that cannot ask one carries them out, too."""

AT_ONE_LOOK = 1_000
"""Runs that one look for work reads."""

DUE_EVERY = 5.0
"""Seconds between two looks for sums that are due: nearly all are queued when their last episode comes in."""

MEMORIES: Mapping[Memory, Consolidating] = {Memory.BELIEFS: beliefs, Memory.BUFFER: buffer}


class ConsolidationWork(AskingWork[Consolidation]):
    """The consolidations of one database that ask a model, or those that ask none."""

    runs = Consolidation
    called = "run"

    def __init__(self, database: Database, environ: Mapping[str, str] = os.environ, *, asks: bool = True) -> None:
        super().__init__(database, environ)
        self.asks = asks
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

    def finish(self, run_id: int) -> None:
        """Have its memory write what came of a run, and end it."""
        with self.database.reading() as db:
            run = db.get_one(Consolidation, run_id)
        if run.state == RunState.RUNNING:
            MEMORIES[Memory(run.memory)].finish(self.database, run_id)

    def _begun(self, run_id: int) -> bool:
        """Whether a run is under way, begun now if nobody has."""
        with self.database.writing() as db:
            run = db.get_one(Consolidation, run_id)
            if moved(run, Event.BEGIN, now()):
                db.add(run)
            return run.state == RunState.RUNNING

    def _planned(self, run_id: int) -> tuple[Sequence[Due], Wanted]:
        with self.database.reading() as db:
            run = db.get_one(Consolidation, run_id)
            calls = calls_of(db, run)
            waiting = due_of(run, calls)
            if waiting or not run.server:
                return waiting, Wanted()
            self._way(run, settings_with(run))
            return (), MEMORIES[Memory(run.memory)].wanted(db, run, calls)

    def _requests(self, db: DatabaseSession, run: Consolidation, wanted: Wanted) -> Sequence[Planned]:
        """Note what the requests were made of, and say of which run and attempt they are."""
        run.material = {**run.material, **wanted.material}
        db.add(run)
        return [replace(one, consolidation_id=run.id, attempt=run.attempt) for one in wanted.requests]

    def _calls(self, db: DatabaseSession, run: Consolidation) -> Sequence[CriticCall]:
        return calls_of(db, run)

    def _run_of(self, call: CriticCall) -> int | None:
        return call.consolidation_id
