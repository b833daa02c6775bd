"""Who may not act on what: whoever proposed it, appealed about it, or decided it before. Tokens never may."""

from decimal import Decimal

import pytest
from sqlmodel import select

from core.errors import BadInput, Refused
from core.governance.acts import Request
from core.governance.desk import decide, undo
from core.governance.drafts import NoteContent, ProcedureContent
from core.governance.gate import FINDINGS
from core.governance.leases import claim
from core.governance.people import duties_of, local_operator, set_person
from core.governance.tokens import make_token
from core.governance.versions import edit
from core.screening.contract import Follows, Place, Screen, ScreenFinding
from core.screening.secrets import mask
from core.service.feedback import mark_wrong
from core.store.database import Database
from core.store.governance_records import KeptWords, Lease, RightsChange
from core.store.records import Decision, Feedback, Item, Refusal, Screening
from core.vocabulary import Action, Dimension, DismissReason, Duty, RejectReason, Severity, Status, Verb
from tests.core.governance.at_the_desk import decided, edited, refusals, refused, remark, team
from tests.desk import OPERATOR, act, agent, item, lesson, note, procedure, put, quote, request, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

WHY = {"reason": RejectReason.NOT_TRUE}


def test_the_proposer_may_reject_a_text_and_not_approve_it_and_an_auditor_may_neither(database: Database) -> None:
    team(database)
    set_person(database, "dev1", {Duty.DEVELOPER, Duty.LEAD})
    found = lesson(database, proposer="dev1").item_id
    with refused(database, "own_item"):
        act(database, found, Action.APPROVE, person="dev1")
    with refused(database, "role"):
        act(database, found, Action.APPROVE, person="auditor1")
    act(database, found, Action.REJECT, person="dev1", **WHY)
    assert refusals(database) == [("own_item", "dev1"), ("role", "auditor1")]


def test_whoever_edits_a_text_has_proposed_it(database: Database) -> None:
    team(database)
    newer = edited(database, lesson(database).item_id, "lead1", text="Look the refund rule up first.")
    with refused(database, "own_item"):
        act(database, newer, Action.APPROVE, person="lead1")
    assert act(database, newer, Action.APPROVE, person="lead2").status == Status.ACTIVE


def test_an_edit_by_somebody_else_does_not_make_ones_own_words_anothers(database: Database) -> None:
    team(database)
    mine = edited(database, lesson(database).item_id, "lead1", text="Look the refund rule up first.")
    retagged = edited(database, mine, "lead2", tags=("refund",))
    with refused(database, "own_item"):
        act(database, retagged, Action.APPROVE, person="lead1")
    there = edited(database, retagged, "lead2", text="Ask for the order number before you look an order up.")
    back = edited(database, there, "lead2", text="Look the refund rule up first.")
    with refused(database, "own_item"):
        act(database, back, Action.APPROVE, person="lead1")
    assert act(database, back, Action.APPROVE, person="lead3").status == Status.ACTIVE


def test_words_that_somebody_else_wrote_anew_may_be_approved_by_whoever_wrote_the_old_ones(database: Database) -> None:
    team(database)
    mine = edited(database, lesson(database).item_id, "lead1", text="Look the refund rule up first.")
    new = edited(database, mine, "lead2", text="Ask for the order number before you look an order up.")
    assert act(database, new, Action.APPROVE, person="lead1").status == Status.ACTIVE


@pytest.mark.parametrize("way", [Action.SUSPEND, Action.RETIRE])
def test_the_proposer_does_not_bring_a_text_back_into_force(database: Database, way: Action) -> None:
    team(database)
    found = lesson(database, proposer="lead1").item_id
    act(database, found, Action.APPROVE, person="lead2")
    act(database, found, way, person="lead2", text="for now")
    back = {Action.SUSPEND: Action.REINSTATE, Action.RETIRE: Action.REOPEN}[way]
    if back is Action.REOPEN:
        act(database, found, back, person="lead1", text="again")
        back = Action.APPROVE
    with refused(database, "own_item"):
        act(database, found, back, person="lead1", text="again")
    assert act(database, found, back, person="lead3", text="again").status == Status.ACTIVE


def held_and_edited(database: Database) -> int:
    """A held note whose words are lead1's."""
    found = note(database, session(database), found=False).item_id
    return edited(database, found, "lead1", observation="The refund was never arranged.")


def test_a_held_note_is_released_by_somebody_else_than_its_proposer(database: Database) -> None:
    team(database)
    held = held_and_edited(database)
    with refused(database, "own_item"):
        act(database, held, Action.RELEASE, person="lead1", text="mine")
    assert act(database, held, Action.RELEASE, person="lead2", text="looked at").status == Status.OPEN


def test_a_dismissal_and_a_reopening_are_no_way_round_a_release(database: Database) -> None:
    team(database)
    held = held_and_edited(database)
    act(database, held, Action.DISMISS, person="lead1", reason=DismissReason.NO_FAULT)
    with refused(database, "own_item"):
        act(database, held, Action.REOPEN, person="lead1", text="after all")
    act(database, held, Action.APPEAL, person="dev1", text="after all")
    with refused(database, "own_item"):
        act(database, held, Action.GRANT, person="lead1")


def test_a_held_note_that_touches_a_policy_comes_out_by_two_people_on_every_way(database: Database) -> None:
    team(database)
    held = note(database, session(database), found=False).item_id
    remark(database, held, "against_policy:refunds", follows=Follows.HOLD)
    act(database, held, Action.RELEASE, person="lead1", text="looked at")
    assert item(database, held).status == Status.HELD
    act(database, held, Action.DISMISS, person="lead1", reason=DismissReason.NO_FAULT)
    act(database, held, Action.REOPEN, person="lead1", text="after all")
    assert item(database, held).status == Status.DISMISSED
    assert act(database, held, Action.REOPEN, person="lead2", text="after all").status == Status.OPEN


def test_a_note_that_a_person_held_stays_held_when_its_words_are_changed(database: Database) -> None:
    team(database)
    found = note(database, session(database)).item_id
    act(database, found, Action.SUSPEND, person="lead2", text="Not sure.")
    newer = edited(database, found, "lead1", observation="A refund was promised that nobody arranged.")
    assert item(database, newer).status == Status.HELD


def test_an_edit_does_not_wash_off_what_the_critics_reply_left_open(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    left = ScreenFinding(
        Screen.CRITIC, "critic:addressed", Severity.HIGH, "", Place(0, 0), "It speaks.", "Read.", Follows.HOLD
    )
    with database.writing() as db:
        db.get_one(Screening, found).findings = list(FINDINGS.dump_python((left,), mode="json"))
        db.get_one(Item, found).status = Status.HELD
    newer = edited(database, found, "lead1", text="Look the refund rule up first.")
    assert item(database, newer).status == Status.HELD
    act(database, newer, Action.RELEASE, person="lead1", text="read")
    third = edited(database, newer, "lead1", tags=("refund",))
    with database.reading() as db:
        codes = [(one["code"], one["follows"]) for one in db.get_one(Screening, third).findings]
    assert item(database, third).status == Status.PROPOSED
    assert ("critic:addressed", "flag") in codes


def test_nobody_is_apart_from_themselves_while_they_are_alone(database: Database) -> None:
    found = lesson(database, proposer=OPERATOR).item_id
    for made in (
        act(database, found, Action.REJECT, **WHY),
        act(database, found, Action.APPEAL, text="It is true."),
        act(database, found, Action.GRANT),
        act(database, found, Action.APPROVE),
    ):
        with database.reading() as db:
            assert db.get_one(Decision, made.decision_id).self_approved
    newer = edited(database, found, OPERATOR, text="Look the refund rule up first.")
    back = undo(database, decision_id=made_by_edit(database, newer), person=OPERATOR)
    with database.reading() as db:
        assert db.get_one(Decision, made_by_edit(database, newer)).self_approved
        assert db.get_one(Decision, back.decision_id).self_approved


def made_by_edit(database: Database, item_id: int) -> int:
    with database.reading() as db:
        return db.exec(select(Decision.id).where(Decision.item_id == item_id, Decision.action == "edit")).one() or 0


def test_with_one_person_in_the_table_nobody_else_may_do_anything(database: Database) -> None:
    set_person(database, "lead1", {Duty.LEAD})
    found = lesson(database).item_id
    with refused(database, "role"):
        act(database, found, Action.APPROVE, person=OPERATOR)
    with database.reading() as db:
        assert duties_of(db, "lead1").single_operator
    set_person(database, "lead2", {Duty.AUDITOR})
    with database.reading() as db:
        assert not duties_of(db, "lead1").single_operator


def test_when_everybodys_duties_are_gone_the_account_of_the_machine_is_nobody(database: Database) -> None:
    set_person(database, "lead1", set())
    found = lesson(database).item_id
    for name in ("lead1", local_operator()):
        with refused(database, "role"):
            act(database, found, Action.APPROVE, person=name)


@pytest.mark.parametrize(
    "name",
    [
        "agent:desk",
        "Agent:desk",
        "ａｇｅｎｔ:desk",
        "check claimed_not_done",
        "critic x",
        "critic",
        "Check",
        "Rule  stale source",
        "tut_abc",
        "",
        " lead",
        "a\u202eb",
    ],
)
def test_a_name_that_stands_for_something_else_can_be_nobodys(database: Database, name: str) -> None:
    with pytest.raises(BadInput):
        set_person(database, name, {Duty.LEAD})
    with database.reading() as db:
        assert not db.exec(select(RightsChange)).all()


@pytest.mark.parametrize("twice", ["Lead1", "ｌｅａｄ1", "LEAD1"])
def test_one_person_is_not_entered_under_two_names_that_look_alike(database: Database, twice: str) -> None:
    set_person(database, "lead1", {Duty.LEAD})
    with pytest.raises(BadInput, match="reads like"):
        set_person(database, twice, {Duty.LEAD})


def token(database: Database) -> str:
    set_person(database, "dev1", {Duty.DEVELOPER})
    agent(database)
    return make_token(database, name="desk", agent="Campus Desk", verbs=set(Verb), by="dev1")


@pytest.mark.parametrize("shown", ["{}", "Bearer {}", " {} ", "agent:desk"])
def test_with_an_agents_token_nothing_can_be_decided_and_it_is_stored_nowhere(database: Database, shown: str) -> None:
    team(database)
    raw = token(database)
    name = shown.format(raw)
    kinds = [lesson(database).item_id, procedure(database).item_id, note(database, session(database)).item_id]
    for found in kinds:
        for action in Action:
            with refused(database, "agent_token"):
                act(database, found, action, person=name, reason="not_true", text="because")
        with refused(database, "agent_token"):
            edit(database, item_id=found, person=name, revision_seen=1, changes={"tags": ("x",)})
        with refused(database, "agent_token"):
            decide(database, Request(found, Action.APPROVE, name, 7, "stale"))
        with pytest.raises(Refused):
            claim(database, found, name)
    made = act(database, kinds[0], Action.APPROVE, person="lead1").decision_id
    with refused(database, "agent_token"):
        undo(database, decision_id=made, person=name)
    with refused(database, "role"):
        mark_wrong(database, 1, person=name, reason="wrong", next_time="Look the refund rule up first.")
    assert {by for _, by in refusals(database)} == {"agent:desk"}
    assert decided(database, kinds[0]) == [("propose", "check claimed_not_done"), ("approve", "lead1")]
    with database.reading() as db:
        rows = [
            row.model_dump()
            for table in (Refusal, Decision, Lease, KeptWords, RightsChange, Feedback)
            for row in db.exec(select(table)).all()
        ]
    assert raw not in repr(rows)


def test_a_token_that_somebody_pastes_into_a_reason_is_masked(database: Database) -> None:
    raw = token(database)
    team(database)
    found = lesson(database).item_id
    made = act(database, found, Action.REJECT, person="lead1", text=f"The agent used {raw} here.", **WHY)
    with database.reading() as db:
        assert raw not in db.get_one(Decision, made.decision_id).text
    assert mask(raw).removed


def test_a_mark_by_somebody_without_a_duty_is_refused_and_logged(database: Database) -> None:
    team(database)
    found = session(database)
    with refused(database, "role"):
        mark_wrong(database, found, person="a stranger", reason="wrong")
    with database.reading() as db:
        assert not db.exec(select(Feedback)).all()


def test_whoever_wants_an_act_of_the_desk_itself_is_refused(database: Database) -> None:
    found = lesson(database).item_id
    for action in (Action.PROPOSE, Action.SUPERSEDE, Action.ENDORSE, Action.EDIT, Action.UNDO):
        with refused(database, "no_such_move"):
            act(database, found, action, text="because", reason="not_true")


def test_what_is_asked_of_an_act_that_does_not_ask_for_it_is_not_kept(database: Database) -> None:
    found = procedure(database).item_id
    asked = request(database, found, Action.APPROVE, reason="=cmd|' /C calc'!A0", confidence=Decimal("0.99"))
    made = decide(database, asked)
    with database.reading() as db:
        row = db.get_one(Decision, made.decision_id)
        assert (row.reason, row.confidence) == (None, None)


@pytest.mark.parametrize("part", ["title", "instruction"])
def test_one_part_in_other_words_does_not_make_the_other_parts_anothers(database: Database, part: str) -> None:
    team(database)
    content = ProcedureContent(
        title="Policy first", trigger="When a student asks for a refund", instruction="Look the refund rule up first."
    )
    found = put(database, content, Severity.MEDIUM, proposer="lead1").item_id
    newer = edited(database, found, "lead2", **{part: "Ask which course it is about."})
    with refused(database, "own_item"):
        act(database, newer, Action.APPROVE, person="lead1")
    assert act(database, newer, Action.APPROVE, person="lead3").status == Status.ACTIVE


def test_what_somebody_advises_in_a_held_note_is_not_released_by_them_under_anothers_observation(
    database: Database,
) -> None:
    team(database)
    set_person(database, "auditor1", {Duty.AUDITOR, Duty.LEAD})
    said = NoteContent(
        dimension=Dimension.COMPLIANCE,
        severity=Severity.HIGH,
        observation="A refund was promised.",
        improvement="Call the bank first.",
    )
    at = session(database)
    proof = (quote(at, found=False),)
    made = put(database, said, Severity.HIGH, proposer="auditor1", quotes=proof, session_id=at, user="student 1")
    newer = edited(database, made.item_id, "lead2", observation="Something else happened on Tuesday evening.")
    with refused(database, "own_item"):
        act(database, newer, Action.RELEASE, person="auditor1", text="seen")
    assert item(database, newer).status == Status.HELD
