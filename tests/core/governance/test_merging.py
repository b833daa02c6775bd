"""Two that say nearly the same become one that cites both and waits; turned down, the one set aside waits again."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import col, select

from core.errors import AlreadyDecided, BadInput, NotFound
from core.governance.audit import verify
from core.governance.bodies import content_of, quotes_of
from core.governance.desk import decide, undo
from core.governance.drafts import LessonContent
from core.governance.merging import Merging, merge
from core.governance.parents import merged_into, parents_of
from core.screening.contract import Follows, Screen
from core.store.database import Database
from core.store.oversight_records import Parent
from core.store.records import Decision, Item
from core.vocabulary import Action, RejectReason, Scope, Severity, Status
from tests.core.governance.at_the_desk import edited, everything, further_proof, refused, remark, team
from tests.desk import START, act, item, lesson, note, procedure, put, quote, request, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

OLD = "Check the refund policy before you promise a refund to anybody."
NEW = "Check the refund policy before you promise a refund to anybody, and name its date."
BOTH = "Check the refund policy and its date before you promise a refund to anybody."
OTHER = "Ask for the order number before you look an order up."


def pair(database: Database, *, active: bool = True) -> tuple[int, int]:
    """A lesson that is in force, or waits, and a near twin of it that waits."""
    team(database)
    old = lesson(database, OLD, quotes=(quote(session(database, "CD-1")),)).item_id
    if active:
        act(database, old, Action.APPROVE, person="lead1")
    proof = (quote(session(database, "CD-2")), quote(session(database, "CD-3"), found=False))
    return old, lesson(database, NEW, quotes=proof).item_id


def merged(database: Database, item_id: int, into: int, person: str = "lead2", **more: Any) -> int:
    """The merged version, made by somebody who has just looked."""
    asked = Merging(item_id, into, item(database, item_id).revision, more.pop("into_revision", None))
    return merge(database, asked, person=person, **{"changes": {"text": BOTH}, **more}).item_id


def statuses(database: Database, *ids: int) -> list[str]:
    return [item(database, one).status for one in ids]


def last(database: Database, item_id: int) -> Decision:
    with database.reading() as db:
        rows = select(Decision).where(Decision.item_id == item_id).order_by(col(Decision.id).desc())
        return db.exec(rows.limit(1)).one()


def cites(database: Database, item_id: int) -> list[int]:
    with database.reading() as db:
        return [one.id or 0 for one in parents_of(db, item_id)]


@pytest.mark.parametrize("active", [True, False])
def test_a_merge_is_a_proposed_version_that_cites_both(database: Database, active: bool) -> None:
    old, new = pair(database, active=active)
    made = merged(database, new, old)
    assert statuses(database, old, new, made) == [
        Status.ACTIVE if active else Status.SUPERSEDED,
        Status.MERGED,
        Status.PROPOSED,
    ]
    row = item(database, made)
    assert (row.number, row.version, row.headline, row.proposer) == (item(database, old).number, 2, BOTH, "lead2")
    assert cites(database, made) == [old, new]
    with database.reading() as db:
        assert [one.session_id for one in quotes_of(db, made)] == [1, 2, 3]
        assert [one.id for one in merged_into(db, new)] == [made]
    gone = last(database, new)
    assert (gone.action, gone.by, gone.cause) == (Action.MERGE, "lead2", last(database, made).id)
    assert last(database, made).text == "merges L-0001 and L-0002"
    assert verify(database).whole


def test_the_merger_does_not_approve_it_and_somebody_else_replaces_the_active_parent_by_it(database: Database) -> None:
    old, new = pair(database)
    made = merged(database, new, old)
    edit_away_the_lost_quote(database, made)
    with refused(database, "own_item"):
        act(database, made, Action.APPROVE, person="lead2")
    act(database, made, Action.APPROVE, person="lead1")
    assert statuses(database, old, new, made) == [Status.SUPERSEDED, Status.MERGED, Status.ACTIVE]
    assert verify(database).whole


def edit_away_the_lost_quote(database: Database, item_id: int) -> None:
    """All quotes of the version count as found."""
    with database.writing() as db:
        db.get_one(Item, item_id).not_found = 0


def test_whoever_proposed_a_parent_does_not_approve_the_merger(database: Database) -> None:
    team(database)
    old = lesson(database, OLD).item_id
    act(database, old, Action.APPROVE, person="lead1")
    new = lesson(database, NEW, proposer="lead3").item_id
    made = merged(database, new, old)
    with refused(database, "own_item"):
        act(database, made, Action.APPROVE, person="lead3")


@pytest.mark.parametrize("active", [True, False])
def test_a_rejected_merger_lets_the_parent_wait_again_as_old_and_grave_as_it_is(
    database: Database, active: bool
) -> None:
    old, new = pair(database, active=active)
    before = item(database, new)
    made = merged(database, new, old)
    no = act(database, made, Action.REJECT, person="lead1", reason=RejectReason.NOT_TRUE)
    assert statuses(database, new, made) == [Status.PROPOSED, Status.REJECTED]
    row, after = last(database, new), item(database, new)
    assert (row.rule, row.cause, row.action) == ("the merge was turned down", no.decision_id, Action.REOPEN)
    assert (after.severity, after.queued_at, after.rank) == (before.severity, before.queued_at, before.rank)
    undo(database, decision_id=no.decision_id, person="lead1")
    assert statuses(database, new, made) == [Status.MERGED, Status.PROPOSED]
    assert verify(database).whole


def test_an_undone_merge_leaves_all_as_it_was(database: Database) -> None:
    old, new = pair(database, active=False)
    before = item(database, new)
    made = merged(database, new, old)
    undo(database, decision_id=last(database, made).id or 0, person="lead2")
    assert statuses(database, old, new, made) == [Status.PROPOSED, Status.PROPOSED, Status.SUPERSEDED]
    after = item(database, new)
    assert (after.severity, after.queued_at, after.rank) == (before.severity, before.queued_at, before.rank)
    assert verify(database).whole


def test_an_undo_of_what_a_merge_brought_about_is_refused_alone(database: Database) -> None:
    old, new = pair(database)
    merged(database, new, old)
    with refused(database, "not_undoable"):
        undo(database, decision_id=last(database, new).id or 0, person="lead2")


def test_another_version_in_its_place_lets_the_parent_wait_again(database: Database) -> None:
    old, new = pair(database)
    made = merged(database, new, old)
    edited(database, old, "lead1", text=OTHER)
    assert statuses(database, old, new, made) == [Status.ACTIVE, Status.PROPOSED, Status.SUPERSEDED]
    assert last(database, new).rule == "the merge was turned down"
    assert verify(database).whole


def test_the_merger_in_other_words_is_still_the_merger(database: Database) -> None:
    old, new = pair(database)
    made = merged(database, new, old)
    newer = edited(database, made, "lead3", text=BOTH.replace("anybody", "a student"))
    assert statuses(database, new, made, newer) == [Status.MERGED, Status.SUPERSEDED, Status.PROPOSED]
    assert cites(database, newer) == [old, new]
    act(database, newer, Action.REJECT, person="lead1", reason=RejectReason.NOT_TRUE)
    assert statuses(database, new, newer) == [Status.PROPOSED, Status.REJECTED]


def test_a_third_one_can_be_merged_into_a_merger_and_all_wait_again_when_that_is_rejected(database: Database) -> None:
    old, new = pair(database)
    made = merged(database, new, old)
    third = lesson(database, OTHER).item_id
    newest = merged(database, third, made, changes={"text": f"{BOTH} {OTHER}"})
    assert statuses(database, new, made, third, newest) == ["merged", "superseded", "merged", "proposed"]
    act(database, newest, Action.REJECT, person="lead1", reason=RejectReason.NOT_TRUE)
    assert statuses(database, new, third, newest) == ["proposed", "proposed", "rejected"]


def test_a_parent_that_was_merged_elsewhere_since_is_left_there(database: Database) -> None:
    old, new = pair(database)
    first = merged(database, new, old)
    act(database, first, Action.REJECT, person="lead1", reason=RejectReason.NOT_TRUE)
    third = lesson(database, OTHER).item_id
    second = merged(database, new, third, changes={"text": f"{NEW} {OTHER}"})
    act(database, first, Action.REOPEN, person="lead1", text="once more")
    act(database, first, Action.REJECT, person="lead1", reason=RejectReason.NOT_TRUE)
    assert statuses(database, new, second) == [Status.MERGED, Status.PROPOSED]


def test_a_merger_is_as_grave_as_the_graver_parent(database: Database) -> None:
    team(database)
    old = put(database, LessonContent(text=OLD), Severity.LOW).item_id
    new = put(database, LessonContent(text=NEW), Severity.CRITICAL).item_id
    row = item(database, merged(database, new, old))
    assert (row.severity, row.weight) == (Severity.CRITICAL, 0)
    assert verify(database).whole


def test_three_tags_at_most_go_along(database: Database) -> None:
    old, new = pair(database)
    before = [item(database, one).revision for one in (old, new)]
    with pytest.raises(BadInput):
        merged(database, new, old, changes={"text": BOTH, "tags": ("one1", "two2", "three3", "four4")})
    assert [item(database, one).revision for one in (old, new)] == before
    assert statuses(database, old, new) == [Status.ACTIVE, Status.PROPOSED]


def test_procedures_are_merged_like_lessons(database: Database) -> None:
    team(database)
    old, new = procedure(database, "Policy first").item_id, procedure(database, "Refund policy first").item_id
    made = merged(database, new, old, changes={"title": "The policy first"})
    assert statuses(database, old, new, made) == [Status.SUPERSEDED, Status.MERGED, Status.PROPOSED]


def test_the_words_of_a_parent_can_be_the_merged_ones(database: Database) -> None:
    old, new = pair(database)
    made = merged(database, new, old, changes={"text": NEW})
    assert item(database, made).status == Status.PROPOSED
    with database.reading() as db:
        assert content_of(db, item(database, made)).headline == NEW


def test_what_may_be_planted_is_merged_with_nothing_on_either_side(database: Database) -> None:
    old, new = pair(database)
    remark(database, new, "untrusted_source:only_user")
    with refused(database, "plant"):
        merged(database, new, old)
    remark(database, new)
    remark(database, old, "widens_permission:waives")
    with refused(database, "plant"):
        merged(database, new, old)


def test_what_was_remarked_about_a_policy_goes_along_and_needs_two_people(database: Database) -> None:
    old, new = pair(database)
    with database.writing() as db:
        from core.governance.gate import FINDINGS
        from core.screening.contract import Place, ScreenFinding
        from core.store.records import Screening

        said = ScreenFinding(
            Screen.CONFLICT, "against_policy:number", Severity.CRITICAL, "", Place(0, 0), ".", ".", Follows.HOLD
        )
        db.get_one(Screening, new).findings = list(FINDINGS.dump_python((said,), mode="json"))
    made = merged(database, new, old)
    edit_away_the_lost_quote(database, made)
    act(database, made, Action.APPROVE, person="lead1")
    assert item(database, made).status == Status.PROPOSED
    act(database, made, Action.APPROVE, person="lead3")
    assert item(database, made).status == Status.ACTIVE


def test_what_is_no_other_of_its_kind_and_agent_or_not_in_force_nor_proposed_is_no_other_half(
    database: Database,
) -> None:
    old, new = pair(database)
    for other in (new, procedure(database).item_id, note(database, session(database, "CD-9")).item_id):
        with refused(database, "not_alike"):
            merged(database, new, other)
    act(database, old, Action.RETIRE, person="lead1", text="old")
    with refused(database, "no_such_move"):
        merged(database, new, old)
    before = everything(database)
    with pytest.raises(NotFound):
        merged(database, new, 999)
    assert everything(database) == before


def test_only_what_is_proposed_is_set_aside(database: Database) -> None:
    old, new = pair(database)
    third = lesson(database, OTHER).item_id
    with refused(database, "no_such_move"):
        merged(database, old, third)
    act(database, new, Action.REJECT, person="lead1", reason=RejectReason.NOT_TRUE)
    with refused(database, "no_such_move"):
        merged(database, new, old)


def test_a_waiting_version_of_what_is_in_force_is_not_set_aside(database: Database) -> None:
    old, new = pair(database)
    newer = edited(database, old, "lead1", text=BOTH)
    with refused(database, "in_force"):
        merged(database, newer, new, changes={"text": f"{BOTH} {OTHER}"})


def test_a_merge_needs_the_duty_and_both_as_they_were_seen(database: Database) -> None:
    old, new = pair(database)
    for person in ("auditor1", "dev1", "a stranger"):
        with refused(database, "role"):
            merged(database, new, old, person)
    seen = item(database, old).revision
    act(database, old, Action.SUSPEND, person="lead1", text="wait")
    act(database, old, Action.REINSTATE, person="lead1", text="go on")
    with refused(database, "already_decided"):
        merged(database, new, old, into_revision=seen)


def test_pressing_twice_merges_once_and_whoever_comes_second_is_told(database: Database) -> None:
    old, new = pair(database)
    seen, words = Merging(new, old, 1), {"text": BOTH}
    first = merge(database, seen, person="lead2", changes=words)
    before = everything(database)
    again = merge(database, seen, person="lead2", changes=words)
    assert again.already
    assert again.text == "L-0002 was already merged by you, into L-0001 v2"
    assert replace(again, text="", already=False) == replace(first, text="")
    with pytest.raises(AlreadyDecided):
        merge(database, seen, person="lead3", changes=words)
    assert everything(database) == before
    with database.reading() as db:
        assert len(db.exec(select(Parent)).all()) == 2


def test_a_bare_decision_merges_nothing(database: Database) -> None:
    _, new = pair(database)
    with refused(database, "merge_into"):
        decide(database, request(database, new, Action.MERGE, person="lead1"))


def test_for_whom_a_merger_holds_is_that_of_the_one_it_is_merged_into(database: Database) -> None:
    team(database)
    old = put(database, LessonContent(text=OLD, scope=Scope.AGENT), Severity.HIGH).item_id
    new = lesson(database, NEW).item_id
    made = merged(database, new, old)
    act(database, made, Action.APPROVE, person="lead1")
    assert item(database, made).status == Status.PROPOSED, "two people, as for every task"


def test_further_proof_of_a_merged_one_is_counted_and_nothing_more(database: Database) -> None:
    old, new = pair(database)
    merged(database, new, old)
    further_proof(database, old)
    again = lesson(database, NEW, quotes=(quote(session(database, "CD-8", days=1)),))
    assert (again.item_id, again.what) == (new, "returned")
    assert item(database, new).status == Status.MERGED
    assert START + timedelta(0) == item(database, new).created_at
