"""What was rejected does not come back by itself: a return is refused and counted; an appeal asks for another look."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from sqlmodel import col, select

from core.errors import Tombstone
from core.governance.desk import undo
from core.governance.people import set_person
from core.service.feedback import mark_wrong
from core.store.database import Database
from core.store.governance_records import Return
from core.store.records import Item
from core.vocabulary import Action, DismissReason, Duty, RejectReason, Role, Severity, Status
from tests.core.governance.at_the_desk import decided, edited, refused, team
from tests.core.governance.test_drafts_door import from_the_critic, said
from tests.desk import act, agent, item, lesson, note, procedure, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

TEXT = "Check the refund policy before you promise a refund."
TWIN = "Check the refund policy before you promise any refund."
OTHER = "Ask for the order number before you look an order up."
WHY = {"reason": RejectReason.NOT_TRUE}


def rejected(database: Database, text: str = TEXT) -> int:
    team(database)
    found = lesson(database, text).item_id
    act(database, found, Action.REJECT, person="lead1", **WHY)
    return found


def returns(database: Database, item_id: int) -> list[tuple[int, str, str, bool]]:
    with database.reading() as db:
        rows = db.exec(select(Return).where(Return.item_id == item_id).order_by(col(Return.number))).all()
        return [(row.number, row.proposer, row.text, row.is_twin) for row in rows]


def items(database: Database) -> int:
    with database.reading() as db:
        return len(db.exec(select(Item.id)).all())


@pytest.mark.parametrize(
    ("text", "is_twin"),
    [(TEXT, False), ("check the  REFUND policy before you promise a refund.", False), (TWIN, True)],
)
def test_a_rejected_text_or_its_twin_is_not_stored_again_but_counted_and_shown(
    database: Database, text: str, is_twin: bool
) -> None:
    found = rejected(database)
    again = lesson(database, text, proposer="check other")
    assert (again.what, again.item_id, items(database)) == ("returned", found, 1)
    assert (item(database, found).returns, item(database, found).status) == (1, Status.REJECTED)
    assert returns(database, found) == [(1, "check other", " ".join(text.split()), is_twin)]


def test_a_rejected_text_comes_not_back_through_the_critic(database: Database) -> None:
    found = rejected(database)
    again = from_the_critic(database, TWIN, said(database, Role.ASSISTANT, "I have arranged the refund."))
    assert (again.what, again.item_id, items(database)) == ("returned", found, 1)


def test_a_rejected_text_comes_not_back_through_a_person_who_marks_an_answer_as_wrong(database: Database) -> None:
    agent(database)
    wrong = session(database)
    team(database)
    made = mark_wrong(database, wrong, person="lead1", reason="not so", next_time=TEXT, turn=1).lesson
    assert made is not None
    act(database, made.item_id, Action.REJECT, person="lead2", **WHY)
    for count in (1, 2):
        again = mark_wrong(database, wrong, person="lead1", reason="not so", next_time=TEXT, turn=1).lesson
        assert again is not None
        assert (again.what, again.item_id) == ("returned", made.item_id)
        assert item(database, made.item_id).returns == count


@pytest.mark.parametrize("text", [TEXT, TWIN])
def test_a_rejected_text_comes_not_back_through_an_edit_of_another(database: Database, text: str) -> None:
    found = rejected(database)
    other = lesson(database, OTHER).item_id
    with pytest.raises(Tombstone, match="an appeal is possible") as told:
        edited(database, other, "lead2", text=text)
    assert told.value.item_id == found
    assert (item(database, other).status, items(database)) == (Status.PROPOSED, 2)
    assert returns(database, found) == [(1, "lead2", text, text != TEXT)]


def test_a_rejected_version_comes_not_back_as_the_next_version_of_the_same(database: Database) -> None:
    team(database)
    first = lesson(database, OTHER).item_id
    act(database, first, Action.APPROVE, person="lead1")
    second = edited(database, first, "lead2", text=TEXT)
    act(database, second, Action.REJECT, person="lead1", **WHY)
    for text in (TEXT, TWIN):
        with pytest.raises(Tombstone):
            edited(database, first, "lead2", text=text)
    assert (item(database, second).returns, items(database)) == (2, 2)
    third = edited(database, first, "lead2", text="Ask for the order number before you look any order up.")
    assert item(database, third).status == Status.PROPOSED


def test_while_an_appeal_waits_the_text_is_still_refused(database: Database) -> None:
    found = rejected(database)
    act(database, found, Action.APPEAL, person="dev1", text="It is true.")
    assert lesson(database, TWIN).what == "returned"
    assert (item(database, found).status, items(database)) == (Status.APPEALED, 1)


def test_an_appeal_needs_a_comment_and_anybody_with_a_duty_may_make_one(database: Database) -> None:
    found = rejected(database)
    with refused(database, "text_needed"):
        act(database, found, Action.APPEAL, person="dev1", text=" ")
    with refused(database, "role"):
        act(database, found, Action.APPEAL, person="a stranger", text="It is true.")
    assert act(database, found, Action.APPEAL, person="dev1", text="It is true.").status == Status.APPEALED


def test_an_appeal_is_decided_by_somebody_else_than_whoever_made_it_and_whoever_rejected(database: Database) -> None:
    found = rejected(database)
    act(database, found, Action.APPEAL, person="lead2", text="It is true.")
    for action in (Action.GRANT, Action.DENY):
        with refused(database, "own_appeal"):
            act(database, found, action, person="lead2", text="mine")
        with refused(database, "own_decision"):
            act(database, found, action, person="lead1", text="mine")
        with refused(database, "role"):
            act(database, found, action, person="auditor1", text="not mine")
    assert act(database, found, Action.GRANT, person="lead3").status == Status.PROPOSED
    assert [act_ for act_, _ in decided(database, found)] == ["propose", "reject", "appeal", "grant"]


def test_whoever_denied_an_appeal_does_not_decide_the_next_one(database: Database) -> None:
    found = rejected(database)
    act(database, found, Action.APPEAL, person="dev1", text="It is true.")
    act(database, found, Action.DENY, person="lead2", text="It is not.")
    act(database, found, Action.APPEAL, person="dev1", text="Look at it again.")
    with refused(database, "own_decision"):
        act(database, found, Action.GRANT, person="lead2")
    assert act(database, found, Action.GRANT, person="lead3").status == Status.PROPOSED


def test_a_denial_is_said_with_words_and_leaves_the_rejection(database: Database) -> None:
    found = rejected(database)
    act(database, found, Action.APPEAL, person="dev1", text="It is true.")
    with refused(database, "text_needed"):
        act(database, found, Action.DENY, person="lead2")
    assert act(database, found, Action.DENY, person="lead2", text="It is not.").status == Status.REJECTED


def test_whoever_endorsed_a_dismissal_does_not_decide_the_appeal_about_it(database: Database) -> None:
    team(database)
    set_person(database, "auditor3", {Duty.AUDITOR})
    found = note(database, session(database), severity=Severity.CRITICAL).item_id
    said_so = {"reason": DismissReason.NOT_TRUE, "text": "The refund was real."}
    act(database, found, Action.DISMISS, person="auditor1", **said_so)
    act(database, found, Action.DISMISS, person="auditor2", **said_so)
    act(database, found, Action.APPEAL, person="lead1", text="It was not.")
    for person in ("auditor1", "auditor2"):
        with refused(database, "own_decision"):
            act(database, found, Action.GRANT, person=person)
    assert act(database, found, Action.GRANT, person="auditor3").status == Status.OPEN


def test_what_was_approved_after_an_appeal_is_in_force_and_returns_no_more(database: Database) -> None:
    found = rejected(database)
    act(database, found, Action.APPEAL, person="lead2", text="It is true.")
    act(database, found, Action.GRANT, person="lead3")
    assert act(database, found, Action.APPROVE, person="lead1").status == Status.ACTIVE


SO = {"text": "because"}


@pytest.mark.parametrize(
    ("before", "last", "by"),
    [
        ((), Action.REJECT, "lead1"),
        ((Action.REJECT,), Action.REOPEN, "lead1"),
        ((Action.REJECT,), Action.APPEAL, "dev1"),
        ((Action.REJECT, Action.APPEAL), Action.GRANT, "lead2"),
        ((Action.REJECT, Action.APPEAL), Action.DENY, "lead2"),
        ((), Action.APPROVE, "lead1"),
        ((Action.APPROVE,), Action.SUSPEND, "lead1"),
        ((Action.APPROVE,), Action.RETIRE, "lead1"),
        ((Action.APPROVE, Action.SUSPEND), Action.REINSTATE, "lead1"),
        ((Action.APPROVE, Action.SUSPEND), Action.RETIRE, "lead1"),
        ((Action.APPROVE, Action.RETIRE), Action.REOPEN, "lead1"),
    ],
    ids=str,
)
@pytest.mark.parametrize("make", [lesson, procedure])
def test_every_decision_can_be_taken_back_once_by_whoever_made_it(
    database: Database, make: Callable[[Database], object], before: tuple[Action, ...], last: Action, by: str
) -> None:
    team(database)
    found = make(database).item_id  # type: ignore[attr-defined]
    who = {Action.APPEAL: "dev1"}
    stated = {Action.REINSTATE: {"confidence": Decimal("0.70")}}
    for action in before:
        act(database, found, action, person=who.get(action, "lead1"), **SO, **_reason(action), **stated.get(action, {}))
    was = item(database, found).status
    made = act(database, found, last, person=by, **SO, **_reason(last), **stated.get(last, {}))
    with refused(database, "not_yours"):
        undo(database, decision_id=made.decision_id, person="lead3")
    undo(database, decision_id=made.decision_id, person=by)
    assert item(database, found).status == was
    with refused(database, "already_undone"):
        undo(database, decision_id=made.decision_id, person=by)
    assert act(database, found, last, person=by, **SO, **_reason(last), **stated.get(last, {})).status == made.status


def _reason(action: Action) -> dict[str, object]:
    return dict(WHY) if action is Action.REJECT else {}
