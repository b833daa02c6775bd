"""Rows of the log are only ever added: the database refuses all else, whoever asks, also after a masking."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event, insert, inspect, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import select

from core.errors import StoreBusy
from core.governance.audit import verify
from core.governance.log import LOGGED, corrected_log, head
from core.service.masking import mask_stored
from core.store.append_only import TABLES, guard, lifted, unguarded
from core.store.clock import now
from core.store.database import MIGRATIONS, Database
from core.store.governance_records import LogEntry
from core.store.records import Decision, Refusal
from tests.core.governed import filled_with_oversight

pytestmark = pytest.mark.databases("sqlite", "postgresql")

KEY = "sk-proj-abcdEFGH1234567890abcdEFGH1234567890"
SET = {
    "log_entry": "row_id = 1",
    "decision": "text = 'other words'",
    "refusal": "text = 'other words'",
    "rights_change": "text = 'other words'",
    "desk_settings": "reason = 'other words'",
    "numbers": "reason = 'other words'",
    "policy_version": "reason = 'other words'",
    "policy_draft": "reason = 'other words'",
    "policy_turned_down": "reason = 'other words'",
    "assignment": "reason = 'other words'",
    "blind_verdict": "text = 'other words'",
    "episode_decision": "text = 'other words'",
}
FIRST = {table: "seq" if table == "log_entry" else "id" for table in TABLES}


def rows(database: Database) -> dict[str, list[object]]:
    """Every row of the log."""
    with database.reading() as db:
        return {
            table: list(db.connection().execute(text(f"select * from {table} order by {FIRST[table]}")).all())
            for table in TABLES
        }


def refused(database: Database, *statements: str) -> None:
    """Each of these is refused by the database in its own words, and nothing is changed."""
    before = rows(database)
    for one in statements:
        with pytest.raises(DBAPIError, match="are only ever added"), database.writing() as db:
            db.connection().execute(text(one))
    assert rows(database) == before


def whatever_changes(table: str, dialect: str) -> list[str]:
    """Statements that change or remove the first row of a table of the log."""
    key, change = FIRST[table], SET[table]
    again = f"{table} select * from {table} where {key} = 1"
    ways = [
        f"update {table} set {change}",
        f"update {table} set {key} = 900 where {key} = 1",
        f"delete from {table}",
        f"delete from {table} where {key} = 1",
    ]
    if dialect == "sqlite":
        return [
            *ways,
            f"insert or replace into {again}",
            f"replace into {again}",
            f"update or replace {table} set {change} where {key} = 1",
            f"insert into {again} and true on conflict do update set {change}",
        ]
    return [
        *ways,
        f"truncate {table} cascade",
        f"insert into {again} on conflict ({key}) do update set {change}",
        f"merge into {table} using (select 1 as n) as one on {key} = n when matched then delete",
    ]


@pytest.mark.parametrize("table", TABLES)
def test_no_row_of_the_log_is_changed_or_removed_by_any_statement(database: Database, table: str) -> None:
    filled_with_oversight(database)
    refused(database, *whatever_changes(table, database.engine.dialect.name))


def test_a_decision_is_not_replaced_by_one_for_the_same_revision(database: Database) -> None:
    filled_with_oversight(database)
    if database.engine.dialect.name == "sqlite":
        columns = 'at, item_id, action, before, after, revision, "by", text, content_hash, self_approved'
        refused(database, f"insert or replace into decision ({columns}) select {columns} from decision where id = 1")


def test_what_the_log_points_to_does_not_take_it_along(database: Database) -> None:
    filled_with_oversight(database)
    before = rows(database)
    with pytest.raises(DBAPIError), database.writing() as db:
        db.connection().execute(text("delete from item"))
    assert rows(database) == before


@pytest.mark.parametrize("table", sorted(LOGGED))
def test_the_orm_changes_and_removes_nothing_of_the_log(database: Database, table: str) -> None:
    filled_with_oversight(database)
    before = rows(database)
    record = LOGGED[table]
    with pytest.raises(DBAPIError, match="are only ever added"), database.writing() as db:
        row = db.exec(select(record)).first()
        setattr(row, "text" if hasattr(row, "text") else "reason", "other words")
        db.add(row)
    with pytest.raises(DBAPIError, match="are only ever added"), database.writing() as db:
        db.delete(db.exec(select(record)).first())
    with pytest.raises(DBAPIError, match="are only ever added"), database.writing() as db:
        db.delete(db.get_one(LogEntry, 1))
    assert rows(database) == before


def with_a_secret(database: Database) -> None:
    """A refusal that was logged before such words were masked."""
    from core.governance.log import log

    with database.writing() as db:
        log(db, Refusal(at=now(), action="make a token", by="Ben", code="role", text=f"Not with {KEY}."))


def test_after_masking_the_guards_stand_and_nothing_of_the_chain_is_lost(database: Database) -> None:
    filled_with_oversight(database)
    with_a_secret(database)
    before = rows(database)
    mask_stored(database)
    after = rows(database)
    assert after["log_entry"][:-1] == before["log_entry"]
    assert after["decision"] == before["decision"]
    with database.reading() as db:
        assert KEY not in "".join(db.exec(select(Refusal.text)).all())
        assert unguarded(db.connection()) == ()
    refused(database, *(one for table in TABLES for one in whatever_changes(table, database.engine.dialect.name)))
    assert verify(database).whole


class Interrupted(Exception):
    """Something that goes wrong half-way."""


@pytest.mark.parametrize("caught_inside", [False, True])
def test_a_masking_that_is_interrupted_half_way_changes_nothing_and_leaves_the_guards(
    database: Database, caught_inside: bool
) -> None:
    filled_with_oversight(database)
    with_a_secret(database)
    before = rows(database)

    def half(db: object) -> None:
        with database.writing() as db:
            row = db.exec(select(Refusal).order_by(Refusal.id.desc())).first()  # type: ignore[union-attr]
            try:
                with corrected_log(db, [row], now()):
                    row.text = "half-way"  # type: ignore[union-attr]
                    db.add(row)
                    db.flush()
                    raise Interrupted
            except Interrupted:
                if not caught_inside:
                    raise

    if caught_inside:
        half(database)
    else:
        with pytest.raises(Interrupted):
            half(database)
    assert rows(database) == before
    with database.reading() as db:
        assert unguarded(db.connection()) == ()
    refused(database, *whatever_changes("refusal", database.engine.dialect.name))


def test_a_desk_that_dies_while_the_guards_are_lifted_leaves_them_standing(database: Database) -> None:
    filled_with_oversight(database)
    before = rows(database)
    other = Database(database.url)
    with pytest.raises((DBAPIError, StoreBusy)), other.writing() as db, lifted(db, ["decision"]):
        db.connection().execute(text("update decision set text = 'half-way'"))
        db.connection().connection.driver_connection.close()  # type: ignore[union-attr]
        db.connection().execute(text("update decision set text = 'never'"))
    other.engine.dispose()
    assert rows(database) == before
    refused(database, *whatever_changes("decision", database.engine.dialect.name))


def migrated_to(database: Database, revision: str) -> None:
    """The database brought to a schema, forwards only."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with database.engine.connect() as connection:
        connection = connection.execution_options(tutelage_write=True)
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        connection.commit()


@pytest.fixture
def old(request: pytest.FixtureRequest, database: Database, tmp_path) -> Database:  # type: ignore[no-untyped-def]
    """A database of the schema before there was a chain, on the same kind of server."""
    if database.engine.dialect.name == "sqlite":
        found = Database(f"sqlite:///{tmp_path / 'old.db'}")
        migrated_to(found, "0004")
        yield found
        found.close()
        return
    postgres = request.getfixturevalue("postgres")
    found = Database(postgres.new("template1"))
    migrated_to(found, "0004")
    yield found
    found.close()
    postgres.drop(found.url)


AT = datetime(2026, 9, 1, 8, 30, 0, 120_000, tzinfo=UTC)


def decided_before(connection: Connection) -> None:
    """People, two items, decisions and refusals as the older desk wrote them."""
    people = "insert into person (name, duties, at) values (:name, :duties, :at)"
    for name, duties in (("Ben", '["lead"]'), ("Zoë", '["auditor", "admin"]')):
        connection.execute(text(people), {"name": name, "duties": duties, "at": "2026-08-01 07:00:00.000000+00:00"})
    connection.execute(
        text(
            "insert into agent (id, name, base_prompt, policies, owner, updated_at) "
            "values (1, 'Desk', '', '[]', '', '2026-08-01 07:00:00')"
        )
    )
    for number, status, revision in ((1, "active", 3), (2, "rejected", 2)):
        connection.execute(
            text(
                "insert into item (id, kind, number, version, revision, status, severity, weight, headline, agent_id, "
                "task_class, fault, origin, proposer, content_hash, settings, quotes, not_found, sessions, returns, "
                "created_at) values (:n, 'procedure', :n, 1, :r, :s, 'high', 1, 'x', 1, 'refunds', '', 'c', "
                "'check c', :h, 's', 0, 0, 0, 0, '2026-09-01 08:00:00')"
            ),
            {"n": number, "s": status, "r": revision, "h": "a" * 64},
        )
    before = {"after": "proposed", "before": "", "revision": 1, "by": "check c", "rule": "checks"}
    acts = (
        {"item_id": 1, "action": "propose", **before},
        {"item_id": 1, "action": "approve", "before": "proposed", "after": "active", "revision": 2, "by": "Ben"},
        {"item_id": 2, "action": "propose", **before},
        {
            "item_id": 2,
            "action": "reject",
            "before": "proposed",
            "after": "rejected",
            "revision": 2,
            "by": "Zoë",
            "reason": "too_vague",
            "text": "“Sorgfältig” says nothing 🙂",
        },
        {
            "item_id": 1,
            "action": "reinstate",
            "before": "active",
            "after": "active",
            "revision": 3,
            "by": "Ben",
            "confidence": 80,
            "self_approved": True,
        },
    )
    columns = ("item_id", "action", "before", "after", "revision", "by", "rule", "reason", "text", "confidence")
    names = ", ".join(f'"{name}"' for name in columns)
    values = ", ".join(f":{name}" for name in columns)
    for place, act in enumerate(acts):
        given = {**dict.fromkeys(columns), "text": "", "self_approved": False, **act, "at": AT.replace(minute=place)}
        given["at"] = given["at"].isoformat(sep=" ")
        connection.execute(
            text(
                f"insert into decision (at, content_hash, self_approved, {names}) "
                f"values (:at, '{'a' * 64}', :self_approved, {values})"
            ),
            given,
        )
    connection.execute(
        text(
            'insert into refusal (at, item_id, action, "by", code, text) '
            "values ('2026-09-01 08:02:00.5', 2, 'approve', 'Zoë', 'role', 'Only a lead may approve P-0002.')"
        )
    )


def test_what_was_logged_before_there_was_a_chain_is_linked_and_verifies(old: Database) -> None:
    with old.writing() as db:
        decided_before(db.connection())
    old.migrate()
    found = verify(old)
    assert found.breaks == ()
    assert found.rows == 2 + 5 + 1
    assert found.unguarded == ()
    with old.reading() as db:
        links = db.exec(select(LogEntry).order_by(LogEntry.seq)).all()
    assert [one.logged for one in links] == ["rights_change"] * 2 + ["decision"] * 5 + ["refusal"]
    refused(old, *whatever_changes("decision", old.engine.dialect.name))


def test_after_the_migration_a_changed_old_row_is_named(old: Database) -> None:
    with old.writing() as db:
        decided_before(db.connection())
    old.migrate()
    kept = head(old)
    with old.writing() as db, lifted(db, ["decision"]):
        db.connection().execute(text("update decision set reason = 'not_true' where item_id = 2 and revision = 2"))
    found = verify(old, kept)
    assert found.first is not None
    assert "decision 4, P-0002 rejected by Zoë on 1 Sep 2026, 08:03 UTC: its row was changed" in found.first.text


def test_an_empty_desk_migrates_to_an_empty_chain(old: Database) -> None:
    old.migrate()
    assert (verify(old).whole, head(old)) == (True, (0, "0" * 64))


BAD = [
    {"action": "Approve"},
    {"action": "shred"},
    {"after": "Active"},
    {"severity": "bogus"},
    {"confidence": 7.5},
    {"item_id": 999_999},
    {"revision": 1},
]


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_a_value_that_must_not_be_never_reaches_the_log(database: Database, bad: dict[str, object]) -> None:
    filled_with_oversight(database)
    before = rows(database)
    good = {"item_id": 1, "action": "retire", "before": "active", "after": "retired", "revision": 50, "by": "Ben"}
    row = {**good, "at": now(), "text": "", "content_hash": "a" * 64, "self_approved": False, **bad}
    with pytest.raises((IntegrityError, DBAPIError)), database.writing() as db:
        db.connection().execute(insert(Decision).values(**row))
    assert rows(database) == before


def test_whether_all_guards_stand_is_asked_once_for_all_tables(database: Database) -> None:
    sent: list[str] = []

    def count(*said: object) -> None:
        sent.append(str(said[2]))

    with database.reading() as db:
        connection = db.connection()
        event.listen(database.engine, "before_cursor_execute", count)
        try:
            assert unguarded(connection) == ()
        finally:
            event.remove(database.engine, "before_cursor_execute", count)
    assert len(sent) <= 4 < len(TABLES)


def test_a_guard_of_sqlite_names_every_key_of_its_table_in_the_order_in_which_they_stand(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'keys.db'}")
    with database.engine.connect() as connection:
        connection.exec_driver_sql(
            "CREATE TABLE kept (b INT, a INT, x INT, UNIQUE (x, a), PRIMARY KEY (a, b), UNIQUE (b))"
        )
        connection.exec_driver_sql("CREATE UNIQUE INDEX ix_kept ON kept (x)")
        guard(connection, ["kept"])
        words = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = 'kept_no_replace'").scalar_one()
        known = inspect(connection)
        keys = [known.get_pk_constraint("kept")["constrained_columns"]]
        keys += [key["column_names"] for key in known.get_unique_constraints("kept")]
        keys += [key["column_names"] for key in known.get_indexes("kept") if key["unique"]]
        same = [" AND ".join(f"{column} = NEW.{column}" for column in key) for key in keys]
        assert " OR ".join(f"EXISTS (SELECT 1 FROM kept WHERE {each})" for each in same) in words
    database.close()
