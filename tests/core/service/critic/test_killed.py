"""Fifty debriefs, a worker that is killed in their middle, and another that ends them: nothing lost or done twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlmodel import select

from core.critic.answer import Request, Said
from core.critic.shapes import SHAPES
from core.service.critic.calls import key_of
from core.service.critic.runs import queue
from core.service.critic.settings import model_settings, settings_of
from core.store.critic_records import CriticCall, CriticRun, Written
from core.store.database import ROOT, Database
from core.store.memory_records import Episode
from core.store.records import Item
from core.vocabulary import CallState, RunState, Writer
from tests.critic_desk import PROMISED, Desk, note, writer_of
from tests.critic_server import Scripted, reply
from tests.desk import OPERATOR

DEBRIEFS = 50


@contextmanager
def worker(desk: Desk) -> "Iterator[subprocess.Popen[bytes]]":
    """The product's own worker, in a process of its own."""
    env = {**os.environ, **desk.environ, "DATABASE_URL": desk.database.url}
    command = [sys.executable, "-m", "core", "work"]
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def until(holds: Callable[[], bool], seconds: float = 90.0) -> None:
    """Wait for something; the limit only ends a test that would hang."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "this did not come about in time"
        time.sleep(0.05)


def slowly(said: object) -> Callable[[object], Scripted]:
    """A reply that takes a moment, so that a kill finds requests on their way."""

    def answered(body: dict) -> Scripted:  # type: ignore[type-arg]
        sent = sum(len(one["content"]) for one in body["messages"])
        usage = {"prompt_tokens": sent // 3, "completion_tokens": 50}
        return Scripted(reply(json.dumps(said), usage=usage).body, delay=0.05)

    return answered  # type: ignore[return-value]


def answered_keys(database: Database) -> set[str]:
    with database.reading() as db:
        return set(db.exec(select(CriticCall.key).where(CriticCall.state == CallState.ANSWERED)).all())


@pytest.mark.databases("sqlite", "postgresql")
def test_fifty_debriefs_outlive_a_worker_that_is_killed(desk: Desk) -> None:
    desk.settings(writers=["notes", "episodes"], requests_at_once=8, debriefs_at_once=16)
    desk.answers[Writer.NOTES] = slowly({"notes": [note("the refund has been arranged")]})
    proof = [{"quote": "the refund has been arranged", "speaker": "assistant", "turn": 2}]
    desk.answers[Writer.EPISODES] = slowly(
        {"episodes": [{"text": "A refund was promised.", "importance": 0.6, "evidence": proof}]}
    )
    asked = [{"role": "user", "content": f"Can I get my money back for course {number}?"} for number in range(DEBRIEFS)]
    refs = [desk.bring(one, *PROMISED[1:], id=f"s{n}", user=f"user {n}") for n, one in enumerate(asked)]
    runs = queue(desk.database, refs, by=OPERATOR, environ=desk.environ).new
    with worker(desk) as first:
        until(lambda: len(answered_keys(desk.database)) >= 20)
        os.kill(first.pid, signal.SIGKILL)
    had = answered_keys(desk.database)
    assert 20 <= len(had) < 2 * DEBRIEFS
    with worker(desk):
        until(lambda: _states(desk.database) == {RunState.DONE: DEBRIEFS})
    sent = Counter(_key(desk, body) for body in desk.server.bodies)
    assert all(sent[key] == 1 for key in had), "what had its answer was not asked again"
    assert sum(times - 1 for times in sent.values()) <= 8, "only what was on its way"
    with desk.database.reading() as db:
        notes = db.exec(select(Item.session_id).where(Item.proposer == "critic")).all()
        episodes = db.exec(select(Episode.session_id)).all()
        assert Counter(notes) == Counter(episodes) == dict.fromkeys(range(1, DEBRIEFS + 1), 1)
        assert len(db.exec(select(Written)).all()) == len(runs)


def _states(database: Database) -> dict[RunState, int]:
    with database.reading() as db:
        return {RunState(state): count for state, count in Counter(db.exec(select(CriticRun.state)).all()).items()}


def _key(desk: Desk, body: dict) -> str:  # type: ignore[type-arg]
    """The key under which a request that came in is stored."""
    with desk.database.reading() as db:
        how = model_settings(settings_of(db), desk.environ)
    said = tuple(Said(**one) for one in body["messages"])
    return key_of(how, Request(messages=said, shape=SHAPES[writer_of(body)]))
