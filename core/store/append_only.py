"""Tables that are only ever added to, held so by triggers in the database, on SQLite and PostgreSQL alike."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
    "episode_decision",
)
"""The tables of the log."""

Keys = Mapping[str, Sequence[Sequence[str]]]
"""The columns of each key of a table, by the name of the table."""

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
    keys = _keys(connection) if sqlite else {}
    if not sqlite:
        connection.exec_driver_sql(FUNCTION.replace("%", "%%"))
    for table in tables:
        for act in ACTS[connection.dialect.name]:
            what = _sqlite(table, act, keys[table]) if sqlite else _postgresql(table, act)
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
    keys = _keys(connection) if sqlite else {}
    return tuple(
        table
        for table in TABLES
        if table not in known
        or any(there.get(f"{table}_no_{act}") != _put_up(sqlite, table, act, keys) for act in acts)
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


def _put_up(sqlite: bool, table: str, act: str, keys: Keys) -> str:
    """The words of a guard, as the database keeps them."""
    if sqlite:
        return f"CREATE TRIGGER {table}_no_{act} {_sqlite(table, act, keys.get(table, ()))}"
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


def _sqlite(table: str, act: str, keys: Sequence[Sequence[str]]) -> str:
    refuse = f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
    if act != "replace":
        return f"BEFORE {act.upper()} ON {table} {refuse}"
    # INSERT OR REPLACE removes the row that is in its way without asking the trigger of DELETE.
    same = (" AND ".join(f"{column} = NEW.{column}" for column in key) for key in keys)
    taken = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE {each})" for each in same)
    return f"BEFORE INSERT ON {table} WHEN {taken} {refuse}"


def _keys(connection: Connection) -> Keys:
    """The columns of the keys of every table: the primary one, then the unique ones, then the unique indexes.

    One query for all tables, where asking for each of them costs some eight; for SQLite alone.
    """
    found = """
    SELECT shape.name, '', 0, column.pk, column.name FROM sqlite_master AS shape
        JOIN pragma_table_info(shape.name) AS column WHERE shape.type = 'table' AND column.pk
    UNION ALL
    SELECT shape.name, key.name, 1 + (key.origin = 'c'), part.seqno, part.name FROM sqlite_master AS shape
        JOIN pragma_index_list(shape.name) AS key JOIN pragma_index_info(key.name) AS part
        WHERE shape.type = 'table' AND key."unique" AND key.origin <> 'pk'
    """
    keys: dict[str, dict[tuple[int, str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for table, name, rank, _, column in sorted(connection.exec_driver_sql(found).all(), key=lambda row: row[:4]):
        keys[table][rank, name].append(column or "")
    return {table: [parts[key] for key in sorted(parts)] for table, parts in keys.items()}


def _postgresql(table: str, act: str) -> str:
    each = "" if act == "truncate" else "FOR EACH ROW "
    return f"BEFORE {act.upper()} ON {table} {each}EXECUTE FUNCTION only_added()"
