"""Confidence is folded from outcomes, in exact hundredths and in session order."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory.confidence import Event, Happened, fold
from core.settings import DEFAULTS

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def outcomes(signs: str) -> list[Happened]:
    return [
        Happened(DAY + timedelta(days=n), 0, Event.SUCCESS if sign == "+" else Event.FAILURE)
        for n, sign in enumerate(signs)
    ]


@pytest.mark.parametrize(
    ("start", "signs", "path"),
    [
        ("0.60", "++-++", ["0.60", "0.68", "0.76", "0.61", "0.69", "0.77"]),
        ("0.60", "--", ["0.60", "0.45", "0.30"]),
        ("0.96", "+-------", ["0.96", "1.00", "0.85", "0.70", "0.55", "0.40", "0.25", "0.10", "0.00"]),
    ],
)
def test_the_path_adds_eight_hundredths_on_success_and_takes_fifteen_on_failure(
    start: str, signs: str, path: list[str]
) -> None:
    folded = fold(Decimal(start), DAY, outcomes(signs), DEFAULTS)
    assert [str(step.value) for step in folded.steps] == path
    assert (folded.successes, folded.failures) == (signs.count("+"), signs.count("-"))


@pytest.mark.parametrize(
    ("start", "signs"), [("0.70", "-"), ("0.62", "+-"), ("0.85", "--"), ("0.77", "+--"), ("0.69", "++--")]
)
def test_a_confidence_that_lands_on_the_threshold_is_exactly_there_and_is_read(start: str, signs: str) -> None:
    now = fold(Decimal(start), DAY, outcomes(signs), DEFAULTS).now
    assert str(now) == "0.55"
    assert now >= DEFAULTS.procedure_threshold


def test_a_late_outcome_takes_its_place_in_session_order() -> None:
    late_first = [Happened(DAY + timedelta(days=1), 0, Event.FAILURE), Happened(DAY, 0, Event.SUCCESS)]
    assert [str(step.value) for step in fold(Decimal("0.95"), DAY, late_first, DEFAULTS).steps] == [
        "0.95",
        "1.00",
        "0.85",
    ]


def test_sessions_of_the_same_moment_keep_their_place_in_the_import() -> None:
    second_first = [Happened(DAY, 2, Event.FAILURE), Happened(DAY, 1, Event.SUCCESS)]
    assert [step.happened.place for step in fold(Decimal("0.95"), DAY, second_first, DEFAULTS).steps] == [-1, 1, 2]


def test_a_session_without_an_outcome_is_a_gap_that_changes_nothing() -> None:
    path = fold(Decimal("0.60"), DAY, [Happened(DAY, 0, Event.NO_OUTCOME)], DEFAULTS)
    assert path.steps[1].value is None
    assert path.now == Decimal("0.60")


def test_a_reinstatement_states_the_confidence_from_that_moment_on() -> None:
    back = Happened(DAY + timedelta(days=2), 0, Event.REINSTATED, stated=Decimal("0.60"))
    path = fold(Decimal("0.60"), DAY, [*outcomes("--"), back], DEFAULTS)
    assert [str(step.value) for step in path.steps] == ["0.60", "0.45", "0.30", "0.60"]


def test_other_steps_give_the_path_that_would_have_been() -> None:
    gentle = DEFAULTS.model_copy(update={"failure_step": Decimal("0.05")})
    assert str(fold(Decimal("0.60"), DAY, outcomes("--"), gentle).now) == "0.50"


@given(st.lists(st.sampled_from("+-"), max_size=60), st.integers(0, 100), st.randoms())
def test_arrival_order_never_matters_and_the_value_stays_within_bounds(
    signs: list[str], start: int, shuffle: object
) -> None:
    events = outcomes("".join(signs))
    mixed = list(events)
    shuffle.shuffle(mixed)  # type: ignore[attr-defined]
    one = fold(Decimal(start) / 100, DAY, events, DEFAULTS)
    two = fold(Decimal(start) / 100, DAY, mixed, DEFAULTS)
    assert one == two
    assert all(Decimal(0) <= step.held <= Decimal(1) for step in one.steps)
