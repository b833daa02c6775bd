"""What one person cannot do alone: the first one's yes is kept, and counts only for what they said it about."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from core.errors import AlreadyDecided, Refused
from core.governance.audit import verify
from core.governance.desk import decide, undo
from core.governance.people import set_person
from core.governance.versions import edit
from core.service.card_views import card
from core.store.database import Database
from core.store.records import Decision
from core.vocabulary import Action, DismissReason, Duty, RejectReason, Severity, Status
from tests.core.governance.at_the_desk import (
    LATE,
    against_policy,
    decided,
    edited,
    for_every_task,
    further_proof,
    policy_arrives,
    refused,
    remark,
    screened_again,
    team,
)
from tests.desk import act, item, lesson, note, procedure, request, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")


def test_what_holds_for_every_task_is_active_only_after_two_people_have_said_yes(database: Database) -> None:
    team(database)
    found = for_every_task(database)
    first = act(database, found, Action.APPROVE, person="lead1")
    assert (first.status, item(database, found).status) == (Status.PROPOSED, Status.PROPOSED)
    assert "one more person" in first.text
    assert act(database, found, Action.APPROVE, person="lead2").status == Status.ACTIVE
    assert decided(database, found)[1:] == [("endorse", "lead1"), ("approve", "lead2")]


def test_the_same_person_twice_is_one_person(database: Database) -> None:
    team(database)
    found = for_every_task(database)
    asked = request(database, found, Action.APPROVE, person="lead1")
    first, again = decide(database, asked), decide(database, asked)
    assert (first.already, again.already, again.decision_id) == (False, True, first.decision_id)
    with refused(database, "endorsed"):
        act(database, found, Action.APPROVE, person="lead1")
    assert item(database, found).status == Status.PROPOSED


def test_two_at_once_are_the_first_and_somebody_who_must_look_again(database: Database) -> None:
    team(database)
    found = for_every_task(database)
    both = [request(database, found, Action.APPROVE, person=name) for name in ("lead1", "lead2")]

    def attempt(one: object) -> str:
        try:
            return decide(database, one).status  # type: ignore[arg-type]
        except AlreadyDecided:
            return "look again"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(attempt, both)) == ["look again", Status.PROPOSED]


def test_what_touches_a_policy_needs_two_people(database: Database) -> None:
    team(database)
    found = against_policy(database)
    assert act(database, found, Action.APPROVE, person="lead1").status == Status.PROPOSED
    assert act(database, found, Action.APPROVE, person="lead2").status == Status.ACTIVE


def test_a_policy_that_came_after_the_first_yes_lets_it_lapse(database: Database) -> None:
    team(database)
    found = for_every_task(database, LATE)
    act(database, found, Action.APPROVE, person="lead1")
    policy_arrives(database)
    with pytest.raises(Refused) as told:
        act(database, found, Action.APPROVE, person="lead2")
    assert told.value.code == "against_policy"
    assert act(database, found, Action.APPROVE, person="lead2").status == Status.PROPOSED
    assert act(database, found, Action.APPROVE, person="lead1").status == Status.ACTIVE


def test_what_widens_a_permission_needs_two_people_also_when_it_was_remarked_only_later(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    remark(database, found, "widens_permission:waives")
    assert act(database, found, Action.APPROVE, person="lead1").status == Status.PROPOSED
    assert act(database, found, Action.APPROVE, person="lead2").status == Status.ACTIVE


def test_a_critical_note_is_dismissed_by_two_auditors(database: Database) -> None:
    team(database)
    found = note(database, session(database), severity=Severity.CRITICAL).item_id
    said = {"reason": DismissReason.NOT_TRUE, "text": "The refund was real."}
    with refused(database, "role"):
        act(database, found, Action.DISMISS, person="lead1", **said)
    act(database, found, Action.DISMISS, person="auditor1", **said)
    assert item(database, found).status == Status.OPEN
    act(database, found, Action.DISMISS, person="auditor2", **said)
    assert item(database, found).status == Status.DISMISSED


def test_a_critical_note_stays_one_when_somebody_has_edited_its_severity(database: Database) -> None:
    team(database)
    found = note(database, session(database), severity=Severity.CRITICAL).item_id
    lower = edited(database, found, "auditor1", severity=Severity.LOW)
    shown = card(database, lower, person="lead1")
    assert (shown.severity, shown.gravest) == (Severity.LOW, Severity.CRITICAL)
    assert shown.why_off == "Only a person with the duty auditor may resolve it."
    said = {"reason": DismissReason.NOT_TRUE, "text": "The refund was real."}
    with refused(database, "role"):
        act(database, lower, Action.DISMISS, person="lead1", **said)
    act(database, lower, Action.DISMISS, person="auditor1", **said)
    assert item(database, lower).status == Status.OPEN
    assert act(database, lower, Action.DISMISS, person="auditor2", **said).status == Status.DISMISSED


def test_a_yes_of_somebody_whose_right_was_withdrawn_counts_no_more(database: Database) -> None:
    team(database)
    found = for_every_task(database)
    act(database, found, Action.APPROVE, person="lead1")
    set_person(database, "lead1", {Duty.DEVELOPER})
    assert act(database, found, Action.APPROVE, person="lead2").status == Status.PROPOSED
    assert act(database, found, Action.APPROVE, person="lead3").status == Status.ACTIVE


def test_further_evidence_after_the_first_yes_asks_for_it_again(database: Database) -> None:
    team(database)
    found = for_every_task(database)
    act(database, found, Action.APPROVE, person="lead1")
    further_proof(database, found)
    assert act(database, found, Action.APPROVE, person="lead2").status == Status.PROPOSED
    assert act(database, found, Action.APPROVE, person="lead1").status == Status.ACTIVE


def test_other_words_need_two_people_of_their_own(database: Database) -> None:
    team(database)
    found = for_every_task(database)
    act(database, found, Action.APPROVE, person="lead1")
    newer = edited(database, found, "lead3", text="Look the refund rule up before any promise.")
    assert act(database, newer, Action.APPROVE, person="lead2").status == Status.PROPOSED
    assert act(database, newer, Action.APPROVE, person="lead1").status == Status.ACTIVE


def test_a_first_yes_does_not_outlive_a_rejection(database: Database) -> None:
    team(database)
    found = for_every_task(database)
    act(database, found, Action.APPROVE, person="lead1")
    act(database, found, Action.REJECT, person="lead3", reason=RejectReason.NOT_TRUE)
    act(database, found, Action.REOPEN, person="lead3", text="It is true.")
    assert act(database, found, Action.APPROVE, person="lead2").status == Status.PROPOSED


@pytest.mark.parametrize("between", ["approved", "rejected", "edited"])
def test_a_first_yes_does_not_outlive_what_was_undone_since(database: Database, between: str) -> None:
    team(database)
    found = for_every_task(database)
    act(database, found, Action.APPROVE, person="lead1")
    if between == "approved":
        done = act(database, found, Action.APPROVE, person="lead2")
    elif between == "rejected":
        done = act(database, found, Action.REJECT, person="lead2", reason=RejectReason.NOT_TRUE)
    else:
        seen, words = item(database, found).revision, {"text": "Look the refund rule up before any promise."}
        done = edit(database, item_id=found, person="lead2", revision_seen=seen, changes=words)
    undo(database, decision_id=done.decision_id, person="lead2")
    assert act(database, found, Action.APPROVE, person="lead3").status == Status.PROPOSED
    assert act(database, found, Action.APPROVE, person="lead2").status == Status.ACTIVE
    assert verify(database).whole


def test_a_first_yes_can_be_taken_back(database: Database) -> None:
    team(database)
    found = for_every_task(database)
    made = act(database, found, Action.APPROVE, person="lead1")
    undo(database, decision_id=made.decision_id, person="lead1")
    assert item(database, found).status == Status.PROPOSED
    assert act(database, found, Action.APPROVE, person="lead2").status == Status.PROPOSED


def test_a_first_yes_to_one_act_is_none_to_another(database: Database) -> None:
    team(database)
    found = for_every_task(database)
    act(database, found, Action.APPROVE, person="lead1")
    act(database, found, Action.APPROVE, person="lead2")
    act(database, found, Action.SUSPEND, person="lead1", text="for now")
    act(database, found, Action.REINSTATE, person="lead1", text="again")
    assert item(database, found).status == Status.SUSPENDED
    assert act(database, found, Action.REINSTATE, person="lead2", text="again").status == Status.ACTIVE


def test_two_people_reinstate_a_procedure_at_the_same_confidence(database: Database) -> None:
    team(database)
    found = procedure(database).item_id
    act(database, found, Action.APPROVE, person="lead1")
    remark(database, found, "widens_permission:waives")
    said = {"text": "The tool was broken."}
    act(database, found, Action.REINSTATE, person="lead1", confidence=Decimal("0.60"), **said)
    other = act(database, found, Action.REINSTATE, person="lead2", confidence=Decimal("0.90"), **said)
    assert "endorsed" in other.text
    made = act(database, found, Action.REINSTATE, person="lead3", confidence=Decimal("0.60"), **said)
    with database.reading() as db:
        assert (db.get_one(Decision, made.decision_id).action, item(database, found).status) == ("reinstate", "active")


@pytest.mark.parametrize("taken_back", [Action.SUSPEND, Action.RETIRE])
def test_an_undo_brings_nothing_into_force_that_needs_two_people_by_now(database: Database, taken_back: Action) -> None:
    team(database)
    found = lesson(database, LATE).item_id
    act(database, found, Action.APPROVE, person="lead1")
    out = act(database, found, taken_back, person="lead1", text="for now")
    policy_arrives(database)
    with refused(database, "against_policy"):
        undo(database, decision_id=out.decision_id, person="lead1")
    screened_again(database, found)
    with refused(database, "needs_two"):
        undo(database, decision_id=out.decision_id, person="lead1")


def test_an_undo_brings_back_what_two_people_had_approved(database: Database) -> None:
    team(database)
    found = for_every_task(database)
    act(database, found, Action.APPROVE, person="lead1")
    act(database, found, Action.APPROVE, person="lead2")
    out = act(database, found, Action.SUSPEND, person="lead1", text="a slip")
    undo(database, decision_id=out.decision_id, person="lead1")
    assert item(database, found).status == Status.ACTIVE


def test_alone_one_person_is_enough_and_the_decision_says_so(database: Database) -> None:
    found = for_every_task(database)
    made = act(database, found, Action.APPROVE)
    with database.reading() as db:
        assert (made.status, db.get_one(Decision, made.decision_id).self_approved) == (Status.ACTIVE, True)


def test_as_soon_as_there_are_two_people_two_are_needed(database: Database) -> None:
    set_person(database, "lead1", {Duty.LEAD})
    first = for_every_task(database)
    assert act(database, first, Action.APPROVE, person="lead1").status == Status.ACTIVE
    set_person(database, "lead2", {Duty.LEAD})
    second = for_every_task(database, "Ask for the order number before you look an order up.")
    made = act(database, second, Action.APPROVE, person="lead1")
    with database.reading() as db:
        row = db.get_one(Decision, made.decision_id)
        assert (row.action, row.self_approved, item(database, second).status) == ("endorse", False, "proposed")
