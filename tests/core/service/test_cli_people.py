"""People and tokens on the command line."""

import json
from pathlib import Path

import pytest

from core.governance.people import rights_changes
from core.governance.tokens import identify
from core.store.database import Database
from core.vocabulary import Verb
from tests.commands import Commands
from tests.desk import OPERATOR, agent


@pytest.fixture
def run(database: Database) -> Commands:
    """Commands on this test's database."""
    return Commands(database.engine.url.render_as_string(hide_password=False))


def test_people_are_set_listed_and_lose_their_duties(run, database: Database) -> None:
    assert f"Single operator: {OPERATOR}" in run("people", "list").stdout
    assert run("people", "set", "Meera", "--duty", "lead", "--duty", "admin").stdout == "Meera: admin, lead\n"
    assert run("people", "set", "Ana", "--duty", "auditor", "--why", "the inquiry").returncode == 0
    assert json.loads(run("people", "list", "--json").stdout) == [
        {"name": "Ana", "duties": ["auditor"]},
        {"name": "Meera", "duties": ["admin", "lead"]},
    ]
    assert run("people", "remove", "Ana").stdout == "Ana: no duty\n"
    assert "Ana: no duty" in run("people", "list").stdout
    told = run("people", "set", "Meera", "--duty", "lead")
    assert (told.returncode, told.stdout) == (1, "")
    assert "Somebody must keep the duty admin" in told.stderr
    assert "Meera: admin, lead" in run("people", "list").stdout
    assert run("people", "tie", "Meera", "--issuer", "https://login.example", "--subject", "u-1").returncode == 0
    changes = rights_changes(database)
    assert [(one.by, one.name, one.what) for one in changes] == [
        (OPERATOR, "Meera", "login"),
        (OPERATOR, "Ana", "person"),
        (OPERATOR, "Ana", "person"),
        (OPERATOR, "Meera", "person"),
    ]
    assert changes[2].text == "the inquiry"


def test_a_name_or_duty_that_cannot_be_is_refused_in_words(run, database: Database) -> None:
    for words, told in (
        (("set", "agent:x", "--duty", "lead"), "cannot be a person's name"),
        (("set", "Meera", "--duty", "boss"), "'boss' is not one of"),
        (("remove", "Nobody"), "There is no person “Nobody”"),
        (("tie", "Nobody", "--issuer", "i", "--subject", "s"), "There is no person “Nobody”"),
    ):
        said = run("people", *words)
        assert said.returncode != 0
        assert told in said.stderr
    assert rights_changes(database) == ()


def test_a_token_is_printed_once_listed_by_its_end_and_revoked(run, database: Database, tmp_path: Path) -> None:
    agent(database)
    ask = ("token", "make", "nightly", "--agent", "Campus Desk", "--verb", "briefing", "--until", "2999-12-31")
    token = run(*ask).stdout.strip()
    assert identify(database, token, Verb.BRIEFING).agent == "Campus Desk"
    listed = run("token", "list").stdout
    assert token not in listed
    assert f"nightly …{token[-4:]}: valid, Campus Desk, briefing, never used" in listed
    assert json.loads(run("token", "list", "--json").stdout)[0]["expires_at"] == "2999-12-31T23:59:59+00:00"
    assert "names are used once" in run(*ask).stderr
    assert run("token", "revoke", "nightly").stdout == "nightly is revoked.\n"
    assert "was revoked on" in run("token", "revoke", "nightly").stderr
    assert "There is no token other." in run("token", "revoke", "other").stderr


def test_an_account_without_the_duty_makes_no_token(run, database: Database) -> None:
    agent(database)
    run("people", "set", "Meera", "--duty", "admin")
    said = run("token", "make", "nightly", "--agent", "Campus Desk", "--verb", "briefing")
    assert (said.returncode, said.stdout) == (1, "")
    assert "Only a person with the duty developer" in said.stderr
