"""What leaves the store, and what comes back: briefings, receipts and outcomes."""

from datetime import timedelta
from decimal import Decimal

import pytest

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.effects.outcomes import report_outcome
from core.errors import NotFound, Refused
from core.service.briefing_views import Shown, briefing_view
from core.service.procedure_views import procedures
from core.store.database import Database
from core.store.records import AgentSession, ReportedOutcome
from core.vocabulary import (
    LESSONS_HEADING,
    NOTES_HEADING,
    PROCEDURES_HEADING,
    Action,
    Outcome,
    RejectReason,
    Severity,
    Status,
)
from tests.desk import START, act, agent, item, lesson, note, procedure, session, unchecked_statuses

pytestmark = pytest.mark.databases("sqlite", "postgresql")

ASKED = Asked("Campus Desk", "student 1", "refunds", "A student wants a refund")


def texts(database: Database, asked: Asked = ASKED) -> list[str]:
    return [message["content"] for message in issue(database, asked).messages]


def test_with_nothing_approved_the_base_prompt_stands_alone_and_unchanged(database: Database) -> None:
    agent(database)
    lesson(database)
    procedure(database)
    assert texts(database) == ["You are Campus Desk."]


def test_procedures_are_numbered_and_appended_to_the_base_prompt(database: Database) -> None:
    for title, confidence in (("Policy first", "0.60"), ("Dates next", "0.70")):
        act(database, procedure(database, title, confidence=confidence).item_id, Action.APPROVE)
    (first,) = texts(database)
    assert first == (
        f"You are Campus Desk.\n\n{PROCEDURES_HEADING}\n"
        "1. Dates next\n   Trigger: When a student asks for a refund\n"
        "   Dates next: look the refund rule up before you answer.\n"
        "2. Policy first\n   Trigger: When a student asks for a refund\n"
        "   Policy first: look the refund rule up before you answer."
    )


def test_notes_and_lessons_come_as_messages_of_their_own(database: Database) -> None:
    note(database, session(database))
    act(database, lesson(database).item_id, Action.APPROVE)
    base, notes, lessons = texts(database)
    assert base == "You are Campus Desk."
    assert notes.startswith(NOTES_HEADING)
    assert "A refund was promised" in notes
    assert lessons == f"{LESSONS_HEADING}\n- Check the refund policy before you promise a refund."


def test_nothing_that_is_not_approved_leaves_through_any_door(database: Database) -> None:
    words = ["course", "book", "trip", "room", "meal", "parking"]
    ids = [lesson(database, f"Check the {word} refund rule before you answer.").item_id for word in words]
    for found in ids:
        act(database, found, Action.APPROVE)
    odd = ["active", "proposed", "rejected", "retired", "expired", "some future state"]
    unchecked_statuses(database, dict(zip(ids, odd, strict=True)))
    assert [read.ref for read in issue(database, ASKED).items] == ["L-0001"]
    view = briefing_view(database, Asked("Campus Desk", None, "refunds", ASKED.task))
    assert [line.item for line in view.lines if line.item] == ["L-0001"]


@pytest.mark.parametrize("status", [*Status, "some future state"])
def test_only_what_is_in_force_leaves_whatever_its_kind(database: Database, status: str) -> None:
    ids = [lesson(database).item_id, procedure(database).item_id, note(database, session(database)).item_id]
    for found in ids[:2]:
        act(database, found, Action.APPROVE)
    assert sorted(read.ref for read in issue(database, ASKED).items) == ["L-0001", "N-0001", "P-0001"]
    unchecked_statuses(database, dict.fromkeys(ids, status))
    left = {Status.ACTIVE: ["L-0001", "P-0001"], Status.OPEN: ["N-0001"]}.get(status, [])
    assert sorted(read.ref for read in issue(database, ASKED).items) == left


def test_notes_of_another_user_stay_with_that_user(database: Database) -> None:
    note(database, session(database))
    assert len(texts(database)) == 2
    assert len(texts(database, Asked("Campus Desk", "student 2", "refunds", "x"))) == 1


@pytest.mark.parametrize(("severity", "read"), [(Severity.MEDIUM, True), (Severity.LOW, False)])
def test_only_notes_of_medium_or_worse_are_read(database: Database, severity: Severity, read: bool) -> None:
    note(database, session(database), severity=severity)
    assert (len(texts(database)) == 2) is read


def test_a_note_whose_quote_was_not_found_is_held_and_not_read(database: Database) -> None:
    found = note(database, session(database), found=False).item_id
    assert item(database, found).status == Status.HELD
    assert len(texts(database)) == 1


def test_a_resolved_note_is_no_longer_read_and_stays_in_the_store(database: Database) -> None:
    found = note(database, session(database), severity=Severity.CRITICAL).item_id
    act(database, found, Action.RESOLVE, text="The student was called.")
    assert len(texts(database)) == 1
    assert item(database, found).status == Status.RESOLVED


def test_a_lesson_of_another_task_class_is_not_read(database: Database) -> None:
    act(database, lesson(database).item_id, Action.APPROVE)
    assert not issue(database, Asked("Campus Desk", None, "certificates", "A refund")).items


def test_a_preview_shows_a_waiting_lesson_as_if_it_were_approved_and_approves_nothing(database: Database) -> None:
    found = lesson(database).item_id
    view = briefing_view(database, Asked("Campus Desk", None, "refunds", "a refund"), Shown(with_item=found))
    assert [line.item for line in view.lines if line.new] == ["L-0001"]
    assert item(database, found).status == Status.PROPOSED
    assert not issue(database, ASKED).items


def test_an_unknown_agent_has_no_briefing(database: Database) -> None:
    with pytest.raises(NotFound):
        issue(database, Asked("Nobody"))


def confidence(database: Database, number: int = 1) -> Decimal:
    return {row.ref: row for row in procedures(database).rows}[f"P-{number:04d}"].confidence


def test_an_outcome_moves_exactly_the_procedures_on_its_receipt_and_once(database: Database) -> None:
    act(database, procedure(database, "Policy first").item_id, Action.APPROVE)
    receipt = issue(database, ASKED).receipt
    act(database, procedure(database, "Dates next").item_id, Action.APPROVE)
    first = report_outcome(database, receipt, Outcome.SUCCESS)
    again = report_outcome(database, receipt, Outcome.SUCCESS)
    assert [(one.ref, str(one.before), str(one.after)) for one in first.moved] == [("P-0001", "0.60", "0.68")]
    assert (again.already, again.moved) == (True, ())
    assert (confidence(database, 1), confidence(database, 2)) == (Decimal("0.68"), Decimal("0.60"))


def test_another_outcome_on_the_same_receipt_is_refused_and_moves_nothing(database: Database) -> None:
    act(database, procedure(database).item_id, Action.APPROVE)
    receipt = issue(database, ASKED).receipt
    report_outcome(database, receipt, Outcome.SUCCESS)
    with pytest.raises(Refused) as told:
        report_outcome(database, receipt, Outcome.FAILURE)
    assert told.value.code == "duplicate"
    assert confidence(database) == Decimal("0.68")


def test_a_session_counts_once_even_when_it_read_twice(database: Database) -> None:
    session(database)
    act(database, procedure(database).item_id, Action.APPROVE)
    one, two = issue(database, ASKED).receipt, issue(database, ASKED).receipt
    report_outcome(database, one, Outcome.SUCCESS, session_ref="CD-1")
    with pytest.raises(Refused) as told:
        report_outcome(database, two, Outcome.SUCCESS, session_ref="CD-1")
    assert told.value.code == "duplicate"
    assert confidence(database) == Decimal("0.68")


def test_two_failures_take_a_procedure_out_of_the_briefing(database: Database) -> None:
    act(database, procedure(database, confidence="0.60").item_id, Action.APPROVE)
    one, two = issue(database, ASKED).receipt, issue(database, ASKED).receipt
    for receipt in (one, two):
        report_outcome(database, receipt, Outcome.FAILURE)
    assert confidence(database) == Decimal("0.30")
    assert texts(database) == ["You are Campus Desk."]
    view = briefing_view(database, Asked("Campus Desk"))
    assert view.left_out == ("P-0001: 0.30, below 0.55",)


def test_the_path_follows_the_sessions_not_the_arrival_and_shows_gaps(database: Database) -> None:
    for number, days in ((1, 1), (2, 2), (3, 3)):
        session(database, f"CD-{number}", days=days)
    act(database, procedure(database, confidence="0.60").item_id, Action.APPROVE)
    receipts = [issue(database, ASKED, at=START + timedelta(days=4 + n)).receipt for n in range(4)]
    report_outcome(database, receipts[0], Outcome.FAILURE, session_ref="CD-3")
    report_outcome(database, receipts[1], Outcome.SUCCESS, session_ref="CD-1")
    report_outcome(database, receipts[2], Outcome.SUCCESS, session_ref="CD-2")
    (row,) = procedures(database).rows
    assert [(point.what, point.value and str(point.value)) for point in row.path] == [
        ("start", "0.60"),
        ("success", "0.68"),
        ("success", "0.76"),
        ("failure", "0.61"),
        ("no outcome", None),
    ]


def test_an_edited_procedure_keeps_its_path(database: Database) -> None:
    from core.governance.versions import edit
    from tests.desk import OPERATOR

    found = procedure(database).item_id
    act(database, found, Action.APPROVE)
    report_outcome(database, issue(database, ASKED).receipt, Outcome.SUCCESS)
    edit(database, item_id=found, person=OPERATOR, revision_seen=2, changes={"instruction": "Quote the refund rule."})
    act(database, 2, Action.APPROVE)
    (row,) = procedures(database).rows
    assert (row.version, row.confidence) == (2, Decimal("0.68"))


def test_an_undone_reinstatement_counts_for_nothing(database: Database) -> None:
    from core.governance.desk import undo
    from tests.desk import OPERATOR

    found = procedure(database).item_id
    act(database, found, Action.APPROVE)
    made = act(database, found, Action.REINSTATE, text="Try again", confidence=Decimal("0.80"))
    assert confidence(database) == Decimal("0.80")
    undo(database, decision_id=made.decision_id, person=OPERATOR)
    assert confidence(database) == Decimal("0.60")


def test_a_rejected_procedure_is_no_procedure(database: Database) -> None:
    act(database, procedure(database).item_id, Action.REJECT, reason=RejectReason.TOO_VAGUE)
    assert procedures(database, status="all").rows == ()


def test_notes_of_sessions_without_a_user_are_read_by_nobody(database: Database) -> None:
    note(database, session(database, user=None), user=None)
    assert len(texts(database, Asked("Campus Desk", None, "refunds", "x"))) == 1


def test_a_session_of_another_user_is_not_the_one_that_read_the_receipt(database: Database) -> None:
    session(database, "CD-9", user="student 9")
    act(database, procedure(database).item_id, Action.APPROVE)
    receipt = issue(database, ASKED).receipt
    with pytest.raises(Refused) as told:
        report_outcome(database, receipt, Outcome.SUCCESS, session_ref="CD-9")
    assert told.value.code == "other_user"
    assert confidence(database) == Decimal("0.60")


def test_a_session_of_another_task_class_is_not_the_one_that_read_the_receipt(database: Database) -> None:
    session(database)
    act(database, procedure(database).item_id, Action.APPROVE)
    receipt = issue(database, Asked("Campus Desk", "student 1", "orders", "An order that is late")).receipt
    with pytest.raises(Refused) as told:
        report_outcome(database, receipt, Outcome.FAILURE, session_ref="CD-1")
    assert told.value.code == "other_task"
    assert str(told.value) == f"CD-1 is a session of the task class refunds; {receipt} was read for orders."
    assert confidence(database) == Decimal("0.60")
    with database.reading() as db:
        assert db.get(ReportedOutcome, receipt) is None


@pytest.mark.parametrize(
    ("asked_for", "ran_as"), [("refunds", "refunds"), (None, "refunds"), ("", "refunds"), ("refunds", "general")]
)
def test_where_the_receipt_or_the_session_names_no_task_class_the_outcome_counts(
    database: Database, asked_for: str | None, ran_as: str
) -> None:
    ran = session(database)
    with database.writing() as db:
        db.get_one(AgentSession, ran).task_class = ran_as
    act(database, procedure(database).item_id, Action.APPROVE)
    receipt = issue(database, Asked("Campus Desk", "student 1", asked_for, "A refund")).receipt
    report_outcome(database, receipt, Outcome.SUCCESS, session_ref="CD-1")
    assert confidence(database) == Decimal("0.68")
