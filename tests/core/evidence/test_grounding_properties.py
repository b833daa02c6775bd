"""What holds for every text: spans prove themselves, lie on character borders, and nothing crashes."""

import re
import sys
import unicodedata
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.evidence import ground, prepare
from core.evidence.characters import folded
from core.evidence.contract import Span
from core.evidence.graphemes import on_border
from core.evidence.layers import Layers
from core.evidence.matching import Place, checked, plainly_verbatim
from core.evidence.quote import Piece
from core.evidence.readings import Reading, decoded, rendered, unnumbered
from core.evidence.skeletons import narrow, wide
from core.evidence.tokens import GLYPH, SYMBOL, tokens
from core.vocabulary import Verdict
from tests.core.evidence.spoken import said, transcript_of

PIECES = [
    "refund", "the", "not", "fee", "É", "e\u0301", "ß", "İ", "ﬁ", "ς", "10²", "$1,250", "5", "%", "don’t", "−5", "½",
    "**", "*", "`", "_", "[a](b)", "[fee][1]", "[^1]", "\n[^1]: ", "<https://a.b>",
    "&amp;", r"\n", r"\"", "\\u20ac", "...", "…", "[...]", "—", "-", "‑", " ", "  ",
    "\n", "\r\n", "\n- ", "\n1. ", "# ", "> ", "\u200b", "\u00ad", "👍🏽", "👨‍👩‍👧", "🇩🇪", "退款", "は", "ไม่",
    "각", "한", "قبل",
    "“", "”", "²", "①", "'", ".", ",", "?", "(", "<b>", "</b>", "@", "\ufeff", "\ud83d",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)
free_texts = st.text(max_size=60)


def _same_words(text: str, other: str) -> bool:
    return [token.key for token in tokens(text)] == [token.key for token in tokens(other)]


@settings(max_examples=300, deadline=None)
@given(texts, texts, texts)
def test_a_quote_cut_from_a_message_is_lit_with_the_same_words(before: str, quote: str, after: str) -> None:
    content = f"{before} {quote} {after}"
    grounding = ground(quote, said(content))
    assert grounding.grounded == bool(grounding.spans)
    for span in grounding.spans:
        assert 0 <= span.start < span.end <= len(content)
        assert on_border(content, span.start)
        assert on_border(content, span.end)
    if grounding.verdict is Verdict.EXACT:
        span = grounding.spans[0]
        assert content[span.start : span.end] == quote.strip()
    if grounding.verdict is Verdict.FOLDED and not {
        "json escapes",
        "html entities",
        "markdown",
        "html tags",
        "letter forms",
    } & set(grounding.folds):
        span = grounding.spans[0]
        assert _same_words(content[span.start : span.end], quote)


WORDS = ["refund", "fee", "½", "²", "①", "Ⅳ", "10", "退", "각", "5"]
MARKS = ["“", "”", "", " ", "*", "`", "-", ".", "\u200b", "(", "_", "'"]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(MARKS), st.sampled_from(MARKS)), min_size=1))
def test_words_that_touch_in_the_quote_touch_in_the_source(parts: list[tuple[str, str, str]]) -> None:
    content = "The whole fee is " + "".join(word + mark for word, mark, _ in parts)
    quote = "The whole fee is " + "".join(word + mark for word, _, mark in parts)
    grounding = ground(quote, said(content))
    if grounding.verdict in (Verdict.EXACT, Verdict.FOLDED) and "letter forms" not in grounding.folds:
        span = grounding.spans[0]
        assert _touching(content[span.start : span.end]) == _touching(quote)


def _touching(text: str) -> list[tuple[str, str]]:
    """Words with nothing to be seen between them, emphasis apart; a symbol or a glyph has no such border."""
    plain = re.sub("[*`\u200b]|(?<!\\w)_|_(?!\\w)", "", text)
    read = [token for token in tokens(plain) if token.kind != GLYPH]
    return [(one.key, other.key) for one, other in pairwise(read) if one.end == other.start and other.kind != SYMBOL]


@settings(max_examples=200, deadline=None)
@given(texts | free_texts, texts | free_texts)
def test_any_two_texts_get_an_answer_whose_places_stand_in_the_message(content: str, quote: str) -> None:
    transcript = transcript_of(("user", quote), ("assistant", content))
    grounding = ground(quote, transcript, speaker="assistant")
    assert grounding.grounded == bool(grounding.spans)
    assert grounding.reasons
    for span in (*grounding.spans, *grounding.gaps, *grounding.nearest):
        assert 0 <= span.start < span.end <= len(transcript.messages[span.turn].content)
    assert all(span.turn == 1 for span in grounding.spans)


@settings(max_examples=100, deadline=None)
@given(texts, st.lists(texts, max_size=4))
def test_asking_twice_gives_the_same_answer(content: str, quotes: list[str]) -> None:
    prepared = prepare(said(content))
    first = [prepared.ground(quote) for quote in quotes]
    assert first == [prepared.ground(quote) for quote in quotes]
    assert first == [ground(quote, said(content)) for quote in quotes]


@settings(max_examples=200)
@given(texts | free_texts)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@settings(max_examples=200)
@given(texts | free_texts, texts | free_texts)
def test_skeletons_of_joined_texts_are_joined_skeletons(one: str, other: str) -> None:
    assert narrow(one + other) == narrow(one) + narrow(other)
    assert wide(one + other) == wide(one) + wide(other)


@settings(max_examples=200)
@given(texts | free_texts)
def test_equal_words_have_equal_skeletons(text: str) -> None:
    for form in ("NFC", "NFD"):
        other = unicodedata.normalize(form, text)
        if _same_words(text, other):
            assert narrow(text) == narrow(other)
            assert wide(text) == wide(other)


@settings(max_examples=200)
@given(texts)
@example("\n1. ½refund")
def test_a_reading_leads_back_into_the_original(text: str) -> None:
    for reading in (decoded(text), rendered(decoded(text)), unnumbered(rendered(decoded(text)))):
        for start in range(len(reading.text)):
            first, last = reading.origin(start, start + 1)
            assert 0 <= first <= last <= len(text)
            if not reading.kinds(start, start + 1):
                assert text[first:last] == reading.text[start]


def test_a_text_without_markup_reads_as_it_stands() -> None:
    reading = Reading("plain words")
    assert unnumbered(rendered(decoded("plain words"))) == reading
    assert reading.origin(2, 5) == (2, 5)


@settings(max_examples=500, deadline=None)
@given(texts, st.sampled_from(["fee refund", "5 fees are due.", "The fee is 5 Euro", "million fees"]), texts)
@example('{"a": "', "The fee is 5 Euro", '."}')
@example("10 (", "million fees", ") %")
def test_the_quick_way_never_answers_otherwise_than_the_strict_check(before: str, quote: str, after: str) -> None:
    content, piece = before + quote + after, Piece(quote)
    layer = Layers([content]).plain
    candidate = layer.candidate(piece, 0)
    while candidate is not None:
        if plainly_verbatim(content, piece, candidate.first):
            span = Span(0, candidate.first, candidate.first + len(quote))
            assert checked(layer.readings[0], 0, piece, candidate) == Place(span)
        candidate = layer.candidate(piece, candidate.place + 1)


def _work(content: str, quote: str) -> int:
    """How many calls answering takes: a measure of work that no other load on the machine changes."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    prepared = prepare(said(content))
    sys.setprofile(count)
    try:
        prepared.ground(quote)
    finally:
        sys.setprofile(None)
    return calls


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join),
)
def test_a_text_of_twice_the_length_takes_at_most_about_twice_the_work(piece: str, quote: str) -> None:
    once, twice = (_work(piece * (size // len(piece) + 1), quote) for size in (3_000, 6_000))
    assert twice <= 2.2 * once + 3_000


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join),
)
def test_a_quote_of_twice_the_length_takes_at_most_about_twice_the_work(piece: str, text: str) -> None:
    once, twice = (_work(text * 200, piece * (size // len(piece) + 1)) for size in (600, 1_200))
    assert twice <= 2.2 * once + 5_000
