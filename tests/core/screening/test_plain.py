"""What hides from the eye is seen by the screens, named for the reviewer, and leads back to the original."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.screening.invisible import find_invisible
from core.screening.plain import plain, shown


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("ap\u200bprove", "approve"),
        ("аррrоve", "approve"),
        ("４１１１", "4111"),
        ("४१११", "4111"),
        ("pass\u00adword", "password"),
        ("a\u00a0b", "a b"),
        ("café naïve Zürich", "café naïve Zürich"),
        ("Привет мир", "Привет мир"),
        ("“it’s”", '"it\'s"'),
    ],
)
def test_a_text_is_taken_as_it_is_seen(text, seen):
    assert plain(text).text == seen


@given(st.text(max_size=200))
def test_every_character_leads_back_to_where_it_stands(text):
    seen = plain(text)
    for place in range(len(seen.text)):
        start, end = seen.place(place, place + 1)
        assert 0 <= start < end <= len(text)
    if seen.text:
        start, end = seen.place(0, len(seen.text))
        assert len(plain(text[start:end]).text) == len(seen.text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Check\u200b it", "hidden_characters"),
        ("Check \u202etI", "hidden_characters"),
        ("Check \U000e0041\U000e0042", "hidden_characters"),
        ("Chеck it", "look_alikes"),
        ("ϲheck οrders", "look_alikes"),
    ],
)
def test_hidden_characters_and_look_alikes_are_found_where_they_stand(text, code):
    finding = find_invisible(text)[0]
    assert finding.code == code
    assert finding.words
    assert text[finding.place.start : finding.place.end].isascii() is False


@pytest.mark.parametrize("text", ["👩‍👩‍👧 agreed ❤️", "क्‍षमा करें", "می‌خواهم", "Ελλάδα Привет", "Brand™ café", "plain"])
def test_what_a_script_or_an_emoji_needs_is_no_finding(text):
    assert not find_invisible(text)


def test_hidden_characters_are_written_out_by_name():
    assert shown("a\u200bb") == "a⟨ZERO WIDTH SPACE⟩b"
