"""Advice of a critic to give something away is held, and advice to look first is not."""

import pytest

from core.screening.generosity import generous_findings


@pytest.mark.parametrize(
    "text",
    [
        "Keep refunding at once whenever a customer asks.",
        "Offer this customer a voucher of 50 euros.",
        "Apologise and pay what the customer asks for.",
        "Refund the money immediately.",
        "Waive the fee for loyal customers.",
        "Please grant the discount next time.",
        "Thank them, then credit ₹500 to the account.",
        "Give free access to whoever mentions the campaign.",
    ],
)
def test_advice_to_give_something_away_is_remarked(text: str) -> None:
    [finding] = generous_findings(text, "improvement")
    assert finding.code == "untrusted_source:gives_away"


@pytest.mark.parametrize(
    "text",
    [
        "Check the refund policy before you tell a student that they are eligible.",
        "Look the order up, and offer a refund only within 30 days.",
        "Refund the amount once the manager has confirmed it in the order record.",
        "Ask for the order number first, then offer a replacement voucher.",
        "Name the record that an answer rests on.",
        "Suggest only debt instruments to a conservative investor.",
        "Give the answer in a numbered list.",
        "Send a short summary of the next steps.",
        "Offer two or three options and say what each costs.",
        "Provide the tracking number together with the date.",
    ],
)
def test_advice_to_look_first_or_to_say_something_is_not(text: str) -> None:
    assert generous_findings(text) == []
