"""The command line."""

import json
import shutil
from pathlib import Path

import pytest

from core.errors import BadInput
from core.service.agents import add_agent, agent_names
from core.service.desk_views import review_queue
from core.store.database import Database
from core.vocabulary import Action, Kind
from tests.commands import Commands
from tests.core.service.test_debrief import CLAIM, sessions
from tests.desk import OPERATOR, act


@pytest.fixture
def run(tmp_path: Path) -> Commands:
    """Commands against a database of this test's own."""
    return Commands(f"sqlite:///{tmp_path / 'cli.db'}")


def test_the_whole_job_from_a_file_to_an_outcome(run, tmp_path: Path) -> None:
    path = tmp_path / "k.jsonl"
    path.write_bytes(sessions(3))
    assert "3 would come in" in run.in_a_process("import", str(path), "--dry-run").stdout
    assert "3 imported" in run("import", str(path)).stdout
    (report,) = json.loads(run("import", str(path), "--json").stdout)
    assert (report["new"], report["known"], report["format"]) == (0, 3, "openai_chat")
    told = json.loads(run("debrief", "--all", "--json").stdout)
    assert told["sessions"] == 3
    ask = ("briefing", "--agent", "Line Desk", "--task-class", "contracts", "--task", "cancelled actions", "--json")
    assert json.loads(run(*ask).stdout)["items"] == []

    database = Database(run.url)
    for row in review_queue(database, person=OPERATOR).rows:
        act(database, row.id, Action.APPROVE)
    issued = json.loads(run(*ask).stdout)
    assert sorted(item["kind"] for item in issued["items"]) == [Kind.LESSON, Kind.PROCEDURE]
    assert "0.60 -> 0.68" in run("outcome", issued["receipt"], "success").stdout
    assert "nothing moved" in run("outcome", issued["receipt"], "success").stdout
    refused = run("outcome", issued["receipt"], "failure")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "one receipt has one outcome" in refused.stderr
    database.close()


def test_ground_prints_where_the_words_stand(run, tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    path.write_bytes(sessions(1))
    said = json.loads(run("ground", "--transcript", str(path), "--evidence", CLAIM, "--speaker", "assistant").stdout)
    assert (said["grounded"], said["verdict"], said["in_words"]) == (True, "exact", "quote found")
    assert said["spans"] == [{"turn": 4, "message": 3, "start": 0, "end": 38, "words": CLAIM}]
    other = json.loads(run("ground", "--transcript", str(path), "--evidence", CLAIM, "--speaker", "user").stdout)
    assert (other["grounded"], other["verdict"]) == (False, "wrong_speaker")


def test_ground_counts_turns_from_1_and_refuses_one_that_does_not_exist(run, tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    path.write_bytes(sessions(1))
    asked = ("ground", "--transcript", str(path), "--evidence", CLAIM)
    there = json.loads(run(*asked, "--turn", "4").stdout)
    assert (there["spans"][0]["turn"], there["flags"]) == (4, [])
    assert "in turn 4" in there["reasons"][0]["text"]
    elsewhere = json.loads(run(*asked, "--turn", "3").stdout)
    assert [flag["code"] for flag in elsewhere["flags"]] == ["other_turn"]
    assert "not stand in turn 3" in elsewhere["flags"][0]["text"]
    refused = run(*asked, "--turn", "99")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "There is no turn 99; the transcript has 4, counted from 1." in refused.stderr
    assert run(*asked, "--turn", "0").returncode == 2


def test_ground_takes_the_name_of_a_speaker(run, tmp_path: Path) -> None:
    path = tmp_path / "n.json"
    talk = [
        {"role": "critic", "content": "The refund was far too late."},
        {"role": "coder", "content": "I see it now."},
    ]
    path.write_text(json.dumps({"messages": talk}))
    asked = ("ground", "--transcript", str(path), "--evidence", "The refund was far too late", "--speaker")
    assert json.loads(run(*asked, "other:critic").stdout)["grounded"]
    assert json.loads(run(*asked, "other:coder").stdout)["verdict"] == "wrong_speaker"
    refused = run(*asked, "nobody")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "there are other, other:coder, other:critic" in refused.stderr


def test_an_unknown_file_is_refused_with_the_accepted_formats(run, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_text('{"nothing": 1}')
    refused = run("import", str(path))
    assert refused.returncode == 1
    assert "Accepted:" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_an_agents_record_is_kept_and_shown(run) -> None:
    given = ("--recurring", "contracts", "--one-shot", "moving", "--owner", "Meera")
    assert run("agent", "set", "Line Desk", *given).returncode == 0
    fact = ("--user", "h1", "--text", "No calls.", "--source", "letter")
    assert run("agent", "fact", "Line Desk", *fact).returncode == 0
    shown = json.loads(run("agent", "show", "Line Desk").stdout)
    assert shown["task_classes"] == {"contracts": True, "moving": False}
    assert shown["owner"] == "Meera"
    assert shown["facts"][0]["source"] == "letter"
    assert run("agent", "unfact", str(shown["facts"][0]["id"])).returncode == 0
    assert json.loads(run("agent", "show", "Line Desk").stdout)["facts"] == []
    refused = run("agent", "set", "Line Desk", "--policy", "nope")
    assert (refused.returncode, "There is no policy nope" in refused.stderr) == (1, True)
    assert run("agent", "show", "Nobody").returncode == 1


def test_a_file_of_several_sessions_asks_which_one(run, tmp_path: Path) -> None:
    path = tmp_path / "k.jsonl"
    path.write_bytes(sessions(2))
    asked = ("ground", "--transcript", str(path), "--evidence", CLAIM)
    refused = run(*asked)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "holds 2 sessions; name one with --session: K-0, K-1" in refused.stderr
    assert json.loads(run(*asked, "--session", "K-1").stdout)["grounded"]


def test_an_address_that_is_none_is_told_with_an_example() -> None:
    with pytest.raises(BadInput, match="sqlite:///"):
        Database("nonsense")


def test_a_closed_database_stands_whole_in_its_file(tmp_path: Path) -> None:
    first = Database(f"sqlite:///{tmp_path / 'a.db'}")
    first.migrate()
    add_agent(first, "Line Desk")
    first.close()
    shutil.copyfile(tmp_path / "a.db", tmp_path / "copy.db")
    copy = Database(f"sqlite:///{tmp_path / 'copy.db'}")
    assert agent_names(copy) == ("Line Desk",)
    copy.close()
