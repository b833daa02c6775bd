"""Every row of the lifecycle table, walked: without the duty, without words, by the wrong one, by one alone."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from sqlmodel import select

from core.errors import Refused
from core.governance import lifecycle
from core.governance.acts import Act
from core.governance.desk_settings import save_desk_settings
from core.governance.lifecycle import TABLE, Apart, Move, Weighty
from core.governance.merging import Merging, merge
from core.governance.people import set_person
from core.governance.status_writer import turn
from core.store.database import Database
from core.store.records import Item, LessonBody
from core.vocabulary import Action, Duty, Kind, Severity, Status
from tests.core.governance.at_the_desk import refused, remark
from tests.core.governance.expected_table import EXPECTED
from tests.desk import START, act, item, lesson, note, procedure, session
from tests.remembered import belief, episode

ROWS = [(kind, *key, row) for kind, rows in EXPECTED.items() for key, row in rows.items()]
OTHER_HALF = "what others are merged into"
BY_PEOPLE = [row for row in ROWS if row[3].who]

WAYS: dict[Kind, dict[Status, tuple[Action, ...]]] = {
    Kind.NOTE: {
        Status.OPEN: (),
        Status.HELD: (Action.SUSPEND,),
        Status.RESOLVED: (Action.RESOLVE,),
        Status.DISMISSED: (Action.DISMISS,),
        Status.APPEALED: (Action.DISMISS, Action.APPEAL),
    },
    Kind.LESSON: {
        Status.PROPOSED: (),
        Status.HELD: (),
        Status.ACTIVE: (Action.APPROVE,),
        Status.SUSPENDED: (Action.APPROVE, Action.SUSPEND),
        Status.SUPERSEDED: (Action.APPROVE, Action.SUPERSEDE),
        Status.REJECTED: (Action.REJECT,),
        Status.APPEALED: (Action.REJECT, Action.APPEAL),
        Status.RETIRED: (Action.APPROVE, Action.RETIRE),
        Status.MERGED: (Action.MERGE,),
    },
}
WAYS[Kind.PROCEDURE] = WAYS[Kind.BELIEF] = dict(WAYS[Kind.LESSON])
WAYS[Kind.LESSON][Status.EXPIRED] = (Action.APPROVE, Action.EXPIRE)
BY_RULE = {Action.SUPERSEDE: Status.SUPERSEDED, Action.EXPIRE: Status.EXPIRED}
"""How an item gets into each status that has a row: by people a and b, where two are needed."""


def name(row: tuple[Kind, Status, Action, Move]) -> str:
    return "-".join(map(str, row[:3]))


def desk_of_many(database: Database) -> None:
    """Two to decide beforehand, two to act, an appellant, and one for each duty alone."""
    for one in ("a", "b", "c", "d"):
        set_person(database, one, {Duty.LEAD, Duty.AUDITOR})
    set_person(database, "appellant", {Duty.LEAD, Duty.AUDITOR})
    set_person(database, "proposer", {Duty.LEAD, Duty.AUDITOR})
    for duty in Duty:
        set_person(database, f"only {duty}", {duty})
    set_person(database, "nothing", set())


def made(database: Database, kind: Kind, status: Status, *, severity: Severity = Severity.HIGH) -> int:
    """An item in a status, by the decisions that lead there."""
    if kind is Kind.NOTE:
        found = note(database, session(database), severity=severity).item_id
    else:
        other_half(database, kind)
        found = MAKE[kind](database)
    with database.writing() as db:
        row = db.get_one(Item, found)
        row.proposer = "proposer"
        row.status = Status.HELD if status is Status.HELD and kind is not Kind.NOTE else row.status
    for action in WAYS[kind][status]:
        if action in BY_RULE:
            with database.writing() as db:
                gone = Act(action, BY_RULE[action], "a", START, rule="a newer version")
                turn(db, db.get_one(Item, found), gone)
            continue
        for person in ("appellant",) if action is Action.APPEAL else ("a", "b"):
            before = item(database, found).status
            done(database, found, action, person=person, text="because", reason=_reason(action))
            if item(database, found).status != before:
                break
    assert item(database, found).status == status
    return found


def other_half(database: Database, kind: Kind) -> int:
    """What an item of this kind can be merged into; made before anything is compared."""
    with database.reading() as db:
        known = db.exec(select(Item.id).where(Item.kind == kind, Item.origin == OTHER_HALF)).first()
    if known is not None:
        return known
    made = OTHERS[kind](database)
    with database.writing() as db:
        db.get_one(Item, made).origin = OTHER_HALF
    return made


def a_belief(database: Database, text: str) -> int:
    """A proposed belief on two episodes of its own."""
    cites = [episode(database, f"{text} It was so on visit {visit}.", days=visit) for visit in (1, 2)]
    return belief(database, text, *cites).item_id


MAKE: dict[Kind, Callable[[Database], int]] = {
    Kind.LESSON: lambda database: lesson(database).item_id,
    Kind.PROCEDURE: lambda database: procedure(database).item_id,
    Kind.BELIEF: lambda database: a_belief(database, "Whoever serves this user reads the ledger first."),
}
OTHERS: dict[Kind, Callable[[Database], int]] = {
    Kind.LESSON: lambda database: lesson(database, "Name the building of the course.").item_id,
    Kind.PROCEDURE: lambda database: procedure(database, "Maps").item_id,
    Kind.BELIEF: lambda database: a_belief(database, "This user wants dates named before amounts."),
}


def done(database: Database, found: int, action: Action, *, person: str, **said: object) -> None:
    """The act of somebody who has just looked; a merge says besides into what."""
    row = item(database, found)
    if action is Action.MERGE and Kind(row.kind) is not Kind.NOTE:
        into = other_half(database, Kind(row.kind))
        merge(database, Merging(found, into, row.revision), person=person, changes={})
    else:
        act(database, found, action, person=person, **said)


def _reason(action: Action) -> str | None:
    return "not_true" if action in (Action.REJECT, Action.DISMISS) else None


def said(row: Move, action: Action, **other: object) -> dict[str, object]:
    """Everything that the row asks for."""
    stated = Decimal("0.70") if action is Action.REINSTATE else None
    return {"reason": _reason(action), "text": "because", "confidence": stated, **other}


def test_the_table_says_what_was_written_down_for_the_tests() -> None:
    assert TABLE == EXPECTED


def test_every_status_that_has_a_row_is_reached_here() -> None:
    for kind, rows in TABLE.items():
        assert {before for before, _ in rows} == set(WAYS[kind])


LEADS = [(row, duty) for row in BY_PEOPLE for duty in sorted(row[3].who)]


@pytest.mark.parametrize(("row", "duty"), LEADS, ids=lambda one: name(one) if isinstance(one, tuple) else str(one))
def test_a_row_leads_where_it_says_for_each_duty_that_it_names(
    database: Database, row: tuple[Kind, Status, Action, Move], duty: Duty
) -> None:
    kind, before, action, move = row
    desk_of_many(database)
    found = made(database, kind, before)
    done(database, found, action, person=f"only {duty}", **said(move, action))
    assert item(database, found).status == move.after


@pytest.mark.parametrize("row", BY_PEOPLE, ids=name)
def test_a_row_is_refused_to_every_duty_that_it_does_not_name(
    database: Database, row: tuple[Kind, Status, Action, Move]
) -> None:
    kind, before, action, move = row
    desk_of_many(database)
    found = made(database, kind, before)
    for person in ("nothing", "a stranger", *(f"only {duty}" for duty in Duty if duty not in move.who)):
        with refused(database, "role"):
            done(database, found, action, person=person, **said(move, action))


@pytest.mark.parametrize("row", [row for row in BY_PEOPLE if row[3].who != row[3].who_critical], ids=name)
def test_a_row_about_a_critical_item_is_refused_to_whoever_may_only_the_others(
    database: Database, row: tuple[Kind, Status, Action, Move]
) -> None:
    kind, before, action, move = row
    desk_of_many(database)
    found = made(database, kind, before, severity=Severity.CRITICAL)
    for duty in move.who - move.who_critical:
        with refused(database, "role"):
            done(database, found, action, person=f"only {duty}", **said(move, action))


@pytest.mark.parametrize("row", [row for row in BY_PEOPLE if row[3].reason], ids=name)
def test_a_row_that_asks_for_a_reason_is_refused_without(
    database: Database, row: tuple[Kind, Status, Action, Move]
) -> None:
    kind, before, action, move = row
    desk_of_many(database)
    found = made(database, kind, before)
    for reason, code in ((None, "reason_needed"), ("none of them", "unknown_reason")):
        with refused(database, code):
            done(database, found, action, person="c", **said(move, action, reason=reason))


@pytest.mark.parametrize("row", [row for row in BY_PEOPLE if row[3].text or row[3].text_critical], ids=name)
def test_a_row_that_asks_for_words_is_refused_without(
    database: Database, row: tuple[Kind, Status, Action, Move]
) -> None:
    kind, before, action, move = row
    desk_of_many(database)
    found = made(database, kind, before, severity=Severity.HIGH if move.text else Severity.CRITICAL)
    for text in ("", " \n "):
        with refused(database, "text_needed"):
            done(database, found, action, person="c", **said(move, action, text=text))


WRONG = {
    Apart.PROPOSER: ("proposer", "own_item"),
    Apart.APPELLANT: ("appellant", "own_appeal"),
    Apart.DECIDER: ("a", "own_decision"),
}


@pytest.mark.parametrize("row", [row for row in BY_PEOPLE if row[3].apart], ids=name)
def test_a_row_is_refused_to_each_who_must_be_apart(database: Database, row: tuple[Kind, Status, Action, Move]) -> None:
    kind, before, action, move = row
    desk_of_many(database)
    found = made(database, kind, before)
    for apart in move.apart:
        person, code = WRONG[apart]
        with refused(database, code):
            done(database, found, action, person=person, **said(move, action))


TWO = [
    (row, why)
    for row in BY_PEOPLE
    for why in sorted(row[3].two_when)
    if why is not Weighty.AGENT_SCOPE or row[0] is Kind.LESSON  # the others have no scope
]


@pytest.mark.parametrize(("row", "why"), TWO, ids=lambda one: name(one) if isinstance(one, tuple) else one.name)
def test_a_row_that_asks_for_two_people_changes_nothing_by_one(
    database: Database, row: tuple[Kind, Status, Action, Move], why: Weighty
) -> None:
    kind, before, action, move = row
    desk_of_many(database)
    severity = Severity.CRITICAL if why in (Weighty.CRITICAL, Weighty.FOUR_EYES) else Severity.HIGH
    found = made(database, kind, before, severity=severity)
    make_weighty[why](database, found)
    done(database, found, action, person="c", **said(move, action))
    assert item(database, found).status == before
    with refused(database, "endorsed"):
        done(database, found, action, person="c", **said(move, action))
    done(database, found, action, person="d", **said(move, action))
    assert item(database, found).status == move.after


def _for_all(database: Database, found: int) -> None:
    with database.writing() as db:
        db.get_one(LessonBody, found).scope = "agent"


def _four_eyes(database: Database) -> None:
    save_desk_settings(database, {"four_eyes": True}, by="only developer", reason="two look at what is grave")


make_weighty: dict[Weighty, Callable[[Database, int], None]] = {
    Weighty.CRITICAL: lambda database, found: None,
    Weighty.FOUR_EYES: lambda database, found: _four_eyes(database),
    Weighty.AGENT_SCOPE: _for_all,
    Weighty.POLICY: lambda database, found: remark(database, found, "against_policy:number"),
}


@pytest.mark.parametrize("row", [row for row in ROWS if not row[3].who], ids=name)
def test_a_row_that_names_nobody_is_a_rules_alone(database: Database, row: tuple[Kind, Status, Action, Move]) -> None:
    kind, before, action, move = row
    desk_of_many(database)
    found = made(database, kind, before)
    with refused(database, "no_such_move"):
        done(database, found, action, person="c", text="because")
    with pytest.raises(Refused), database.writing() as db:
        turn(db, db.get_one(Item, found), Act(action, move.after, "c", START))
    assert item(database, found).status == before


@pytest.mark.parametrize("row", [row for row in ROWS if not row[3].by_rule], ids=name)
def test_a_row_that_names_no_rule_is_no_rules(database: Database, row: tuple[Kind, Status, Action, Move]) -> None:
    kind, before, action, move = row
    desk_of_many(database)
    found = made(database, kind, before)
    with pytest.raises(Refused), database.writing() as db:
        turn(db, db.get_one(Item, found), Act(action, move.after, "c", START, rule="a rule"))
    assert item(database, found).status == before


def test_every_way_into_force_asks_for_two_people_and_never_for_the_proposer() -> None:
    for kind, rows in TABLE.items():
        read = Status.OPEN if kind is Kind.NOTE else Status.ACTIVE
        for (before, action), row in rows.items():
            if row.after is read and before not in (read, Status.RESOLVED):
                assert Weighty.POLICY in row.two_when, (kind, before, action)
                assert Apart.PROPOSER in row.apart, (kind, before, action)


def test_whoever_may_nothing_may_nothing() -> None:
    assert all(row.who or row.by_rule for _, _, _, row in ROWS)
    assert lifecycle.possible(Kind.LESSON, Status.EXPIRED) == (Action.REOPEN,)
    assert lifecycle.possible(Kind.PROCEDURE, Status.EXPIRED) == ()
    assert lifecycle.possible(Kind.LESSON, Status.MERGED) == (Action.REOPEN,)
