"""Self-review from the command line, with an exit code to act on."""

import json
from pathlib import Path

import pytest

from core.service.agents import add_agent
from core.service.start import open_database
from tests.commands import Commands

PROMISE = "I have processed the refund for you."
RESULTS = [{"name": "refund", "arguments": {"order": 17}, "content": {"status": "rejected"}, "failed": True}]
CHECK = ("self-review", "check", "--agent", "Campus Desk")


@pytest.fixture
def run(tmp_path: Path) -> Commands:
    """Commands against a database of this test's own, without any model."""
    url = f"sqlite:///{tmp_path / 'cli.db'}"
    database = open_database(url)
    add_agent(database, "Campus Desk")
    database.close()
    (tmp_path / "results.json").write_text(json.dumps(RESULTS))
    return Commands(url)


def test_a_draft_from_check_to_a_persons_answer(run, tmp_path: Path) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text(PROMISE)
    task = ("--task", "Can I have my money back?", "--tool-results", str(tmp_path / "results.json"))
    first = run.in_a_process(*CHECK, *task, "--draft", str(draft), "--json")
    told = json.loads(first.stdout)
    assert (first.returncode, told["ok"], told["reviewed_by"], told["model_review"]) == (
        3,
        False,
        ["checks"],
        "not_asked",
    )
    assert told["problems"][0]["words"] == PROMISE
    assert {"ok", "problems", "fix", "revisions_left", "state", "review_id", "unreviewed"} <= told.keys()
    ref = told["review_id"]

    assert json.loads(run(*CHECK, *task, "--draft", str(draft), "--json").stdout)["already"]
    again = run(*CHECK, "--review", ref, "--draft", "-", stdin=f"{PROMISE} Soon.")
    assert (again.returncode, "revision 1: not ok" in again.stdout) == (3, True)
    last = run(*CHECK, "--review", ref, "--draft", "-", stdin=f"{PROMISE} Today.")
    assert (last.returncode, "A person was asked" in last.stdout) == (4, True)
    late = run(*CHECK, "--review", ref, "--draft", "-", stdin="Another.")
    assert (late.returncode, "waits for a person" in late.stderr) == (1, True)

    assert ref in run("self-review", "list").stdout
    assert run("self-review", "answer", ref, "--text", "Offer a credit.").returncode == 0
    assert run("self-review", "answer", ref, "--text", "Refund it.").returncode == 1
    shown = json.loads(run("self-review", "show", ref, "--json").stdout)
    assert (shown["row"]["answer"]["text"], len(shown["drafts"])) == ("Offer a credit.", 3)
    assert "Offer a credit." in run("self-review", "show", ref).stdout
    assert "0 of 0" in run("self-review", "list").stdout


def test_a_good_draft_ends_with_0(run) -> None:
    told = run(*CHECK, "--task", "When are you open?", "--draft", "-", stdin="The desk answers on weekdays.")
    assert (told.returncode, "first draft: ok" in told.stdout) == (0, True), told.stderr
    assert "Not read by the model: not_configured" in told.stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--task", "x", "--tool-results", "DRAFT"), "is no JSON"),
        (("--review", "SR-0000000000"), "There is no self-review SR-0000000000"),
        ((), "A first draft needs its task"),
    ],
)
def test_what_cannot_be_reviewed_ends_with_1_and_says_why(run, tmp_path: Path, words, why: str) -> None:
    draft = tmp_path / "draft.txt"
    draft.write_text("Hello.")
    told = run(*CHECK, "--draft", str(draft), *(str(draft) if word == "DRAFT" else word for word in words))
    assert (told.returncode, why in told.stderr) == (1, True), told.stderr
