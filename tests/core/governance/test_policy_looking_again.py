"""What a policy suspended comes back when a person has looked at it under the new version, and not before."""

from decimal import Decimal
from pathlib import Path

import pytest

from core.errors import Refused
from core.governance.audit import verify
from core.governance.desk import decide, undo
from core.governance.policy_screens import screened_against
from core.service.desk_views import card
from core.store.database import Database
from core.store.records import Screening
from core.vocabulary import Action, Status
from tests.core.governance.at_the_desk import refused
from tests.desk import OPERATOR, act, item, lesson, request
from tests.policies import ID, adopted, folder, give, put_file, read_by_the_agent

__all__ = ["folder"]
pytestmark = pytest.mark.databases("sqlite", "postgresql")

OTHER = "A course is refunded in full within 14 days of purchase. Outside of that a credit is offered."
TIGHTER = "No refund is promised before the order number was checked by a second person."


@pytest.fixture
def desk(database: Database, folder: Path) -> tuple[int, int, int]:
    """What an agent read until its policy changed from version 1 to 2."""
    put_file(folder)
    adopted(database)
    give(database)
    items = read_by_the_agent(database)
    put_file(folder, 2, OTHER)
    adopted(database)
    return items


def kept(database: Database, item_id: int) -> dict[str, int]:
    with database.reading() as db:
        return screened_against(db.get_one(Screening, item_id))


def test_words_bring_it_back_and_the_new_version_stands_beside_it(
    database: Database, desk: tuple[int, int, int]
) -> None:
    first, second, third = desk
    assert card(database, first, person=OPERATOR).policy_changes[0].before == 1
    with pytest.raises(Refused) as told:
        act(database, first, Action.REINSTATE)
    assert told.value.code == "text_needed"
    act(database, first, Action.REINSTATE, text="It says nothing about days.")
    act(database, second, Action.REINSTATE, text="The same.", confidence=Decimal("0.60"))
    act(database, third, Action.RELEASE, text="Still so.")
    assert [item(database, one).status for one in desk] == [Status.ACTIVE, Status.ACTIVE, Status.OPEN]
    assert [kept(database, one) for one in desk] == [{ID: 2}] * 3
    assert [item(database, one).cause for one in desk] == [None] * 3
    assert card(database, first, person=OPERATOR).policy_changes == ()
    assert verify(database).whole


def test_what_came_back_is_suspended_by_the_next_change_and_not_by_the_last_one(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    act(database, desk[0], Action.REINSTATE, text="It says nothing about days.")
    assert adopted(database).suspended == ()
    put_file(folder, 3, TIGHTER)
    assert len(adopted(database).suspended) == 1
    assert card(database, desk[0], person=OPERATOR).policy_changes[0].before == 2
    assert card(database, desk[1], person=OPERATOR).policy_changes[0].before == 1


def test_a_policy_that_changed_again_while_it_was_on_the_screen_asks_again(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    asked = request(database, desk[0], Action.REINSTATE, text="It says nothing about days.")
    put_file(folder, 3, TIGHTER)
    adopted(database)
    with refused(database, "content_changed"):
        decide(database, asked)


def test_a_text_that_breaks_the_new_version_is_refused_once_and_shown(database: Database, folder: Path) -> None:
    put_file(folder)
    adopted(database)
    give(database)
    made = lesson(database, "Offer a refund within 7 days of the purchase.").item_id
    act(database, made, Action.APPROVE)
    put_file(folder, 2, "A course is refunded in full within 3 days of purchase.")
    adopted(database)
    with pytest.raises(Refused) as told:
        act(database, made, Action.REINSTATE, text="It still holds.")
    assert told.value.code == "against_policy"
    assert item(database, made).status == Status.SUSPENDED
    shown = card(database, made, person=OPERATOR)
    assert any(one.code.startswith("against_policy") for one in shown.findings)
    assert shown.policy_changes[0].before == 1, "what changed stays on the card until somebody has decided"


def test_an_undo_does_not_bring_back_what_was_not_looked_at_under_the_new_version(
    database: Database, folder: Path
) -> None:
    put_file(folder)
    adopted(database)
    give(database)
    first, _, third = read_by_the_agent(database)
    retired = act(database, first, Action.RETIRE, text="not now")
    resolved = act(database, third, Action.RESOLVE, text="done")
    put_file(folder, 2, OTHER)
    adopted(database)
    for one in (retired, resolved):
        with refused(database, "policy_changed"):
            undo(database, decision_id=one.decision_id, person=OPERATOR)
