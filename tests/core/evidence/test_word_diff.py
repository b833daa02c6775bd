"""A near miss is shown word by word, with what decides marked."""

from hypothesis import given
from hypothesis import strategies as st

from core.evidence import DiffPart, word_diff


def test_a_changed_number_decides() -> None:
    assert word_diff("You pay $60 today", "You pay $50 today") == (
        DiffPart("same", "You pay $"),
        DiffPart("removed", "50 ", decisive=True),
        DiffPart("added", "60 ", decisive=True),
        DiffPart("same", "today"),
    )


def test_a_changed_word_does_not_decide() -> None:
    assert word_diff("You get a big refund", "You get a full refund") == (
        DiffPart("same", "You get a "),
        DiffPart("removed", "full "),
        DiffPart("added", "big "),
        DiffPart("same", "refund"),
    )


def test_a_negation_that_the_quote_drops_decides() -> None:
    parts = word_diff("You will get it", "You will never get it")
    assert [(part.kind, part.text, part.decisive) for part in parts if part.kind != "same"] == [
        ("removed", "never ", True)
    ]


def test_case_and_marks_alone_do_not_differ() -> None:
    assert [part.kind for part in word_diff("**You** get IT", "you get it")] == ["same"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_is_same_and_added_makes_up_the_quote(quote: str, passage: str) -> None:
    parts = word_diff(quote, passage)
    shown = "".join(part.text for part in parts if part.kind != "removed")
    assert shown == quote or not any(part.kind != "removed" for part in parts)
