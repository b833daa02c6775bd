"""Numbers, measures and negations are never fuzzy, and never cut."""

import pytest
from spoken import asked

from core.vocabulary import Verdict


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("The fee would be $1,250 in all.", "The fee would be $1"),
        ("The fee would be $1,250 in all.", "The fee would be $1,25"),
        ("It holds up to 10² items.", "It holds up to 10"),
        ("It holds up to 102 items.", "It holds up to 10"),
        ("A return of −5 % for you", "5 % for you"),
        ("A return of 5 % for you", "A return of 5"),
        ("A return of 5% for you", "A return of 5"),
        ("It takes 15–20 days to pay", "20 days to pay"),
        ("Meet us at 10:30 on Monday", "Meet us at 10"),
        ("It costs $50 for all days", "50 for all days"),
        ("It costs >$50 for all days", "$50 for all days"),
        ("It costs 10 000 euros now", "It costs 10"),
        ("non-refundable within thirty days", "refundable within thirty days"),
        ("nonrefundable within thirty days", "refundable within thirty days"),
        ("Please pay the refundable part", "Please pay the refund"),
        ("Write to info@example.com for help", "example.com for help"),
    ],
)
def test_a_quote_does_not_cut_a_word_or_a_quantity(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.verdict is Verdict.INSIDE_WORD
    assert words == []


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("There are 10² ways of it.", "There are 102 ways of it"),
        ("You pay $1,250 in all.", "You pay $1,350 in all"),
        ("You pay $1,250 in all.", "You pay €1,250 in all"),
        ("You pay $1,250 in all.", "You pay 1,250 in all"),
        ("You pay 12.50 a month", "You pay 1250 a month"),
        ("You pay 1½ of the fee", "You pay 11/2 of the fee"),
        ("The return was -5 % a year", "The return was 5 % a year"),
        ("You pay 5 % of it", "You pay 5 of it"),
        ("You will get a refund today", "You will not get a refund today"),
        ("You will not get a refund today", "You will get a refund today"),
        ("You can get a refund today", "You can't get a refund today"),
        ("You cannot get a refund today", "You can get a refund today"),
        ("Order 17 of 2024 is late", "Order 17 of 2025 is late"),
        ("You pay ½“refund of the fee", "You pay ½refund of the fee"),
        ("You pay ½refund of the fee", "You pay ½“refund of the fee"),
        ("Step ①”refund the whole fee", "Step ①refund the whole fee"),
        ("It is 10²“refund of the fee", "It is 10²refund of the fee"),
    ],
)
def test_another_number_or_a_negation_is_an_altered_quote(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.verdict is Verdict.ALTERED
    assert words == []
    assert grounding.nearest


def test_a_quote_may_begin_with_its_currency_and_end_with_its_measure() -> None:
    for quote in ("$1,250 is due at 5 %", "₹50,000 in all is due", "-5 % a year is due", "due are 10² items"):
        grounding, words = asked(f"Now {quote}, as agreed.", quote)
        assert grounding.verdict is Verdict.EXACT
        assert words == [quote]


@pytest.mark.parametrize(
    "before", ["must never ", "must **never** ", r"must never\n", "must not ever ", "must&nbsp;never "]
)
def test_a_negation_just_before_is_flagged_however_it_is_written(before: str) -> None:
    grounding, _ = asked(f"You {before}approve the whole refund", "approve the whole refund")
    assert grounding.grounded
    assert [flag.code for flag in grounding.flags] == ["negation_before_quote"]


@pytest.mark.parametrize("before", ["No, ", "Never. ", "never mind that: ", "must "])
def test_a_negation_of_another_clause_is_not_flagged(before: str) -> None:
    grounding, _ = asked(f"{before}approve the whole refund", "approve the whole refund")
    assert grounding.grounded
    assert grounding.flags == ()
