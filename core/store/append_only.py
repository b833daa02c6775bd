"""Tables that are only ever added to, held so by triggers in the database, on SQLite and PostgreSQL alike."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection
from sqlmodel import Session as DatabaseSession

TABLES = ("log_entry", "decision", "refusal", "rights_change", "desk_settings")
"""The tables of the log."""

FUNCTION = """
CREATE OR REPLACE FUNCTION only_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME; END $$
"""


def guard(connection: Connection, tables: Sequence[str]) -> None:
    """Refuse to change or remove rows of these tables from now on."""
    sqlite = connection.dialect.name == "sqlite"
    if not sqlite:
        connection.exec_driver_sql(FUNCTION.replace("%", "%%"))
    for table in tables:
        for act in ("update", "delete"):
            name = f"{table}_no_{act}"
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}" + ("" if sqlite else f" ON {table}"))
            connection.exec_driver_sql(
                f"CREATE TRIGGER {name} BEFORE {act.upper()} ON {table} "
                + (
                    f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
                    if sqlite
                    else "FOR EACH ROW EXECUTE FUNCTION only_added()"
                )
            )
        if not sqlite:
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {table}_no_truncate ON {table}")
            connection.exec_driver_sql(
                f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} EXECUTE FUNCTION only_added()"
            )


def unguard(connection: Connection, tables: Sequence[str]) -> None:
    """Take the guards of these tables away."""
    for table in tables:
        for act in ("update", "delete", "truncate"):
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {table}_no_{act}")
            else:
                connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {table}_no_{act} ON {table}")


@contextmanager
def lifted(db: DatabaseSession, tables: Sequence[str]) -> Iterator[None]:
    """Without the guards of these tables until the end of the block; all of it is one transaction."""
    unguard(db.connection(), tables)
    yield
    guard(db.connection(), tables)
