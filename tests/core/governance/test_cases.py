"""A breach that returns is linked to its first note, which opens again where it was resolved."""

import pytest
from sqlmodel import col, select

from core.governance import cases
from core.governance.audit import verify
from core.governance.desk import undo
from core.governance.desk_settings import save_desk_settings
from core.governance.drafts import NoteContent
from core.governance.people import set_person
from core.governance.proposals import Proposed
from core.service.debrief import debrief
from core.store.database import Database
from core.store.oversight_records import Recurrence
from core.store.records import Decision, Item
from core.vocabulary import Action, Dimension, DismissReason, Duty, Severity
from tests.core.governance.at_the_desk import edited, refused, team
from tests.desk import OPERATOR, act, item, note, put, quote, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

WORDS = "The student was called, and the refund was paid."


def breach(database: Database, ref: str, *, fault: str = "policy_words:refund-window", **said: object) -> Proposed:
    """A critical note of one breach in a session of its own."""
    said.setdefault("severity", Severity.CRITICAL)
    return note(database, session(database, ref), fault=fault, **said)  # type: ignore[arg-type]


def by_the_critic(database: Database, ref: str, words: str, **said: object) -> Proposed:
    """A critical note that the critic wrote: its fault names its quotes, no breach."""
    found = session(database, ref)
    content = NoteContent(
        dimension=said.pop("dimension", Dimension.COMPLIANCE),  # type: ignore[arg-type]
        severity=Severity.CRITICAL,
        observation=words,
        improvement="Look the rule up first.",
    )
    proof = (quote(found, found=bool(said.pop("found", True))),)
    fault = f"critic:compliance:{ref}"
    return put(database, content, Severity.CRITICAL, fault=fault, proposer="critic", quotes=proof, session_id=found)


def links(database: Database) -> list[tuple[int, int]]:
    """Every recurrence with its case."""
    with database.reading() as db:
        rows = db.exec(select(Recurrence).order_by(col(Recurrence.item_id))).all()
        return [(row.item_id, row.case_id) for row in rows]


def reopened_by_rule(database: Database, item_id: int) -> list[Decision]:
    """The decisions by which the rule opened a case again."""
    with database.reading() as db:
        mine = (Decision.item_id == item_id, Decision.rule == cases.RULE)
        return list(db.exec(select(Decision).where(*mine).order_by(col(Decision.id))).all())


def resolved_once(database: Database) -> int:
    """A case that was resolved."""
    first = breach(database, "CD-1").item_id
    act(database, first, Action.RESOLVE, text=WORDS)
    return first


def test_a_breach_that_returns_is_linked_to_its_case_and_opens_it_again(database: Database) -> None:
    first = resolved_once(database)
    again = breach(database, "CD-2", user="student 9")
    assert links(database) == [(again.item_id, first)]
    assert item(database, first).status == "open"
    (row,) = reopened_by_rule(database, first)
    assert (row.action, row.before, row.after) == ("reopen", "resolved", "open")
    assert row.text == f"{again.ref} is of the same breach, in CD-2."
    with database.reading() as db:
        cause = db.get_one(Decision, row.cause)
        said = db.exec(select(Decision.text).where(Decision.item_id == first, Decision.action == "resolve")).one()
    assert (cause.item_id, said) == (again.item_id, WORDS)
    assert verify(database).whole


def test_several_returns_are_each_linked_and_the_case_is_open_once(database: Database) -> None:
    first = resolved_once(database)
    later = [breach(database, f"CD-{number}").item_id for number in (2, 3, 4)]
    assert links(database) == [(one, first) for one in later]
    assert len(reopened_by_rule(database, first)) == 1
    act(database, first, Action.RESOLVE, text="Again paid.")
    breach(database, "CD-5")
    assert len(reopened_by_rule(database, first)) == 2


def test_an_open_case_is_linked_and_not_opened_again(database: Database) -> None:
    first = breach(database, "CD-1").item_id
    again = breach(database, "CD-2").item_id
    assert links(database) == [(again, first)]
    assert reopened_by_rule(database, first) == []


def test_the_same_session_debriefed_again_is_no_recurrence(database: Database) -> None:
    found = session(database, "CD-1")
    one = note(database, found, fault="policy_words:x", severity=Severity.CRITICAL)
    act(database, one.item_id, Action.RESOLVE, text=WORDS)
    assert note(database, found, fault="policy_words:x", severity=Severity.CRITICAL).what == "known"
    assert (links(database), item(database, one.item_id).status) == ([], "resolved")


@pytest.mark.parametrize("severity", [Severity.HIGH, Severity.LOW])
def test_a_note_that_is_not_critical_is_no_recurrence(database: Database, severity: Severity) -> None:
    first = resolved_once(database)
    breach(database, "CD-2", severity=severity)
    assert (links(database), item(database, first).status) == ([], "resolved")


def test_another_breach_is_no_recurrence(database: Database) -> None:
    first = resolved_once(database)
    breach(database, "CD-2", fault="policy_words:other")
    assert (links(database), item(database, first).status) == ([], "resolved")


def test_a_note_that_is_raised_to_critical_counts_from_then_on(database: Database) -> None:
    set_person(database, "boss", set(Duty))
    first = breach(database, "CD-1").item_id
    act(database, first, Action.RESOLVE, person="boss", text=WORDS)
    high = breach(database, "CD-2", severity=Severity.HIGH).item_id
    assert links(database) == []
    raised = edited(database, high, "boss", severity="critical")
    assert links(database) == [(raised, first)]
    assert item(database, first).status == "open"


def test_a_dismissed_note_is_linked_and_stays_dismissed(database: Database) -> None:
    first = breach(database, "CD-1").item_id
    act(database, first, Action.DISMISS, reason=DismissReason.NOT_TRUE, text="It was allowed.")
    again = breach(database, "CD-2").item_id
    assert (links(database), item(database, first).status) == ([(again, first)], "dismissed")
    third = breach(database, "CD-3").item_id
    assert links(database)[-1] == (third, again), "the first that was not dismissed is the case"


def test_a_held_note_opens_its_case_when_it_is_released_and_not_before(database: Database) -> None:
    set_person(database, "boss", set(Duty))
    first = breach(database, "CD-1").item_id
    act(database, first, Action.RESOLVE, person="boss", text=WORDS)
    held = breach(database, "CD-2", found=False).item_id
    assert (links(database), item(database, first).status) == ([(held, first)], "resolved")
    released = act(database, held, Action.RELEASE, person="boss", text="It was said so.")
    (row,) = reopened_by_rule(database, first)
    assert row.cause == released.decision_id
    undo(database, decision_id=released.decision_id, person="boss")
    assert item(database, held).status == "held"
    assert item(database, first).status == "open", "nothing happens to the case by itself"


def test_a_held_note_that_was_dismissed_opens_its_case_when_an_appeal_is_granted(database: Database) -> None:
    team(database)
    set_person(database, "auditor3", {Duty.AUDITOR})
    first = breach(database, "CD-1").item_id
    act(database, first, Action.RESOLVE, person="auditor1", text=WORDS)
    held = breach(database, "CD-2", found=False).item_id
    for person in ("auditor1", "auditor2"):
        act(database, held, Action.DISMISS, person=person, reason=DismissReason.NOT_TRUE, text="Not shown.")
    act(database, held, Action.APPEAL, person="lead1", text="It was said on the phone.")
    assert item(database, first).status == "resolved"
    act(database, held, Action.GRANT, person="auditor3")
    assert (item(database, held).status, item(database, first).status) == ("open", "open")


def test_a_note_opens_its_case_once_however_often_it_comes_up(database: Database) -> None:
    set_person(database, "boss", set(Duty))
    first = breach(database, "CD-1").item_id
    again = breach(database, "CD-2").item_id
    act(database, first, Action.RESOLVE, person="boss", text=WORDS)
    act(database, again, Action.SUSPEND, person="boss", text="Is it so?")
    act(database, again, Action.RELEASE, person="boss", text="It is.")
    edited(database, again, "boss", observation="A refund was promised once more.")
    assert item(database, first).status == "resolved"
    assert reopened_by_rule(database, first) == []


def test_dismissing_the_recurrence_leaves_the_case_open_for_a_person(database: Database) -> None:
    first = resolved_once(database)
    again = breach(database, "CD-2").item_id
    act(database, again, Action.DISMISS, reason=DismissReason.NOT_TRUE, text="It was allowed.")
    assert item(database, first).status == "open"
    act(database, first, Action.RESOLVE, text="As before.")
    assert item(database, first).status == "resolved"


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("A refund was promised after the 7-day window had ended.", True),
        ("A refund was promised after the 30-day window had ended.", False),
        ("The agent asked for a password in clear.", False),
    ],
)
def test_what_the_critic_wrote_is_of_one_breach_by_its_words(database: Database, words: str, same: bool) -> None:
    first = by_the_critic(database, "CD-1", "A refund was promised after the 7-day window had ended.").item_id
    act(database, first, Action.RESOLVE, text=WORDS)
    again = by_the_critic(database, "CD-2", words).item_id
    assert links(database) == ([(again, first)] if same else [])
    assert item(database, first).status == ("open" if same else "resolved")


def test_words_of_another_dimension_are_another_breach(database: Database) -> None:
    words = "A refund was promised after the 7-day window had ended."
    by_the_critic(database, "CD-1", words)
    by_the_critic(database, "CD-2", words, dimension=Dimension.COMMUNICATION)
    assert links(database) == []


def test_both_ways_are_found_whatever_version_is_asked(database: Database) -> None:
    set_person(database, "boss", set(Duty))
    first = breach(database, "CD-1").item_id
    newer = edited(database, first, "boss", observation="A refund was promised, and none was due.")
    again = breach(database, "CD-2").item_id
    again = edited(database, again, "boss", observation="Once more a refund was promised.")
    with database.reading() as db:
        for one in (first, newer):
            assert [found.id for found in cases.recurrences_of(db, db.get_one(Item, one))] == [again]
        found = cases.case_of(db, db.get_one(Item, again))
        assert found is not None
        assert found.id == newer


def test_a_debrief_of_nothing_new_links_nothing(database: Database) -> None:
    resolved_once(database)
    debrief(database)
    assert links(database) == []


def test_four_eyes_ask_two_people_to_resolve_a_critical_note(database: Database) -> None:
    team(database)
    first = breach(database, "CD-1").item_id
    save_desk_settings(database, {"four_eyes": True}, by="dev1", reason="two look at what is grave")
    act(database, first, Action.RESOLVE, person="auditor1", text=WORDS)
    assert item(database, first).status == "open"
    with refused(database, "endorsed"):
        act(database, first, Action.RESOLVE, person="auditor1", text=WORDS)
    act(database, first, Action.RESOLVE, person="auditor2", text=WORDS)
    assert item(database, first).status == "resolved"
    high = breach(database, "CD-2", severity=Severity.HIGH, fault="g").item_id
    act(database, high, Action.RESOLVE, person="lead1", text=WORDS)
    assert item(database, high).status == "resolved"


def test_four_eyes_are_those_of_one_person_who_is_alone(database: Database) -> None:
    save_desk_settings(database, {"four_eyes": True}, by=OPERATOR, reason="two look at what is grave")
    first = breach(database, "CD-1").item_id
    act(database, first, Action.RESOLVE, text=WORDS)
    assert item(database, first).status == "resolved"
