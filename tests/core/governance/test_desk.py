"""Decisions: who may, who was first, what stands in the log, and the way back."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from sqlmodel import col, select

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.errors import AlreadyDecided, BadInput, NotFound, Refused
from core.evidence.contract import Grounding, Span
from core.governance.acts import Request
from core.governance.bodies import quotes_of
from core.governance.desk import decide, undo
from core.governance.lifecycle import TABLE, Forbidden, move
from core.governance.people import duties_of, set_person
from core.governance.saving_numbers import save_numbers
from core.governance.versions import AboutQuote, edit, pick_place
from core.store.database import Database
from core.store.records import Decision, Evidence, Item, Refusal
from core.vocabulary import Action, Duty, Kind, RejectReason, Severity, Status, Verdict
from tests.desk import OPERATOR, act, item, lesson, note, procedure, quote, request, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

OTHER_WORDS = {"text": "Look the refund rule up first."}


def log(database: Database, item_id: int) -> list[tuple[str, str, str]]:
    with database.reading() as db:
        rows = db.exec(select(Decision).where(Decision.item_id == item_id).order_by(col(Decision.id))).all()
        return [(row.action, row.by, row.after) for row in rows]


def refusals(database: Database) -> list[str]:
    with database.reading() as db:
        return list(db.exec(select(Refusal.code).order_by(col(Refusal.id))).all())


def team(database: Database) -> None:
    set_person(database, "lead1", {Duty.LEAD})
    set_person(database, "lead2", {Duty.LEAD})
    set_person(database, "auditor1", {Duty.AUDITOR})


def test_of_two_people_the_first_decides_and_the_second_is_told_who_and_when(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    first = request(database, found, Action.APPROVE, person="lead1")
    second = request(database, found, Action.REJECT, person="lead2", reason=RejectReason.NOT_TRUE)
    decide(database, first)
    with pytest.raises(AlreadyDecided) as told:
        decide(database, second)
    assert (told.value.code, told.value.by) == ("already_decided", "lead1")
    assert "UTC" in str(told.value)
    assert item(database, found).status == Status.ACTIVE
    assert [row[0] for row in log(database, found)] == ["propose", "approve"]
    assert refusals(database) == ["already_decided"]


def test_the_same_person_pressing_twice_decides_once(database: Database) -> None:
    found = lesson(database).item_id
    asked = request(database, found, Action.APPROVE)
    first, second = decide(database, asked), decide(database, asked)
    assert (first.already, second.already) == (False, True)
    assert second.decision_id == first.decision_id
    assert second.text == "L-0001 was already approved by you"
    assert item(database, found).revision == 2
    assert len(log(database, found)) == 2


def test_many_people_at_once_make_one_decision(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    asked = [request(database, found, Action.APPROVE, person=f"lead{1 + n % 2}") for n in range(12)]

    def attempt(one: Request) -> str:
        try:
            return "again" if decide(database, one).already else "decided"
        except AlreadyDecided:
            return "late"

    with ThreadPoolExecutor(6) as pool:
        said = list(pool.map(attempt, asked))
    assert said.count("decided") == 1
    assert len(log(database, found)) == 2


def test_reject_needs_a_reason_and_without_one_nothing_changes(database: Database) -> None:
    found = lesson(database).item_id
    with pytest.raises(Refused) as told:
        act(database, found, Action.REJECT)
    assert told.value.code == "reason_needed"
    assert item(database, found).status == Status.PROPOSED
    assert act(database, found, Action.REJECT, reason=RejectReason.TOO_VAGUE).status == Status.REJECTED


def test_a_quote_that_was_not_found_keeps_a_lesson_from_being_approved(database: Database) -> None:
    found = lesson(database, quotes=(quote(session(database), found=False),)).item_id
    with pytest.raises(Refused) as told:
        act(database, found, Action.APPROVE)
    assert told.value.code == "quote_not_found"
    assert item(database, found).status == Status.PROPOSED


def test_who_proposed_a_text_may_reject_it_but_not_approve_it(database: Database) -> None:
    team(database)
    found = lesson(database, proposer="lead1").item_id
    with pytest.raises(Refused) as told:
        act(database, found, Action.APPROVE, person="lead1")
    assert told.value.code == "own_item"
    assert item(database, found).status == Status.PROPOSED
    act(database, found, Action.REJECT, person="lead1", reason=RejectReason.NOT_GENERAL)


def test_an_auditor_may_not_approve_a_lesson(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    with pytest.raises(Refused) as told:
        act(database, found, Action.APPROVE, person="auditor1")
    assert told.value.code == "role"
    assert item(database, found).status == Status.PROPOSED


def test_rights_are_read_at_the_moment_of_the_decision(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    asked = request(database, found, Action.APPROVE, person="lead1")
    set_person(database, "lead1", set())
    with pytest.raises(Refused) as told:
        decide(database, asked)
    assert told.value.code == "role"
    assert item(database, found).status == Status.PROPOSED
    assert refusals(database) == ["role"]


def test_alone_at_the_desk_one_may_do_everything_and_the_log_says_so(database: Database) -> None:
    found = lesson(database, proposer=OPERATOR).item_id
    made = act(database, found, Action.APPROVE)
    with database.reading() as db:
        assert db.get_one(Decision, made.decision_id).self_approved
        assert duties_of(db, OPERATOR).single_operator
        assert not duties_of(db, "a stranger").duties


def test_only_an_auditor_closes_a_critical_note_and_says_why(database: Database) -> None:
    team(database)
    found = note(database, session(database), severity=Severity.CRITICAL).item_id
    tried = (("lead1", "done", "role"), ("auditor1", " ", "text_needed"), ("auditor1", "\u200b", "text_needed"))
    for person, text, code in tried:
        with pytest.raises(Refused) as told:
            act(database, found, Action.RESOLVE, person=person, text=text)
        assert told.value.code == code
    assert item(database, found).status == Status.OPEN
    act(database, found, Action.RESOLVE, person="auditor1", text="The client was called back.")
    assert item(database, found).status == Status.RESOLVED


def test_undo_leads_back_and_every_step_stays_in_the_log(database: Database) -> None:
    one, two = lesson(database).item_id, lesson(database, "Ask for the order number before you look it up.").item_id
    undo(
        database,
        decision_id=act(database, one, Action.REJECT, reason=RejectReason.NOT_TRUE).decision_id,
        person=OPERATOR,
    )
    undo(database, decision_id=act(database, two, Action.APPROVE).decision_id, person=OPERATOR)
    assert item(database, one).status == item(database, two).status == Status.PROPOSED
    assert not issue(database, Asked("Campus Desk", task="refund order number")).items
    assert [row[0] for row in log(database, one)] == ["propose", "reject", "undo"]
    assert [row[0] for row in log(database, two)] == ["propose", "approve", "undo"]


def test_what_was_undone_can_be_decided_anew_but_not_undone_again(database: Database) -> None:
    found = lesson(database).item_id
    made = act(database, found, Action.APPROVE).decision_id
    undo(database, decision_id=made, person=OPERATOR)
    with pytest.raises(Refused) as told:
        undo(database, decision_id=made, person=OPERATOR)
    assert told.value.code == "already_undone"
    assert act(database, found, Action.APPROVE).status == Status.ACTIVE


def test_nobody_undoes_what_somebody_else_decided(database: Database) -> None:
    team(database)
    made = act(database, lesson(database).item_id, Action.APPROVE, person="lead1").decision_id
    with pytest.raises(Refused) as told:
        undo(database, decision_id=made, person="lead2")
    assert told.value.code == "not_yours"


def test_a_decision_that_was_followed_by_another_cannot_be_undone(database: Database) -> None:
    found = lesson(database).item_id
    made = act(database, found, Action.APPROVE).decision_id
    act(database, found, Action.SUSPEND, text="The policy is being changed.")
    with pytest.raises(AlreadyDecided):
        undo(database, decision_id=made, person=OPERATOR)
    assert item(database, found).status == Status.SUSPENDED


def test_an_edit_waits_while_the_approved_words_stay_in_force(database: Database) -> None:
    old = lesson(database).item_id
    act(database, old, Action.APPROVE)
    first_hash = item(database, old).content_hash
    changed = {"text": "Check the refund policy and the order date before you promise a refund."}
    edit(database, item_id=old, person=OPERATOR, revision_seen=2, changes=changed)
    with database.reading() as db:
        new = db.exec(select(Item).where(Item.version == 2)).one()
    assert (new.status, item(database, old).status) == (Status.PROPOSED, Status.ACTIVE)
    asked = Asked("Campus Desk", task="a refund")
    assert "order date" not in issue(database, asked).messages[-1]["content"]
    act(database, new.id or 0, Action.APPROVE)
    assert item(database, old).status == Status.SUPERSEDED
    assert "order date" in issue(database, asked).messages[-1]["content"]
    with database.reading() as db:
        approvals = db.exec(select(Decision).where(Decision.action == Action.APPROVE)).all()
        assert [row.content_hash for row in approvals] == [first_hash, new.content_hash]


def test_undoing_the_approval_of_an_edit_brings_the_old_words_back(database: Database) -> None:
    old = lesson(database).item_id
    act(database, old, Action.APPROVE)
    edit(database, item_id=old, person=OPERATOR, revision_seen=2, changes=OTHER_WORDS)
    with database.reading() as db:
        new = db.exec(select(Item.id).where(Item.version == 2)).one() or 0
    made = act(database, new, Action.APPROVE).decision_id
    undo(database, decision_id=made, person=OPERATOR)
    assert (item(database, old).status, item(database, new).status) == (Status.ACTIVE, Status.PROPOSED)


def test_an_edit_of_a_waiting_text_takes_its_place(database: Database) -> None:
    old = lesson(database, quotes=(quote(session(database)),)).item_id
    made = edit(database, item_id=old, person=OPERATOR, revision_seen=1, changes=OTHER_WORDS)
    assert item(database, old).status == Status.SUPERSEDED
    with database.reading() as db:
        new = db.exec(select(Item).where(Item.version == 2)).one()
    assert (new.status, new.quotes, new.sessions) == (Status.PROPOSED, 1, 1)
    undo(database, decision_id=made.decision_id, person=OPERATOR)
    assert (item(database, old).status, item(database, new.id or 0).status) == (Status.PROPOSED, Status.SUPERSEDED)


def test_an_edit_that_changes_nothing_is_refused(database: Database) -> None:
    found = lesson(database).item_id
    with pytest.raises(Refused) as told:
        edit(database, item_id=found, person=OPERATOR, revision_seen=1, changes={})
    assert told.value.code == "unchanged"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"text": "  "}, "The text cannot be stored: the text is empty"),
        ({"text": "x" * 5_000}, "The text cannot be stored: it has 5,000 characters, 600 at most"),
        ({"text": "half \ud800"}, "The text cannot be stored: it holds half a character"),
        ({"tags": ("Not A Tag",)}, "“Not A Tag” is not 2 to 40 small letters"),
        ({"tags": ("one", "two", "three", "four")}, "The tags cannot be stored: there are 4, 3 at most"),
        ({"nothing": 1}, "The nothing cannot be stored: there is no such part"),
    ],
)
def test_words_that_cannot_be_stored_are_named_with_the_limit_and_nothing_changes(
    database: Database, changes: dict[str, object], why: str
) -> None:
    found = lesson(database).item_id
    act(database, found, Action.APPROVE)
    before = item(database, found)
    with pytest.raises(BadInput, match=f"{why}.*Nothing was changed"):
        edit(database, item_id=found, person=OPERATOR, revision_seen=2, changes=changes)
    assert item(database, found) == before


def test_what_was_on_the_screen_must_be_what_is_decided_about(database: Database) -> None:
    found = lesson(database).item_id
    with pytest.raises(Refused) as told:
        decide(database, Request(found, Action.APPROVE, OPERATOR, 1, "another hash"))
    assert told.value.code == "content_changed"
    assert item(database, found).status == Status.PROPOSED


def test_the_same_text_again_is_the_same_proposal(database: Database) -> None:
    first = lesson(database, "Check the refund policy before promising a refund.")
    again = lesson(database, "check the refund  policy before promising a refund.")
    assert (again.what, again.item_id) == ("known", first.item_id)


def test_an_approved_text_that_is_proposed_again_is_left_alone_and_counted(database: Database) -> None:
    first = lesson(database)
    act(database, first.item_id, Action.APPROVE)
    assert lesson(database).what == "returned"
    assert (item(database, first.item_id).status, item(database, first.item_id).returns) == (Status.ACTIVE, 1)


def test_a_rejected_text_does_not_come_back_into_the_queue(database: Database) -> None:
    first = lesson(database)
    act(database, first.item_id, Action.REJECT, reason=RejectReason.AGAINST_POLICY)
    again = lesson(database)
    assert (again.what, again.item_id) == ("returned", first.item_id)
    assert item(database, first.item_id).status == Status.REJECTED


def test_a_procedure_is_reinstated_at_a_stated_confidence(database: Database) -> None:
    found = procedure(database).item_id
    act(database, found, Action.APPROVE)
    act(database, found, Action.REINSTATE, text="The tool was broken.", confidence=Decimal("0.70"))
    with database.reading() as db:
        newest = db.exec(select(Decision).order_by(col(Decision.id).desc())).first()
    assert newest is not None
    assert newest.confidence == Decimal("0.70")


def test_an_unknown_item_is_said_to_be_unknown(database: Database) -> None:
    with pytest.raises(NotFound):
        decide(database, Request(4711, Action.APPROVE, OPERATOR, 1, ""))


@pytest.mark.parametrize("kind", list(Kind))
def test_a_step_that_the_table_does_not_know_changes_nothing(kind: Kind, database: Database) -> None:
    made = {Kind.NOTE: lambda: note(database, session(database)), Kind.LESSON: lambda: lesson(database)}
    found = made.get(kind, lambda: procedure(database))().item_id
    before = item(database, found)
    known = {action for (status, action) in TABLE[kind] if status == before.status}
    for action in set(Action) - known:
        with pytest.raises(Refused):
            act(database, found, action, reason=RejectReason.TWIN, text="because", confidence=None)
        assert item(database, found) == before


def test_the_table_answers_an_unknown_status_with_no_possibilities() -> None:
    assert move(Kind.LESSON, "archived", Action.APPROVE) == Forbidden(())


def newest(database: Database) -> int:
    with database.reading() as db:
        return db.exec(select(Item.id).order_by(col(Item.version).desc())).first() or 0


def test_undo_never_brings_a_version_back_beside_another_that_is_in_force(database: Database) -> None:
    old = lesson(database).item_id
    act(database, old, Action.APPROVE)
    edit(database, item_id=old, person=OPERATOR, revision_seen=2, changes=OTHER_WORDS)
    suspended = act(database, old, Action.SUSPEND, text="The policy is being changed.").decision_id
    act(database, newest(database), Action.APPROVE)
    with pytest.raises(AlreadyDecided):
        undo(database, decision_id=suspended, person=OPERATOR)
    assert item(database, old).status == Status.SUPERSEDED
    assert len(issue(database, Asked("Campus Desk", task="refund rule")).items) == 1


def test_undo_needs_the_right_that_the_act_needed(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    act(database, found, Action.APPROVE, person="lead1")
    made = act(database, found, Action.RETIRE, person="lead1", text="Outdated.").decision_id
    set_person(database, "lead1", {Duty.DEVELOPER})
    with pytest.raises(Refused) as told:
        undo(database, decision_id=made, person="lead1")
    assert told.value.code == "role"
    assert item(database, found).status == Status.RETIRED
    assert refusals(database) == ["role"]


def test_a_newer_version_puts_every_waiting_one_aside(database: Database) -> None:
    old = lesson(database).item_id
    act(database, old, Action.APPROVE)
    for text in ("Look the refund rule up first.", "Read the refund rule out first."):
        edit(database, item_id=old, person=OPERATOR, revision_seen=2, changes={"text": text})
    with database.reading() as db:
        rows = db.exec(select(Item.version, Item.status).order_by(Item.version)).all()
    assert rows == [(1, Status.ACTIVE), (2, Status.SUPERSEDED), (3, Status.PROPOSED)]


def test_an_edit_cannot_say_what_was_rejected(database: Database) -> None:
    rejected = lesson(database).item_id
    act(database, rejected, Action.REJECT, reason=RejectReason.AGAINST_POLICY)
    other = lesson(database, "Ask for the order number before you look it up.").item_id
    with pytest.raises(Refused) as told:
        edit(
            database,
            item_id=other,
            person=OPERATOR,
            revision_seen=1,
            changes={"text": item(database, rejected).headline},
        )
    assert told.value.code == "tombstone"
    assert item(database, other).status == Status.PROPOSED


def test_after_an_undone_edit_evidence_goes_to_the_version_that_waits(database: Database) -> None:
    old = lesson(database, fault="f", quotes=(quote(session(database)),)).item_id
    made = edit(database, item_id=old, person=OPERATOR, revision_seen=1, changes=OTHER_WORDS)
    undo(database, decision_id=made.decision_id, person=OPERATOR)
    again = lesson(database, fault="f", quotes=(quote(session(database, "CD-2")),))
    assert (again.what, again.item_id, item(database, old).quotes) == ("added", old, 2)


def test_no_more_lessons_become_active_than_an_agent_may_have(database: Database) -> None:
    save_numbers(database, {"active_lessons": 1}, by=OPERATOR, reason="a short prompt")
    act(database, lesson(database).item_id, Action.APPROVE)
    second = lesson(database, "Ask for the order number before you look it up.").item_id
    with pytest.raises(Refused) as told:
        act(database, second, Action.APPROVE)
    assert told.value.code == "full"
    assert item(database, second).status == Status.PROPOSED


@pytest.mark.parametrize("stated", [None, Decimal("0.555"), Decimal("NaN"), Decimal(5), Decimal(-1)])
def test_a_reinstatement_states_a_confidence_in_bounds(database: Database, stated: Decimal | None) -> None:
    found = procedure(database).item_id
    act(database, found, Action.APPROVE)
    with pytest.raises(Refused) as told:
        act(database, found, Action.REINSTATE, text="Try again", confidence=stated)
    assert told.value.code == "confidence_needed"
    assert item(database, found).revision == 2


def test_half_a_character_is_refused_and_changes_nothing(database: Database) -> None:
    found = lesson(database).item_id
    with pytest.raises(BadInput, match="half character"):
        act(database, found, Action.REJECT, reason=RejectReason.NOT_TRUE, text="a\ud800b")
    assert item(database, found).status == Status.PROPOSED


def held_note(database: Database) -> tuple[int, int]:
    """A note with a quote that was not found, and the id of the quote."""
    found = note(database, session(database), found=False).item_id
    with database.reading() as db:
        return found, db.exec(select(Evidence.id).where(Evidence.item_id == found)).one() or 0


def test_a_corrected_quote_is_looked_for_again_and_opens_the_note(database: Database) -> None:
    old, evidence = held_note(database)
    words = {evidence: "the refund has been arranged"}
    made = edit(database, item_id=old, person=OPERATOR, revision_seen=1, changes={}, quotes=words)
    new = item(database, made.item_id)
    assert (new.version, new.status, new.not_found, item(database, old).status) == (2, "held", 0, "superseded")
    act(database, made.item_id, Action.RELEASE, text="these words prove it")
    assert item(database, made.item_id).status == Status.OPEN
    with database.reading() as db:
        assert quotes_of(db, made.item_id)[0].anchors[0].exact == "the refund has been arranged"


def test_a_corrected_quote_that_is_not_found_either_stays_held(database: Database) -> None:
    old, evidence = held_note(database)
    words = {evidence: "we refund everything twice"}
    made = edit(database, item_id=old, person=OPERATOR, revision_seen=1, changes={}, quotes=words)
    assert (made.status, item(database, made.item_id).not_found) == (Status.HELD, 1)


def test_one_of_several_places_is_picked_by_a_decision(database: Database) -> None:
    here, there = Span(1, 5, 33), Span(1, 0, 4)
    several = quote(session(database)).model_copy(
        update={"grounding": Grounding(Verdict.AMBIGUOUS, spans=(here, there))}
    )
    found = lesson(database, quotes=(several,)).item_id
    with database.reading() as db:
        evidence = db.exec(select(Evidence.id)).one() or 0
    with pytest.raises(Refused):
        pick_place(database, AboutQuote(evidence, OPERATOR, 1), Span(0, 0, 3))
    made = pick_place(database, AboutQuote(evidence, OPERATOR, 1), here)
    with database.reading() as db:
        picked = quotes_of(db, made.item_id)[0].grounding
    assert (picked.verdict, picked.spans) == (Verdict.EXACT, (here,))
    assert item(database, found).status == Status.SUPERSEDED


def test_a_quote_without_words_is_refused_and_changes_nothing(database: Database) -> None:
    old, evidence = held_note(database)
    with pytest.raises(BadInput, match="needs words"):
        edit(database, item_id=old, person=OPERATOR, revision_seen=1, changes={}, quotes={evidence: " "})
    assert item(database, old).status == Status.HELD
