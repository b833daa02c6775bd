"""Policies on the command line: what is in force, adopting files, and a change by two people."""

import json
from pathlib import Path

import pytest

from core.governance.people import set_person
from core.governance.policies import policies_now
from core.service.policy_views import drafts_that_wait
from core.store.database import Database
from core.vocabulary import Duty
from tests.commands import Commands
from tests.desk import OPERATOR
from tests.policies import ID, folder, give, put_file, read_by_the_agent

__all__ = ["folder"]


@pytest.fixture
def run(database: Database, folder: Path) -> Commands:
    """Commands on this test's database and folder."""
    put_file(folder)
    return Commands(database.engine.url.render_as_string(hide_password=False))


def test_files_are_adopted_listed_and_shown(run: Commands, database: Database, folder: Path) -> None:
    assert run("policies", "adopt").stdout == f"In force from now on: {ID} v1\n"
    give(database)
    read_by_the_agent(database)
    put_file(folder, 2, "No course is refunded.")
    told = json.loads(run("policies", "adopt", "--json").stdout)
    assert (told["versions"], len(told["suspended"]), told["problems"]) == ([f"{ID} v2"], 3, [])
    assert "3 to be looked at again" in run("policies", "list").stdout
    shown = run("policies", "show", ID).stdout
    assert "No course is refunded." in shown
    assert "waits: L-0001 of Campus Desk" in shown
    assert [one["policy"]["version"] for one in json.loads(run("policies", "show", ID, "--json").stdout)["versions"]]


def test_a_change_is_proposed_approved_turned_down_and_withdrawn(
    run: Commands, database: Database, folder: Path, tmp_path: Path
) -> None:
    run("policies", "adopt")
    file = put_file(tmp_path, 2, "No course is refunded.", name="draft.yaml")
    assert run("policies", "propose", str(file), "--why", "The law").stdout.startswith(f"Draft 1 of {ID}")
    assert f"draft 1: {OPERATOR} asks to change {ID}" in run("policies", "list").stdout
    assert f"{ID} v2 is in force. {ID}.yaml is written." in run("policies", "approve", "1").stdout
    assert policies_now(database)[0].text == "No course is refunded."
    run("policies", "withdraw", ID, "--why", "no courses")
    assert run("policies", "turn-down", "2", "--why", "there are").stdout == "Draft 2 is turned down.\n"
    assert drafts_that_wait(database) == ()
    (folder / f"{ID}.yaml").unlink()
    assert "has no file" in run("policies", "list").stderr
    assert run("policies", "write", ID).stdout == f"{ID}.yaml is written.\n"
    assert json.loads(run("policies", "list", "--json").stdout)["problems"] == []


def test_the_account_that_runs_the_desk_does_not_approve_its_own_change(
    run: Commands, database: Database, tmp_path: Path
) -> None:
    run("policies", "adopt")
    set_person(database, OPERATOR, {Duty.LEAD})
    set_person(database, "Ana", {Duty.LEAD})
    file = put_file(tmp_path, 2, "No course is refunded.", name="draft.yaml")
    run("policies", "propose", str(file), "--why", "The law")
    told = run("policies", "approve", "1")
    assert told.returncode == 1
    assert "somebody else decides" in told.stderr
    assert [one.version for one in policies_now(database)] == [1]
    assert run("policies", "approve", "7").stderr == "There is no draft of a policy 7.\n"
