"""Queued work is carried out once, whoever dies; with real workers, real databases and a server that speaks HTTP."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from dbos import DBOS
from sqlmodel import select

from core.errors import StoreBusy
from core.service.jobs import CRITIC, Waiting, WorkSettings, flow, nudge
from core.service.jobs.engine import Engine, paced
from core.service.jobs.tables import clear
from core.service.jobs.workers import known
from core.service.working import DeskWorker
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticRun
from core.store.database import ROOT, Database
from core.store.memory_records import Episode
from core.vocabulary import CallState, RunState
from tests.core.service.job_work import AT, QUICK, ROUNDS, Reviews, queue_runs
from tests.critic_server import CriticServer, Received, Scripted, reply
from tests.desk import session

on_both = pytest.mark.databases("sqlite", "postgresql")


class CountingServer(CriticServer):
    """Answers whatever it is asked, after ``delay`` seconds, and knows when it was asked what."""

    delay = 0.0

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def next(self, request: Received) -> Scripted:
        self.received.append(request)
        self.times.append(time.monotonic())
        return Scripted(reply("Nothing to note.").body, delay=self.delay)

    @property
    def asked(self) -> Counter[str]:
        """How often each request came in, by its text."""
        return Counter(body["messages"][0]["content"] for body in self.bodies)


@pytest.fixture
def server() -> Iterator[CountingServer]:
    counting = CountingServer()
    with counting.running():
        yield counting


@pytest.fixture
def start(database: Database, server: CountingServer) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a worker in a process of its own; what is left of them is killed at the end."""
    started: list[subprocess.Popen[str]] = []

    def worker(per_minute: int = 0, host: str = "-") -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.core.service.job_work", database.url, server.url, str(per_minute), host]
        started.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        assert started[-1].stdout.readline().startswith("ready"), started[-1].stdout.read()
        return started[-1]

    yield worker
    for process in started:
        process.kill()
        process.communicate()


@contextmanager
def working(database: Database, work: Reviews, settings: WorkSettings = QUICK) -> Iterator[Engine]:
    """A worker in this process."""
    with closing(work.llm), Engine(database, {CRITIC: work}, lambda: settings) as engine:
        yield engine


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for something; the limit only ends a test that would hang."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "this did not come about in time"
        time.sleep(0.02)


def states(database: Database) -> Counter[str]:
    with database.reading() as db:
        return Counter(db.exec(select(CriticRun.state)).all())


def answered(database: Database) -> set[str]:
    """The requests whose answer is stored."""
    with database.reading() as db:
        return set(db.exec(select(CriticCall.key).where(CriticCall.state == CallState.ANSWERED)).all())


def written(database: Database) -> list[str]:
    with database.reading() as db:
        return sorted(db.exec(select(Episode.text)).all())


def nothing_waits(database: Database) -> bool:
    return not states(database).keys() & {RunState.QUEUED, RunState.RUNNING}


@on_both
def test_what_is_queued_twice_is_run_once(database: Database, server: CountingServer) -> None:
    runs = queue_runs(database, session(database), 3)
    with working(database, Reviews(database, server.url)):
        for run_id in runs * 2:
            flow.enqueue(Waiting(run_id, 1, AT))
        nudge()
        until(lambda: nothing_waits(database))
    assert states(database) == {RunState.DONE: 3}
    assert written(database) == [f"run {one}" for one in runs]
    assert set(server.asked.values()) == {1}
    assert len(server.asked) == 3 * ROUNDS


def test_an_error_that_nobody_foresaw_is_stored_with_its_run_and_the_others_go_on(
    database: Database, server: CountingServer
) -> None:
    first, broken, last = queue_runs(database, session(database), 3)
    work = Reviews(database, server.url, broken=broken)
    with working(database, work):
        until(lambda: nothing_waits(database))
        assert states(database) == {RunState.DONE: 2, RunState.FAILED: 1}
        assert written(database) == [f"run {first}", f"run {last}"]
        with database.reading() as db:
            assert db.get_one(CriticRun, broken).detail == "KeyError: 'nobody foresaw this'"
        work.broken = 0
        with database.writing() as db:
            again = db.get_one(CriticRun, broken)
            again.state, again.attempt = RunState.QUEUED, 2
        nudge()
        until(lambda: nothing_waits(database))
    assert states(database) == {RunState.DONE: 3}
    assert set(server.asked.values()) == {1}


def test_a_run_that_asks_for_the_same_request_again_fails_instead_of_going_round(
    database: Database, server: CountingServer
) -> None:
    (run,) = queue_runs(database, session(database), 1)
    work = Reviews(database, server.url, forgetful=True)
    with working(database, work):
        until(lambda: nothing_waits(database))
    assert states(database) == {RunState.FAILED: 1}
    with database.reading() as db:
        assert db.get_one(CriticRun, run).detail == "Request 1 is due again although it was asked."
    assert len(server.received) == 1


@on_both
def test_a_worker_stops_in_the_middle_of_a_request_and_the_next_one_goes_on(
    database: Database, server: CountingServer
) -> None:
    queue_runs(database, session(database), 4)
    server.delay = 30.0
    begun = time.monotonic()
    with working(database, Reviews(database, server.url)):
        until(lambda: bool(server.received))
    assert time.monotonic() - begun < 15, "the stop did not wait for the request"
    assert known(database) == []
    assert answered(database) == set()
    server.delay = 0.0
    with working(database, Reviews(database, server.url)):
        until(lambda: nothing_waits(database))
    assert states(database) == {RunState.DONE: 4}
    assert len(written(database)) == 4


def test_runs_go_on_when_the_engines_own_tables_are_lost(database: Database, server: CountingServer) -> None:
    queue_runs(database, session(database), 4)
    work = Reviews(database, server.url)
    with Engine(database, {CRITIC: work}, lambda: QUICK):
        until(lambda: len(answered(database)) >= 4)
    had = {key: server.asked[key] for key in answered(database)}
    for file in Path(database.engine.url.database or "").parent.glob("desk-work.db*"):
        file.unlink()
    with working(database, Reviews(database, server.url)):
        until(lambda: nothing_waits(database))
    assert states(database) == {RunState.DONE: 4}
    assert {key: server.asked[key] for key in had} == had
    assert len(written(database)) == 4


def test_a_new_desk_beside_old_tables_of_the_engine_does_not_take_its_runs_for_done(
    database: Database, server: CountingServer, migrated: Path
) -> None:
    path = Path(database.engine.url.database or "")
    for n in range(2):
        queue_runs(database, session(database), 1, AT + timedelta(days=n))
        with working(database, Reviews(database, server.url)):
            until(lambda: nothing_waits(database))
        assert states(database) == {RunState.DONE: 1}
        assert len(server.received) == (n + 1) * ROUNDS
        database.close()
        shutil.copyfile(migrated, path)


@on_both
def test_two_workers_share_what_waits_and_one_rate(
    database: Database, server: CountingServer, start: Callable[..., subprocess.Popen[str]]
) -> None:
    workers = [start(per_minute=480), start(per_minute=480)]
    queue_runs(database, session(database), 10)
    until(lambda: nothing_waits(database))
    for one in workers:
        one.send_signal(signal.SIGTERM)
    told = [one.communicate(timeout=20)[0] for one in workers]
    assert [one.returncode for one in workers] == [0, 0]
    assert [text.count("is over.") > 0 for text in told] == [True, True]
    assert sum(text.count("is over.") for text in told) == 10
    assert set(server.asked.values()) == {1}
    assert len(written(database)) == 10
    with working(database, Reviews(database, server.url)):
        begun = sorted(
            one.dequeued_at or 0 for one in DBOS.list_workflows(queue_name=flow.provider_queue("one server"))
        )
    assert len(begun) == 10 * ROUNDS
    assert all(later - one >= 2_000 for one, later in zip(begun, begun[15:], strict=False)), "15 in two seconds"


@on_both
def test_after_kills_in_the_middle_of_fifty_runs_all_are_done_once_and_no_answered_request_is_sent_again(
    database: Database, server: CountingServer, start: Callable[..., subprocess.Popen[str]]
) -> None:
    server.delay = 0.02
    runs = queue_runs(database, session(database), 50)
    far, near = start(host="another machine"), start()
    had = [kill_when(database, server, far, 20), kill_when(database, server, near, 60)]
    start()
    until(lambda: nothing_waits(database))
    assert states(database) == {RunState.DONE: 50}
    assert written(database) == sorted(f"run {one}" for one in runs)
    for asked in had:
        assert {key: server.asked[key] for key in asked} == asked, "what had an answer was not asked again"
    repeated = [key for key, times in server.asked.items() if times > 1]
    assert len(repeated) <= 2 * QUICK.requests_at_once, "only what was on its way"


def kill_when(database: Database, server: CountingServer, worker: subprocess.Popen[str], count: int) -> dict[str, int]:
    """Kill a worker when so many requests have an answer; how often each of those had been sent by then."""
    until(lambda: len(answered(database)) >= count)
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    had, asked = answered(database), server.asked
    assert count <= len(had) < 50 * ROUNDS
    return {key: asked[key] for key in had}


@pytest.mark.databases("postgresql")
def test_a_worker_that_only_slept_comes_back_and_writes_nothing_twice(
    database: Database, server: CountingServer, start: Callable[..., subprocess.Popen[str]]
) -> None:
    server.delay = 0.1
    runs = queue_runs(database, session(database), 30)
    sleeper, other = start(host="another machine"), start()
    until(lambda: len(answered(database)) >= 10)
    until(lambda: falls_asleep_without_a_lock(database, sleeper))
    until(lambda: nothing_waits(database), 120)
    os.kill(sleeper.pid, signal.SIGCONT)
    time.sleep(1.0)
    for one in (sleeper, other):
        one.send_signal(signal.SIGTERM)
    told = [one.communicate(timeout=20)[0] for one in (sleeper, other)]
    assert "which is gone" in told[1], "its work was taken over while it slept"
    assert states(database) == {RunState.DONE: 30}
    assert written(database) == sorted(f"run {one}" for one in runs)


def falls_asleep_without_a_lock(database: Database, worker: subprocess.Popen[str]) -> bool:
    """Stop a process, and let it go on if it holds the write lock: then everybody would have to wait for it."""
    os.kill(worker.pid, signal.SIGSTOP)
    try:
        with database.writing():
            return True
    except StoreBusy:
        os.kill(worker.pid, signal.SIGCONT)
        return False


def test_a_rate_is_never_exceeded_in_any_minute_and_mostly_used() -> None:
    for per_minute in range(1, 700):
        most, seconds = paced(per_minute)
        assert most * (60 // seconds + 1) <= per_minute
        assert most * 60 / seconds >= 0.8 * per_minute
    assert paced(None) == (0, 0.0)
    assert paced(60) == (4, 5.0)


def test_what_the_engine_noted_of_old_work_is_removed_and_a_new_look_does_not_run_it_again(
    database: Database, server: CountingServer
) -> None:
    queue_runs(database, session(database), 1)
    with working(database, Reviews(database, server.url)):
        until(lambda: nothing_waits(database))
        until(lambda: clear(now() + timedelta(days=1)) == 0 and not DBOS.list_workflows())
        nudge()
        time.sleep(3 * QUICK.look_every)
        assert DBOS.list_workflows() == []
    assert len(server.received) == ROUNDS


def test_the_command_works_until_it_is_told_to_stop(database: Database) -> None:
    command = [sys.executable, "-m", "core", "work"]
    env = {**os.environ, "DATABASE_URL": database.url, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    first = process.stdout.readline()
    assert "works on sqlite:///" in first
    assert [one.pid for one in known(database)] == [process.pid]
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=20)[0] == "Stopping.\n"
    assert process.returncode == 0
    assert known(database) == []


@pytest.mark.parametrize("wanted", ["0", "1"])
def test_a_desk_starts_its_worker_inside_its_event_loop_if_one_is_wanted(
    database: Database, monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    monkeypatch.setenv("TUTELAGE_WORKER", wanted)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")

    async def desk() -> int:
        worker = DeskWorker(database)
        await asyncio.to_thread(until, lambda: wanted == "0" or bool(known(database)))
        living = len(known(database))
        await asyncio.to_thread(worker.stop)
        return living

    assert asyncio.run(desk()) == int(wanted)
    assert known(database) == []


def test_a_command_that_can_ask_no_model_says_so_and_takes_no_work(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    command = [sys.executable, "-m", "core", "work"]
    env = {**os.environ, "DATABASE_URL": database.url}
    process = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert process.returncode == 1
    assert "OPENAI_API_KEY" in process.stderr


def test_settings_that_change_are_kept_to_while_a_worker_runs(database: Database, server: CountingServer) -> None:
    settings = [QUICK]
    work = Reviews(database, server.url)
    with closing(work.llm), Engine(database, {CRITIC: work}, lambda: settings[0]):
        settings[0] = replace(QUICK, debriefs_at_once=3)
        until(
            lambda: (
                (queue := DBOS.retrieve_queue(flow.kind_queue(CRITIC))) is not None and queue.worker_concurrency == 3
            )
        )
