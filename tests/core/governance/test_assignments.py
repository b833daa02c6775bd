"""Whose turn it is: given by a lead, in the log, left to them, and ended by a decision or a lost duty."""

import pytest
from sqlmodel import col, select

from core.errors import NotFound, Refused
from core.governance.assignments import assign, may_assign, who_may_decide
from core.governance.audit import verify
from core.governance.desk import undo
from core.governance.people import duties_of, set_person, take_duties
from core.governance.versions import edit
from core.service.desk_views import hand_out
from core.store.oversight_records import Assignment
from core.store.records import Refusal
from core.vocabulary import Action, Duty, RejectReason, Severity
from tests.core.governed import team
from tests.desk import START, act, item, lesson, note, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

SAID = "Look the refund rule up first."
OTHER = "Name the costs that are not given back, such as postage."


@pytest.fixture(name="two")
def _two(database):
    team(database)
    return lesson(database).item_id, lesson(database, OTHER).item_id


def rows(database):
    with database.reading() as db:
        return [
            (one.item_id, one.person, one.by, one.reason)
            for one in db.exec(select(Assignment).order_by(col(Assignment.id))).all()
        ]


def refusals(database):
    with database.reading() as db:
        found = db.exec(select(Refusal).order_by(col(Refusal.id))).all()
        return [(one.item_id, one.action, one.by, one.code) for one in found]


def test_a_lead_gives_items_and_takes_one_back(database, two):
    first, second = two
    assert assign(database, two, "Cleo", by="Ben", reason="She knows refunds", at=START) == ("L-0001", "L-0002")
    assert assign(database, [second], None, by="Ben", at=START) == ("L-0002",)
    assert [item(database, one).assignee for one in two] == ["Cleo", None]
    assert rows(database) == [
        (first, "Cleo", "Ben", "She knows refunds"),
        (second, "Cleo", "Ben", "She knows refunds"),
        (second, None, "Ben", ""),
    ]
    assert verify(database).whole


def test_giving_it_to_whoever_has_it_already_writes_nothing(database, two):
    assign(database, two[:1], "Cleo", by="Ben")
    assert assign(database, two, "Cleo", by="Ben") == ("L-0002",)
    assert len(rows(database)) == 2


@pytest.mark.parametrize(
    ("person", "by", "code"),
    [
        ("Cleo", "Dora", "role"),
        ("Cleo", "nobody", "role"),
        ("Dora", "Ben", "cannot_decide"),
        ("nobody", "Ben", "cannot_decide"),
        ("Cleo", "agent:bot", "agent_token"),
    ],
)
def test_a_refused_assignment_changes_nothing_and_is_logged(database, two, person, by, code):
    with pytest.raises(Refused) as refused:
        assign(database, two[:1], person, by=by)
    assert refused.value.code == code
    assert rows(database) == []
    assert item(database, two[0]).assignee is None
    assert refusals(database) == [(two[0], "assign", by, code)]


def test_all_are_assigned_or_none(database, two):
    act(database, two[1], Action.REJECT, person="Ben", reason=RejectReason.TOO_VAGUE)
    with pytest.raises(Refused, match="waits for nobody"):
        assign(database, two, "Cleo", by="Ben")
    with pytest.raises(NotFound):
        assign(database, [two[0], 999], "Cleo", by="Ben")
    assert item(database, two[0]).assignee is None
    assert rows(database) == []


def test_critical_notes_are_given_by_auditors_to_auditors(database):
    team(database)
    set_person(database, "Eve", {Duty.AUDITOR})
    grave = note(database, session(database), severity=Severity.CRITICAL).item_id
    with pytest.raises(Refused, match="duty admin or auditor"):
        assign(database, [grave], "Eve", by="Ben")
    with pytest.raises(Refused, match="may not decide"):
        assign(database, [grave], "Ben", by="Dora")
    assert item(database, grave).assignee is None
    assign(database, [grave], "Eve", by="Dora")
    assert item(database, grave).assignee == "Eve"
    assert who_may_decide(database, grave) == ("Dora", "Eve")


def test_whoever_proposed_it_is_not_offered_for_it(database):
    team(database)
    assert who_may_decide(database, lesson(database, proposer="Cleo").item_id) == ("Ben",)


def test_who_may_say_whose_turn_it_is_follows_their_duties(database):
    team(database)
    with database.reading() as db:
        ada, ben, dora = (duties_of(db, name) for name in ("Ada", "Ben", "Dora"))
    assert [may_assign("lesson", "high", one) for one in (ada, ben, dora)] == [True, True, False]
    assert [may_assign("note", "critical", one) for one in (ada, ben, dora)] == [True, False, True]


def test_the_desk_hands_out_what_is_theirs_first_and_leaves_what_is_anothers(database, two):
    assign(database, two[1:], "Cleo", by="Ben")
    assert hand_out(database, two, "Cleo") == two[1]
    assert hand_out(database, two, "Ben") == two[0]
    assert hand_out(database, two[1:], "Ben") is None
    assert hand_out(database, two, "Cleo", in_turn=True) == two[1]


def test_whoever_it_was_not_given_to_can_still_decide(database, two):
    assign(database, two[:1], "Cleo", by="Ben")
    act(database, two[0], Action.APPROVE, person="Ben")
    assert (item(database, two[0]).status, item(database, two[0]).assignee) == ("active", None)


def test_an_undone_decision_is_theirs_again(database, two):
    assign(database, two[:1], "Cleo", by="Ben")
    done = act(database, two[0], Action.REJECT, person="Cleo", reason=RejectReason.TOO_VAGUE)
    undo(database, decision_id=done.decision_id, person="Cleo")
    assert item(database, two[0]).assignee == "Cleo"


def test_a_newer_version_goes_along_unless_they_wrote_it(database, two):
    assign(database, two, "Cleo", by="Ben")
    made = edit(database, item_id=two[0], person="Ben", revision_seen=1, changes={"text": SAID})
    assert item(database, made.item_id).assignee == "Cleo"
    assert item(database, two[0]).assignee is None
    assert rows(database)[-1] == (made.item_id, "Cleo", "Ben", "went along with v2")
    made = edit(database, item_id=two[1], person="Cleo", revision_seen=1, changes={"text": f"{OTHER[:-1]} and fees."})
    assert item(database, made.item_id).assignee is None
    assert verify(database).whole


def test_with_the_duty_goes_what_was_given_in_the_same_act(database, two):
    assign(database, two, "Cleo", by="Ben")
    take_duties(database, "Cleo", by="Ada")
    assert [item(database, one).assignee for one in two] == [None, None]
    said = "Cleo may no longer decide about it"
    assert rows(database)[2:] == [(two[0], None, "Ada", said), (two[1], None, "Ada", said)]
    assert verify(database).whole


def test_a_refused_loss_of_duties_takes_nothing_away(database, two):
    assign(database, two[:1], "Cleo", by="Ben")
    with pytest.raises(Refused):
        take_duties(database, "Cleo", by="Ben")
    assert item(database, two[0]).assignee == "Cleo"
