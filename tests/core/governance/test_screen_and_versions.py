"""What was on the screen is what is decided about; what was approved once can be rolled back to."""

from decimal import Decimal

import pytest
from sqlmodel import col, select

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.effects.paths import paths
from core.errors import Refused
from core.governance.desk import decide, undo
from core.service.masking import mask_stored
from core.settings import DEFAULTS
from core.store.database import Database
from core.store.records import Decision, Evidence, Item, SessionMessage
from core.vocabulary import Action, Severity, Status
from tests.core.governance.at_the_desk import (
    LATE,
    decided,
    edited,
    for_every_task,
    further_proof,
    policy_arrives,
    refused,
    remark,
    team,
)
from tests.desk import act, item, lesson, note, procedure, quote, request, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

OTHER = "Look the refund rule up first, and ask for the date of the order."


def test_further_evidence_is_a_change_of_what_was_on_the_screen(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    asked = request(database, found, Action.APPROVE, person="lead1")
    further_proof(database, found)
    with refused(database, "content_changed"):
        decide(database, asked)


def test_another_remark_is_a_change_of_what_was_on_the_screen(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    asked = request(database, found, Action.APPROVE, person="lead1")
    remark(database, found, "widens_permission:waives")
    with refused(database, "content_changed"):
        decide(database, asked)


@pytest.mark.parametrize(
    ("column", "value"),
    [("quote", "the refund was"), ("verdict", "not_found"), ("stale", "moved"), ("sha256", "f" * 64)],
)
def test_a_quote_that_changed_under_the_reader_is_a_change_of_what_was_on_the_screen(
    database: Database, column: str, value: str
) -> None:
    team(database)
    found = lesson(database, quotes=(quote(session(database)),)).item_id
    asked = request(database, found, Action.APPROVE, person="lead1")
    with database.writing() as db:
        setattr(db.exec(select(Evidence).where(Evidence.item_id == found)).one(), column, value)
    with refused(database, "content_changed"):
        decide(database, asked)


def test_another_severity_is_a_change_of_what_was_on_the_screen(database: Database) -> None:
    team(database)
    found = note(database, session(database), severity=Severity.MEDIUM).item_id
    asked = request(database, found, Action.RESOLVE, person="lead1", text="done")
    with database.writing() as db:
        db.get_one(Item, found).severity = Severity.HIGH
    with refused(database, "content_changed"):
        decide(database, asked)


def test_the_decision_keeps_the_hash_of_what_was_on_the_screen_and_of_the_words(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    asked = request(database, found, Action.APPROVE, person="lead1")
    made = decide(database, asked)
    with database.reading() as db:
        row = db.get_one(Decision, made.decision_id)
        assert (row.screen_hash, row.content_hash) == (asked.hash_seen, item(database, found).content_hash)
        assert row.severity == Severity.HIGH


def test_an_edit_after_an_approval_waits_for_its_own_and_the_log_has_both_hashes(database: Database) -> None:
    team(database)
    first = lesson(database).item_id
    act(database, first, Action.APPROVE, person="lead1")
    second = edited(database, first, "lead2", text=OTHER)
    asked = Asked("Campus Desk", task="a refund")
    assert (item(database, first).status, item(database, second).status) == (Status.ACTIVE, Status.PROPOSED)
    assert OTHER not in str(issue(database, asked).messages)
    act(database, second, Action.APPROVE, person="lead1")
    assert OTHER in str(issue(database, asked).messages)
    with database.reading() as db:
        rows = db.exec(select(Decision).order_by(col(Decision.id))).all()
    old, new = item(database, first).content_hash, item(database, second).content_hash
    made = [(row.action, row.hash_before, row.content_hash) for row in rows if row.action in ("approve", "edit")]
    assert made == [("approve", None, old), ("edit", old, new), ("approve", None, new)]


def in_force(database: Database, make=lesson, **change: object) -> tuple[int, int]:
    """Two versions, both approved; the second is in force."""
    first = make(database).item_id
    act(database, first, Action.APPROVE, person="lead1")
    second = edited(database, first, "lead2", **(change or {"text": OTHER}))
    act(database, second, Action.APPROVE, person="lead1")
    return first, second


def test_a_rollback_is_a_decision_that_brings_approved_words_back(database: Database) -> None:
    team(database)
    first, second = in_force(database)
    made = act(database, first, Action.ROLL_BACK, person="lead3", text="The new words misled it.")
    assert (item(database, first).status, item(database, second).status) == (Status.ACTIVE, Status.SUPERSEDED)
    assert decided(database, first)[-1] == ("roll_back", "lead3")
    undo(database, decision_id=made.decision_id, person="lead3")
    assert (item(database, first).status, item(database, second).status) == (Status.SUPERSEDED, Status.ACTIVE)


def test_nobody_rolls_back_to_what_was_never_approved_or_to_what_is_in_force(database: Database) -> None:
    team(database)
    waiting = lesson(database).item_id
    first = edited(database, waiting, "lead2", text=OTHER)
    act(database, first, Action.APPROVE, person="lead1")
    with refused(database, "never_approved"):
        act(database, waiting, Action.ROLL_BACK, person="lead3", text="back")
    with refused(database, "no_such_move"):
        act(database, first, Action.ROLL_BACK, person="lead3", text="back")


def test_an_approval_that_was_taken_back_is_none_to_roll_back_to(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    made = act(database, found, Action.APPROVE, person="lead1")
    undo(database, decision_id=made.decision_id, person="lead1")
    newer = edited(database, found, "lead2", text=OTHER)
    act(database, newer, Action.APPROVE, person="lead1")
    with refused(database, "never_approved"):
        act(database, found, Action.ROLL_BACK, person="lead1", text="back")


def test_a_second_approval_that_is_taken_back_leaves_the_first_one_known(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    act(database, found, Action.APPROVE, person="lead1")
    act(database, found, Action.RETIRE, person="lead1", text="old")
    act(database, found, Action.REOPEN, person="lead1", text="not so old")
    made = act(database, found, Action.APPROVE, person="lead1")
    undo(database, decision_id=made.decision_id, person="lead1")
    newer = edited(database, found, "lead2", text=OTHER)
    act(database, newer, Action.APPROVE, person="lead1")
    assert act(database, found, Action.ROLL_BACK, person="lead1", text="back").status == Status.ACTIVE


def test_a_rollback_needs_two_people_where_an_approval_does(database: Database) -> None:
    team(database)
    first = for_every_task(database)
    for name in ("lead1", "lead2"):
        act(database, first, Action.APPROVE, person=name)
    second = edited(database, first, "lead3", text=OTHER)
    for name in ("lead1", "lead2"):
        act(database, second, Action.APPROVE, person=name)
    act(database, first, Action.ROLL_BACK, person="lead1", text="back")
    assert item(database, first).status == Status.SUPERSEDED
    assert act(database, first, Action.ROLL_BACK, person="lead2", text="back").status == Status.ACTIVE


def test_a_rollback_ends_a_suspended_version_too(database: Database) -> None:
    team(database)
    first, second = in_force(database)
    act(database, second, Action.SUSPEND, person="lead1", text="harm")
    act(database, first, Action.ROLL_BACK, person="lead1", text="back")
    assert (item(database, first).status, item(database, second).status) == (Status.ACTIVE, Status.SUPERSEDED)


def test_a_rollback_goes_not_round_a_policy_that_came_since(database: Database) -> None:
    team(database)
    first = lesson(database, LATE).item_id
    act(database, first, Action.APPROVE, person="lead1")
    second = edited(database, first, "lead2", text=OTHER)
    act(database, second, Action.APPROVE, person="lead1")
    policy_arrives(database)
    with pytest.raises(Refused) as told:
        act(database, first, Action.ROLL_BACK, person="lead1", text="back")
    assert (told.value.code, item(database, first).status) == ("against_policy", Status.SUPERSEDED)
    act(database, first, Action.ROLL_BACK, person="lead1", text="back")
    assert item(database, first).status == Status.SUPERSEDED
    assert act(database, first, Action.ROLL_BACK, person="lead2", text="back").status == Status.ACTIVE


def test_the_confidence_of_a_procedure_goes_on_through_an_edit_and_a_rollback(database: Database) -> None:
    team(database)
    first = procedure(database, confidence="0.70").item_id
    act(database, first, Action.APPROVE, person="lead1")
    act(database, first, Action.REINSTATE, person="lead1", text="so", confidence=Decimal("0.80"))
    second = edited(database, first, "lead2", title="Rule first")
    act(database, second, Action.APPROVE, person="lead1")
    act(database, first, Action.ROLL_BACK, person="lead1", text="back")
    with database.reading() as db:
        assert paths(db, [1], DEFAULTS)[1].now == Decimal("0.80")


def test_a_transcript_that_was_masked_meanwhile_is_a_change_of_what_was_on_the_screen(database: Database) -> None:
    team(database)
    found = lesson(database, quotes=(quote(session(database)),)).item_id
    words = "the refund to 4111 1111 1111 1111 has been arranged"
    with database.writing() as db:
        db.exec(select(Evidence).where(Evidence.item_id == found)).one().quote = words
        db.exec(select(SessionMessage).where(SessionMessage.turn == 1)).one().content = f"Yes, {words} for you."
    asked = request(database, found, Action.APPROVE, person="lead1")
    mask_stored(database)
    with refused(database, "content_changed"):
        decide(database, asked)
