"""Beliefs are drawn from episodes in the background: when a run is set off, what is asked, and what comes of it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from core.governance.saving_numbers import save_numbers
from core.service.consolidation.sums import admit, queue_all_due
from core.service.consolidation.work import CONSOLIDATION, ConsolidationWork
from core.service.critic.settings import save_critic_settings
from core.service.jobs.engine import Engine
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.memory_records import Accumulator, Consolidation, Episode
from core.store.records import Evidence, Item
from core.vocabulary import CallState, Kind, Memory, RunState, Status, Writer
from tests.core.service.job_work import QUICK
from tests.core.service.test_jobs import until
from tests.critic_desk import Desk, critic_desk
from tests.critic_server import Scripted
from tests.desk import OPERATOR, agent
from tests.remembered import active, episode, status

NO_MODEL: Mapping[str, str] = {}
ASKED = "What does this user want before a retry?"
LOGS = "The user asked for the logs before a retry."
BELIEF = "Before anything is tried again, this user wants to read what went wrong."


@pytest.fixture
def desk(database: Database) -> Iterator[Desk]:
    with critic_desk(database) as made:
        save_numbers(database, {"episode_floor": 2}, by=OPERATOR, reason="a small desk", seen=0)
        made.answers[Writer.QUESTIONS] = {"questions": [ASKED]}
        made.answers[Writer.BELIEFS] = {"beliefs": [{"belief": BELIEF, "cites": [1, 2]}]}
        yield made


def admitted(
    database: Database, count: int, *, environ: Mapping[str, str], text: str = LOGS, prefix: str = "E", **how: Any
) -> list[int]:
    """Write episodes and admit each in a transaction of its own; their ids."""
    ids = [episode(database, f"{text} Time {one}.", ref=f"{prefix}-{one}", days=one, **how) for one in range(count)]
    for one in ids:
        with database.writing() as db:
            admit(db, [db.get_one(Episode, one)], environ=environ)
    return ids


def sums(database: Database) -> dict[str, tuple[int, int]]:
    with database.reading() as db:
        return {row.user_key: (row.hundredths, row.runs) for row in db.exec(select(Accumulator)).all()}


def runs(database: Database) -> list[Consolidation]:
    with database.reading() as db:
        return list(db.exec(select(Consolidation).order_by(Consolidation.id)).all())


def beliefs(database: Database) -> list[Item]:
    with database.reading() as db:
        return list(db.exec(select(Item).where(Item.kind == Kind.BELIEF).order_by(Item.id)).all())


def carried_out(desk: Desk, run_id: int | None = None) -> Consolidation:
    work = ConsolidationWork(desk.database, desk.environ)
    run_id = run_id or runs(desk.database)[-1].id or 0
    while due := work.due(run_id):
        for one in due:
            work.ask(one.call_id)
    work.finish(run_id)
    work.close()
    with desk.database.reading() as db:
        return db.get_one(Consolidation, run_id)


def test_the_sum_is_exact_and_the_run_takes_it_along(desk: Desk) -> None:
    admitted(desk.database, 17, environ=desk.environ, importance="0.85")
    assert sums(desk.database) == {"student 1": (1445, 0)}
    assert runs(desk.database) == []
    admitted(desk.database, 1, environ=desk.environ, importance="0.55", prefix="L")
    [run] = runs(desk.database)
    assert (run.memory, run.user_key, run.hundredths, run.state) == (Memory.BELIEFS, "student 1", 1500, RunState.QUEUED)
    assert sums(desk.database) == {"student 1": (0, 1)}


@pytest.mark.parametrize("threshold", ["15.00", "14.75"])
def test_the_documents_own_stream_stops_short_of_its_threshold(desk: Desk, corpus: Path, threshold: str) -> None:
    rows = json.loads((corpus / "cases" / "seed-cases.json").read_text("utf-8"))
    [row] = [each for each in rows if each["id"] == "seed-beliefs-1"]
    numbers = {"belief_sum": Decimal(threshold), "episode_floor": 1}
    save_numbers(desk.database, numbers, by=OPERATOR, reason="the document's", seen=1)
    for place, importance in enumerate(row["importance"]):
        admitted(desk.database, 1, environ=desk.environ, prefix=f"S{place}", importance=str(importance))
    assert bool(runs(desk.database)) is row["expected"][f"fires_at_threshold_{Decimal(threshold).normalize()}"]
    total = Decimal(str(row["expected"]["sum"])) * 100
    assert sum(run.hundredths for run in runs(desk.database)) + sums(desk.database)["student 1"][0] == total


@pytest.mark.parametrize("short", ["0.01", "0.10", "0.70"])
def test_a_sum_of_many_shares_is_exact_at_its_threshold(desk: Desk, short: str) -> None:
    save_numbers(desk.database, {"belief_sum": Decimal(short) * 9}, by=OPERATOR, reason="few", seen=1)
    admitted(desk.database, 8, environ=desk.environ, importance=short)
    assert runs(desk.database) == []
    admitted(desk.database, 1, environ=desk.environ, importance=short, prefix="L")
    assert len(runs(desk.database)) == 1


def test_what_is_held_or_has_no_importance_does_not_count_and_users_have_sums_of_their_own(desk: Desk) -> None:
    for one, how in enumerate(({"held": "Look."}, {"importance": None}, {"withdrawn": "Gone."})):
        admitted(desk.database, 1, environ=desk.environ, prefix=f"N{one}", **how)
    assert sums(desk.database) == {}
    for user in ("student 1", "student 10", None):
        admitted(desk.database, 1, environ=desk.environ, prefix=f"U{user}", user=user)
    assert sums(desk.database) == {"student 1": (80, 0), "student 10": (80, 0), "": (80, 0)}


@pytest.mark.databases("sqlite", "postgresql")
def test_many_at_once_lose_nothing_and_queue_one_run(database: Database) -> None:
    environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_MODEL": "m"}
    ids = [episode(database, f"{LOGS} {one}", ref="E", importance="0.50") for one in range(40)]

    def one(id: int) -> None:
        with database.writing() as db:
            admit(db, [db.get_one(Episode, id)], environ=environ)

    with ThreadPoolExecutor(8) as workers:
        list(workers.map(one, ids))
    [run] = runs(database)
    assert run.hundredths == 1500
    assert sums(database) == {"student 1": (500, 1)}


def test_without_a_model_the_sum_goes_on_growing_and_one_run_follows_when_there_is_one(desk: Desk) -> None:
    admitted(desk.database, 40, environ=NO_MODEL)
    assert (runs(desk.database), sums(desk.database)) == ([], {"student 1": (3200, 0)})
    assert queue_all_due(desk.database, environ=NO_MODEL) == []
    ConsolidationWork(desk.database, desk.environ).waiting()
    [run] = runs(desk.database)
    assert (run.hundredths, sums(desk.database)) == (3200, {"student 1": (0, 1)})


def test_one_run_is_under_way_and_what_comes_meanwhile_counts_towards_the_next(desk: Desk) -> None:
    admitted(desk.database, 19, environ=desk.environ)
    admitted(desk.database, 20, environ=desk.environ, prefix="M")
    assert len(runs(desk.database)) == 1
    assert sums(desk.database) == {"student 1": (1600, 1)}
    first = carried_out(desk)
    assert first.state == RunState.DONE
    queue_all_due(desk.database, environ=desk.environ)
    assert [run.hundredths for run in runs(desk.database)] == [1520, 1600]
    assert sums(desk.database) == {"student 1": (0, 2)}


def test_a_run_proposes_beliefs_with_the_words_of_their_episodes(desk: Desk) -> None:
    ids = admitted(desk.database, 19, environ=desk.environ)
    run = carried_out(desk)
    assert (run.state, run.reason) == (RunState.DONE, None)
    [belief] = beliefs(desk.database)
    assert (belief.status, belief.user, belief.headline) == (Status.PROPOSED, "student 1", BELIEF)
    shown = [one["id"] for one in run.material["questions"][0]["episodes"]]
    assert len(shown) == 8
    assert set(shown) <= set(ids)
    assert set(run.material["questions"][0]["episodes"][0]) == {"id", "recency", "importance", "similarity", "score"}
    with desk.database.reading() as db:
        place = db.exec(select(Episode).where(Episode.belief_id == belief.id)).one()
        quotes = db.exec(select(Evidence).where(Evidence.item_id == belief.id)).all()
        cited = db.exec(select(Episode).where(Episode.id.in_(shown[:2]))).all()
    assert (place.depth, place.importance, place.user) == (1, Decimal("0.85"), "student 1")
    assert place.true_from == min(one.true_from for one in cited)
    assert {row.session_id for row in quotes} == {one.session_id for one in cited}
    assert (run.found["beliefs"], run.found["dropped"]) == (1, {})
    assert [call.state for call in calls(desk)] == [CallState.ANSWERED] * 2


def calls(desk: Desk) -> list[CriticCall]:
    with desk.database.reading() as db:
        return list(db.exec(select(CriticCall).order_by(CriticCall.id)).all())


def test_a_run_reads_its_own_user_only(desk: Desk) -> None:
    for user in ("student 10", "student", None):
        admitted(desk.database, 3, environ=NO_MODEL, user=user, prefix=f"O{user}", text="Secret of another.")
    admitted(desk.database, 2, environ=NO_MODEL, agent_name="Other Desk", prefix="A", text="Secret of another.")
    admitted(desk.database, 19, environ=desk.environ)
    carried_out(desk)
    assert "Secret of another" not in json.dumps(desk.server.bodies)


def test_beliefs_in_force_are_among_the_statements_and_deepen_what_cites_them(desk: Desk) -> None:
    ids = admitted(desk.database, 18, environ=NO_MODEL, text="The user asked for a letter.")
    active(desk.database, "Before a retry this user wants logs and a signature.", *ids[:2])
    desk.answers[Writer.BELIEFS] = {"beliefs": [{"belief": BELIEF, "cites": [1, 2]}]}
    admitted(desk.database, 1, environ=desk.environ, prefix="L")
    run = carried_out(desk)
    sent = json.loads(desk.asked(Writer.BELIEFS)[0]["messages"][1]["content"])
    concluded = [one.get("concluded", False) for one in sent["statements"]]
    assert any(concluded[:2])
    made = beliefs(desk.database)[-1]
    with desk.database.reading() as db:
        assert db.exec(select(Episode.depth).where(Episode.belief_id == made.id)).one() == 2
    assert run.found["beliefs"] == 1


def test_what_is_dropped_is_counted_with_its_reason_and_its_siblings_go_on(desk: Desk) -> None:
    ids = admitted(desk.database, 19, environ=desk.environ)
    desk.answers[Writer.BELIEFS] = {
        "beliefs": [
            {"belief": "One.", "cites": [2]},
            {"belief": "One known.", "cites": [2, 99]},
            {"belief": "The user asked for the logs before a retry.", "cites": [1, 2]},
            {"belief": "The user is thoughtful.", "cites": [1, 2]},
            {"belief": BELIEF, "cites": ["1", 3]},
            {"belief": "Beyond the most.", "cites": [1, 2]},
        ]
    }
    run = carried_out(desk)
    assert run.found["dropped"] == {"one citation": 1, "one known citation": 1, "repeats a source": 1, "vague": 1}
    assert (run.found["beliefs"], run.found["beyond"]) == (1, 1)
    assert [one.headline for one in beliefs(desk.database)] == [BELIEF]
    assert len(ids) == 19


def test_a_credential_in_a_belief_is_refused_and_not_kept(desk: Desk) -> None:
    admitted(desk.database, 19, environ=desk.environ)
    secret = "This user signs in with the password Tr0ub4dor&3 before each retry."
    desk.answers[Writer.BELIEFS] = {"beliefs": [{"belief": secret, "cites": [1, 2]}]}
    run = carried_out(desk)
    assert beliefs(desk.database) == []
    assert run.reason == "no_beliefs"
    assert "Tr0ub4dor" not in json.dumps([call.read for call in calls(desk)])


@pytest.mark.parametrize(
    ("how", "state", "reason"),
    [
        ({"floor": 50}, RunState.DONE, "too_few_episodes"),
        ({Writer.QUESTIONS: {"questions": []}}, RunState.DONE, "no_questions"),
        ({Writer.BELIEFS: {"beliefs": []}}, RunState.DONE, "no_beliefs"),
        ({Writer.QUESTIONS: "I would rather talk about the weather."}, RunState.FAILED, "unreadable"),
        ({Writer.BELIEFS: "```\n[broken"}, RunState.FAILED, "unreadable"),
        ({Writer.QUESTIONS: Scripted({"error": "no"}, status=400)}, RunState.FAILED, None),
    ],
)
def test_after_any_run_the_sum_is_zero(
    desk: Desk, corpus: Path, how: dict[Any, Any], state: RunState, reason: str | None
) -> None:
    expected = json.loads((corpus / "cases" / "seed-cases.json").read_text("utf-8"))
    rule = next(row for row in expected if row["id"] == "seed-beliefs-3")["expected"]["after_any_cycle"]
    assert rule.startswith("0, also when it found too few episodes, no questions or no insights")
    if "floor" in how:
        save_numbers(desk.database, {"episode_floor": how.pop("floor")}, by=OPERATOR, reason="the floor", seen=1)
    desk.answers.update(how)
    admitted(desk.database, 19, environ=desk.environ)
    run = carried_out(desk)
    assert (run.state, run.reason) == (state, reason or run.reason)
    assert sums(desk.database) == {"student 1": (0, 1)}
    assert beliefs(desk.database) == []
    assert queue_all_due(desk.database, environ=desk.environ) == []


def test_too_few_episodes_ask_nothing(desk: Desk) -> None:
    save_numbers(desk.database, {"episode_floor": 50}, by=OPERATOR, reason="the floor", seen=1)
    admitted(desk.database, 19, environ=desk.environ)
    run = carried_out(desk)
    assert calls(desk) == []
    assert run.detail == "19 episodes have an importance of 0.70 or more; 50 are needed before anything is concluded."


def test_a_question_with_too_few_episodes_is_skipped_and_counted(desk: Desk) -> None:
    [one] = admitted(desk.database, 1, environ=NO_MODEL, importance="1.00")
    save_numbers(desk.database, {"episode_floor": 1, "belief_sum": "1.00"}, by=OPERATOR, reason="small", seen=1)
    queue_all_due(desk.database, environ=desk.environ)
    run = carried_out(desk)
    assert (run.state, run.reason, run.found["skipped"]) == (RunState.DONE, "no_beliefs", 1)
    assert desk.asked(Writer.BELIEFS) == []
    assert one


def test_a_failed_question_is_asked_again_and_the_others_stand(desk: Desk) -> None:
    from core.service.consolidation.runs import try_again

    desk.answers[Writer.QUESTIONS] = {"questions": [ASKED, "What does this user avoid before a retry?"]}
    admitted(desk.database, 19, environ=desk.environ)
    replies = iter([{"beliefs": [{"belief": BELIEF, "cites": [1, 2]}]}, "nonsense"])
    desk.answers[Writer.BELIEFS] = lambda body: next(replies)
    run = carried_out(desk)
    assert (run.state, run.reason, len(beliefs(desk.database))) == (RunState.FAILED, "unreadable", 1)
    other = {"beliefs": [{"belief": "Without a signature this user stops the work.", "cites": [1, 2]}]}
    desk.answers[Writer.BELIEFS] = other
    assert try_again(desk.database, run.id or 0, by=OPERATOR, environ=desk.environ)
    again = carried_out(desk, run.id)
    assert (again.state, again.attempt, len(beliefs(desk.database))) == (RunState.DONE, 2, 2)
    assert len(desk.asked(Writer.QUESTIONS)) == 1
    assert len(desk.asked(Writer.BELIEFS)) == 3


def test_the_spending_cap_of_the_day_holds_for_runs_too(desk: Desk) -> None:
    save_critic_settings(desk.database, {"daily_tokens": 10}, by=OPERATOR, reason="a cap")
    admitted(desk.database, 19, environ=desk.environ)
    run = carried_out(desk)
    assert (run.state, run.reason) == (RunState.STOPPED, "spending_cap")
    assert desk.server.bodies == []


def test_whoever_reads_sees_all_beliefs_of_a_run_or_none(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.service.consolidation import drawing

    desk.answers[Writer.BELIEFS] = {
        "beliefs": [
            {"belief": BELIEF, "cites": [1, 2]},
            {"belief": "Without a signature this user stops the work.", "cites": [2, 3]},
        ]
    }
    admitted(desk.database, 19, environ=desk.environ)
    seen: list[int] = []
    written = drawing.propose

    def looked_beside(*args: Any, **how: Any) -> Any:
        seen.append(len(beliefs(desk.database)))
        return written(*args, **how)

    monkeypatch.setattr(drawing, "propose", looked_beside)
    carried_out(desk)
    assert (seen, len(beliefs(desk.database))) == ([0, 0], 2)


def test_nothing_is_in_force_by_a_run(desk: Desk) -> None:
    admitted(desk.database, 19, environ=desk.environ)
    carried_out(desk)
    assert [status(desk.database, one.id or 0) for one in beliefs(desk.database)] == [Status.PROPOSED]


WORKER = """
import os, sys
from core.service.consolidation.work import CONSOLIDATION, ConsolidationWork
from core.service.jobs import WorkSettings
from core.service.jobs.engine import Engine
from core.store.database import Database
from threading import Event
database = Database(os.environ["DATABASE_URL"])
quick = WorkSettings(heartbeat=0.2, dead_after=1.5, look_every=0.05)
with Engine(database, {CONSOLIDATION: ConsolidationWork(database)}, lambda: quick):
    print("ready", flush=True)
    Event().wait()
"""


@pytest.mark.databases("sqlite", "postgresql")
def test_a_worker_that_is_killed_costs_no_answer_and_writes_nothing_twice(desk: Desk) -> None:
    admitted(desk.database, 19, environ=desk.environ)
    root = Path(__file__).resolve().parents[3]
    env = {**os.environ, **desk.environ, "DATABASE_URL": desk.database.url}
    killed = subprocess.Popen([sys.executable, "-c", WORKER], cwd=root, env=env, stdout=subprocess.PIPE, text=True)
    assert killed.stdout is not None
    assert killed.stdout.readline() == "ready\n"
    until(lambda: bool(desk.asked(Writer.QUESTIONS)))
    killed.kill()
    killed.communicate()
    works = {CONSOLIDATION: ConsolidationWork(desk.database, desk.environ)}
    with Engine(desk.database, works, lambda: QUICK):
        until(lambda: runs(desk.database)[0].state == RunState.DONE)
    assert [one.headline for one in beliefs(desk.database)] == [BELIEF]
    assert len(runs(desk.database)) == 1
    assert agent(desk.database)
