"""What is said again and again is looked at once, with the same answer as each time anew."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evidence import Span, ground
from core.evidence.characters import LETTERS, SPELLINGS
from core.evidence.joined import Joined
from core.evidence.layers import Layers
from core.evidence.quote import Piece
from core.evidence.readings import decoded, rendered, unnumbered
from core.evidence.skeletons import Skeleton
from core.evidence.strict import StrictCheck
from core.vocabulary import Verdict
from tests.core.evidence.spoken import said

UNITS = ["退款", "<b>", "\\n", "a\n", "ไม่", "$1 ", "é’", "**a** ", "no ", "1. a\n", "10 "]
texts = st.lists(st.sampled_from(["refund", "É", "ﬁ", "½", "’", "退", " ", "\n", "5", "\u0301", "\ud83d"]), max_size=40)


@pytest.mark.parametrize("unit", UNITS)
def test_a_text_that_repeats_itself_is_cut_into_words_a_few_times_only(unit: str) -> None:
    layer, piece = Layers([unit * 3_000]).plain, Piece(unit * 8)
    check, start, asked = StrictCheck(layer, piece), 0, 0
    while (candidate := layer.candidate(piece, start)) is not None:
        check.result(candidate)
        start, asked = candidate.place + len(piece.bones), asked + 1
    assert asked > 300
    assert check.made < 170


@pytest.mark.parametrize("unit", [*UNITS, "🇩🇪x", "🇩🇪🇫🇷x", "x\u0301"])
def test_an_answer_that_is_used_again_is_the_answer_that_a_check_gives(unit: str) -> None:
    layer, piece = Layers([unit * 400]).plain, Piece(unit * 8)
    together, start = StrictCheck(layer, piece), 0
    while (candidate := layer.candidate(piece, start)) is not None:
        assert together.result(candidate) == StrictCheck(layer, piece).result(candidate)
        start = candidate.place + 1


def test_every_place_of_a_repetitive_quote_without_spaces_is_lit() -> None:
    grounding = ground("退款退款退款退款", said("退款" * 4_000))
    assert grounding.verdict is Verdict.AMBIGUOUS
    assert grounding.spans == tuple(Span(0, start, start + 8) for start in range(0, 8_000, 8))


@settings(max_examples=200, deadline=None)
@given(st.lists(texts.map("".join), min_size=1, max_size=4), st.booleans())
def test_a_place_in_a_skeleton_leads_back_to_the_character_that_was_kept(contents: list[str], narrow: bool) -> None:
    letters = SPELLINGS if narrow else LETTERS
    skeleton = (Skeleton.narrow if narrow else Skeleton.wide)(Joined([content * 9 for content in contents]))
    place = 0
    for part, content in enumerate(contents):
        for index, character in enumerate(content * 9 if narrow or not content.isascii() else ""):
            for _ in letters[ord(character)]:
                assert skeleton.locate(place) == (part, index)
                place += 1
        place += 1


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["½", "&amp;", "[a](b)", "<b>", "\\n", "\n1. ", "x"]), max_size=30).map("".join),
    st.integers(0, 80),
    st.integers(0, 80),
)
def test_what_was_resolved_in_a_stretch_is_what_overlaps_it(text: str, one: int, other: int) -> None:
    reading = unnumbered(rendered(decoded(text)))
    start, end = sorted((one, other))
    overlapping = {piece.kind for piece in reading.resolved if start < piece.at + piece.size and piece.at < end}
    assert reading.kinds(start, end) == overlapping


def test_a_long_quote_is_compared_by_its_beginning() -> None:
    content = " ".join(f"The fee of order {number} is paid back." for number in range(500))
    grounding = ground(content.replace("order 3 ", "order 3 ordinarily "), said(content))
    assert grounding.verdict is Verdict.ALTERED
    assert grounding.nearest[0].start == 0
