"""Overlapping marks are drawn side by side, and every character once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.evidence import Segment, segments


def test_overlapping_marks_share_the_stretch_between() -> None:
    found = segments("We will refund you today in full.", [(0, 24, "n1"), (8, 32, "n2")])
    assert found == [
        Segment("We will ", ("n1",)),
        Segment("refund you today", ("n1", "n2")),
        Segment(" in full", ("n2",)),
        Segment(".", ()),
    ]


def test_a_text_without_marks_is_one_segment() -> None:
    assert segments("abc", []) == [Segment("abc")]
    assert segments("", []) == []


def test_an_empty_mark_draws_nothing_and_one_name_is_given_once() -> None:
    assert segments("abc", [(1, 1, "x"), (0, 2, "y"), (0, 2, "y")]) == [Segment("ab", ("y",)), Segment("c")]


@pytest.mark.parametrize("mark", [(-1, 2, "x"), (2, 1, "x"), (0, 4, "x")])
def test_a_mark_that_leaves_the_text_is_refused(mark: tuple[int, int, str]) -> None:
    with pytest.raises(BadInput, match="The mark x runs from"):
        segments("abc", [mark])


@given(st.text(max_size=40), st.data())
def test_the_segments_are_the_text_and_each_character_lies_under_its_marks(text: str, data: st.DataObject) -> None:
    borders = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(borders, borders).map(sorted), max_size=8))
    marks = [(start, end, f"m{number}") for number, (start, end) in enumerate(spans)]
    found = segments(text, marks)
    assert "".join(segment.text for segment in found) == text
    place = 0
    for segment in found:
        for offset in range(place, place + len(segment.text)):
            assert segment.ids == tuple(name for start, end, name in marks if start <= offset < end)
        place += len(segment.text)
