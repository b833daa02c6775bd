"""A small real work: each run asks the model twice, one request after the other, and writes one episode.

It stands on the critic's own tables and asks over HTTP. Run as a module it is a worker in a process of its own, for
tests that kill one.
"""

import os
import signal
import sys
from datetime import UTC, datetime
from threading import Event

from sqlalchemy import text, update
from sqlmodel import col, func, select

from core.critic.answer import Request, Said
from core.critic.endpoint import Endpoint
from core.critic.llm import Llm
from core.critic.model_settings import ModelSettings
from core.service.jobs import CRITIC, Due, Waiting, WorkSettings, tables, workers
from core.service.jobs.engine import Engine
from core.store import database as store
from core.store.clock import now
from core.store.critic_records import UNDER_WAY, CriticCall, CriticPrompt, CriticRun
from core.store.database import Database
from core.store.memory_records import Episode
from core.store.records import AgentSession
from core.vocabulary import CallState, RunState, Writer

ROUNDS = 2
AT = datetime(2026, 11, 3, 9, 0, tzinfo=UTC)
QUICK = WorkSettings(heartbeat=0.2, dead_after=1.5, look_every=0.05, requests_at_once=8)


class Reviews:
    """A ``Work``. The requests of the run ``broken`` raise an error; who is ``forgetful`` does not store answers."""

    def __init__(self, database: Database, server: str, *, broken: int = 0, forgetful: bool = False) -> None:
        self.database, self.broken, self.forgetful = database, broken, forgetful
        self.llm = Llm(ModelSettings(model="m-1", endpoint=Endpoint.parse(server), tries=1))

    def close(self) -> None:
        self.llm.close()

    def waiting(self) -> list[Waiting]:
        with self.database.reading() as db:
            runs = db.exec(select(CriticRun).where(text(UNDER_WAY)).order_by(col(CriticRun.id))).all()
            return [Waiting(run.id or 0, run.attempt, run.queued_at) for run in runs]

    def due(self, run_id: int) -> list[Due]:
        with self.database.writing() as db:
            run = db.get_one(CriticRun, run_id)
            if run.state == RunState.QUEUED:
                run.state, run.started_at = RunState.RUNNING, now()
            calls = db.exec(select(CriticCall).where(CriticCall.run_id == run_id)).all()
            if len(calls) < ROUNDS and all(one.state == CallState.ANSWERED for one in calls):
                place = len(calls)
                call = CriticCall(
                    run_id=run_id, place=place, writer=Writer.NOTES, key=f"{run_id}-{place}", prompt_sha256="0" * 64,
                    state=CallState.DUE,
                )  # fmt: skip
                db.add(call)
                db.flush()
                calls = [*calls, call]
            return [Due(one.id or 0, "one server") for one in calls if one.state != CallState.ANSWERED]

    def ask(self, call_id: int) -> None:
        with self.database.reading() as db:
            call = db.get_one(CriticCall, call_id)
        if call.state == CallState.ANSWERED:
            return
        if call.run_id == self.broken:
            raise KeyError("nobody foresaw this")
        answer = self.llm.ask(Request(messages=(Said(role="user", content=call.key),)))
        if self.forgetful:
            return
        with self.database.writing() as db:
            still = (col(CriticCall.id) == call_id) & (col(CriticCall.state) != CallState.ANSWERED)
            db.exec(update(CriticCall).where(still).values(state=CallState.ANSWERED, reply=answer.text))

    def finish(self, run_id: int) -> None:
        with self.database.writing() as db:
            if self._end(db, run_id, RunState.DONE):
                run = db.get_one(CriticRun, run_id)
                agent_id = db.get_one(AgentSession, run.session_id).agent_id
                call = db.exec(select(func.max(CriticCall.id)).where(CriticCall.run_id == run_id)).one()
                db.add(
                    Episode(
                        agent_id=agent_id,
                        session_id=run.session_id,
                        call_id=call,
                        text=f"run {run_id}",
                        true_from=now(),
                        at=now(),
                    )
                )

    def fail(self, run_id: int, why: str) -> None:
        with self.database.writing() as db:
            self._end(db, run_id, RunState.FAILED, detail=why)

    @staticmethod
    def _end(db, run_id: int, state: RunState, **more: str) -> bool:
        open_run = (col(CriticRun.id) == run_id) & col(CriticRun.state).in_([RunState.QUEUED, RunState.RUNNING])
        return bool(db.exec(update(CriticRun).where(open_run).values(state=state, ended_at=now(), **more)).rowcount)


def queue_runs(database: Database, session_id: int, count: int, at: datetime = AT) -> list[int]:
    """Write runs that wait, as a page does; their ids."""
    with database.writing() as db:
        if db.get(CriticPrompt, "0" * 64) is None:
            db.add(CriticPrompt(sha256="0" * 64, writer=Writer.NOTES, text="Look.", at=AT))
        before = db.exec(select(func.count()).select_from(CriticRun)).one()
        runs = [
            CriticRun(
                session_id=session_id, transcript_sha256="0" * 64, recipe=f"recipe {before + n}", server="here",
                state=RunState.QUEUED, by="tester", queued_at=at,
            )
            for n in range(count)
        ]  # fmt: skip
        db.add_all(runs)
        db.flush()
        return [one.id or 0 for one in runs]


def main() -> None:
    """Work until a signal: the database's address, the server's, requests a minute or 0, and a host to claim or -."""
    url, server, per_minute, host = sys.argv[1:5]
    store.FROZEN_TIMEOUT = tables.FROZEN_TIMEOUT = 3_000
    if host != "-":
        workers.this_host = lambda: host
    over = Event()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    database = Database(url)
    settings = WorkSettings(**{**vars(QUICK), "requests_per_minute": int(per_minute) or None})
    works = {CRITIC: Reviews(database, server)}
    with Engine(database, works, lambda: settings, tell=lambda line: print(line, flush=True)):
        print(f"ready {os.getpid()}", flush=True)
        over.wait()
    os._exit(0)


if __name__ == "__main__":
    main()
