"""Repetitive and odd texts are answered, with every place found."""

import pytest

from core.evidence import Span, ground, prepare
from core.evidence.search import MOST_PLACES
from core.vocabulary import Verdict
from tests.core.evidence.spoken import said, transcript_of


def test_every_place_of_a_repetitive_text_is_lit_without_overlap() -> None:
    content = "pay the fee " * 900
    grounding = ground("pay the fee", said(content))
    assert grounding.verdict is Verdict.AMBIGUOUS
    assert len(grounding.spans) == 900
    assert grounding.spans[1] == Span(0, 12, 23)


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("a" * 200_000, "a a a a a a a a b"),
        ("ab " * 60_000, "ba ba ba ba ba ba"),
        ("no no " * 30_000, "on on on on on on on"),
        ("1." * 50_000, "1 1 1 1 1 1 1"),
        ("[" * 50_000, "a [ b [ c ["),
        ("&amp;" * 20_000, "amp amp amp amp"),
        ("\\" * 50_000, "n n n n"),
        ("\\\\n" * 20_000, "n n n n"),
        ("* " * 50_000, "a b c d"),
        ("\n" * 50_000, "a b c d"),
        ("x... " * 20_000, "x y ... y z w ... z w x"),
        ("退款" * 50_000, "款款款款款款"),
        ("e\u0301" * 50_000, "é é é é"),
        ("\u0301" * 50_000, "é é é é"),
        ("](" * 40_000, "a b c d"),
        ("<b " * 40_000, "a b c d"),
        ("][" * 40_000, "a b c d"),
        ("[a][1" * 20_000, "a b c d"),
        ("[^1]: x\n" * 20_000, "a b c d"),
        ("<a@" * 40_000, "a b c d"),
        ("What I learned from prior trials\n- a\n\n" * 5_000, "a b c d"),
    ],
)
def test_hostile_texts_are_answered(content: str, evidence: str) -> None:
    assert not ground(evidence, said(content)).grounded


def test_a_quote_in_a_block_of_a_long_message_is_found_at_its_place() -> None:
    filler = "".join(f"Line {number} of the log says naïve things — twice. " for number in range(3_000))
    content = filler[:70_003] + " The violet umbrella is ready. " + filler[70_003:]
    prepared = prepare(transcript_of(("tool", filler), ("tool", content)))
    grounding = prepared.ground("The violet umbrella is ready")
    assert grounding.spans == (Span(1, 70_004, 70_032),)
    grounding = prepared.ground("the VIOLET umbrella is **ready**")
    assert grounding.spans == (Span(1, 70_004, 70_032),)


def test_a_word_longer_than_any_window_is_not_cut() -> None:
    content = "see " + "x" * 5_000 + " and more words"
    assert ground("x" * 300 + " and more words", said(content)).verdict is Verdict.INSIDE_WORD
    assert ground("see " + "x" * 5_000 + " and more", said(content)).verdict is Verdict.EXACT


def test_an_empty_transcript_is_answered() -> None:
    assert ground("some words of someone", transcript_of()).verdict is Verdict.NOT_FOUND
    assert ground("some words of someone", transcript_of(("assistant", ""))).verdict is Verdict.NOT_FOUND


def test_flags_families_and_tones_are_not_torn() -> None:
    content = "Great 👍🏽 news for all of you 🇩🇪🇫🇷"
    grounding = ground("Great 👍 news for all of you 🇩", said(content))
    for span in grounding.spans:
        assert content[span.start : span.end] == "Great 👍🏽 news for all of you"


def test_a_short_quote_of_numbers_with_a_foreign_mark_is_looked_for_everywhere() -> None:
    content = "5 . . .\n4 . P .\n3 . . ."
    grounding = ground("…5 . . .\n4 . P .\n3", said(content))
    assert grounding.verdict is Verdict.FOLDED
    assert grounding.spans == (Span(0, 0, 17),)


@pytest.mark.parametrize("quote", ["🈐", "\u0345", "\u0345 %", "&#x345;", "ﾞ", "🈚 %", "㊙", "\u20dd"])
def test_a_quote_of_marks_that_spell_letters_is_answered(quote: str) -> None:
    assert not ground(quote, said("We refund the whole fee.")).grounded
    assert ground(quote, said(f"{quote} We refund it.")).reasons


def test_of_a_quote_that_stands_everywhere_a_thousand_places_are_looked_for() -> None:
    grounding = ground("pay the fee", said("pay the fee " * 5_000))
    assert (grounding.verdict, len(grounding.spans)) == (Verdict.AMBIGUOUS, MOST_PLACES)
