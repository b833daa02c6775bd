"""Consolidations are carried out by the engine that carries out debriefs, and neither stands in the other's way."""

import pytest
from dbos import DBOS, SetWorkflowID
from sqlmodel import select

from core.service.consolidation.runs import queue, under_way
from core.service.consolidation.work import UNASKED, ConsolidationWork
from core.service.jobs import CRITIC, Waiting
from core.service.jobs.engine import Engine
from core.service.jobs.flow import debrief, kind_queue, run_name
from core.service.working import DeskWorker
from core.store.critic_records import CriticRun
from core.store.database import Database
from core.store.memory_records import Consolidation
from core.vocabulary import Memory, RunState
from tests.core.service.job_work import AT, QUICK, Reviews, queue_runs
from tests.core.service.test_jobs import CountingServer, until
from tests.desk import agent as put_agent
from tests.desk import session


def states(database: Database) -> list[str]:
    with database.reading() as db:
        return list(db.exec(select(Consolidation.state).order_by(Consolidation.id)).all())


def compaction(database: Database, agent_id: int, task_class: str = "refund") -> int | None:
    with database.writing() as db:
        return queue(db, Memory.BUFFER, agent_id, by="tester", way=None, task_class=task_class)


@pytest.mark.databases("sqlite", "postgresql")
def test_one_run_is_under_way_for_the_same_and_others_beside_it(database: Database) -> None:
    agent = put_agent(database)
    assert compaction(database, agent) is not None
    assert compaction(database, agent) is None
    assert compaction(database, agent, "billing") is not None
    with database.reading() as db:
        assert under_way(db, Memory.BUFFER, agent, task_class="refund")
        assert under_way(db, Memory.BELIEFS, agent) is None
    assert states(database) == [RunState.QUEUED] * 2


def test_a_desk_without_a_model_carries_out_what_asks_none_and_leaves_debriefs(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    run = queue_runs(database, session(database), 1)[0]
    compaction(database, put_agent(database))
    worker = DeskWorker(database)
    until(lambda: states(database) == [RunState.DONE])
    worker.stop()
    with database.reading() as db:
        assert db.get_one(CriticRun, run).state == RunState.QUEUED


def test_two_kinds_of_work_with_the_same_numbers_are_two_runs(database: Database) -> None:
    server = CountingServer()
    with server.running():
        [run] = queue_runs(database, session(database), 1)
        same = compaction(database, 1)
        assert same == run
        works = {CRITIC: Reviews(database, server.url), UNASKED: ConsolidationWork(database, asks=False)}
        with Engine(database, works, lambda: QUICK):
            until(lambda: states(database) == [RunState.DONE] and debriefs(database) == [RunState.DONE])


def debriefs(database: Database) -> list[str]:
    with database.reading() as db:
        return list(db.exec(select(CriticRun.state)).all())


def test_what_an_earlier_release_queued_names_no_kind_and_is_a_debrief(database: Database) -> None:
    server = CountingServer()
    with server.running():
        [run] = queue_runs(database, session(database), 1)
        reviews = Reviews(database, server.url)
        reviews.waiting = list  # only what is queued already
        with Engine(database, {CRITIC: reviews}, lambda: QUICK):
            with SetWorkflowID(run_name(Waiting(run, 1, AT))):
                DBOS.enqueue_workflow(kind_queue(CRITIC), debrief, run)
            until(lambda: debriefs(database) == [RunState.DONE])
