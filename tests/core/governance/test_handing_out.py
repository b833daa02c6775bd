"""What comes up next: something that waits, and that nobody else has before them."""

import pytest

from core.governance.leases import give_all_back
from core.governance.people import set_person
from core.service.desk_views import hand_out
from core.vocabulary import Action, Duty, Severity
from tests.desk import act, lesson, note, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

TEXTS = (
    "Check the refund policy before you promise a refund.",
    "Name the costs that are not given back, such as postage.",
    "Ask for the serial number of a lamp that flickers.",
)


@pytest.fixture
def three(database):
    for name in ("Ann", "Ben"):
        set_person(database, name, set(Duty))
    return [lesson(database, text).item_id for text in TEXTS]


def test_no_item_is_handed_to_two_people(database, three):
    assert hand_out(database, three, "Ann") == three[0]
    assert hand_out(database, three, "Ben") == three[1]
    assert hand_out(database, three, "Ann") == three[0]


def test_what_was_decided_meanwhile_is_passed_over(database, three):
    act(database, three[0], Action.APPROVE, person="Ben")
    assert hand_out(database, three, "Ann") == three[1]


def test_nothing_is_handed_out_where_nothing_is_free(database, three):
    assert hand_out(database, three[:1], "Ann") == three[0]
    assert hand_out(database, three[:1], "Ben") is None
    assert hand_out(database, (), "Ann") is None


def test_what_only_others_may_decide_is_passed_over(database, three):
    held = note(database, session(database), severity=Severity.CRITICAL, found=False).item_id
    for name, duty in (("Cleo", Duty.LEAD), ("Dora", Duty.AUDITOR)):
        set_person(database, name, {duty})
    assert hand_out(database, (held, *three), "Cleo") == three[0]
    assert hand_out(database, (*three, held), "Dora") == held
    assert hand_out(database, (held,), "Cleo") is None


def test_whoever_leaves_has_nothing_before_them(database, three):
    assert hand_out(database, three, "Ann") == three[0]
    give_all_back(database, "Ann")
    assert hand_out(database, three, "Ben") == three[0]
