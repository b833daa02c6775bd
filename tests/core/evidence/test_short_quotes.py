"""A quote needs three words, or must be a whole sentence or turn of the source."""

import pytest

from core.vocabulary import Verdict
from tests.core.evidence.spoken import asked


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("Yes.", "Yes."),
        ("Yes", "yes"),
        ("Sure. Yes! Bye.", "Yes"),
        ("Is it late?\nVery late\nI see.", "Very late"),
        ("- Very late\n- Too early", "Too early"),
        ("1. Very late\n2. Too early", "Too early"),
        ("“Very late,” I said? No! “Too early.”", "Too early"),
        ("好的。我明白了。", "好的"),
        ("👍", "👍"),
    ],
)
def test_a_whole_sentence_line_or_turn_is_enough(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.grounded
    assert words


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("The fee is too high for that.", "too high"),
        ("Yes, the fee is too high.", "Yes"),
        ("It is a large-cap fund.", "large-cap fund"),
        ("我建议您购买股票基金", "购买股票"),
        ("The fee of 5.5 is due.", "5.5"),
        ("span = measure(a, b).miles", "miles"),
        ("self.swap(seat).No", "No"),
    ],
)
def test_less_proves_nothing(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.verdict is Verdict.TOO_SHORT
    assert words == []
    assert grounding.nearest


@pytest.mark.parametrize("evidence", ["", "   ", "...", "“”", "?!", "👎", "**"])
def test_a_quote_without_words_is_too_short(evidence: str) -> None:
    grounding, words = asked("The fee is too high for that 👍.", evidence)
    assert grounding.verdict is Verdict.TOO_SHORT
    assert words == []


def test_an_absent_short_quote_is_not_found() -> None:
    grounding, _ = asked("The fee is too high for that.", "zebra crossing")
    assert grounding.verdict is Verdict.NOT_FOUND
    assert grounding.nearest == ()


def test_a_short_sentence_is_found_behind_thousands_of_longer_words() -> None:
    filler = "I know nothing now, so note another notice. Not now, November. " * 1_000
    grounding, words = asked(f"{filler}\nNo.\n{filler}", "No.")
    assert grounding.verdict is Verdict.EXACT
    assert words == ["No."]
