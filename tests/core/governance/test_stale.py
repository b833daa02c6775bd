"""When a source is withdrawn, what rests on it goes stale; a person brings it back, and only on enough that stands."""

import pytest
from sqlmodel import select

from core.errors import NotFound, Refused
from core.governance.audit import verify
from core.governance.desk import undo
from core.governance.episodes import release, restore, withdraw
from core.governance.merging import Merging, merge
from core.governance.numbers import numbers
from core.governance.people import set_person
from core.governance.saving_numbers import save_numbers
from core.governance.versions import edit
from core.store.clock import now
from core.store.database import Database
from core.store.memory_records import Citation, Episode
from core.store.records import Decision, Item
from core.vocabulary import Action, Cause, Duty, Status
from tests.desk import OPERATOR, act, agent, item, note, session
from tests.remembered import QUOTE, USERS_QUOTE, active, belief, episode, place, status, withdrawn

TEXTS = (
    "Whoever serves this user reads the ledger first.",
    "Letters to this user name the course and its price.",
    "This user pays late in autumn.",
)


def gone(database: Database, episode_id: int, reason: str = "It was another student.", **how: int):
    with database.writing() as db:
        return withdraw(db, episode_id, reason=reason, person=OPERATOR, at=now(), **how)


def back(database: Database, episode_id: int) -> None:
    with database.writing() as db:
        restore(db, episode_id, person=OPERATOR, text="It was the same student.", at=now())


def decisions(database: Database, item_id: int) -> list[Decision]:
    with database.reading() as db:
        return list(db.exec(select(Decision).where(Decision.item_id == item_id).order_by(Decision.id)).all())


@pytest.fixture
def episodes(database: Database) -> list[int]:
    return [episode(database, f"Case {one}: the ledger was not read.", days=one) for one in range(4)]


def test_a_belief_in_force_is_suspended_and_a_proposed_one_is_held(database: Database, episodes: list[int]) -> None:
    first = active(database, TEXTS[0], *episodes[:3])
    second = belief(database, TEXTS[1], *episodes[1:3]).item_id
    apart = active(database, TEXTS[2], episodes[2], episodes[3])
    walk = gone(database, episodes[1])
    assert (status(database, first), status(database, second)) == (Status.SUSPENDED, Status.HELD)
    assert status(database, apart) == Status.ACTIVE
    assert item(database, first).cause == item(database, second).cause == Cause.STALE_SOURCE
    assert item(database, first).queued_at is not None
    last = decisions(database, first)[-1]
    assert (last.rule, last.by) == ("stale source of a belief", OPERATOR)
    assert last.text == f"E-0002 was withdrawn: It was another student. (by {OPERATOR})."
    assert [one.item.id for one in walk.reached] == [first, second]
    assert walk.text == "B-0001, B-0002 went stale"


def test_a_belief_on_a_stale_belief_goes_stale_with_it(database: Database, episodes: list[int]) -> None:
    low = active(database, TEXTS[0], *episodes[:2])
    high = active(database, TEXTS[1], place(database, low), episodes[2])
    with database.reading() as db:
        assert db.exec(select(Episode.depth).where(Episode.belief_id == high)).one() == 2
    walk = gone(database, episodes[0])
    assert [(one.item.id, one.steps) for one in walk.reached] == [(low, 1), (high, 2)]
    assert status(database, high) == Status.SUSPENDED
    assert decisions(database, high)[-1].text == "B-0001 went stale."


def test_what_lies_beyond_the_walk_is_named_and_not_marked(database: Database, episodes: list[int]) -> None:
    low = active(database, TEXTS[0], *episodes[:2])
    high = active(database, TEXTS[1], place(database, low), episodes[2])
    save_numbers(database, {"stale_walk": 1}, by=OPERATOR, reason="a short walk", seen=0)
    assert numbers(database).stale_walk == 1
    walk = gone(database, episodes[0])
    assert [one.item.id for one in walk.beyond] == [high]
    assert status(database, high) == Status.ACTIVE
    said = decisions(database, low)[-1].text
    assert "B-0002 rests on it 2 steps away, beyond the walk, and was not marked" in said
    assert said.endswith(".")


def test_a_cycle_of_citations_ends(database: Database, episodes: list[int]) -> None:
    low = active(database, TEXTS[0], *episodes[:2])
    high = active(database, TEXTS[1], place(database, low), episodes[2])
    with database.writing() as db:
        db.add(Citation(item_id=low, episode_id=db.exec(select(Episode.id).where(Episode.belief_id == high)).one()))
    gone(database, episodes[2])
    assert (status(database, low), status(database, high)) == (Status.SUSPENDED, Status.SUSPENDED)
    assert [row.action for row in decisions(database, high)].count(Action.SUSPEND) == 1


@pytest.mark.parametrize("action", [Action.RETIRE, Action.SUSPEND])
def test_what_rests_on_a_belief_that_leaves_its_force_goes_stale_with_its_cause(
    database: Database, episodes: list[int], action: Action
) -> None:
    low = active(database, TEXTS[0], *episodes[:2])
    high = active(database, TEXTS[1], place(database, low), episodes[2])
    made = act(database, low, action, text="It no longer holds.")
    last = decisions(database, high)[-1]
    assert (last.after, last.cause) == (Status.SUSPENDED, made.decision_id)
    undo(database, decision_id=made.decision_id, person=OPERATOR)
    assert (status(database, low), status(database, high)) == (Status.ACTIVE, Status.ACTIVE)


def test_a_newer_version_in_force_leaves_what_rested_on_the_old_one_stale(
    database: Database, episodes: list[int]
) -> None:
    low = active(database, TEXTS[0], *episodes[:2])
    high = active(database, TEXTS[1], place(database, low), episodes[2])
    changes = {"text": "Whoever serves this user reads ledger and contract first."}
    made = edit(database, item_id=low, person=OPERATOR, revision_seen=item(database, low).revision, changes=changes)
    assert status(database, high) == Status.ACTIVE
    act(database, made.item_id, Action.APPROVE)
    assert (status(database, low), status(database, high)) == (Status.SUPERSEDED, Status.SUSPENDED)
    assert place(database, made.item_id) != place(database, low)


def test_it_comes_back_only_by_a_person_and_on_enough_that_stands(database: Database, episodes: list[int]) -> None:
    stale = active(database, TEXTS[0], *episodes[:2])
    gone(database, episodes[0])
    with pytest.raises(Refused, match="1 of the 2 episodes that it cites stand") as told:
        act(database, stale, Action.REINSTATE, text="Looked at.")
    assert told.value.code == "sources_gone"
    assert "E-0001" in str(told.value)
    assert status(database, stale) == Status.SUSPENDED
    back(database, episodes[0])
    assert status(database, stale) == Status.SUSPENDED
    act(database, stale, Action.REINSTATE, text="Looked at.")
    assert status(database, stale) == Status.ACTIVE


def test_with_enough_left_it_waits_for_a_look_all_the_same(database: Database, episodes: list[int]) -> None:
    stale = active(database, TEXTS[0], *episodes[:3])
    gone(database, episodes[0])
    assert status(database, stale) == Status.SUSPENDED
    act(database, stale, Action.REINSTATE, text="Two are enough here.")
    assert status(database, stale) == Status.ACTIVE


def test_an_edit_can_cite_others_and_takes_their_words_along(database: Database, episodes: list[int]) -> None:
    stale = active(database, TEXTS[0], *episodes[:2])
    other = episode(database, "Case 9: the student asked twice.", ref="CD-9", quotes=[USERS_QUOTE])
    gone(database, episodes[0])
    seen = item(database, stale).revision
    made = edit(database, item_id=stale, person=OPERATOR, revision_seen=seen, changes={"cites": (episodes[1], other)})
    act(database, made.item_id, Action.APPROVE)
    assert (status(database, stale), status(database, made.item_id)) == (Status.SUPERSEDED, Status.ACTIVE)
    assert item(database, made.item_id).quotes == 2


@pytest.mark.parametrize(
    ("user", "agent_name"), [("student 10", "Campus Desk"), (None, "Campus Desk"), ("student 1", "B")]
)
def test_no_belief_rests_on_another_users_episode(
    database: Database, episodes: list[int], user: str | None, agent_name: str
) -> None:
    other = episode(database, "Another one.", ref="X-1", user=user, agent_name=agent_name)
    with pytest.raises(Refused, match="is none of this agent and user"):
        belief(database, TEXTS[0], episodes[0], other)
    with database.reading() as db:
        assert db.exec(select(Item)).all() == []


def test_a_belief_needs_sources_that_stand_and_is_no_deeper_than_two(database: Database, episodes: list[int]) -> None:
    held = episode(database, "Held.", held="Its words were not found in the transcript.")
    with pytest.raises(Refused, match="rests on too little"):
        belief(database, TEXTS[0], episodes[0], held)
    low = active(database, TEXTS[0], *episodes[:2])
    high = active(database, TEXTS[1], place(database, low), episodes[2])
    with pytest.raises(Refused, match="depth 3; 2 is the deepest") as told:
        seen = item(database, high).revision
        changes = {"cites": (place(database, high), episodes[3])}
        edit(database, item_id=low, person=OPERATOR, revision_seen=item(database, low).revision, changes=changes)
    assert (told.value.code, item(database, high).revision) == ("too_deep", seen)


def test_a_dismissed_note_takes_its_episode_along_and_brings_it_back(database: Database, episodes: list[int]) -> None:
    own = session(database, "CD-7")
    found = note(database, own)
    made_of = episode(database, "A refund was promised.", ref="CD-7", source="note", note_id=found.item_id)
    rests = active(database, TEXTS[0], episodes[0], made_of)
    made = act(database, found.item_id, Action.DISMISS, reason="not_true")
    assert withdrawn(database, made_of) == f"its note {found.ref} was dismissed"
    last = decisions(database, rests)[-1]
    assert (last.after, last.cause) == (Status.SUSPENDED, made.decision_id)
    act(database, found.item_id, Action.REOPEN, text="It was true.")
    assert withdrawn(database, made_of) is None
    assert status(database, rests) == Status.SUSPENDED


def test_a_note_that_comes_back_by_an_appeal_brings_its_episode_back(database: Database, episodes: list[int]) -> None:
    set_person(database, "Ann", {Duty.ADMIN, Duty.LEAD, Duty.AUDITOR})
    set_person(database, "Ben", {Duty.LEAD, Duty.AUDITOR})
    set_person(database, "Cleo", {Duty.LEAD, Duty.AUDITOR})
    found = note(database, session(database, "CD-7"))
    made_of = episode(database, "A refund was promised.", ref="CD-7", source="note", note_id=found.item_id)
    act(database, found.item_id, Action.DISMISS, reason="not_true", person="Ann")
    act(database, found.item_id, Action.APPEAL, text="It was true.", person="Ben")
    assert withdrawn(database, made_of) is not None
    act(database, found.item_id, Action.GRANT, text="It was.", person="Cleo")
    assert (status(database, found.item_id), withdrawn(database, made_of)) == (Status.OPEN, None)


def test_whoever_contradicts_an_episode_names_the_other(database: Database, episodes: list[int]) -> None:
    strange = episode(database, "Another's.", ref="X-1", user="student 10")
    with pytest.raises(Refused, match="no other episode of the same agent and user"):
        gone(database, episodes[0], contradicted_by=strange)
    assert withdrawn(database, episodes[0]) is None
    gone(database, episodes[0], "She asked for the letter.", contradicted_by=episodes[1])
    assert withdrawn(database, episodes[0]) == f"contradicted by E-0002: She asked for the letter. (by {OPERATOR})"


def test_what_cannot_be_done_with_an_episode_says_why_and_changes_nothing(
    database: Database, episodes: list[int]
) -> None:
    low = active(database, TEXTS[0], *episodes[:2])
    held = episode(database, "Held.", held="No words are quoted.", importance=None)
    with pytest.raises(NotFound):
        gone(database, 999)
    with pytest.raises(Refused, match="is the belief B-0001; it is decided on Review"):
        gone(database, place(database, low))
    with pytest.raises(Refused, match="a reason must be written"):
        gone(database, episodes[0], " ")
    with pytest.raises(Refused, match="Only a person with the duty lead"), database.writing() as db:
        withdraw(db, episodes[0], reason="so", person="Nobody", at=now())
    with pytest.raises(Refused, match="was not withdrawn"):
        back(database, episodes[0])
    with pytest.raises(Refused, match="has no importance"), database.writing() as db:
        release(db, held, person=OPERATOR, text="Looked at.", at=now())
    with pytest.raises(Refused, match="is not held"), database.writing() as db:
        release(db, episodes[0], person=OPERATOR, text="Looked at.", at=now())
    gone(database, episodes[0])
    with pytest.raises(Refused, match="was withdrawn already"):
        gone(database, episodes[0])
    assert status(database, low) == Status.SUSPENDED


def test_a_belief_is_compared_with_those_of_the_same_user_only(database: Database, episodes: list[int]) -> None:
    first = belief(database, TEXTS[0], *episodes[:2])
    again = belief(database, TEXTS[0], *episodes[1:3])
    assert (again.item_id, again.what) == (first.item_id, "known")
    others = [episode(database, f"Of student 10: {one}.", ref=f"X-{one}", user="student 10") for one in range(2)]
    other = belief(database, TEXTS[0], *others, user="student 10")
    assert other.what == "new"
    assert agent(database) == item(database, other.item_id).agent_id
    act(database, first.item_id, Action.REJECT, reason="not_true")
    returned = belief(database, TEXTS[0], *episodes[1:4])
    assert returned.item_id == first.item_id
    assert item(database, first.item_id).status == Status.REJECTED


def test_a_belief_on_a_users_words_alone_is_held_and_labelled(database: Database) -> None:
    cites = [episode(database, f"Asked, {one}.", ref=f"U-{one}", quotes=[USERS_QUOTE]) for one in range(2)]
    alone = belief(database, TEXTS[0], *cites)
    assert status(database, alone.item_id) == Status.HELD
    with_agent = episode(database, "Promised.", ref="U-9", quotes=[QUOTE])
    assert status(database, belief(database, TEXTS[1], cites[0], with_agent).item_id) == Status.PROPOSED


@pytest.mark.parametrize(
    "text", ["The user seems thoughtful.", "The user is a good person.", "It appears that this is always so."]
)
def test_what_says_nothing_definite_is_no_belief(database: Database, episodes: list[int], text: str) -> None:
    with pytest.raises(Refused) as told:
        belief(database, text, *episodes[:2])
    assert told.value.code == "vague"
    with database.reading() as db:
        assert db.exec(select(Item)).all() == []


def merged(database: Database, one: int, other: int):
    what = Merging(one, other, item(database, one).revision)
    changes = {"text": "Whoever serves this user reads ledger and contract before a letter goes out."}
    return merge(database, what, person=OPERATOR, changes=changes)


def test_a_merged_belief_cites_what_both_cite(database: Database, episodes: list[int]) -> None:
    one, other = belief(database, TEXTS[0], *episodes[:2]), belief(database, TEXTS[1], *episodes[2:])
    made = merged(database, one.item_id, other.item_id)
    with database.reading() as db:
        assert set(db.exec(select(Citation.episode_id).where(Citation.item_id == made.item_id)).all()) == set(episodes)


def test_what_is_believed_of_one_user_is_never_merged_into_another(database: Database, episodes: list[int]) -> None:
    theirs = [episode(database, f"Of student 10: {one}.", ref=f"X-{one}", user="student 10") for one in range(2)]
    one = belief(database, TEXTS[0], *episodes[:2])
    other = belief(database, TEXTS[1], *theirs, user="student 10")
    with pytest.raises(Refused, match="are not of the same user"):
        merged(database, one.item_id, other.item_id)
    assert status(database, one.item_id) == status(database, other.item_id) == Status.PROPOSED


def test_the_log_is_whole_after_all_of_it(database: Database, episodes: list[int]) -> None:
    low = active(database, TEXTS[0], *episodes[:2])
    high = active(database, TEXTS[1], place(database, low), episodes[2])
    waits = belief(database, TEXTS[2], *episodes[:2]).item_id
    gone(database, episodes[0])
    back(database, episodes[0])
    act(database, low, Action.REINSTATE, text="Looked at.")
    act(database, high, Action.REINSTATE, text="Looked at.")
    act(database, waits, Action.RELEASE, text="Looked at.")
    act(database, low, Action.RETIRE, text="No longer.")
    found = verify(database)
    assert found.whole, found.breaks


def test_an_undo_brings_no_belief_back_of_which_a_source_was_withdrawn_meanwhile(
    database: Database, episodes: list[int]
) -> None:
    found = active(database, "Whoever serves this user reads the ledger first.", *episodes)
    retired = act(database, found, Action.RETIRE, text="Not now.")
    gone(database, episodes[0])
    with pytest.raises(Refused) as told:
        undo(database, decision_id=retired.decision_id, person=OPERATOR)
    assert (told.value.code, status(database, found)) == ("sources_gone", Status.RETIRED)


def test_an_episode_whose_words_are_gone_is_not_restored_whatever_it_was_withdrawn_for(
    database: Database, episodes: list[int]
) -> None:
    gone(database, episodes[0])
    with database.writing() as db:
        row = db.get_one(Episode, episodes[0])
        row.quotes = [{**one, "grounding": {"verdict": "not_found", "spans": []}} for one in row.quotes]
        db.add(row)
    with pytest.raises(Refused) as told:
        back(database, episodes[0])
    assert told.value.code == "quote_not_found"
    assert withdrawn(database, episodes[0]) is not None
