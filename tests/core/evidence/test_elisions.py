"""Quotes shortened with an ellipsis: all its forms, pieces in order, in one message, no negation hidden."""

import pytest

from core.evidence import Span, ground
from core.vocabulary import Role, Verdict
from tests.core.evidence.spoken import asked, lit, transcript_of

LONG = "We can refund the fee. That takes up to five working days, and you will get a mail from us by Friday."


@pytest.mark.parametrize(
    "dots",
    ["...", "…", " ... ", "[...]", " [...] ", " (...) ", " […] ", "(…)", " . . . ", "....", "……", "\n...\n", "⋯"],
)
def test_every_form_of_ellipsis_is_read(dots: str) -> None:
    grounding, words = asked(LONG, f"We can refund the fee{dots}you will get a mail")
    assert grounding.verdict is Verdict.ELIDED
    assert words == ["We can refund the fee", "you will get a mail"]
    assert len(grounding.gaps) == 1


def test_a_piece_that_stands_in_the_title_of_a_link_is_lit_there() -> None:
    content = 'The fault is old. It is a [seat map bug](/wiki/S "Seat map bug"), when a row is left out.'
    grounding, words = asked(content, 'The fault is old ... Seat map bug"), when a row is')
    assert grounding.verdict is Verdict.ELIDED
    assert words == ["The fault is old", 'Seat map bug"), when a row is']


def test_gaps_hold_the_words_left_out_from_the_first_to_the_last() -> None:
    transcript = transcript_of(("assistant", LONG))
    grounding = ground("We can refund the fee ... and you will ... from us by Friday", transcript)
    texts = [LONG[gap.start : gap.end] for gap in grounding.gaps]
    assert texts == ["That takes up to five working days", "get a mail"]
    assert "get a mail" in grounding.reasons[0].text


def test_a_source_with_an_ellipsis_of_its_own_is_quoted_as_a_whole() -> None:
    content = "Well... that was not... expected by us at all."
    grounding, words = asked(content, "that was not... expected by us")
    assert grounding.verdict is Verdict.EXACT
    assert words == ["that was not... expected by us"]


def test_ellipses_at_the_edges_shorten_nothing() -> None:
    grounding, words = asked(LONG, "... you will get a mail ...")
    assert grounding.verdict is Verdict.FOLDED
    assert grounding.folds == ("edge punctuation",)
    assert words == ["you will get a mail"]


def test_pieces_in_another_order_are_refused() -> None:
    grounding, words = asked(LONG, "you will get a mail ... We can refund the fee")
    assert grounding.verdict is Verdict.OUT_OF_ORDER
    assert words == []
    assert len(grounding.nearest) == 2


def test_pieces_of_two_messages_are_refused() -> None:
    transcript = transcript_of(
        ("assistant", "We can refund the fee."), ("user", "ok"), ("assistant", "You will get a mail.")
    )
    grounding = ground("We can refund the fee ... You will get a mail", transcript)
    assert grounding.verdict is Verdict.CROSSES_MESSAGES
    assert grounding.spans == ()
    assert {span.turn for span in grounding.nearest} == {0, 2}


def test_words_across_the_border_of_two_messages_are_refused() -> None:
    transcript = transcript_of(("assistant", "We can refund the fee"), ("assistant", "and you will get a mail."))
    grounding = ground("refund the fee and you will get", transcript)
    assert grounding.verdict is Verdict.CROSSES_MESSAGES
    assert grounding.spans == ()


def test_pieces_of_two_speakers_are_refused() -> None:
    transcript = transcript_of(("user", "I never pay the fee at all."), ("assistant", "You will get a mail from us."))
    grounding = ground("I never pay the fee ... You will get a mail", transcript)
    assert grounding.verdict is Verdict.CROSSES_MESSAGES


def test_a_piece_of_two_words_proves_nothing() -> None:
    grounding, words = asked(LONG, "We can refund the fee ... a mail")
    assert grounding.verdict is Verdict.TOO_SHORT
    assert words == []
    assert "“a mail”" in grounding.reasons[0].text


def test_a_short_piece_beside_a_hidden_negation_says_both() -> None:
    grounding, words = asked("You must never approve the refund.", "You must ... approve the refund")
    assert grounding.verdict is Verdict.TOO_SHORT
    assert words == []
    assert [reason.code for reason in grounding.reasons] == ["too_short", "elision_hides_negation"]


def test_a_short_piece_that_is_a_whole_sentence_is_found() -> None:
    grounding, words = asked("Sure thing! We will send it today. Take care.", "Sure thing ... Take care.")
    assert grounding.verdict is Verdict.ELIDED
    assert words == ["Sure thing", "Take care."]


def test_pieces_are_strung_as_tightly_as_they_go() -> None:
    content = "You may call us now. We do not refund it. You may call us now. Then we refund the fee."
    grounding, _ = asked(content, "You may call us now ... we refund the fee")
    assert grounding.verdict is Verdict.ELIDED
    assert grounding.spans[0] == Span(0, 42, 61)


def test_an_elided_quote_that_stands_twice_is_ambiguous() -> None:
    transcript = transcript_of(("assistant", LONG), ("user", "Again?"), ("assistant", LONG))
    quote = "We can refund the fee ... you will get a mail"
    grounding = ground(quote, transcript)
    assert grounding.verdict is Verdict.AMBIGUOUS
    assert len(grounding.spans) == 4
    grounding = ground(quote, transcript, turn=2)
    assert grounding.verdict is Verdict.ELIDED
    assert {span.turn for span in grounding.spans} == {2}


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("We will, however, never refund a fee like that one.", "We will, however ... refund a fee like that"),
        ("You can, but you shouldn't, call the bank about it.", "You can, but you ... call the bank about it"),
        (
            "Wir werden das leider nicht mehr heute erstatten können.",
            "Wir werden das leider ... heute erstatten können",
        ),
        ("我们公司今天的客服不会给您退还全部费用。", "我们公司今天的客服...给您退还全部费用"),
        ("Мы можем вам сегодня не вернуть эти деньги сразу.", "Мы можем вам сегодня ... вернуть эти деньги"),
    ],
)
def test_a_hidden_negation_is_held_in_any_language(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.verdict is Verdict.ELISION_HIDES_NEGATION
    assert words == []
    assert grounding.gaps
    assert len(grounding.nearest) == 2


def test_a_clean_place_counts_before_one_that_hides_a_negation() -> None:
    transcript = transcript_of(
        ("assistant", "We can surely not refund the fee today."),
        ("assistant", "We can surely now refund the fee today."),
    )
    grounding = ground("We can surely ... refund the fee today", transcript, speaker=Role.ASSISTANT)
    assert grounding.verdict is Verdict.ELIDED
    assert lit(grounding, transcript)[0] == "We can surely"
    assert {span.turn for span in grounding.spans} == {1}


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("W planie próbnym nigdy klient dostaje pełny zwrot", "W planie próbnym … klient dostaje pełny zwrot"),
        ("У пробному тарифі ви ніколи можете скасувати підписку", "У пробному тарифі ви … можете скасувати підписку"),
        ("V rámci zkušební verze nelze zrušit vaše předplatné", "V rámci zkušební verze … zrušit vaše předplatné"),
        ("Kokeilun aikana tilausta ei voi perua ilmaiseksi", "Kokeilun aikana tilausta … voi perua ilmaiseksi"),
    ],
)
def test_a_hidden_negation_is_held_in_further_languages(said: str, quote: str) -> None:
    grounding, _ = asked(said, quote)
    assert grounding.verdict is Verdict.ELISION_HIDES_NEGATION
