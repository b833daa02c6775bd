"""Confidence paths out of the store: what has no outcome moves nothing, and only a chart reads it."""

import random
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import event

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.effects.outcomes import report_outcome
from core.effects.paths import paths
from core.governance.as_of import UpTo, up_to
from core.memory.confidence import Event, Path
from core.service.procedure_views import procedures
from core.service.thresholds import past
from core.settings import DEFAULTS
from core.store.database import Database
from core.vocabulary import Action, Outcome
from tests.desk import START, act, procedure, session, unchecked

both = pytest.mark.databases("sqlite", "postgresql")

ASKED = Asked("Campus Desk", "student 1", "refunds", "A student wants a refund")
TITLES = ("Policy first", "Dates next", "Ledger last")


def known(database: Database, *, gaps: bool, then: UpTo | None = None) -> dict[int, Path]:
    with database.reading() as db:
        return paths(db, [1, 2, 3], DEFAULTS, then, gaps=gaps)


def moved_by(path: Path) -> list[object]:
    return [step for step in path.steps if step.happened.event is not Event.NO_OUTCOME]


@pytest.fixture
def approved(database: Database) -> Database:
    for title in TITLES:
        act(database, procedure(database, title, confidence="0.90").item_id, Action.APPROVE)
    return database


@both
@pytest.mark.parametrize("seed", range(3))
def test_without_the_readings_that_have_no_outcome_a_path_moves_as_with_them(approved: Database, seed: int) -> None:
    dice, receipts, moments = random.Random(seed), [], []
    for number in range(14):
        session(approved, f"CD-{number}", days=number % 5)
        if not number % 4:
            act(approved, dice.randint(1, 3), Action.REINSTATE, text="So it is.", confidence=Decimal("0.70"))
        at = START + timedelta(days=dice.randint(0, 6))
        receipts.append(issue(approved, ASKED, at=at).receipt)
        moments.append(at)
    for number, receipt in enumerate(dice.sample(receipts, 10)):
        before = {one: path.now for one, path in known(approved, gaps=True).items()}
        said = f"CD-{number}" if dice.random() < 0.5 else None
        at = dice.choice(moments)
        moved = report_outcome(approved, receipt, dice.choice(list(Outcome)), session_ref=said, at=at).moved
        after = {one: path.now for one, path in known(approved, gaps=True).items()}
        told = {int(one.ref[2:]): (one.before, one.after) for one in moved}
        assert told == {one: (before[one], after[one]) for one in told}
        assert {one: after[one] for one in after if one not in told} == {
            one: before[one] for one in before if one not in told
        }
    for moment in (None, *moments):
        with approved.reading() as db:
            then = up_to(db, moment) if moment else None
        drawn, read = known(approved, gaps=True, then=then), known(approved, gaps=False, then=then)
        for number in drawn:
            assert list(read[number].steps) == moved_by(drawn[number])
            assert read[number].now == drawn[number].now
    assert any(len(moved_by(path)) < len(path.steps) for path in drawn.values())


def test_a_briefing_and_an_outcome_read_no_receipt_that_has_no_outcome(approved: Database) -> None:
    for _ in range(6):
        last = issue(approved, ASKED).receipt
    loaded: list[int] = []

    def asked(_: object, cursor: object, statement: str, *rest: object) -> None:
        if "coalesce(outcome.started_at" in statement:
            loaded.append(" LEFT OUTER JOIN outcome" in statement)

    event.listen(approved.engine, "after_cursor_execute", asked)
    issue(approved, ASKED)
    report_outcome(approved, last, Outcome.SUCCESS)
    assert loaded == [False, False], "one look each, and none at receipts without an outcome"
    procedures(approved)
    assert loaded == [False, False, True], "a chart shows where nothing is known"


@both
def test_an_outcome_that_no_version_knows_is_none_and_breaks_no_briefing(approved: Database) -> None:
    kept, odd = issue(approved, ASKED).receipt, issue(approved, ASKED).receipt
    report_outcome(approved, kept, Outcome.SUCCESS)
    report_outcome(approved, odd, Outcome.FAILURE)
    unchecked(approved, "outcome", "result", {odd: "partial"}, key="receipt_id")
    assert [one.kind for one in issue(approved, ASKED).items] == ["procedure"] * 3
    read, drawn = known(approved, gaps=False)[1], known(approved, gaps=True)[1]
    assert (read.now, read.successes, read.failures) == (Decimal("0.98"), 1, 0)
    assert [step.happened.event for step in drawn.steps] == ["start", "success", "no outcome", "no outcome"]
    assert past(approved).confidences(DEFAULTS)[1][-1] == 98
