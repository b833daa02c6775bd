"""The queue order: by consequence and time, the same at every moment, kept or moved with what happens."""

import importlib.util
import math
from datetime import timedelta
from itertools import pairwise

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlmodel import col, select

from core.governance.acts import Act
from core.governance.desk import decide, undo
from core.governance.drafts import Draft, LessonContent, NoteContent
from core.governance.log import log
from core.governance.people import set_person
from core.governance.proposals import propose
from core.governance.queueing import consequence, rank, requeue_all
from core.governance.status_writer import turn
from core.governance.versions import edit
from core.service.review_views import review_queue
from core.settings import DEFAULTS, Settings
from core.store.migrations.versions import __path__ as versions
from core.store.oversight_records import NumbersVersion
from core.store.records import Item, LessonBody
from core.vocabulary import Action, Cause, Dimension, Duty, Kind, RejectReason, Scope, Severity, Source, Status
from tests.desk import START, act, item, lesson, note, procedure, put, quote, request, session, unchecked

pytestmark = pytest.mark.databases("sqlite", "postgresql")

WORDS = [
    "refund",
    "order",
    "postage",
    "lamp",
    "voucher",
    "parcel",
    "letter",
    "manual",
    "invoice",
    "battery",
    "cable",
    "mirror",
    "saddle",
    "pedal",
    "wheel",
]
DAYS = timedelta(days=1)


def waiting_items(database):
    with database.reading() as db:
        return list(db.exec(select(Item).where(col(Item.queued_at).is_not(None)).order_by(Item.rank, Item.id)).all())


def scope_of(database, one):
    if one.kind == Kind.NOTE:
        return Scope.USER
    if one.kind == Kind.PROCEDURE:
        return Scope.TASK_CLASS
    with database.reading() as db:
        return Scope(db.get_one(LessonBody, one.id).scope)


def urgency(database, one, moment, numbers=DEFAULTS):
    """Severity × scope × reach × age, where every so many days of waiting count for twice as much."""
    severity = {"critical": 16, "high": 8, "medium": 4, "low": 2, "positive": 1}[one.severity]
    scope = {Scope.AGENT: 4, Scope.TASK_CLASS: 2, Scope.USER: 1}[scope_of(database, one)]
    days = (moment - one.queued_at).total_seconds() / 86_400
    return severity * scope * min(max(one.sessions, 1), 64) * 2 ** (days / numbers.queue_doubling_days)


def a_mixed_desk(database):
    """Lessons of every severity and scope, procedures and critical notes, with reach from none to three sessions."""
    seen = [session(database, f"CD-{number}") for number in range(3)]
    scopes, severities = list(Scope), list(Severity)
    for number, word in enumerate(WORDS):
        content = LessonContent(
            text=f"Name the {word} that the case {word} is about before anything else is said.",
            tags=("refund", "policy"),
            scope=scopes[number % 3],
        )
        quotes = tuple(quote(one) for one in seen[: number % 4])
        at = START + timedelta(hours=31 * (number * 7 % 15), microseconds=999_999)
        user = "student 1" if scopes[number % 3] is Scope.USER else None
        put(database, content, severities[number % 5], quotes=quotes, at=at, user=user)
    procedure(database)
    note(database, seen[0], severity=Severity.CRITICAL)


def test_the_order_is_that_of_the_plain_formula_at_every_moment(database):
    a_mixed_desk(database)
    found = waiting_items(database)
    assert len(found) == len(WORDS) + 2
    for days in (0, 1, 30, 400):
        moment = START + timedelta(days=40 + days)
        plain = [urgency(database, one, moment) for one in found]
        # Ranks are whole seconds: what differs by less than two of them may stand either way.
        within = 2 ** (3 / 86_400 / DEFAULTS.queue_doubling_days)
        assert all(before * within >= after for before, after in pairwise(plain)), days


def test_one_statement_over_the_whole_queue_finds_the_ranks_that_each_change_found(database):
    a_mixed_desk(database)
    before = {one.id: one.rank for one in waiting_items(database)}
    with database.writing() as db:
        requeue_all(db, DEFAULTS)
    assert {one.id: one.rank for one in waiting_items(database)} == before


def test_other_numbers_make_another_order_for_what_waits_and_for_what_comes(database):
    a_mixed_desk(database)
    numbers = Settings(queue_critical=1, queue_high=17, queue_low=900, queue_doubling_days=3, queue_agent_scope=7)
    with database.writing() as db:
        log(db, NumbersVersion(chosen=numbers.model_dump(mode="json"), by="Ada", reason="Low first", at=START))
        requeue_all(db, numbers)
    lesson(database, "Say which counter takes the parcel back.")
    found = waiting_items(database)
    assert found[0].severity == "low"
    ranks = {
        one.id: rank(one.queued_at, consequence(one.severity, scope_of(database, one), one.sessions, numbers), numbers)
        for one in found
    }
    assert {one.id: one.rank for one in found} == ranks


def test_the_schema_as_it_is_brought_up_to_date_fills_the_same_ranks(database):
    a_mixed_desk(database)
    with database.writing() as db:
        for one in db.exec(select(Item)).all():
            one.queued_at = one.created_at if one.queued_at else None
            db.add(one)
        db.flush()
        requeue_all(db, DEFAULTS)
    before = {one.id: (one.queued_at, one.rank) for one in waiting_items(database)}
    filled = migration_fills(database)
    assert {one.id: (one.queued_at, one.rank) for one in filled} == before


def migration_fills(database):
    """What the migration that brought the queue writes into a store whose places were lost."""
    spec = importlib.util.spec_from_file_location("oversight", f"{next(iter(versions))}/0006_oversight.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    with database.writing() as db:
        connection = db.connection()
        connection.exec_driver_sql("UPDATE item SET queued_at = NULL, rank = 0")
        with Operations.context(MigrationContext.configure(connection)):
            made.fill_the_queue()
    return waiting_items(database)


def test_a_severity_that_is_not_known_counts_as_critical(database):
    known = lesson(database, "Ask for the serial number of the lamp.").item_id
    odd = lesson(database, "Name the postage that is not given back.").item_id
    unchecked(database, "item", "severity", {odd: "grave"})
    with database.writing() as db:
        requeue_all(db, DEFAULTS)
    assert item(database, odd).rank < item(database, known).rank
    counts = consequence("grave", Scope.USER, 0, DEFAULTS)
    assert counts.product == DEFAULTS.queue_critical * DEFAULTS.queue_user_scope


def test_what_does_not_wait_is_in_no_queue(database):
    open_note = note(database, session(database)).item_id
    decided = lesson(database).item_id
    act(database, decided, Action.REJECT, reason=RejectReason.TOO_VAGUE)
    assert item(database, open_note).queued_at is None
    assert item(database, decided).queued_at is None
    assert review_queue(database, person="p").rows == ()


def test_an_undone_decision_leads_back_to_the_same_place(database):
    one = lesson(database).item_id
    before = item(database, one)
    done = act(database, one, Action.APPROVE)
    assert item(database, one).queued_at is None
    undo(database, decision_id=done.decision_id, person=request(database, one, Action.UNDO).person)
    after = item(database, one)
    assert (after.queued_at, after.rank, after.status) == (before.queued_at, before.rank, "proposed")


def test_what_is_reopened_waits_from_then_on(database):
    one = lesson(database).item_id
    act(database, one, Action.REJECT, reason=RejectReason.TOO_VAGUE)
    later = START + 9 * DAYS
    decide(database, request(database, one, Action.REOPEN, text="It names a step after all"), at=later)
    assert item(database, one).queued_at == later


def suspended_by_rule(database, item_id, at, cause=Cause.STALE_SOURCE):
    with database.writing() as db:
        row = db.get_one(Item, item_id)
        act = Act(Action.SUSPEND, Status.SUSPENDED, "rule", at, rule=cause.replace("_", " "), suspended_for=cause)
        turn(db, row, act)


def test_what_a_rule_suspended_waits_and_what_a_person_suspended_does_not(database):
    by_person, by_rule = lesson(database).item_id, lesson(database, "Name the postage that is kept.").item_id
    for one in (by_person, by_rule):
        act(database, one, Action.APPROVE)
    act(database, by_person, Action.SUSPEND, text="Not now")
    suspended_by_rule(database, by_rule, START + 5 * DAYS)
    assert item(database, by_person).queued_at is None
    assert (item(database, by_rule).queued_at, item(database, by_rule).cause) == (START + 5 * DAYS, "stale_source")
    assert [row.status for row in review_queue(database, person="p").rows] == ["suspended"]


def test_an_undone_reinstatement_waits_again_since_its_suspension(database):
    one = lesson(database).item_id
    act(database, one, Action.APPROVE)
    suspended_by_rule(database, one, START + 5 * DAYS)
    before = item(database, one)
    done = act(database, one, Action.REINSTATE, text="The source stands elsewhere")
    assert item(database, one).cause is None
    undo(database, decision_id=done.decision_id, person=request(database, one, Action.UNDO).person)
    after = item(database, one)
    assert (after.status, after.queued_at, after.cause, after.rank) == (
        "suspended",
        START + 5 * DAYS,
        "stale_source",
        before.rank,
    )


def test_a_critical_note_that_is_held_keeps_its_place_in_time(database):
    one = note(database, session(database), severity=Severity.CRITICAL).item_id
    act(database, one, Action.SUSPEND, text="Not before the auditor is back")
    assert (item(database, one).status, item(database, one).queued_at) == ("held", START)


def test_an_edit_of_what_waits_makes_it_no_younger(database):
    set_person(database, "Ben", {Duty.LEAD})
    set_person(database, "Cleo", {Duty.LEAD})
    one = lesson(database).item_id
    made = edit(
        database, item_id=one, person="Ben", revision_seen=1, changes={"text": "Look the refund rule up first."}
    )
    assert item(database, made.item_id).queued_at == START
    assert item(database, one).queued_at is None
    done = act(database, made.item_id, Action.APPROVE, person="Cleo")
    undo(database, decision_id=done.decision_id, person="Cleo")
    assert item(database, made.item_id).queued_at == START


def test_an_edit_of_what_is_in_force_waits_from_then_on(database):
    one = lesson(database).item_id
    act(database, one, Action.APPROVE)
    person = request(database, one, Action.EDIT).person
    made = edit(
        database,
        item_id=one,
        person=person,
        revision_seen=2,
        changes={"text": "Look the refund rule up first."},
        at=START + 3 * DAYS,
    )
    assert item(database, made.item_id).queued_at == START + 3 * DAYS


def test_more_evidence_moves_an_item_up_and_leaves_its_time(database):
    first, second = session(database, "CD-1"), session(database, "CD-2")
    one = lesson(database, fault="f", quotes=(quote(first),)).item_id
    before = item(database, one)
    lesson(database, fault="f", quotes=(quote(second),))
    after = item(database, one)
    assert (after.sessions, after.queued_at) == (2, before.queued_at)
    assert after.rank == before.rank - DEFAULTS.queue_doubling_days * 86_400


def test_graver_evidence_moves_an_item_up_and_puts_a_note_that_is_critical_now_into_the_queue(database):
    one = note(database, session(database), severity=Severity.MEDIUM).item_id
    assert item(database, one).queued_at is None
    again = NoteContent(
        dimension=Dimension.COMPLIANCE,
        severity=Severity.CRITICAL,
        observation="A refund was promised (f).",
        improvement="Look the rule up first.",
    )
    known = item(database, one)
    other = quote(known.session_id).model_copy(update={"quote": "Yes, the refund has been arranged"})
    draft = Draft(
        content=again,
        severity=Severity.CRITICAL,
        agent_id=known.agent_id,
        task_class="refunds",
        fault="f",
        origin="claimed_not_done v1",
        proposer="check claimed_not_done",
        quotes=(other,),
        user="student 1",
        session_id=known.session_id,
        source=Source.CHECK,
    )
    with database.writing() as db:
        propose(db, draft, at=START + 2 * DAYS)
    after = item(database, one)
    assert (after.severity, after.queued_at) == ("critical", START + 2 * DAYS)
    expected = rank(after.queued_at, consequence("critical", Scope.USER, after.sessions, DEFAULTS), DEFAULTS)
    assert after.rank == expected


def test_a_head_start_is_the_waiting_that_makes_up_for_it():
    week = 7 * 86_400
    assert (
        rank(START, consequence("critical", Scope.USER, 1, DEFAULTS), DEFAULTS)
        == math.floor(START.timestamp()) - 4 * week
    )
