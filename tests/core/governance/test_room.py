"""An agent has so many instructions in force at most; which one leaves for one more, a person chooses by reasons."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from click.testing import CliRunner
from sqlmodel import col, select

from core.briefing.read import Asked, issue
from core.errors import BadInput, Refused
from core.governance.acts import Request
from core.governance.audit import verify
from core.governance.bulk import Together, carry_out, preview
from core.governance.desk import decide, undo
from core.governance.drafts import LessonContent
from core.governance.people import set_person
from core.governance.saving_numbers import save_numbers
from core.governance.versions import edit
from core.service.cli import main
from core.service.desk_views import card
from core.service.room_views import over_cap
from core.store.database import Database
from core.store.records import Decision, Item
from core.vocabulary import Action, Duty, Form, Severity, Source, Status
from tests.core.governance.at_the_desk import refused
from tests.desk import OPERATOR, act, agent, item, lesson, put, request, session
from tests.lessons import approved
from tests.lessons import put as proposed

TEXTS = (
    "Check the refund policy before you promise a refund.",
    "Name the postage that is not given back.",
    "Read the seat map aloud to the caller.",
    "Compare the invoice with the order.",
)


@pytest.fixture
def full(database: Database) -> list[int]:
    """Three instructions in force of three, and a fourth that waits."""
    save_numbers(database, {"active_lessons": 3}, by=OPERATOR, reason="a short prompt")
    made = [lesson(database, text, tags=()).item_id for text in TEXTS]
    for one in made[:3]:
        act(database, one, Action.APPROVE)
    return made


def statuses(database: Database, ids: list[int]) -> list[str]:
    return [item(database, one).status for one in ids]


def test_without_a_choice_one_more_is_refused_with_both_numbers(database: Database, full: list[int]) -> None:
    with refused(database, "full") as told:
        act(database, full[3], Action.APPROVE)
    assert "3 instructions are in force, 3 at most" in str(told.value)


@pytest.mark.databases("sqlite", "postgresql")
def test_the_one_that_is_named_is_retired_in_the_same_transaction(database: Database, full: list[int]) -> None:
    asked = request(database, full[3], Action.APPROVE)
    done = decide(database, _with_room(asked, full[1]))
    assert statuses(database, full) == ["active", "retired", "active", "active"]
    with database.reading() as db:
        [row] = db.exec(select(Decision).where(Decision.cause == done.decision_id)).all()
    assert (row.item_id, row.action, row.rule) == (full[1], Action.RETIRE, "made room for L-0004")
    assert (row.by, bool(row.text)) == (OPERATOR, True)
    assert verify(database).whole
    undo(database, decision_id=done.decision_id, person=OPERATOR)
    assert statuses(database, full) == ["active", "active", "active", "proposed"], "an undo puts both back"
    assert verify(database).whole


def _with_room(asked: Request, leaves: int) -> Request:
    return replace(asked, makes_room=leaves)


def test_what_is_not_in_force_makes_no_room(database: Database, full: list[int]) -> None:
    asked = request(database, full[3], Action.APPROVE)
    with refused(database, "not_in_force"):
        decide(database, _with_room(asked, full[3]))
    other = put(database, LessonContent(text="Look the tariff up first."), Severity.MEDIUM).item_id
    with refused(database, "not_in_force"):
        decide(database, _with_room(asked, other))


def test_nothing_leaves_where_there_is_room(database: Database, full: list[int]) -> None:
    act(database, full[0], Action.SUSPEND, text="for now")
    with refused(database, "no_room_needed"):
        decide(database, _with_room(request(database, full[3], Action.APPROVE), full[1]))


def test_another_set_in_force_is_another_screen(database: Database, full: list[int]) -> None:
    asked = _with_room(request(database, full[3], Action.APPROVE), full[1])
    act(database, full[0], Action.RETIRE, text="no longer so")
    with refused(database, "content_changed"):
        decide(database, asked)


def test_over_a_cap_that_was_lowered_one_is_not_enough(database: Database, full: list[int]) -> None:
    save_numbers(database, {"active_lessons": 2}, by=OPERATOR, reason="shorter still")
    with refused(database, "full") as told:
        decide(database, _with_room(request(database, full[3], Action.APPROVE), full[1]))
    assert "3 instructions are in force, 2 at most" in str(told.value)


def test_a_reinstatement_and_a_roll_back_name_what_leaves_as_well(database: Database, full: list[int]) -> None:
    act(database, full[0], Action.SUSPEND, text="for now")
    act(database, full[3], Action.APPROVE)
    with refused(database, "full"):
        act(database, full[0], Action.REINSTATE, text="again")
    decide(database, _with_room(request(database, full[0], Action.REINSTATE, text="again"), full[2]))
    assert statuses(database, full) == ["active", "active", "retired", "active"]


def test_several_at_once_never_make_room(database: Database, full: list[int]) -> None:
    asked = Together(Action.APPROVE, OPERATOR)
    [would] = preview(database, asked, [full[3]])
    assert (would.can, would.code) == (False, "full")
    [became] = carry_out(database, asked, [would])
    assert (became.done, became.code) == (False, "full")
    assert statuses(database, full) == ["active", "active", "active", "proposed"]


def test_an_edit_of_what_is_in_force_takes_no_room_and_keeps_to_the_length(database: Database, full: list[int]) -> None:
    seen = {"item_id": full[0], "person": OPERATOR, "revision_seen": item(database, full[0]).revision}
    with pytest.raises(BadInput) as told:
        edit(database, **seen, changes={"text": "Check it. " * 500})
    assert "4,999 characters, 600 at most" in str(told.value)
    made = edit(database, **seen, changes={"text": "Look the refund policy up before any promise."}).item_id
    act(database, made, Action.APPROVE)
    assert statuses(database, full) == ["superseded", "active", "active", "proposed"]


def test_reflections_have_a_budget_of_their_own(database: Database, full: list[int]) -> None:
    text = "I failed to check the tariff because I was in a hurry; next time, I read it first."
    made = proposed(database, text, form=Form.REFLECTION)
    assert card(database, made, person=OPERATOR).no_room is None
    act(database, made, Action.APPROVE)
    assert item(database, made).status == Status.ACTIVE


def test_the_card_ranks_what_could_leave_and_says_why(database: Database) -> None:
    save_numbers(database, {"active_lessons": 5, "lessons_in_briefing": 50}, by=OPERATOR, reason="a short prompt")
    session(database)  # its task is about a refund for a course
    set_person(database, OPERATOR, {Duty.ADMIN, Duty.LEAD, Duty.DEVELOPER, Duty.AUDITOR})
    read = lesson(database, "Check the refund policy before you promise a refund.", tags=()).item_id
    twin = lesson(database, "Check the refund policy before you promise a refund to anybody.", tags=()).item_id
    never = lesson(database, "Read the seat map aloud to the caller.", tags=()).item_id
    ownerless = lesson(database, "Confirm the refund with the order number.", tags=()).item_id
    weaker = proposed(database, "Offer a refund in euros alone.", source=Source.CRITIC)
    for one in (read, twin, never, ownerless, weaker):
        approved(database, one)
    with database.writing() as db:
        db.get_one(Item, ownerless).owner = "Zoe"
    issue(database, Asked("Campus Desk", None, "refunds", "a refund please"), at=item(database, weaker).active_at)
    shown = card(database, lesson(database, "Compare the invoice with the order.").item_id, person=OPERATOR).no_room
    assert shown is not None
    assert shown.told == "5 of 5 are in force"
    why = {one.id: one.why for one in shown.leaving}
    assert shown.leaving[0].id == never
    assert "Shares no word with the tasks of the last session." in why[never]
    assert "Says nearly the same as" in why[read]
    assert "Its owner Zoe has no duty at the desk any more." in why[ownerless]
    assert "Its source is of variable reliability." in why[weaker]


def test_what_was_never_read_since_it_is_in_force_could_leave_first(database: Database, full: list[int]) -> None:
    later = max(item(database, one).active_at for one in full[:3]) + timedelta(days=1)  # type: ignore[type-var]
    issue(database, Asked("Campus Desk", None, "refunds", "refund, policy, postage"), at=later)
    [found] = over_cap(database)
    assert (found.active, found.most, found.too_many) == (3, 3, 1)
    assert found.leaving[0].id == full[2]
    assert found.leaving[0].why.startswith("Not read in the last briefing since it is in force.")
    assert "In force since" in found.leaving[-1].why


def test_the_command_line_names_what_leaves_and_is_refused_without(
    database: Database, full: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database.url)
    monkeypatch.setenv("TUTELAGE_SAMPLES", "0")
    run = CliRunner()
    told = run.invoke(main, ["lessons", "over-cap"])
    assert "Campus Desk: 3 of 3 are in force" in told.output
    mistyped = run.invoke(main, ["lessons", "over-cap", "--agent", "Campus Dekc"])
    assert (mistyped.exit_code, mistyped.output) == (1, "There is no agent Campus Dekc.\n")
    without = run.invoke(main, ["lessons", "approve", "L-0004"])
    assert (without.exit_code, "3 instructions are in force, 3 at most" in without.output) == (1, True)
    assert statuses(database, full) == ["active", "active", "active", "proposed"]
    done = run.invoke(main, ["lessons", "approve", "L-0004", "--leaves", "L-0002", "--json"])
    assert json.loads(done.output)["status"] == "active"
    assert statuses(database, full) == ["active", "retired", "active", "active"]


def test_sixty_approved_lessons_stay_within_the_cap_by_every_way_in(database: Database) -> None:
    agent(database)
    refusals = 0
    for number in range(60):
        made = lesson(database, f"Read form {number * 7919} of the tariff aloud.", tags=()).item_id
        try:
            act(database, made, Action.APPROVE)
        except Refused as told:
            refusals += told.code == "full"
    with database.reading() as db:
        active = db.exec(select(Item.id).where(col(Item.status) == Status.ACTIVE)).all()
    assert (len(active), refusals) == (50, 10)
