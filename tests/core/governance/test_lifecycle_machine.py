"""Random people do random things to a real desk, and it never does anything but what a small model of it says."""

import shutil
from collections.abc import Callable, Iterator
from itertools import combinations, count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    run_state_machine_as_test,
)

from core.screening.comparison import Relation, compare
from core.store.database import Database
from tests.core.governance.desk_machine import TEXTS, DeskMachine
from tests.postgres import Postgres


def test_the_texts_of_these_tests_are_unlike_each_other() -> None:
    assert {compare(one, other).relation for one, other in combinations(TEXTS, 2)} == {Relation.DIFFERENT}


@pytest.fixture
def fresh(request: pytest.FixtureRequest, tmp_path: Path, migrated: Path) -> Iterator[Callable[[], Database]]:
    """Databases of an example's own, one after the other."""
    made: list[Database] = []
    numbers = count(1)
    postgres: Postgres | None = request.getfixturevalue("postgres") if request.param == "postgresql" else None

    def one_more() -> Database:
        if postgres is not None:
            made.append(Database(postgres.new()))
        else:
            path = tmp_path / f"desk{next(numbers)}.db"
            shutil.copyfile(migrated, path)
            made.append(Database(f"sqlite:///{path}"))
        return made[-1]

    yield one_more
    for database in made:
        database.close()
        if postgres is not None:
            postgres.drop(database.url)


@pytest.mark.parametrize("fresh", ["sqlite", "postgresql"], indirect=True)
def test_whatever_people_do_the_desk_does_what_the_table_says(fresh: Callable[[], Database]) -> None:
    run_state_machine_as_test(
        lambda: DeskMachine(fresh),
        settings=settings(max_examples=20, stateful_step_count=40, suppress_health_check=list(HealthCheck)),
    )
