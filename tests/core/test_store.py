"""The store keeps what it is given and refuses what must not be."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import UTC, datetime
from decimal import Decimal
from itertools import product
from pathlib import Path
from time import sleep

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import CheckConstraint, inspect, text, update
from sqlalchemy.exc import IntegrityError, StatementError
from sqlmodel import SQLModel, col, select

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.errors import BadInput, Refused, StoreBusy
from core.governance.audit import verify
from core.governance.desk import decide, undo
from core.service.desk_views import card, decisions, history, last_decision, notes, procedures, review_queue
from core.service.views import NotesAsked
from core.store.database import Database
from core.store.records import AgentSession, Decision, Evidence, Item, Person, ProcedureBody, TaskClass
from core.vocabulary import Action
from tests.desk import OPERATOR, act, item, lesson, note, procedure, request, session, unchecked, unchecked_statuses

pytestmark = pytest.mark.databases("sqlite", "postgresql")


def test_migrations_lead_to_exactly_the_tables_that_the_records_name(database: Database) -> None:
    with database.engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), SQLModel.metadata)
    assert differences == []


def test_migrations_ask_for_exactly_the_checks_that_the_records_name(database: Database) -> None:
    kept = inspect(database.engine)
    for name, table in SQLModel.metadata.tables.items():
        named = {str(one.name) for one in table.constraints if isinstance(one, CheckConstraint)}
        assert {one["name"] for one in kept.get_check_constraints(name)} == named, name


def test_migrating_twice_changes_nothing(database: Database) -> None:
    lesson(database)
    database.migrate()
    assert item(database, 1).status == "proposed"


@pytest.mark.parametrize(
    "change",
    [
        "update procedure set confidence = 750",
        "update procedure set confidence = -10",
        "update item set severity = 'bogus'",
        "update item set status = 'Approved'",
        "update item set session_id = 999999",
        "update evidence set session_id = 999999",
    ],
)
def test_a_value_that_must_not_be_is_refused_by_the_database_itself(database: Database, change: str) -> None:
    procedure(database)
    note(database, session(database))
    before = [item(database, n) for n in (1, 2)]
    with pytest.raises(IntegrityError), database.writing() as db:
        db.connection().execute(text(change))
    assert [item(database, n) for n in (1, 2)] == before


VERSION = (
    "insert into policy_version (policy, version, title, owner, date, text, words, severity, improvement, trigger, "
    "tags, sha256, origin, withdrawn, by, reason, at) values ('p', {version}, 'P', 'Ada', '{date}', 'Text.', '[]', "
    "'high', '', '', '[]', 'x', '{origin}', false, 'Ada', '', '2026-11-01 08:00:00+00:00')"
)
DIGEST = "insert into digest (day, at, way, counts) values ('{day}', '2026-11-01 08:00:00+00:00', '{way}', '{{}}')"
DRAFT = (
    "insert into policy_draft (policy, base, body, by, reason, at) "
    "values ('p', {base}, '{{}}', 'Ada', '', '2026-11-01 08:00:00+00:00')"
)
OVERSIGHT = [
    (VERSION, {"version": 1, "date": "2026-11-01", "origin": "page"}, {"version": 0, "date": "soon", "origin": "mail"}),
    (DIGEST, {"day": "2026-11-01", "way": "webhook"}, {"day": "today", "way": "pigeon"}),
    (DRAFT, {"base": 0}, {"base": -1}),
    ("insert into parent (item_id, parent_id) values (1, {of})", {"of": 2}, {"of": 1}),
    ("insert into recurrence (item_id, case_id, at) values (1, {of}, '2026-11-01')", {"of": 2}, {"of": 1}),
]


@pytest.mark.parametrize(("words", "good", "bad"), OVERSIGHT)
def test_what_oversight_keeps_is_of_a_closed_set_a_day_and_about_another(
    database: Database, words: str, good: dict[str, object], bad: dict[str, object]
) -> None:
    procedure(database)
    note(database, session(database))
    for part, value in bad.items():
        with pytest.raises(IntegrityError), database.writing() as db:
            db.connection().exec_driver_sql(words.format(**{**good, part: value}))
    with database.writing() as db:
        db.connection().exec_driver_sql(words.format(**good))


def test_a_confidence_with_three_decimals_is_refused(database: Database) -> None:
    procedure(database)
    with pytest.raises(StatementError, match="more than two decimals"), database.writing() as db:
        db.get_one(ProcedureBody, 1).confidence = Decimal("0.555")


def test_words_of_a_closed_set_are_stored_as_they_are_exported(database: Database) -> None:
    act(database, lesson(database).item_id, Action.APPROVE)
    with database.reading() as db:
        assert db.connection().execute(text("select status, kind, severity from item")).all() == [
            ("active", "lesson", "high")
        ]


def test_a_status_from_a_newer_version_is_shown_and_never_served(database: Database) -> None:
    found = lesson(database).item_id
    act(database, found, Action.APPROVE)
    lesson(database, "Ask for the order number before you look it up.")
    unchecked_statuses(database, {1: "archived"})
    assert [row.id for row in review_queue(database, person=OPERATOR).rows] == [2]
    assert not issue(database, Asked("Campus Desk", task="a refund")).items
    assert item(database, found).status == "archived"


def test_a_severity_from_a_newer_version_is_shown_and_never_served(database: Database) -> None:
    found = note(database, session(database)).item_id
    held = note(database, session(database, "CD-2"), found=False).item_id
    asked = Asked("Campus Desk", "student 1", task="a refund")
    assert len(issue(database, asked).items) == 1
    unchecked(database, "item", "severity", {found: "grim", held: "grim"})
    assert [row.severity for row in review_queue(database, person=OPERATOR).rows] == ["grim"]
    assert [row.severity for row in notes(database, NotesAsked()).rows] == ["grim", "grim"]
    assert card(database, held, person=OPERATOR).severity == "grim"
    assert not issue(database, asked).items


def test_an_act_from_a_newer_version_is_shown_as_it_stands_and_named_by_an_audit(database: Database) -> None:
    made = act(database, procedure(database).item_id, Action.APPROVE)
    unchecked(database, "decision", "action", {made.decision_id: "wave_through"})
    assert [row.what for row in history(database, 1)][-1] == "v1 wave through: active"
    last = last_decision(database, OPERATOR)
    assert last is not None
    assert last.text == "P-0001 wave through"
    assert [mark.text for mark in procedures(database).rows[0].marks] == ["P-0001 wave through, v1, by " + OPERATOR]
    assert [row.action for row in decisions(database).rows] == ["wave_through", "propose"]
    assert any("“wave_through” from proposed to active" in one.why for one in verify(database).breaks)
    with pytest.raises(Refused, match="cannot be undone"):
        undo(database, decision_id=made.decision_id, person=OPERATOR)
    assert item(database, 1).status == "active"


def test_times_come_back_aware_and_in_utc(database: Database) -> None:
    given = [datetime.fromisoformat(one) for one in ("2026-03-10T09:30:00-08:00", "2026-03-10T09:30:00+00:00")]
    with database.writing() as db:
        for number, at in enumerate(given):
            db.add(Person(name=f"p{number}", duties=[], at=at))
    with database.reading() as db:
        read = [row.at for row in db.exec(select(Person).order_by(Person.name)).all()]
    assert [at.isoformat() for at in read] == ["2026-03-10T17:30:00+00:00", "2026-03-10T09:30:00+00:00"]
    assert all(at < datetime.now(UTC) for at in read)


def test_a_time_without_a_zone_is_refused_by_the_store(database: Database) -> None:
    with pytest.raises(StatementError, match="has no zone"), database.writing() as db:
        db.add(Person(name="p", duties=[], at=datetime(2026, 3, 10, 9, 30)))  # noqa: DTZ001


def test_a_list_that_is_changed_in_place_is_saved(database: Database) -> None:
    with database.writing() as db:
        db.add(Person(name="p", duties=["lead"], at=datetime.now(UTC)))
    with database.writing() as db:
        person = db.get_one(Person, "p")
        person.duties.append("auditor")
    with database.reading() as db:
        assert db.get_one(Person, "p").duties == ["lead", "auditor"]


def test_rows_can_be_read_after_their_transaction_has_ended(database: Database) -> None:
    note(database, session(database))
    with database.reading() as db:
        query = select(Item, AgentSession, Evidence).select_from(Item)
        query = query.join(AgentSession, col(AgentSession.id) == Item.session_id)
        rows = db.exec(query.join(Evidence, col(Evidence.item_id) == Item.id)).all()
    assert [(one.headline, run.ref, proof.quote) for one, run, proof in rows] == [
        ("A refund was promised (f).", "CD-1", "the refund has been arranged")
    ]


def test_writers_at_once_lose_nothing_and_never_find_the_database_locked(database: Database) -> None:
    kinds = product(
        ("alder", "birch", "cedar", "elm", "fir", "hazel", "larch", "oak"), ("red", "blue", "grey", "pink", "teal")
    )
    texts = (f"Look up the {colour} {tree} tariff before you answer." for tree, colour in kinds)
    found = [lesson(database, text).item_id for text in texts]
    asked = [request(database, one, Action.APPROVE) for one in found]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda one: decide(database, one), asked))
    with database.reading() as db:
        approved = db.exec(select(Decision).where(Decision.action == Action.APPROVE)).all()
    assert len(approved) == 40


def test_what_a_writer_has_read_is_still_true_when_it_writes(database: Database) -> None:
    found = lesson(database).item_id

    def count(_: int) -> None:
        with database.writing() as db:
            returns = db.get_one(Item, found).returns
            db.execute(update(Item).where(col(Item.id) == found).values(returns=returns + 1))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(count, range(40)))
    assert item(database, found).returns == 40


def test_who_does_not_get_to_write_in_time_is_told_that_the_store_is_busy(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.store.database.BUSY_TIMEOUT", 50)
    other = Database(database.url)
    with database.writing(), pytest.raises(StoreBusy, match="can be tried again"), other.writing():
        pass
    with other.writing() as db:
        assert db.exec(select(Item)).all() == []
    other.close()


def test_a_database_that_only_reads_or_ends_a_transaction_itself_is_said_to_be_busy(database: Database) -> None:
    found = lesson(database).item_id
    asked = request(database, found, Action.APPROVE)
    if database.engine.dialect.name == "sqlite":
        ways = ["pragma query_only = on"]
    else:
        ways = ["set transaction read only", "set local idle_in_transaction_session_timeout = '20ms'"]
    for way in ways:
        with pytest.raises(StoreBusy, match="Nothing was changed"), database.writing() as db:
            db.connection().execute(text(way))
            sleep(0.2)
            db.connection().execute(text("update item set revision = 7"))
        database.engine.dispose()
    assert item(database, found).revision == 1
    assert decide(database, asked).status == "active"


def test_a_file_that_is_no_database_is_said_to_be_unreadable(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "letters.db"
    path.write_bytes(b"no database" * 2_000)
    with pytest.raises(StoreBusy, match="not a database"):
        Database(f"sqlite:///{path}").migrate()


def test_a_sign_that_postgresql_cannot_hold_is_refused_in_words_and_sqlite_keeps_it(database: Database) -> None:
    holds = database.engine.dialect.name == "sqlite"
    refused = nullcontext() if holds else pytest.raises(BadInput, match="nothing was changed")
    with refused, database.writing() as db:
        db.add(Person(name="a\x00b", duties=[], at=datetime.now(UTC)))
    with database.reading() as db:
        assert db.exec(select(Person.name)).all() == (["a\x00b"] if holds else [])


def test_an_address_without_a_driver_takes_the_one_that_is_installed(database: Database) -> None:
    other = Database(database.url.replace("postgresql+psycopg:", "postgresql:"))
    with other.reading() as db:
        assert db.exec(select(Item)).all() == []
    other.close()


def test_a_long_look_does_not_hold_up_a_decision(database: Database) -> None:
    found = lesson(database).item_id
    with database.reading() as db:
        db.exec(select(Item)).all()
        act(database, found, Action.APPROVE)
        assert db.exec(select(Item.status)).one() == "proposed", "the reader sees what was there when it began"
    assert item(database, found).status == "active"


def test_a_failed_write_leaves_nothing_behind(database: Database) -> None:
    found = lesson(database).item_id
    with pytest.raises(IntegrityError), database.writing() as db:
        one = db.get_one(Item, found)
        one.headline = "half-written"
        db.flush()
        one.status = "no such status"
    assert item(database, found).headline.startswith("Check the refund policy")


def test_one_task_class_stands_once_for_an_agent(database: Database) -> None:
    lesson(database)
    twice = [TaskClass(agent_id=1, name="refunds") for _ in range(2)]
    with pytest.raises(IntegrityError), database.writing() as db:
        db.add_all(twice)
