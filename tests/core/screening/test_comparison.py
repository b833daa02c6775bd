"""Two lessons are the same, twins, contrary or different; what turns a sentence round decides before likeness."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.screening.comparison import Relation, compare
from core.screening.likeness import folded
from core.screening.meaning import sayings

PAIRS = (
    (
        "same",
        "Check the refund policy before promising a refund.",
        "check the refund  policy before promising a refund",
    ),
    ("same", "Never share a password.", "NEVER share a password!"),
    (
        "twin",
        "Check the refund policy before promising a refund.",
        "Before promising a refund, check the refund policy.",
    ),
    (
        "twin",
        "I failed to read the log because I retried at once; next time, read the log before the retry.",
        "I failed to read the log because I retried at once; next time, read the log before each retry.",
    ),
    ("conflict", "Always offer a refund within 14 days.", "Never offer refunds; offer store credit."),
    ("different", "Ask for the order number before a refund.", "Ask for the order number before an exchange."),
    ("twin", "Never recommend equity funds to cautious clients.", "Do not recommend equity funds to cautious clients."),
    (
        "conflict",
        "Never recommend equity funds to cautious clients.",
        "Always recommend equity funds to cautious clients.",
    ),
    ("conflict", "Give discounts up to 10 %.", "Give discounts up to 50 %."),
    ("conflict", "Refund within 7 days of purchase.", "Refund within 14 days of purchase."),
    ("conflict", "Check the policy before promising a refund.", "Check the policy after promising a refund."),
    ("conflict", "Check the policy before promising a refund.", "Promise a refund before checking the policy."),
    (
        "twin",
        "Verify the caller's identity before changing an address.",
        "Confirm the customer's identity before you change the address.",
    ),
    ("conflict", "Check the caller's identity.", "Skip the check of the caller's identity."),
    (
        "conflict",
        "Check the caller's identity before reading out the balance.",
        "Do not check the caller's identity before reading out the balance.",
    ),
    ("twin", "Never promise a refund without checking the policy.", "Check the policy before promising a refund."),
    ("conflict", "Quote the fee in rupees, not in dollars.", "Quote the fee in dollars, not in rupees."),
    ("different", "Check the invoice for private customers.", "Check the invoice for business customers."),
    ("different", "Use plain language.", "Look up the exchange rate before quoting."),
    (
        "twin",
        "Tell the customer about the delay before anything else.",
        "Inform the client of the delay before anything else.",
    ),
    ("conflict", "Keep answers short.", "Keep answers long."),
    ("conflict", "Share the tracking link in the first reply.", "Do not share the tracking link in the first reply."),
    ("conflict", "Allow date changes on basic economy tickets.", "Do not allow date changes on basic economy tickets."),
    ("conflict", "Retry a failed call at most 3 times.", "Retry a failed call at most 5 times."),
    ("conflict", "Ask for at least two forms of ID.", "Ask for at most two forms of ID."),
    ("different", "Use form 16 for salary income.", "Use form 26 for salary income."),
    ("twin", "Always ask for the order number first.", "Ask for the order number first."),
    (
        "twin",
        "Look up the account before answering questions about the balance.",
        "Before answering questions about the balance, look up the account.",
    ),
    ("different", "Close the ticket after the refund.", "Close the ticket after the exchange."),
    ("conflict", "Close the ticket after the customer confirms.", "Close the ticket before the customer confirms."),
    ("different", "Refund to the original payment method.", "Send the confirmation to the original email address."),
    ("conflict", "Use formal language with clients.", "Use informal language with clients."),
    ("conflict", "Transfer angry callers to a supervisor.", "Never transfer angry callers to a supervisor."),
    ("conflict", "Include taxes in quoted prices.", "Exclude taxes from quoted prices."),
    ("different", "Escalate billing disputes.", "Escalate safety complaints."),
    ("twin", "Do not forget to confirm the shipping address.", "Confirm the shipping address."),
    (
        "twin",
        "Summarise the changes and wait for a yes before updating the reservation.",
        "Summarize the changes, and wait for a yes before you update the booking.",
    ),
    ("conflict", "Waive the fee for gold members.", "Charge the fee for gold members."),
    ("conflict", "Wait 30 seconds before retrying.", "Wait 5 seconds before retrying."),
    ("different", "Offer a refund within 14 days.", "Do not offer a refund after 14 days."),
    ("different", "Check the refund policy.", "Check the refund policy for international orders."),
    ("twin", "Read the error message before editing the file.", "Read the eror message before editing the file."),
    ("conflict", "Answer in English.", "Do not answer in English."),
    ("different", "Answer in English.", "Answer in Hindi."),
    (
        "twin",
        "Avoid calling the search tool twice with the same query.",
        "Never call the search tool twice with the same query.",
    ),
    ("conflict", "Ask for the date of birth.", "Never ask for the date of birth."),
    ("conflict", "Refunds need a manager's approval.", "Refunds do not need a manager's approval."),
    ("conflict", "Send the contract by email.", "Don't send the contract by email."),
    ("conflict", "Approve refunds above 500 without asking.", "Ask before approving refunds above 500."),
    ("different", "List the cheapest flight first.", "List the fastest flight first."),
    ("conflict", "List the cheapest flight first.", "List the cheapest flight last."),
    (
        "twin",
        "Verify the shipping address before confirming the order.",
        "Confirm the delivery address before you confirm the order.",
    ),
    ("twin", "Always greet the customer by name.", "Greet customers by their name."),
    ("twin", "Do not share internal notes with customers.", "Never disclose internal notes to a customer."),
    ("twin", "Ask one question at a time.", "Only ask one question at a time."),
    (
        "twin",
        "Escalate to a supervisor if the customer threatens legal action.",
        "If the customer threatens legal action, escalate to a supervisor.",
    ),
    ("twin", "Log every failed payment in the audit trail.", "Every failed payment must be logged in the audit trail."),
    (
        "twin",
        "Use metric units when replying to European customers.",
        "When replying to European customers, use metric units.",
    ),
    ("twin", "Offer a replacement before offering a refund.", "Before you offer a refund, offer a replacement."),
    ("twin", "Keep the summary under 100 words.", "The summary should be kept under 100 words."),
    (
        "twin",
        "Look up the order status before giving a delivery estimate.",
        "Check the order's status before you give an estimate of delivery.",
    ),
    ("twin", "Apologise once, then move to the solution.", "Apologize once, then move on to the solution."),
    ("twin", "Never guess a tracking number.", "Do not guess tracking numbers."),
    ("twin", "Wait 30 seconds before retrying a failed call.", "Before retrying a failed call, wait thirty seconds."),
    (
        "conflict",
        "Always ask for a receipt before processing a return.",
        "Process returns without asking for a receipt.",
    ),
    ("conflict", "Send the invoice by email.", "Send the invoice by post, not by email."),
    ("conflict", "Refunds over $100 need approval.", "Refunds over $500 need approval."),
    ("conflict", "Retry three times before escalating.", "Retry five times before escalating."),
    ("conflict", "Offer free shipping on all orders.", "Never offer free shipping on any order."),
    ("conflict", "Answer within 2 hours.", "Answer within 24 hours."),
    ("conflict", "Round prices up.", "Round prices down."),
    (
        "conflict",
        "Greet the customer before asking for the order number.",
        "Ask for the order number before greeting the customer.",
    ),
    ("conflict", "Allow customers to change the delivery date.", "Do not let customers change the delivery date."),
    ("conflict", "Close inactive chats after 10 minutes.", "Close inactive chats after 30 minutes."),
    ("conflict", "Show prices including tax.", "Show prices excluding tax."),
    ("conflict", "Mention the competitor's price.", "Avoid mentioning the competitor's price."),
    ("conflict", "The discount is at most 15 percent.", "The discount is at most 25 percent."),
    ("conflict", "Accept returns without a label.", "Reject returns without a label."),
    ("conflict", "Encourage customers to upgrade.", "Discourage customers from upgrading."),
    ("conflict", "Keep the chat open until the customer leaves.", "Close the chat before the customer leaves."),
    ("conflict", "Ask for the PIN to verify identity.", "Never ask for the PIN to verify identity."),
    ("conflict", "Summaries must be long and detailed.", "Summaries must be short."),
    ("conflict", "Escalate billing errors immediately.", "Do not escalate billing errors."),
    ("conflict", "Refund shipping costs for late parcels.", "Shipping costs for late parcels are not refunded."),
    ("conflict", "Use the customer's first name.", "Don't use the customer's first name."),
    ("different", "Ask for the order number before a refund.", "Ask for the email before a refund."),
    ("different", "Check the warranty before a repair.", "Check the warranty before a replacement."),
    ("different", "Use British spelling in emails.", "Use plain text in emails."),
    ("different", "Retry failed payments after an hour.", "Report failed payments after an hour."),
    ("different", "Summarise the call in three bullets.", "Summarise the complaint for the supervisor."),
    ("different", "Quote prices in euros for German customers.", "Quote prices in pounds for British customers."),
    ("different", "Verify age before selling alcohol.", "Verify address before shipping furniture."),
    ("different", "Refund within 14 days for clothing.", "Refund within 30 days for electronics."),
    ("different", "Never promise a delivery date.", "Never promise a discount."),
    ("different", "Offer an upgrade to gold members.", "Offer an upgrade to silver members."),
    ("different", "Check stock before taking an order.", "Check stock levels every morning."),
    ("different", "Do not share passwords.", "Do not share screenshots."),
    ("different", "Confirm the booking by email.", "Confirm the cancellation by email."),
    ("different", "Ask for a photo of the damage.", "Ask for a photo of the receipt."),
    ("same", "Check stock before taking an order.", "  check stock before TAKING an order"),
    ("same", "Never promise a discount.", "Never promise a discount"),
)


@pytest.mark.parametrize(("relation", "one", "other"), PAIRS)
def test_the_relation_is_right_from_both_sides(relation, one, other):
    assert compare(one, other).relation.value == relation
    assert compare(other, one).relation.value == relation


@pytest.mark.parametrize(
    ("one", "other", "by"),
    [
        ("Refund within 7 days of purchase.", "Refund within 14 days of purchase.", "number"),
        ("Check the caller's identity.", "Do not check the caller's identity.", "negation"),
        ("Keep answers short.", "Keep answers long.", "opposite"),
        ("Check the policy before promising a refund.", "Promise a refund before checking the policy.", "order"),
        ("Quote the fee in rupees, not in dollars.", "Quote the fee in dollars, not in rupees.", "contrast"),
    ],
)
def test_a_conflict_names_what_decided_and_shows_both_sentences(one, other, by):
    how = compare(one, other)
    assert (how.relation, how.by) == (Relation.CONFLICT, by)
    assert how.sentence
    assert how.other_sentence


def test_an_embedding_cannot_make_twins_of_contrary_sentences():
    one, other = "Never recommend equity to cautious clients.", "Always recommend equity to cautious clients."
    assert compare(one, other, cosine=0.99).relation is Relation.CONFLICT
    assert compare("Limit discounts to 10 %.", "Limit discounts to 50 %.", cosine=0.99).relation is Relation.CONFLICT
    refund, exchange = "Ask for the order number before a refund.", "Ask for the order number before an exchange."
    assert compare(refund, exchange, cosine=0.99).relation is Relation.DIFFERENT


SENTENCES = st.sampled_from([row[1] for row in PAIRS] + [row[2] for row in PAIRS])


@given(SENTENCES, SENTENCES)
def test_comparing_is_symmetrical(one, other):
    assert compare(one, other).relation is compare(other, one).relation


@given(SENTENCES)
def test_a_text_is_the_same_as_itself_whatever_its_case_and_spaces(text):
    assert compare(text, "  " + text.upper().replace(" ", "  ")).relation is Relation.SAME


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared(one, other):
    assert (compare(one, other).relation is Relation.SAME) is (folded(one) == folded(other))
    assert all(isinstance(saying.text, str) for saying in sayings(one))


def test_an_accent_written_in_two_characters_is_the_same_accent():
    assert compare("Name the caf\u00e9 rule first.", "Name the cafe\u0301 rule first.").relation is Relation.SAME
