"""What every test stands on: real database files, the shared corpus where there is one, and no network."""

import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from core.store.database import Database
from tests.postgres import Postgres, running

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with today's schema and nothing in it."""
    path = tmp_path_factory.mktemp("schema") / "empty.db"
    database = Database(f"sqlite:///{path}")
    database.migrate()
    database.close()
    return path


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server, started when the first test asks for it."""
    with running() as server:
        yield server


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that is marked ``databases`` runs on each database that the mark names."""
    mark = metafunc.definition.get_closest_marker("databases")
    if mark and "database" in metafunc.fixturenames:
        metafunc.parametrize("database", mark.args, indirect=True)


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database of this test's own, with today's schema: SQLite, unless a mark names others."""
    if getattr(request, "param", "sqlite") == "sqlite":
        path = tmp_path / "desk.db"
        shutil.copyfile(request.getfixturevalue("migrated"), path)
        database = Database(f"sqlite:///{path}")
        yield database
        database.close()
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        database = Database(postgres.new())
        yield database
        database.close()
        postgres.drop(database.url)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real transcripts and cases."""
    named = os.environ.get("TUTELAGE_CORPUS", "")
    if not named or not Path(named, "data").is_dir():
        pytest.skip("TUTELAGE_CORPUS names no folder with the real transcripts")
    return Path(named)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests talk to this machine only."""
    connect = socket.socket.connect

    def only_here(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
            raise OSError(f"a test tried to reach {address[0]}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", only_here)
