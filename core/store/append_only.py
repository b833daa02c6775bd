"""Tables that are only ever added to, held so by triggers in the database, on SQLite and PostgreSQL alike."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Connection, inspect
from sqlmodel import Session as DatabaseSession

TABLES = (
    "log_entry",
    "decision",
    "refusal",
    "rights_change",
    "desk_settings",
    "numbers",
    "policy_version",
    "policy_draft",
    "policy_turned_down",
    "assignment",
    "blind_verdict",
)
"""The tables of the log."""

ACTS = {"sqlite": ("update", "delete", "replace"), "postgresql": ("update", "delete", "truncate")}
"""What each database knows that changes or removes a row; every act has a trigger of its own."""

FUNCTION = """
CREATE OR REPLACE FUNCTION only_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME; END $$
"""


def guard(connection: Connection, tables: Sequence[str]) -> None:
    """Refuse to change or remove rows of these tables from now on."""
    unguard(connection, tables)
    sqlite = connection.dialect.name == "sqlite"
    if not sqlite:
        connection.exec_driver_sql(FUNCTION.replace("%", "%%"))
    for table in tables:
        for act in ACTS[connection.dialect.name]:
            what = _sqlite(connection, table, act) if sqlite else _postgresql(table, act)
            connection.exec_driver_sql(f"CREATE TRIGGER {table}_no_{act} {what}")


def unguard(connection: Connection, tables: Sequence[str]) -> None:
    """Take the guards of these tables away."""
    on = "" if connection.dialect.name == "sqlite" else " ON {}"
    for table in tables:
        for act in ACTS[connection.dialect.name]:
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {table}_no_{act}{on.format(table)}")


def unguarded(connection: Connection) -> tuple[str, ...]:
    """The tables of the log of which a guard is missing, switched off, or not what ``guard`` puts up."""
    sqlite = connection.dialect.name == "sqlite"
    there = _there_sqlite(connection) if sqlite else _there_postgresql(connection)
    acts = ACTS[connection.dialect.name]
    known = set(inspect(connection).get_table_names())
    return tuple(
        table
        for table in TABLES
        if table not in known or any(there.get(f"{table}_no_{act}") != _put_up(connection, table, act) for act in acts)
    )


def guards_missing(connection: Connection) -> tuple[str, ...]:
    """The tables of the log of which a guard is missing or switched off by its name; one query, where ``unguarded``
    also reads what each guard says.
    """
    if connection.dialect.name == "sqlite":
        found = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    else:
        here = "tgenabled IN ('O', 'A') AND relnamespace = current_schema()::regnamespace"
        found = f"SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE {here}"
    there = set(connection.exec_driver_sql(found).scalars())
    acts = ACTS[connection.dialect.name]
    return tuple(table for table in TABLES if not {f"{table}_no_{act}" for act in acts} <= there)


def _there_sqlite(connection: Connection) -> dict[str, str]:
    rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    return {row.name: row.sql for row in rows}


def _there_postgresql(connection: Connection) -> dict[str, str]:
    """Every trigger that is switched on in this schema and still calls the function as it was made, in its words."""
    found = """
    SELECT tgname, pg_get_triggerdef(pg_trigger.oid), prosrc FROM pg_trigger
    JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE tgenabled IN ('O', 'A') AND relnamespace = current_schema()::regnamespace
    """
    body = FUNCTION.partition("$$")[2].partition("$$")[0]
    schema = connection.exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one()
    rows = connection.exec_driver_sql(found).all()
    return {name: words.replace(f"{schema}.", "") for name, words, source in rows if source == body}


def _put_up(connection: Connection, table: str, act: str) -> str:
    """The words of a guard, as the database keeps them."""
    if connection.dialect.name == "sqlite":
        return f"CREATE TRIGGER {table}_no_{act} {_sqlite(connection, table, act)}"
    words = _postgresql(table, act)
    statement = words.replace("EXECUTE", "FOR EACH STATEMENT EXECUTE") if act == "truncate" else words
    return f"CREATE TRIGGER {table}_no_{act} {statement}"


@contextmanager
def lifted(db: DatabaseSession, tables: Sequence[str]) -> Iterator[None]:
    """Without the guards of these tables until the end of the block; all of it is one transaction.

    Where the block fails, the whole transaction is taken back, and the guards stand as they did.
    """
    unguard(db.connection(), tables)
    try:
        yield
        db.flush()
        guard(db.connection(), tables)
    except BaseException:
        db.rollback()
        raise


def _sqlite(connection: Connection, table: str, act: str) -> str:
    refuse = f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
    if act != "replace":
        return f"BEFORE {act.upper()} ON {table} {refuse}"
    # INSERT OR REPLACE removes the row that is in its way without asking the trigger of DELETE.
    taken = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE {same})" for same in _in_the_way(connection, table))
    return f"BEFORE INSERT ON {table} WHEN {taken} {refuse}"


def _in_the_way(connection: Connection, table: str) -> list[str]:
    """For each key of a table the condition that a row has the key of a new one."""
    known = inspect(connection)
    keys = [known.get_pk_constraint(table)["constrained_columns"]]
    keys += [key["column_names"] for key in known.get_unique_constraints(table)]
    keys += [[name or "" for name in key["column_names"]] for key in known.get_indexes(table) if key["unique"]]
    return [" AND ".join(f"{column} = NEW.{column}" for column in key) for key in keys]


def _postgresql(table: str, act: str) -> str:
    each = "" if act == "truncate" else "FOR EACH ROW "
    return f"BEFORE {act.upper()} ON {table} {each}EXECUTE FUNCTION only_added()"
