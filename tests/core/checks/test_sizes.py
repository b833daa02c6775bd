"""Long and hostile transcripts: the work of the newer checks grows with the text, not with its square."""

import sys

import pytest

from core.checks import CHECKS
from core.checks.claims import claims
from core.checks.contract import Case
from core.checks.figures import figures, numbers
from core.checks.passages import clauses, sentences
from core.checks.promises import promises
from core.transcripts.message import Message, Transcript

NEWER = ("missed_signals", "asked_again", "unsupported_promise", "dropped_instruction")
PIECES = [
    "What is your order number? My order number is W-48213. ",
    "!!!!!!!!",
    "no way!!! ",
    "I WANT MY MONEY BACK ",
    "I am not upset if I am upset, ",
    "Also, please cancel the bicycle rental in Hamburg. ",
    "Please don’t call me. Please email me. We will call you back tomorrow. ",
    "Our policy allows free rebooking for gold travellers in winter. ",
]


def _work(case: Case, name: str) -> int:
    """Calls of functions, ours and the interpreter's own, that one check makes on a case read for the first time."""
    for kept in (sentences, clauses, claims, promises, figures, numbers):
        kept.cache_clear()
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        CHECKS[name](case)
    finally:
        sys.setprofile(None)
    return count


def _case(turns: int, text: str) -> Case:
    said = [Message(role=role, content=f"{text}{turn}") for turn in range(turns) for role in ("user", "assistant")]
    return Case(Transcript(messages=tuple(said)), "You help.")


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("name", NEWER)
def test_a_turn_four_times_as_long_is_about_four_times_the_work(name, piece):
    short, long = _case(1, piece * (50_000 // len(piece))), _case(1, piece * (200_000 // len(piece)))

    assert _work(long, name) <= 5 * _work(short, name) + 500


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("name", NEWER)
def test_four_times_as_many_turns_are_about_four_times_the_work(name, piece):
    assert _work(_case(800, piece), name) <= 5 * _work(_case(200, piece), name) + 500
