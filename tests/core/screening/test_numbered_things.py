"""A number that names a thing is no limit; a number that measures or counts stays one."""

import pytest

from core.screening.comparison import Relation, compare

NAMES = (
    ("Look up rule number 1 before you answer.", "Look up rule number 2 before you answer."),
    ("Fill in form 12 within 3 days.", "Fill in form 13 within 3 days."),
    ("Escalate tier 2 tickets after 10 minutes.", "Escalate tier 3 tickets after 10 minutes."),
    ("Check step 3 before closing the ticket.", "Check step 4 before closing the ticket."),
    ("Quote section 4 under the refund policy.", "Quote section 5 under the refund policy."),
    ("Read clause nr. 7 before you promise cover.", "Read clause nr. 8 before you promise cover."),
    ("Send travellers to gate no. 4 after check-in.", "Send travellers to gate no. 5 after check-in."),
    ("Meet every guest below terminal 2.", "Meet every guest below terminal 3."),
    ("Put callers in queue #2 after hours.", "Put callers in queue #3 after hours."),
    ("Offer plan 2 before any discount.", "Offer plan 3 before any discount."),
    ("Use version 3 after the upgrade.", "Use version 4 after the upgrade."),
    ("Never use form 12 for refunds.", "Always use form 13 for refunds."),
    ("Read rule one before answering.", "Read rule two before answering."),
)
MEASURES = (
    ("Refund within 14 days.", "Refund within 30 days."),
    ("Retry 3 times.", "Retry 5 times."),
    ("Keep a limit of 5 items.", "Keep a limit of 10 items."),
    ("Plan 3 visits before the move.", "Plan 4 visits before the move."),
    ("Page the nurse 3 times.", "Page the nurse 5 times."),
    ("Read up to page 3.", "Read up to page 5."),
    ("Hold the line 5 minutes at most.", "Hold the line 10 minutes at most."),
    ("Retry the step 3 times before escalating.", "Retry the step 5 times before escalating."),
)


@pytest.mark.parametrize(("one", "other"), NAMES)
def test_two_numbered_things_are_two_things(one, other):
    assert compare(one, other).relation == compare(other, one).relation == Relation.DIFFERENT


@pytest.mark.parametrize(("one", "other"), MEASURES)
def test_another_measure_is_another_limit(one, other):
    assert compare(one, other).relation == compare(other, one).relation == Relation.CONFLICT


def test_the_same_numbered_thing_can_be_allowed_and_forbidden():
    assert compare("Never use form 12 for refunds.", "Always use form 12 for refunds.").relation == Relation.CONFLICT


def test_a_thing_is_the_same_with_and_without_the_word_number():
    assert compare("Read rule 1 before answering.", "Read rule number 1 before answering.").relation == Relation.TWIN


def test_numbered_things_have_an_order():
    assert compare("Do step 3 before step 4.", "Do step 4 before step 3.").by == "order"
