"""The numbers of the rules on the command line: shown, tried without a trace, saved with a reason, brought back."""

import json
from decimal import Decimal

import pytest
from click.testing import CliRunner, Result

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.governance.numbers import numbers
from core.service.cli import main
from core.settings import DEFAULTS
from core.store.database import Database
from core.vocabulary import Action
from tests.core.service.test_thresholds import whole
from tests.desk import act, procedure

both = pytest.mark.databases("sqlite", "postgresql")


@pytest.fixture
def run(database: Database, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", database.engine.url.render_as_string(hide_password=False))
    monkeypatch.setenv("TUTELAGE_SAMPLES", "0")

    def command(*words: str) -> Result:
        return CliRunner().invoke(main, ["numbers", *words])

    return command


@both
def test_a_try_says_what_would_change_and_writes_nothing(database: Database, run) -> None:
    act(database, procedure(database).item_id, Action.APPROVE)
    issue(database, Asked("Campus Desk", "student 1", "refunds", "a refund"))
    before = whole(database)
    told = run("try", "procedure_threshold=0.65")
    assert told.exit_code == 0
    assert "Tried: Procedure is read from confidence 0.55 → 0.65. Nothing was written." in told.output
    assert "Procedures read 1 → 0" in told.output
    assert "− P-0001: 0.60, below 0.65" in told.output
    found = json.loads(run("try", "procedure_threshold=0.65", "--json").output)
    assert (found["procedures_read"], found["briefings"]) == ([1, 0], {"looked_at": 1, "differ": 1})
    assert whole(database) == before


def test_numbers_are_saved_listed_and_brought_back(database: Database, run) -> None:
    assert "procedure_threshold = 0.55" in run("show").output
    saved = run("set", "procedure_threshold=0.62", "--reason", "fewer doubtful lines")
    assert saved.output == "Saved as v1: Procedure is read from confidence 0.55 → 0.62\n"
    assert numbers(database).procedure_threshold == Decimal("0.62")
    assert "“fewer doubtful lines”" in run("versions").output
    assert run("back", "0", "--reason", "it helped nobody").exit_code == 0
    assert numbers(database) == DEFAULTS
    assert [one["version"] for one in json.loads(run("versions", "--json").output)] == [2, 1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("set", "procedure_threshold=2", "--reason", "more"), "cannot be “2”: it is 0.00 to 1.00"),
        (("set", "procedure_threshold", "--reason", "more"), "names no number"),
        (("set", "colour=1", "--reason", "more"), "There is no number “colour”"),
        (("back", "7", "--reason", "more"), "There is no version of the numbers v7."),
        (("try", "notes_in_briefing=x"), "cannot be “x”: it is 0 to 50 (notes), a whole number"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_changes(database: Database, run, words, said) -> None:
    told = run(*words)
    assert told.exit_code == 1
    assert said in told.output
    assert numbers(database) == DEFAULTS
