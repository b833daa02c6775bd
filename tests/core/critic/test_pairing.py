"""What may be said of two ways on the same sessions: exact counts, one interval, and nothing from a handful."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.critic.pairing import paired, sign_test


def test_each_session_counts_for_one_side_or_for_none() -> None:
    said = paired([0.5, 0.25, -0.5, 0.0])
    assert (said.sessions, said.first_more, said.second_more, said.equal) == (4, 1, 2, 1)
    assert said.mean == pytest.approx(0.0625)


@pytest.mark.parametrize(
    ("first", "second", "chance"),
    [(0, 0, 1.0), (1, 1, 1.0), (0, 1, 1.0), (0, 5, 0.0625), (0, 6, 0.03125), (6, 0, 0.03125), (1, 9, 22 / 1024)],
)
def test_the_sign_test_is_exact_and_two_sided(first: int, second: int, chance: float) -> None:
    assert sign_test(first, second) == chance


def test_the_interval_is_near_that_of_the_normal_law_where_that_holds() -> None:
    said = paired([(n % 7 - 3) / 10 + 0.2 for n in range(210)])
    assert said.low is not None
    assert said.high is not None
    assert said.low == pytest.approx(0.2 - 1.96 * 0.2 / 210**0.5, abs=0.004)
    assert said.high == pytest.approx(0.2 + 1.96 * 0.2 / 210**0.5, abs=0.004)
    assert said.tells == 1


@pytest.mark.parametrize("differences", [[], [0.4], [0.4] * 5, [0.0] * 40, [0.3, -0.3] * 20])
def test_few_or_balanced_sessions_tell_nothing(differences: list[float]) -> None:
    assert paired(differences).tells == 0


def test_interval_and_sign_test_must_agree() -> None:
    assert paired([-0.1] * 30 + [30.0] * 10).tells == 0
    assert paired([0.1] * 6).tells == 1
    assert paired([-0.1] * 6).tells == -1


def test_without_two_sessions_there_is_no_interval() -> None:
    assert (paired([]).mean, paired([]).low) == (None, None)
    assert (paired([0.5]).mean, paired([0.5]).low) == (0.5, None)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=12))
def test_the_same_differences_give_the_same_interval_around_the_mean(differences: list[float]) -> None:
    said = paired(differences)
    assert said == paired(differences)
    assert said.low is not None
    assert said.high is not None
    assert min(differences) - 1e-9 <= said.low <= said.high <= max(differences) + 1e-9
