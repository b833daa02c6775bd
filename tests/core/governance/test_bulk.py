"""Several items decided at once: what each act would do, one decision an item, and what is never decided so."""

from collections.abc import Callable

import pytest
from sqlmodel import select

from core.errors import BadInput, NotFound
from core.governance.audit import verify
from core.governance.bulk import Together, carry_out, one_by_one, preview, undo_batch
from core.governance.desk import decide
from core.governance.desk_settings import save_desk_settings
from core.governance.drafts import LessonContent
from core.governance.leases import claim
from core.governance.never_in_bulk import TOGETHER
from core.governance.people import set_person
from core.store.database import Database
from core.store.records import Decision, Item, Screening
from core.vocabulary import Action, Cause, Duty, RejectReason, Scope, Severity, Source, Status
from tests.core.governance.at_the_desk import everything, further_proof, refusals, refused, remark, team
from tests.core.governance.test_beside import ALWAYS, LONG, NEVER, TWIN
from tests.desk import act, item, lesson, note, procedure, put, quote, request, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

TEXTS = (
    "Ask for the order number before you look an order up.",
    "Read the exam dates out of the calendar, never from memory.",
    "Name the building when a room is booked.",
)
APPROVE = Together(Action.APPROVE, "lead1")


def several(database: Database) -> list[int]:
    """Three lessons that wait, unlike each other."""
    team(database)
    return [lesson(database, text).item_id for text in TEXTS]


def statuses(database: Database, ids: list[int]) -> list[str]:
    return [item(database, one).status for one in ids]


def why_not(database: Database, item_id: int, action: Action = Action.APPROVE, person: str = "lead1") -> str:
    """The code with which one item is left out of an act; nothing may have been written to find it."""
    before = everything(database)
    (would,) = preview(database, Together(action, person), [item_id])
    assert everything(database) == before
    assert bool(would.code) is bool(would.why_not) is not would.can
    return would.code


def test_a_preview_says_of_each_what_would_become_of_it_and_writes_nothing(database: Database) -> None:
    ids = several(database)
    act(database, ids[1], Action.REJECT, person="lead2", reason=RejectReason.NOT_TRUE)
    before = everything(database)
    would = preview(database, APPROVE, ids)
    assert [(one.ref, one.can, one.code) for one in would] == [
        ("L-0001", True, ""),
        ("L-0002", False, "no_such_move"),
        ("L-0003", True, ""),
    ]
    assert everything(database) == before
    assert refusals(database) == []


def test_each_item_gets_a_decision_of_its_own_under_one_name(database: Database) -> None:
    ids = several(database)
    became = carry_out(database, APPROVE, preview(database, APPROVE, ids))
    assert [one.done for one in became] == [True] * 3
    assert statuses(database, ids) == [Status.ACTIVE] * 3
    with database.reading() as db:
        rows = db.exec(select(Decision).where(Decision.action == Action.APPROVE)).all()
    (name,) = {row.batch for row in rows}
    assert name is not None
    assert name.startswith("B-")
    assert len(name) == 10
    assert [(row.item_id, row.by, row.cause) for row in rows] == [(one, "lead1", None) for one in ids]
    assert verify(database).whole


def test_what_moved_on_after_the_preview_is_refused_alone(database: Database) -> None:
    ids = several(database)
    seen = preview(database, APPROVE, ids)
    further_proof(database, ids[0])
    act(database, ids[1], Action.REJECT, person="lead2", reason=RejectReason.NOT_TRUE)
    became = carry_out(database, APPROVE, seen)
    assert [(one.done, one.code) for one in became] == [
        (False, "content_changed"),
        (False, "already_decided"),
        (True, ""),
    ]
    assert "lead2" in became[1].text
    assert statuses(database, ids) == [Status.PROPOSED, Status.REJECTED, Status.ACTIVE]


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ((LONG, TWIN), "twin"),
        (("Offer a voucher when a refund is refused.", "Never offer a voucher when a refund is refused."), "conflict"),
    ],
)
def test_the_order_of_a_list_decides_nothing_between_two_of_it(
    database: Database, texts: tuple[str, str], code: str
) -> None:
    team(database)
    ids = [lesson(database, text).item_id for text in texts]
    for order in (ids, ids[::-1]):
        seen = preview(database, APPROVE, order)
        assert [one.code for one in seen] == [code, code]
        assert [one.code for one in carry_out(database, APPROVE, seen)] == ["not_in_bulk", "not_in_bulk"]
        assert statuses(database, ids) == [Status.PROPOSED, Status.PROPOSED]
    if code == "twin":
        rejects = Together(Action.REJECT, "lead1", "twin")
        assert [one.code for one in preview(database, rejects, ids)] == ["", ""]


def test_whoever_is_stopped_leaves_whole_decisions_and_asks_again(database: Database) -> None:
    ids = several(database)
    seen = preview(database, APPROVE, ids)
    running = one_by_one(database, APPROVE, seen, batch="B-00000001")
    next(running)
    running.close()
    assert statuses(database, ids) == [Status.ACTIVE, Status.PROPOSED, Status.PROPOSED]
    again = carry_out(database, APPROVE, seen, batch="B-00000001")
    assert [(one.done, one.code) for one in again] == [(True, "already"), (True, ""), (True, "")]
    assert again[0].text == "L-0001 was already approved by you"
    with database.reading() as db:
        assert len(db.exec(select(Decision).where(Decision.batch == "B-00000001")).all()) == 3
    assert verify(database).whole


def test_a_batch_is_undone_item_by_item(database: Database) -> None:
    ids = several(database)
    carry_out(database, APPROVE, preview(database, APPROVE, ids), batch="B-00000002")
    act(database, ids[1], Action.RETIRE, person="lead2", text="old")
    became = undo_batch(database, "B-00000002", "lead1")
    assert [(one.ref, one.done) for one in became] == [("L-0003", True), ("L-0002", False), ("L-0001", True)]
    assert statuses(database, ids) == [Status.PROPOSED, Status.RETIRED, Status.PROPOSED]
    assert verify(database).whole


def test_a_batch_of_somebody_else_is_theirs(database: Database) -> None:
    ids = several(database)
    carry_out(database, APPROVE, preview(database, APPROVE, ids), batch="B-00000003")
    before = everything(database)
    assert {one.code for one in undo_batch(database, "B-00000003", "lead2")} == {"not_yours"}
    assert everything(database) == before
    with pytest.raises(NotFound):
        undo_batch(database, "B-ffffffff", "lead1")
    assert everything(database) == before


def test_a_rejection_of_several_names_one_reason_and_its_words(database: Database) -> None:
    ids = several(database)
    asked = Together(Action.REJECT, "lead1", RejectReason.TOO_VAGUE, "No step is named.")
    seen = preview(database, Together(Action.REJECT, "lead1"), ids)
    assert all(one.can for one in seen), "the reason is still to be said"
    assert [one.code for one in carry_out(database, Together(Action.REJECT, "lead1"), seen)] == ["reason_needed"] * 3
    assert statuses(database, ids) == [Status.PROPOSED] * 3
    carry_out(database, asked, seen)
    assert statuses(database, ids) == [Status.REJECTED] * 3
    with database.reading() as db:
        rows = db.exec(select(Decision).where(Decision.action == Action.REJECT)).all()
    assert {(row.reason, row.text) for row in rows} == {("too_vague", "No step is named.")}


def _planted(database: Database) -> int:
    found = lesson(database).item_id
    remark(database, found, "untrusted_source:only_tool")
    return found


def _of_policy(database: Database) -> int:
    found = lesson(database).item_id
    with database.writing() as db:
        row = db.get_one(Screening, found)
        finding = {"kind": "conflict", "code": "against_policy:number", "severity": "critical", "words": ""}
        place = {"start": 0, "end": 0, "part": "text"}
        row.findings = [{**finding, "place": place, "text": ".", "possible": ".", "follows": "flag", "beside": None}]
    return found


def _for_all(database: Database) -> int:
    return put(database, LessonContent(text=LONG, scope=Scope.AGENT), Severity.HIGH).item_id


def _contrary(database: Database) -> int:
    act(database, lesson(database, ALWAYS).item_id, Action.APPROVE, person="lead3")
    return lesson(database, NEVER).item_id


def _blind(database: Database) -> int:
    found = lesson(database).item_id
    with database.writing() as db:
        db.get_one(Item, found).blind = True
    return found


def _critical(database: Database) -> int:
    return put(database, LessonContent(text=LONG), Severity.CRITICAL).item_id


NEVER_AT_ALL: dict[str, Callable[[Database], int]] = {
    "plant": _planted,
    "two_people": _for_all,
    "conflict": _contrary,
    "blind": _blind,
    "critical": _critical,
}


@pytest.mark.parametrize("action", [Action.APPROVE, Action.REJECT])
@pytest.mark.parametrize("code", list(NEVER_AT_ALL))
def test_what_needs_a_look_of_its_own_is_in_no_bulk_decision(database: Database, code: str, action: Action) -> None:
    team(database)
    found = NEVER_AT_ALL[code](database)
    assert why_not(database, found, action) == code
    asked = request(database, found, action, person="lead1", reason="not_true" if action is Action.REJECT else None)
    with refused(database, "not_in_bulk"):
        decide(database, type(asked)(**{**asked.__dict__, "batch": "B-00000004"}))


def test_what_touches_a_policy_is_in_no_bulk_decision(database: Database) -> None:
    team(database)
    assert why_not(database, _of_policy(database)) == "two_people"


@pytest.mark.parametrize("code", list(NEVER_AT_ALL))
def test_alone_at_the_desk_the_same_are_in_no_bulk_decision(database: Database, code: str) -> None:
    set_person(database, "lead3", {Duty.LEAD})
    found = NEVER_AT_ALL[code](database)
    assert why_not(database, found, person="lead3") == code


def _twin(database: Database) -> int:
    act(database, lesson(database, LONG).item_id, Action.APPROVE, person="lead3")
    return lesson(database, TWIN).item_id


def _lost(database: Database) -> int:
    return lesson(database, quotes=(quote(session(database), found=False),)).item_id


def _from_an_evaluator(database: Database) -> int:
    found = lesson(database).item_id
    with database.writing() as db:
        db.get_one(Screening, found).source = Source.EVALUATOR
    return found


@pytest.mark.parametrize(
    ("code", "made"), [("twin", _twin), ("quote_not_found", _lost), ("source", _from_an_evaluator)]
)
def test_what_an_agent_may_not_read_unlooked_at_can_be_rejected_with_others_and_not_approved(
    database: Database, code: str, made: Callable[[Database], int]
) -> None:
    team(database)
    found = made(database)
    assert why_not(database, found) == code
    assert why_not(database, found, Action.REJECT) == ""


def test_what_the_desk_would_refuse_is_told_in_its_own_words(database: Database) -> None:
    team(database)
    mine = lesson(database, TEXTS[0], proposer="lead1").item_id
    assert why_not(database, mine) == "own_item"
    other = lesson(database, TEXTS[1]).item_id
    claim(database, other, "lead2")
    assert why_not(database, other) == "leased"
    assert why_not(database, other, person="dev1") == "role"


def test_appeals_are_decided_one_by_one(database: Database) -> None:
    ids = several(database)
    act(database, ids[0], Action.REJECT, person="lead2", reason=RejectReason.NOT_TRUE)
    act(database, ids[0], Action.APPEAL, person="lead3", text="look again")
    assert why_not(database, ids[0], Action.REJECT) == "appeal"
    with pytest.raises(BadInput):
        preview(database, Together(Action.GRANT, "lead1"), ids)
    assert Action.MERGE not in TOGETHER


def test_open_notes_that_are_not_critical_are_resolved_together(database: Database) -> None:
    team(database)
    ids = [note(database, session(database, f"CD-{at}"), fault=f"f{at}").item_id for at in range(2)]
    grave = note(database, session(database, "CD-9"), severity=Severity.CRITICAL).item_id
    asked = Together(Action.RESOLVE, "auditor1", text="The students were called.")
    would = preview(database, asked, [*ids, grave])
    assert [one.code for one in would] == ["", "", "critical"]
    became = carry_out(database, asked, would)
    assert [one.done for one in became] == [True, True, False]
    assert statuses(database, [*ids, grave]) == [Status.RESOLVED, Status.RESOLVED, Status.OPEN]


def test_held_notes_are_dismissed_together_and_released_only_where_their_words_stand(database: Database) -> None:
    team(database)
    lost = note(database, session(database), found=False).item_id
    other = note(database, session(database, "CD-2")).item_id
    act(database, other, Action.SUSPEND, person="lead1", text="wait")
    assert why_not(database, lost, Action.RELEASE) == "quote_not_found"
    assert why_not(database, other, Action.RELEASE) == ""
    assert [why_not(database, one, Action.DISMISS) for one in (lost, other)] == ["", ""]


def test_only_what_a_policy_suspended_comes_back_with_others(database: Database) -> None:
    ids = several(database)
    carry_out(database, APPROVE, preview(database, APPROVE, ids))
    for one in ids[:2]:
        act(database, one, Action.SUSPEND, person="lead1", text="wait")
    with database.writing() as db:
        db.get_one(Item, ids[0]).cause = Cause.POLICY
    assert [why_not(database, one, Action.REINSTATE) for one in ids] == ["", "act", "act"]
    found = procedure(database).item_id
    assert why_not(database, found, Action.REINSTATE) == "act"


def test_what_is_in_force_is_retired_together(database: Database) -> None:
    ids = several(database)
    carry_out(database, APPROVE, preview(database, APPROVE, ids))
    asked = Together(Action.RETIRE, "lead2", text="The term is over.")
    assert all(one.done for one in carry_out(database, asked, preview(database, asked, ids)))
    assert statuses(database, ids) == [Status.RETIRED] * 3


def test_no_more_than_the_setting_allows_are_decided_at_once(database: Database) -> None:
    ids = several(database)
    set_person(database, "dev1", {Duty.DEVELOPER})
    seen = preview(database, APPROVE, ids)
    save_desk_settings(database, {"bulk_limit": 2}, by="dev1", reason="smaller steps")
    with pytest.raises(BadInput):
        preview(database, APPROVE, ids)
    with pytest.raises(BadInput):
        carry_out(database, APPROVE, seen)
    assert statuses(database, ids) == [Status.PROPOSED] * 3


def test_an_agents_token_decides_nothing_in_bulk_either(database: Database) -> None:
    ids = several(database)
    seen = preview(database, APPROVE, ids)
    asked = Together(Action.APPROVE, "agent:desk")
    assert {one.code for one in preview(database, asked, ids)} == {"agent_token"}
    assert {one.code for one in carry_out(database, asked, seen)} == {"agent_token"}
    assert statuses(database, ids) == [Status.PROPOSED] * 3
