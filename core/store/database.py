"""The database: one engine, two kinds of transaction, and the migrations that make it.

``reading()`` sees the database as it was when it began, and never blocks a writer. ``writing()`` takes the write lock
at once, so that what it read is still true when it writes: one writes at a time, on SQLite by ``BEGIN IMMEDIATE``, on
PostgreSQL by an advisory lock that ends with the transaction. Who does not get it within five seconds is told that the
store is busy. No model is ever called inside either.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import ArgumentError, DatabaseError, DataError, InterfaceError, InternalError, OperationalError
from sqlmodel import Session as DatabaseSession

from core.errors import BadInput, StoreBusy
from core.store.asked_once import keeps_answers

ROOT = Path(__file__).resolve().parents[2]
DEFAULT_URL = f"sqlite:///{ROOT / 'data' / 'tutelage.db'}"
MIGRATIONS = Path(__file__).resolve().parent / "migrations"
BUSY_TIMEOUT = 5_000
"""Milliseconds that a writer waits for another one."""


NOT_NOW = (OperationalError, InternalError, InterfaceError)
"""What is raised where the database is away, full, read-only, or has ended the transaction itself."""


class Database:
    """A database by its URL; ``migrate`` creates it or brings it up to date."""

    def __init__(self, url: str | None = None) -> None:
        self.url = url or os.environ.get("DATABASE_URL") or DEFAULT_URL
        self.engine = _engine(self.url)

    @property
    def shown_url(self) -> str:
        """The URL without its password."""
        return self.engine.url.render_as_string(hide_password=True)

    @contextmanager
    def reading(self) -> Iterator[DatabaseSession]:
        """A transaction that only reads; its rows stay readable after it ends."""
        with self._told(), DatabaseSession(self.engine, expire_on_commit=False) as db:
            keeps_answers(db)
            yield db

    @contextmanager
    def writing(self) -> Iterator[DatabaseSession]:
        """A transaction that holds the write lock; it commits at its end, or changes nothing."""
        with self._told(), DatabaseSession(self.engine, expire_on_commit=False) as db:
            db.connection(execution_options={"tutelage_write": True})
            yield db
            db.commit()

    def migrate(self) -> None:
        """Create the tables or bring them up to the newest schema; doing it twice does nothing more."""
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with self._told(), self.engine.connect() as connection:
            connection = connection.execution_options(tutelage_write=True)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            connection.commit()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in our own words what the database could not do."""
        try:
            yield
        except NOT_NOW as error:
            raise StoreBusy(self.shown_url, str(error.orig)) from error
        except DataError as error:
            raise BadInput(f"A value cannot be stored ({_first_line(error.orig)}); nothing was changed.") from error
        except DatabaseError as error:
            if type(error) is DatabaseError:  # what SQLite raises for a file that is damaged or none of its own
                raise StoreBusy(self.shown_url, str(error.orig)) from error
            raise
        except UnicodeEncodeError as error:
            text = "A text holds a half character that cannot be stored; nothing was changed."
            raise BadInput(text) from error

    def compact(self) -> None:
        """Write the database anew, so that nothing of what was removed is left in its file; SQLite only."""
        if self.engine.dialect.name == "sqlite":
            with self._told(), self.engine.connect() as connection:
                connection.rollback()
                driver: Any = connection.connection.driver_connection
                driver.execute("VACUUM")
                busy, *_ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                why = "somebody still reads, so what was removed may be left in its files until this is done again"
                raise StoreBusy(self.shown_url, why)

    def close(self) -> None:
        """Give every connection back; what SQLite keeps beside the file is written into it first."""
        if self.engine.dialect.name == "sqlite":
            with suppress(OperationalError), self.engine.connect() as connection:
                connection.rollback()
                connection.connection.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
        self.engine.dispose()


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        try:
            engine = create_engine(_with_driver(url), pool_pre_ping=True)
        except ArgumentError as error:
            example = "sqlite:////path/to/desk.db"
            raise BadInput(f"DATABASE_URL is no address of a database ({error}); one reads like {example}.") from error
        except ImportError as error:
            what = url.split("://")[0]
            raise BadInput(f"DATABASE_URL asks for {what}, whose driver is not installed ({error}).") from error
        if engine.dialect.name == "postgresql":
            event.listen(engine, "begin", _begin_postgresql)
        return engine
    path = url.removeprefix("sqlite:///")
    if path and not path.startswith((":memory:", "file:")):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"check_same_thread": False})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver would begin late, and reads would not stand in a transaction
    for pragma in (f"busy_timeout={BUSY_TIMEOUT}", "journal_mode=WAL", "foreign_keys=ON", "synchronous=NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    write = connection.get_execution_options().get("tutelage_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


FROZEN_TIMEOUT = 15_000
"""Milliseconds after which PostgreSQL takes the lock from a writer whose process stands still."""
WRITER = 7_088_953
"""The number of the advisory lock that a writer holds; PostgreSQL keeps such numbers for each database."""


def _begin_postgresql(connection: Connection) -> None:
    """Begin as SQLite does. A writer reads what stands once it has the lock, so it keeps to no older picture."""
    if connection.get_execution_options().get("tutelage_write", False):
        limits = f"set_config('lock_timeout', '{BUSY_TIMEOUT}', true)"
        limits += f", set_config('idle_in_transaction_session_timeout', '{FROZEN_TIMEOUT}', true)"
        connection.exec_driver_sql(f"SELECT {limits}, pg_advisory_xact_lock({WRITER})")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _with_driver(url: str) -> str:
    """The address with the driver that is installed, where it names none."""
    scheme, mark, rest = url.partition("://")
    return f"postgresql+psycopg{mark}{rest}" if scheme in ("postgres", "postgresql") else url


def _first_line(error: object) -> str:
    return str(error).partition("\n")[0]
