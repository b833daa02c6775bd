"""A draft against a policy without a word of ban: taken over, put off, promised, or without what is asked for."""

import pytest

from core.screening.conflicts import conflicts_with_policies
from core.screening.contract import PolicyText

AGAINST = {
    "done on its own": (
        "Refunds above 200 euros are approved by a supervisor.",
        "Approve a refund of 300 euros yourself when the queue is long.",
    ),
    "done on the spot": ("Prices are set by the pricing team.", "Set a special price on the spot for loyal buyers."),
    "looked at later": (
        "A second pharmacist signs before a strong drug is given out.",
        "Give the strong drug out first and let the second pharmacist sign later.",
    ),
    "past the time": (
        "Complaints are answered within two working days.",
        "Leave the complaints for the next week and answer them together.",
    ),
    "another time": ("Complaints are answered within two working days.", "Answer complaints within a week."),
    "promised": ("Delivery dates depend on the carrier.", "Promise a delivery date to anxious buyers."),
    "only somebody may": ("Only managers may cancel a contract.", "Cancel a contract when the client insists."),
    "without it": ("Visitors must wear a badge.", "Let regular visitors in without a badge."),
    "outside it": (
        "Personal data stays inside the company.",
        "Copy personal data to a tool outside the company.",
    ),
    "fewer than it asks for": (
        "Contracts are signed by two directors.",
        "Sign the contract with one director when the other is away.",
    ),
}

WITHIN = (
    (
        "Refunds above 200 euros are approved by a supervisor.",
        "Send refunds above 200 euros to a supervisor with the reason.",
    ),
    ("Prices are set by the pricing team.", "Look the price up in the list of the pricing team."),
    ("Access is granted by the owner of the folder.", "Forward a request for access to the owner of the folder."),
    ("Delivery dates depend on the carrier.", "Do not promise a delivery date; quote the carrier's window."),
    ("Only managers may cancel a contract.", "Pass a cancellation to a manager."),
    ("Contracts are signed by two directors.", "Check that both directors have signed before filing the contract."),
    ("A password is never sent by mail.", "Send a reset link by mail, never the password itself."),
    ("The maximum discount is 10 percent.", "Offer a discount of 5 percent to new buyers."),
    ("Sealed items can be returned within 30 days.", "Refuse the return of unsealed items."),
    ("All calls are recorded.", "Tell the caller at the start that the call is recorded."),
    ("Drafts may not be shared outside the firm.", "Before sharing a file outside the firm, check its label."),
)


def against(policy, text):
    return conflicts_with_policies(text, [PolicyText("p", "House rules", 1, policy)])


@pytest.mark.parametrize(("policy", "text"), AGAINST.values(), ids=AGAINST)
def test_each_way_round_a_policy_is_seen(policy, text):
    assert against(policy, text)


@pytest.mark.parametrize(("policy", "text"), WITHIN)
def test_what_keeps_to_a_policy_passes(policy, text):
    assert against(policy, text) == ()


def test_the_words_that_take_an_act_over_are_named():
    (finding,) = against(*AGAINST["done on the spot"])
    assert finding.code == "against_policy:taken_over"
    assert "“on the spot”" in finding.text
