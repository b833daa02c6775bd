"""Random people do random things to a real desk, and it never does anything but what a small model of it says."""

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    run_state_machine_as_test,
)

from core.screening.comparison import Relation, compare
from core.store.database import Database
from tests.core.governance.desk_machine import TEXTS, DeskMachine


def test_the_texts_of_these_tests_are_unlike_each_other() -> None:
    assert {compare(one, other).relation for one, other in combinations(TEXTS, 2)} == {Relation.DIFFERENT}


@pytest.mark.parametrize("fresh", ["sqlite", "postgresql"], indirect=True)
def test_whatever_people_do_the_desk_does_what_the_table_says(fresh: Callable[[], Database]) -> None:
    run_state_machine_as_test(
        lambda: DeskMachine(fresh),
        settings=settings(max_examples=20, stateful_step_count=40, suppress_health_check=list(HealthCheck)),
    )
