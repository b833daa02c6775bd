"""Quick looks lead a search to the places where it may match, and nothing is found less or otherwise for it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.screening.digit_runs import FEWEST, digit_runs
from core.screening.glances import long_words, lowered, matches_at, places, regions, starts
from core.screening.secrets import find_secrets

WORDS = st.text(alphabet="abİıſK 1é", max_size=40)


@given(WORDS)
def test_a_lowered_text_keeps_every_place_and_meets_what_a_search_in_any_case_meets(text):
    assert len(lowered(text)) == len(text)
    for word in ("a", "i", "s", "k"):
        assert {match.start() for match in re.finditer(word, text, re.IGNORECASE)} <= set(places(lowered(text), [word]))


@given(st.text(alphabet="abc", max_size=40))
def test_matches_from_their_possible_starts_are_all_matches(text):
    pattern = re.compile("a?bc|bb")
    led = matches_at(pattern, text, starts(text, (("bc", 1), ("bb", 0))))
    assert [match.span() for match in led] == [match.span() for match in pattern.finditer(text)]


def test_surroundings_that_overlap_are_one():
    assert list(regions([5, 30, 34], 10, 10)) == [(0, 15), (20, 44)]
    assert list(regions([], 10, 10)) == []


def test_long_words_are_those_between_white_space():
    assert long_words("a bcd\nefgh  ij", 3) == "bcd efgh"


@given(st.text(alphabet="1a -", max_size=60))
def test_four_digits_that_stand_together_are_in_one_run(text):
    runs = digit_runs(text)
    for match in re.finditer("1[ -]?1[ -]?1[ -]?1", text):
        assert sum(run.start <= match.start() and match.end() <= run.end for run in runs) >= 1
    assert all(run.digits >= FEWEST for run in runs)


@pytest.mark.parametrize(
    "text",
    [
        "the subscription access key = Qm4xZ8rT1vB6nK3w",
        "your authentication passcode is 48213",
        "PERSONAL_TOKEN=Qm4xZ8rT1vB6nK3wPd",
        "le mot de passe est Kiwi2020!",
        "the network key: Tulpen-4711",
        "mother's maiden name: Okonkwo",
        "Set-Cookie: sid=Qm4xZ8rT1vB6nK3wPd",
        "the card verification number is 7371",
        "unser Garagentorhauptöffnungscode lautet 4711",
        "enter 4711 at the gate",
        "the phone in the hall unlocks with 4711",
        "GSTIN 27AAPFU0939F1ZV on the invoice",
        "CURP HEGG560427MVZRRL04, as registered",
        "İstanbul: the Password is hunter2",
    ],
)
def test_the_longest_way_from_a_start_to_its_word_is_looked_at(text):
    assert find_secrets(text, personal=False)
