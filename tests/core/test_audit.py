"""The log is whole, or the first row that does not fit is named."""

import re

import pytest
from sqlalchemy import text

from core.governance.audit import Verified, verify
from core.governance.desk import undo
from core.governance.log import head
from core.governance.people import set_person
from core.governance.tokens import make_token, revoke_token
from core.service.masking import mask_stored
from core.store.append_only import TABLES, unguard
from core.store.database import Database
from core.vocabulary import Action, Scope, Verb
from tests.core.governed import filled, run, team
from tests.desk import OPERATOR, act, lesson, note, procedure, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

KEY = "sk-proj-abcdEFGH1234567890abcdEFGH1234567890"


def first(database: Database, expected: tuple[int, str] | None = None) -> str:
    """What is broken first, in words."""
    found = verify(database, expected)
    assert not found.whole
    assert found.first is not None
    return found.first.text


def test_an_empty_log_is_whole(database: Database) -> None:
    assert verify(database) == Verified(0, "0" * 64)


def test_a_log_with_every_kind_of_row_is_whole_and_says_how_long_it_is(database: Database) -> None:
    filled(database)
    found = verify(database, head(database))
    assert found.breaks == ()
    assert (found.rows, found.head) == head(database)
    assert found.text == f"log whole, {found.rows} rows"
    assert found.unguarded == ()


def test_alone_at_the_desk_the_log_is_whole_too(database: Database) -> None:
    act(database, lesson(database).item_id, Action.APPROVE)
    done = act(database, procedure(database).item_id, Action.APPROVE)
    undo(database, decision_id=done.decision_id, person=OPERATOR)
    note(database, session(database))
    assert verify(database).whole


CHANGED = [
    ("update decision set text = 'never said' where id = 5", "decision 5, L-0001 v2 edited by Ben on", "was changed"),
    ("update decision set \"by\" = 'Cleo' where id = 2", "decision 2, L-0001 approved by Cleo on", "was changed"),
    ("update decision set self_approved = true where id = 2", "decision 2, ", "its row was changed"),
    ("update decision set at = '2026-11-01 10:00:00' where id = 2", "decision 2, ", "its row was changed"),
    ("update decision set confidence = 85 where confidence = 80", "reinstated by Ben", "its row was changed"),
    ("update refusal set code = 'late'", "refusal 1, Cleo was refused to approve L-0002 (late)", "was changed"),
    ("update rights_change set name = 'Eve' where id = 2", "what person Eve may do, changed by", "was changed"),
    ("update desk_settings set reason = 'none'", "desk settings 1, saved by Ada on", "its row was changed"),
    ("delete from refusal", "refusal 1, logged on", "its row was removed"),
    ("delete from desk_settings", "desk settings 1, logged on", "its row was removed"),
    ("delete from log_entry where seq = 3", "link 3", "it is missing"),
    ("delete from log_entry where seq between 3 and 5", "links 3 to 5", "they are missing"),
    ("delete from log_entry where seq = 1", "link 1", "it is missing"),
    ("update log_entry set row_sha256 = repeat('a', 64) where seq = 3", "link 3 of", "the link was changed"),
    ("update log_entry set at = '2020-01-01 00:00:00' where seq = 3", "link 3 of", "the link was changed"),
    ("update log_entry set logged = 'person' where seq = 3", "link 3 of", "the link was changed"),
]


@pytest.mark.parametrize(("change", "about", "why"), CHANGED, ids=[one[0][:60] for one in CHANGED])
def test_whatever_is_changed_is_named_first(database: Database, change: str, about: str, why: str) -> None:
    filled(database)
    sqlite = database.engine.dialect.name == "sqlite"
    run(database, change.replace("repeat('a', 64)", f"'{'a' * 64}'") if sqlite else change)
    said = first(database)
    assert about in said
    assert why in said


def test_a_link_that_was_made_to_fit_itself_does_not_stand_on_the_link_before(database: Database) -> None:
    filled(database)
    from core.governance.log import link_hash
    from core.store.governance_records import LogEntry

    with database.reading() as db:
        link = db.get_one(LogEntry, 4)
    link.before = "b" * 64
    run(database, f"update log_entry set before = '{link.before}', sha256 = '{link_hash(link)}' where seq = 4")
    assert "does not stand on the link before" in first(database)


def test_two_links_for_one_place_are_named(database: Database) -> None:
    filled(database)
    columns = "seq, at, logged, row_id, row_sha256, before, sha256"
    with database.writing() as db:
        connection = db.connection()
        unguard(connection, TABLES)
        if database.engine.dialect.name == "sqlite":
            connection.execute(text("alter table log_entry rename to was"))
            connection.execute(text(f"create table log_entry as select {columns} from was"))
        else:
            connection.execute(text("alter table log_entry drop constraint pk_log_entry"))
        connection.execute(text(f"insert into log_entry ({columns}) select {columns} from log_entry where seq = 3"))
    assert first(database) == "link 3: two links have this place"


FORGED = (
    'insert into decision (at, item_id, action, before, after, revision, "by", text, content_hash, self_approved) '
    "values ('2026-11-02 10:00:00', 4, 'retire', 'active', 'retired', 99, 'Ben', '', 'x', false)"
)


def test_a_row_that_no_link_names_was_written_behind_the_desks_back(database: Database) -> None:
    filled(database)
    run(database, FORGED)
    said = first(database)
    assert "retired by Ben on 2 Nov 2026, 10:00 UTC: no link names it" in said


STATES = [
    ("update item set status = 'retired' where id = 3", "L-0001 v2", "it is retired at revision 2; its last decision"),
    ("update item set revision = 9 where id = 3", "L-0001 v2", "it is active at revision 9"),
    ("update item set severity = 'low' where id = 3", "L-0001 v2", "it is low; by its last decision it is high"),
    ("update lesson set text = 'Refund everybody.' where item_id = 3", "L-0001 v2", "its words are not those"),
    ("update note set improvement = 'Nothing.'", "N-0001", "its words are not those"),
    ("update person set duties = '[\"admin\", \"lead\"]' where name = 'Ben'", "person Ben", "may admin, lead now"),
    ("insert into person (name, duties, at) values ('Eve', '[\"lead\"]', '2026-11-02 10:00:00')", "person Eve", "lead"),
    ("delete from person where name = 'Dora'", "person Dora", "may nothing now; the log leads to auditor"),
    ("update item set headline = 'Refund everybody.' where id = 3", "L-0001 v2", "lists show other words of it"),
    ("update item set weight = 4 where id = 3", "L-0001 v2", "it is high, and its weight is 4"),
    (
        "update item set task_class = 'lights' where id = 3",
        "L-0001 v2",
        "its agent, user, task class or session",
    ),
    ("update item set \"user\" = 'another' where id = 3", "L-0001 v2", "its agent, user, task class or session"),
    ("update item set proposer = 'Cleo' where id = 1", "L-0001", "its proposer is Cleo; by the log it is check"),
    ("update lesson set text = 'Refund everybody.' where item_id = 2", "L-0002", "its words are not those"),
    ("update lesson set text = '' where item_id = 3", "item 3", "it cannot be read any more"),
    ("delete from lesson where item_id = 3", "item 3", "it cannot be read any more"),
    ("update person set duties = '7' where name = 'Ben'", "person Ben", "it cannot be read any more"),
    ("update person set issuer = 'x', subject = 'y' where name = 'Ben'", "login Ben", "signed in by x, y now"),
]


@pytest.mark.parametrize(("change", "about", "why"), STATES, ids=[one[0][:60] for one in STATES])
def test_a_state_that_the_log_does_not_lead_to_is_named(database: Database, change: str, about: str, why: str) -> None:
    filled(database)
    run(database, change)
    said = first(database)
    assert said.startswith(about)
    assert why in said


def test_an_item_that_was_removed_with_all_that_it_says_is_named(database: Database) -> None:
    filled(database)
    with database.writing() as db:
        grave = db.connection().execute(text("select id from item where kind = 'note'")).scalar_one()
    tables = ("evidence", "screening", "note", "lease", "kept_words")
    sqlite = database.engine.dialect.name == "sqlite"
    if not sqlite:
        run(database, "alter table decision drop constraint fk_decision_item_id")
        run(database, "alter table refusal drop constraint if exists fk_refusal_item_id")
    with database.engine.connect() as connection:
        if sqlite:
            connection.rollback()
            connection.connection.driver_connection.execute("PRAGMA foreign_keys = OFF")  # type: ignore[union-attr]
        connection.execution_options(tutelage_write=True)
        for table in tables:
            connection.execute(text(f"delete from {table} where item_id = {grave}"))
        connection.execute(text(f"delete from item where id = {grave}"))
        connection.commit()
    assert first(database) == f"item {grave}: it was removed; the log has 3 decisions about it"


@pytest.mark.parametrize("table", ["log_entry", "refusal", "lesson"])
def test_a_table_that_was_dropped_is_named(database: Database, table: str) -> None:
    filled(database)
    run_unguarded(database, f"drop table {table}")
    found = verify(database)
    assert found.first is not None
    assert found.first.text == f"the table {table}: it is not there any more"


def run_unguarded(database: Database, statement: str) -> None:
    """A statement after which the guards cannot be put up again."""
    with database.writing() as db:
        unguard(db.connection(), TABLES)
        db.connection().execute(text(statement))


def test_a_row_that_cannot_be_read_any_more_is_named_and_ends_no_audit(database: Database) -> None:
    filled(database)
    broken = "'no list'" if database.engine.dialect.name == "sqlite" else "'7'"
    run(database, f"update rights_change set after = {broken} where id = 2")
    said = first(database)
    assert said.startswith("link 2, rights change 2, ")


def test_a_guard_that_was_put_up_again_without_its_force_is_said(database: Database) -> None:
    filled(database)
    with database.writing() as db:
        if database.engine.dialect.name == "sqlite":
            unguard(db.connection(), ["refusal"])
            for act_of in ("update", "delete"):
                idle = f"create trigger refusal_no_{act_of} before {act_of} on refusal begin select 1; end"
                db.connection().execute(text(idle))
        else:
            idle = "create or replace function only_added() returns trigger language plpgsql as 'begin return new; end'"
            db.connection().execute(text(idle))
    assert "refusal" in verify(database).unguarded


def test_an_item_that_no_decision_made_is_named(database: Database) -> None:
    filled(database)
    columns = (
        "kind, number, version, revision, status, severity, weight, headline, agent_id, task_class, fault, origin, "
        "proposer, content_hash, settings, quotes, not_found, sessions, returns, created_at"
    )
    shifted = columns.replace("number,", "number + 50,")
    run(database, f"insert into item ({columns}) select {shifted} from item where id = 3")
    assert "L-0051 v2: it is active, and no decision leads to it" in first(database)


def forged(database: Database, action: str, before: str, after: str, by: str, revision: int, **more: str) -> None:
    """A decision with a link of its own, as a desk without the rule would have written it."""
    from core.governance.log import log
    from core.store.clock import now
    from core.store.records import Decision, Item

    with database.writing() as db:
        row = db.get_one(Item, 1)
        row.status, row.revision = after, revision
        db.add(row)
        made = Decision(
            at=now(),
            item_id=1,
            action=action,
            before=before,
            after=after,
            revision=revision,
            by=by,
            content_hash=row.content_hash,
            severity=row.severity,
            **more,
        )
        log(db, made)


def test_a_move_that_the_table_does_not_have_is_named(database: Database) -> None:
    team(database)
    lesson(database)
    forged(database, "retire", "proposed", "retired", "Ben", 2)
    assert "the table has no “retire” from proposed to retired" in first(database)


def test_a_revision_that_is_passed_over_is_named(database: Database) -> None:
    team(database)
    lesson(database)
    forged(database, "approve", "proposed", "active", "Ben", 3)
    assert "it says that proposed went before at revision 2; proposed at revision 1 did" in first(database)


@pytest.mark.parametrize(
    ("by", "more", "why"),
    [
        ("Dora", {}, "Dora had none of the duties that it needs"),
        ("Nobody", {}, "Nobody had none of the duties that it needs"),
        ("agent:courses", {}, "an agent's token decided"),
        ("check claimed_not_done", {}, "proposed it and brought it into force"),
        ("check claimed_not_done", {"rule": "lets in"}, "the rule “lets in” brought it into force"),
        ("Ben", {"self_approved": True}, "marked as self-approved, and more than one person had a duty"),
    ],
)
def test_nothing_is_active_without_what_the_table_asked_for(
    database: Database, by: str, more: dict[str, str], why: str
) -> None:
    team(database)
    lesson(database)
    forged(database, "approve", "proposed", "active", by, 2, **more)
    assert why in first(database)


def test_one_person_is_too_few_for_what_holds_for_every_task(database: Database) -> None:
    from core.governance.drafts import LessonContent
    from core.vocabulary import Severity
    from tests.desk import put

    team(database)
    content = LessonContent(text="Check the refund policy before you promise.", tags=("refund",), scope=Scope.AGENT)
    made = put(database, content, Severity.HIGH)
    forged(database, "approve", "proposed", "active", "Ben", 2)
    assert made.item_id == 1
    assert "one person brought it into force, and it holds for every task of the agent" in first(database)


def test_two_people_are_enough_for_what_holds_for_every_task(database: Database) -> None:
    from core.governance.drafts import LessonContent
    from core.vocabulary import Severity
    from tests.desk import put

    team(database)
    content = LessonContent(text="Check the refund policy before you promise.", tags=("refund",), scope=Scope.AGENT)
    made = put(database, content, Severity.HIGH).item_id
    act(database, made, Action.APPROVE, person="Ben")
    act(database, made, Action.APPROVE, person="Cleo")
    assert verify(database).whole


def test_who_lost_a_duty_later_decided_rightly_before(database: Database) -> None:
    filled(database)
    set_person(database, "Cleo", set(), text="left")
    assert verify(database).whole


def test_a_tail_that_was_cut_off_is_seen_against_a_head_that_was_kept_elsewhere(database: Database) -> None:
    filled(database)
    kept = head(database)
    run(database, f"delete from log_entry where seq = {kept[0]}", "delete from desk_settings")
    assert verify(database).whole, "without the head nothing in the database tells"
    assert first(database, kept) == f"link {kept[0]}: the log ends with link {kept[0] - 1}; its tail was cut off"


def test_a_log_that_went_on_still_holds_an_older_head(database: Database) -> None:
    filled(database)
    kept = head(database)
    lesson(database, "Say which document is missing before you close a case.")
    assert verify(database, kept).whole
    assert "another one than the link that was kept" in first(database, (kept[0], "c" * 64))


def test_masking_is_said_and_breaks_nothing(database: Database) -> None:
    filled(database)
    from core.governance.log import log
    from core.store.clock import now
    from core.store.governance_records import RightsChange

    with database.writing() as db:
        log(db, RightsChange(at=now(), by="Ada", what="token", name="t", before=[], after=[], text=f"was {KEY}"))
        lesson_text = f"Check the refund policy with {KEY} before you promise a refund."
        db.connection().execute(text("update lesson set text = :t where item_id = 3"), {"t": lesson_text})
    assert not verify(database).whole, "words that nobody approved"
    rows = head(database)[0]
    mask_stored(database)
    found = verify(database)
    assert found.breaks == ()
    assert head(database)[0] == rows + 1
    row, words = found.masked
    assert row.about.startswith("rights change 5, what token t may do, changed by Ada on ")
    assert row.seq == rows + 1
    assert words.about == "the words of L-0001 v2"
    assert found.unguarded == ()


def test_a_row_that_is_linked_again_with_nothing_masked_in_it_was_changed(database: Database) -> None:
    filled(database)
    from core.governance.log import corrected_log
    from core.store.clock import now
    from core.store.records import Refusal

    with database.writing() as db:
        row = db.get_one(Refusal, 1)
        with corrected_log(db, [row], now()):
            row.text = "Nothing happened."
            db.add(row)
    assert re.search(
        r"refusal 1, .*its row was changed and linked again, and nothing in it was masked", first(database)
    )


def test_missing_guards_are_said(database: Database) -> None:
    filled(database)
    with database.writing() as db:
        unguard(db.connection(), ["refusal"])
    found = verify(database)
    assert (found.whole, found.unguarded) == (True, ("refusal",))
    assert set(found.unguarded) < set(TABLES)


def run_for(database: Database, query: str) -> str:
    """The one text that a query answers with."""
    with database.reading() as db:
        return str(db.connection().execute(text(query)).scalar_one())


def test_a_token_that_may_more_than_the_log_gave_it_is_named(database: Database) -> None:
    filled(database)
    make_token(database, name="courses", agent="Campus Desk", verbs={Verb.BRIEFING}, by="Ada")
    assert verify(database).whole
    run(database, 'update agent_token set verbs = \'["briefing", "outcomes"]\'')
    assert "token courses: may briefing, outcomes now; the log leads to briefing" in first(database)
    run(database, "update agent_token set verbs = '[\"briefing\"]'")
    run(database, f"update agent_token set sha256 = '{'a' * 64}'")
    assert "its hash begins with aaaaaaaaaaaa" in first(database)
    kept = "select text from rights_change where what = 'token'"
    assert "its hash begins with" in run_for(database, kept)
    run(database, f"update agent_token set sha256 = '{run_for(database, kept)[-12:]}{'b' * 52}'")
    revoke_token(database, "courses", by="Ada")
    assert verify(database).whole
    run(database, "update agent_token set revoked_at = null")
    assert "token courses: may briefing now; the log leads to nothing" in first(database)
