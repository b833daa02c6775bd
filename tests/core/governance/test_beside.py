"""What is in force beside an item is asked as of now, and gives way where a person says so."""

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from core.governance.audit import verify
from core.governance.desk import decide, undo
from core.governance.on_screen import screen_hash
from core.service.desk_views import card
from core.store.database import Database
from core.store.records import Decision, Item
from core.vocabulary import Action, GivesWay, Status
from tests.core.governance.at_the_desk import edited, refused, team
from tests.core.governance.test_fit_to_be_active import statuses
from tests.desk import act, item, lesson, procedure, request

pytestmark = pytest.mark.databases("sqlite", "postgresql")

ALWAYS = "Always offer a refund within 14 days."
NEVER = "Never offer a refund; offer store credit."
ALSO = "Always offer a refund within 10 days."
LONG = "Check the refund policy before you promise a refund to anybody."
TWIN = "Check the refund policy before you promise a refund to anybody, and name its date."


def active(database: Database, text: str) -> int:
    """A lesson in force."""
    made = lesson(database, text).item_id
    act(database, made, Action.APPROVE, person="lead1", gives_way=GivesWay.NEITHER, text="both")
    return made


def beside(database: Database, item_id: int) -> list[tuple[str, bool]]:
    return [(one.ref, one.contrary) for one in card(database, item_id, person="lead2").beside]


def test_what_came_into_force_after_the_proposal_is_there_and_what_was_retired_is_gone(database: Database) -> None:
    team(database)
    waits = lesson(database, TWIN).item_id
    assert beside(database, waits) == []
    old = active(database, LONG)
    (found,) = card(database, waits, person="lead2").beside
    assert (found.ref, found.contrary, found.owner, found.status) == ("L-0002", False, "lead1", Status.ACTIVE)
    assert found.since == item(database, old).active_at
    assert (found.text, found.finding.code) == (LONG, "twin:near")
    act(database, old, Action.RETIRE, person="lead1", text="old")
    assert beside(database, waits) == []


def test_a_remark_about_what_is_gone_is_shown_no_more(database: Database) -> None:
    team(database)
    old = active(database, LONG)
    waits = lesson(database, TWIN).item_id
    act(database, old, Action.RETIRE, person="lead1", text="old")
    assert [one for one in card(database, waits, person="lead2").findings if one.beside] == []


def test_an_edit_of_what_is_in_force_is_seen_at_once(database: Database) -> None:
    team(database)
    old = active(database, LONG)
    waits = lesson(database, TWIN).item_id
    newer = edited(database, old, "lead1", text="Ask for the order number before you look an order up.")
    act(database, newer, Action.APPROVE, person="lead2")
    assert beside(database, waits) == []


@pytest.mark.parametrize("action", [Action.APPROVE, Action.REJECT])
def test_a_twin_that_came_into_force_meanwhile_is_a_change_of_what_was_on_the_screen(
    database: Database, action: Action
) -> None:
    team(database)
    waits = lesson(database, TWIN).item_id
    asked = request(database, waits, action, person="lead2", reason="not_true" if action is Action.REJECT else None)
    active(database, LONG)
    with refused(database, "content_changed"):
        decide(database, asked)


def test_a_plain_approval_keeps_a_twin_and_a_named_twin_gives_way_and_comes_back(database: Database) -> None:
    team(database)
    old = active(database, LONG)
    waits = lesson(database, TWIN).item_id
    done = act(database, waits, Action.APPROVE, person="lead2", yields=(old,))
    assert statuses(database, old, waits) == [Status.SUPERSEDED, Status.ACTIVE]
    with database.reading() as db:
        row = db.exec(select(Decision).where(Decision.item_id == old).order_by(col(Decision.id).desc())).first()
        assert row is not None
        assert (row.rule, row.cause) == ("gave way to L-0002", done.decision_id)
    undo(database, decision_id=done.decision_id, person="lead2")
    assert statuses(database, old, waits) == [Status.ACTIVE, Status.PROPOSED]
    act(database, waits, Action.APPROVE, person="lead2")
    assert statuses(database, old, waits) == [Status.ACTIVE, Status.ACTIVE]
    assert verify(database).whole


def test_of_several_contraries_each_has_an_answer_of_its_own(database: Database) -> None:
    team(database)
    first, second = active(database, ALWAYS), active(database, ALSO)
    waits = lesson(database, NEVER).item_id
    assert beside(database, waits) == [("L-0001", True), ("L-0002", True)]
    with refused(database, "conflict"):
        act(database, waits, Action.APPROVE, person="lead2")
    with refused(database, "text_needed"):
        act(database, waits, Action.APPROVE, person="lead2", yields=(second,))
    act(database, waits, Action.APPROVE, person="lead2", yields=(second,), text="L-0001 is for courses")
    assert statuses(database, first, second, waits) == [Status.ACTIVE, Status.SUPERSEDED, Status.ACTIVE]
    assert verify(database).whole


def test_with_every_contrary_giving_way_no_reason_is_needed(database: Database) -> None:
    team(database)
    first, second = active(database, ALWAYS), active(database, ALSO)
    waits = lesson(database, NEVER).item_id
    act(database, waits, Action.APPROVE, person="lead2", yields=(first, second))
    assert statuses(database, first, second, waits) == [Status.SUPERSEDED, Status.SUPERSEDED, Status.ACTIVE]


def test_nothing_gives_way_that_the_screens_do_not_name(database: Database) -> None:
    team(database)
    other = active(database, "Ask for the order number before you look an order up.")
    waits = lesson(database, TWIN).item_id
    also_waits = procedure(database).item_id
    for strange in (other, also_waits, waits, 999):
        with refused(database, "not_beside"):
            act(database, waits, Action.APPROVE, person="lead2", yields=(strange,))


def test_the_card_and_the_desk_speak_of_the_same_screen(database: Database) -> None:
    team(database)
    active(database, LONG)
    waits = lesson(database, TWIN).item_id
    with database.reading() as db:
        assert card(database, waits, person="lead2").screen_hash == screen_hash(db, db.get_one(Item, waits))


def test_what_stands_beside_costs_a_card_few_statements_however_much_is_in_force(database: Database) -> None:
    team(database)
    waits = lesson(database, TWIN).item_id
    card(database, waits, person="lead2")
    before = statements(database, waits)
    for number in range(5):
        active(database, f"Look page {number} of the handbook up, then greet by name number {number}.")
    card(database, waits, person="lead2")
    assert statements(database, waits) <= before


def statements(database: Database, item_id: int) -> int:
    """How many statements one card takes."""
    seen: list[str] = []

    def count(*said: object) -> None:
        seen.append(str(said[2]))

    event.listen(database.engine, "before_cursor_execute", count)
    card(database, item_id, person="lead2")
    event.remove(database.engine, "before_cursor_execute", count)
    return len(seen)
