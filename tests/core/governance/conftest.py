"""What random people work on: as many databases as a state machine has examples."""

import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from core.store.database import Database
from tests.postgres import Postgres


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
