"""What turns a sentence round: each kind of turn is a contradiction, and no turned sentence is ever a twin."""

import re

import pytest

from core.screening.comparison import Relation, compare

CONTRARY = {
    "a ban that ends at an hour": (
        "Never ring a patient before 9:00.",
        "Ring the patient before 9:00.",
    ),
    "a particle of a verb": ("Switch off the heating at night.", "Switch the heating on at night."),
    "a split particle": ("Leave the internal code out of the reply.", "Include the internal code in the reply."),
    "another ordinal": ("Pick up the phone after the first ring.", "Pick up the phone only after the third ring."),
    "an exception lifted": (
        "Charge a cleaning fee unless the room is spotless.",
        "Charge a cleaning fee even if the room is spotless.",
    ),
    "an exception asked for": ("Charge a deposit except for members.", "Charge members a deposit."),
    "only and every": ("Give the desk number only to visitors with a badge.", "Give the desk number to every visitor."),
    "only and anyone": (
        "Give out samples only to registered doctors.",
        "Give out samples to anyone who asks.",
    ),
    "only and also": ("Accept returns in store only.", "Accept returns in store and by post."),
    "left out and demanded": (
        "Release the deposit without an inspection.",
        "Demand an inspection before releasing the deposit.",
    ),
    "outside and in": ("Store the scans outside the shared folder.", "Store the scans in the shared folder."),
    "the way back": (
        "Move the balance from the savings account to the current account.",
        "Move the balance from the current account to the savings account.",
    ),
    "then": ("Greet the caller, then check the account.", "Check the account, then greet the caller."),
    "a preference": ("Prefer ferries over bridges.", "Prefer bridges over ferries."),
    "an elided ban": ("Confirm by phone, never by fax.", "Confirm by fax."),
    "a class and its member": (
        "Do not accept any cheque from new clients for the rent.",
        "Accept a postcard from new clients for the rent.",
    ),
    "another count": ("Reply in one paragraph.", "Reply in three paragraphs."),
    "another hour": ("The gate opens at 7:00.", "The gate opens at 8:30."),
    "another length of time": ("Report a near miss on the same day.", "Report a near miss within a week."),
    "a superlative": ("Book the cheapest room.", "Book the most expensive room."),
    "up and down to a step": ("Round fees up to the next euro.", "Round fees down to the next euro."),
    "up and down before another step": (
        "Round fees up to the next full euro before quoting them.",
        "Round fees down to the next full euro before quoting them.",
    ),
    "first and then with one verb": (
        "Offer store credit first, then a refund.",
        "Offer a refund first, then store credit.",
    ),
    "first at the beginning": (
        "First offer store credit, then a refund.",
        "First offer a refund, then store credit.",
    ),
    "first and second": ("Try chat first and phone second.", "Try phone first and chat second."),
    "start with and then": ("Start with chat, then phone.", "Start with phone, then chat."),
    "failing that": ("Offer a refund, failing that a voucher.", "Offer a voucher, failing that a refund."),
    "before with one verb": ("Offer a voucher before a refund.", "Offer a refund before a voucher."),
    "increase and decrease": ("Increase the limit on request.", "Decrease the limit on request."),
    "raise and lower": ("Raise the quoted fee on request.", "Lower the quoted fee on request."),
    "another moment of a charge": ("Charge the card at booking.", "Charge the card at departure."),
    "a prefix": ("Assume that the fare is refundable.", "Assume that the fare is non-refundable."),
    "once and twice": (
        "Cancel the order if the payment fails once.",
        "Cancel the order if the payment fails twice.",
    ),
    "silence": ("Mention the warranty to buyers.", "Keep quiet about the warranty to buyers."),
    "a step that begins with stop": (
        "Stop the pump before opening the valve.",
        "Open the valve before stopping the pump.",
    ),
}

ALIKE = (
    ("Offer store credit first, then a refund.", "First offer store credit, then a refund."),
    ("Give discounts up to the agreed limit.", "Give discounts of at most the agreed limit."),
    ("Switch the lamp on for every guest.", "Switch on the lamp for each guest."),
    (
        "Hand over the call to a supervisor when a guest is upset.",
        "Hand the call to a supervisor when a guest is upset.",
    ),
    ("Ask for a single photo of the dent.", "Ask for one photo of the dent."),
    ("Charge the fee unless the room is spotless.", "Unless the room is spotless, charge the fee."),
    ("Only quote prices that include tax.", "Quote only prices that include tax."),
    ("Answer within 48 hours.", "Answer within two days."),
    ("Read the map from the archive; do not draw it anew.", "Read the map from the archive, don't draw it anew."),
    ("If the field is empty, ask before you guess.", "If the field is blank, ask before you guess."),
)

APART = {
    "cases that exclude each other": ("Charge the fee for small orders.", "Charge the fee for large orders."),
    "somebody else": ("The customer pays for the label.", "The shop pays for the label."),
    "or": ("Ask for the passport or the licence.", "Ask for the passport and the licence."),
    "a condition denied": (
        "Ask for a landmark if the street has a sign.",
        "Ask for a landmark if the street has no sign.",
    ),
    "other preferences": ("Prefer ferries over bridges for staff.", "Prefer mail over letters for staff."),
    "what happened and what is asked for": (
        "I was lost since I opened the valve without closing the pump; next time, read the manual.",
        "Close the pump before opening the valve.",
    ),
    "a purpose that denies": (
        "Look through the drawers again.",
        "Look through the drawers again to make sure that you did not miss a key.",
    ),
    "a first name": ("Ask for the first name of the passenger.", "Ask for the last name of the passenger."),
    "a class and its member, both banned": (
        "Do not serve any cheese to guests with an allergy.",
        "Do not serve brie to guests with an allergy.",
    ),
}


@pytest.mark.parametrize(("one", "other"), CONTRARY.values(), ids=CONTRARY)
def test_each_kind_of_turn_is_a_contradiction(one, other):
    assert compare(one, other).relation is Relation.CONFLICT
    assert compare(other, one).relation is Relation.CONFLICT


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_another_wording_of_the_same_is_a_twin(one, other):
    assert compare(one, other).relation is Relation.TWIN
    assert compare(other, one).relation is Relation.TWIN


@pytest.mark.parametrize(("one", "other"), APART.values(), ids=APART)
def test_what_is_neither_the_same_nor_contrary_is_different(one, other):
    assert compare(one, other).relation is Relation.DIFFERENT
    assert compare(other, one).relation is Relation.DIFFERENT


SENTENCES = (
    "Ask for the booking code and the surname before you move a guest two rows to the front.",
    "Do not promise a table until the kitchen has confirmed that the terrace is open.",
    "If the parcel is late, offer a voucher of 20 euros unless the sender has no account.",
    "Send the first reminder after 3 days with the invoice, only to clients in the register.",
    "When both drivers are ill, cancel the tour rather than the transfer from the airport.",
    "I lost the thread because no step named the form; next time, read every form first and note its number.",
)

TURNS = (
    (r"\bbefore\b", "after"),
    (r"\bafter\b", "before"),
    (r"\b(?:if|when)\b", "unless"),
    (r"\bunless\b", "if"),
    (r"\bwith\b", "without"),
    (r"\band\b", "or"),
    (r"\bonly to\b", "even to"),
    (r"\bfirst\b", "last"),
    (r"\buntil\b", "after"),
    (r"\bin\b", "outside"),
    (r"\bfrom\b", "to"),
    (r"\bhas no\b", "has an"),
    (r"\bboth\b", "neither"),
    (r"\bevery\b", "no"),
    (r"\bdo not\b", "always"),
    (r"\b(?:20|3|two)\b", "17"),
)


@pytest.mark.parametrize(("pattern", "instead"), TURNS)
def test_no_sentence_that_is_turned_round_is_a_twin_of_itself(pattern, instead):
    turned = [(text, re.sub(pattern, instead, text, flags=re.IGNORECASE)) for text in SENTENCES]
    turned = [(text, other) for text, other in turned if text != other]
    assert turned
    for text, other in turned:
        assert compare(text, other).relation in (Relation.CONFLICT, Relation.DIFFERENT)
