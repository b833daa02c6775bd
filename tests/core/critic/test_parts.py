"""A long transcript in parts: every turn is there, in order, and a part says what it holds."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.critic.parts import Part, halves, parts_of, shorter, whole_part
from core.critic.plain_json import one_line
from core.critic.tokens import estimate
from core.critic.turn_data import turn_data, turn_tokens
from core.transcripts import Message, ToolCall, Transcript
from core.vocabulary import Role
from tests.core.critic.sessions import TRANSCRIPTS

BUDGETS = st.integers(120, 2_000)
OVERLAPS = st.integers(0, 5)
CALL = ToolCall(name="find", arguments="{}", id="c1")


def said(*lengths: int) -> Transcript:
    """Turns of so many words, the user's and the agent's by turns."""
    speakers = (Role.USER, Role.ASSISTANT)
    return Transcript(
        messages=tuple(Message(role=speakers[at % 2], content="word " * words) for at, words in enumerate(lengths))
    )


def sent(transcript: Transcript, part: Part) -> int:
    """Tokens of what is really sent for the turns of a part."""
    messages = transcript.messages
    lines = [one_line(turn_data(messages[turn], turn, part.ends)) for turn in range(part.start, part.stop)]
    return estimate(",\n".join(lines))


@given(TRANSCRIPTS, BUDGETS, OVERLAPS)
def test_every_turn_is_in_a_part_whole_or_as_the_one_that_is_cut(
    transcript: Transcript, budget: int, overlap: int
) -> None:
    parts = parts_of(transcript, budget, overlap)
    covered = {turn for part in parts for turn in (*part.whole, *([] if part.cut is None else [part.cut]))}
    assert covered == set(range(len(transcript.messages)))
    for part in parts:
        assert part.cut is None or turn_tokens(transcript.messages[part.cut], part.cut) > budget


@given(TRANSCRIPTS, BUDGETS, OVERLAPS)
def test_parts_stand_in_order_and_each_brings_something_new(transcript: Transcript, budget: int, overlap: int) -> None:
    parts = parts_of(transcript, budget, overlap)
    for before, behind in pairwise(parts):
        assert before.start < behind.stop
        assert before.start <= behind.start <= before.stop < behind.stop


@given(TRANSCRIPTS, BUDGETS, OVERLAPS)
def test_no_part_is_longer_than_the_budget(transcript: Transcript, budget: int, overlap: int) -> None:
    for part in parts_of(transcript, budget, overlap):
        assert sent(transcript, part) <= part.tokens
        assert part.tokens <= budget or part.ends == 0


@given(TRANSCRIPTS, st.integers(0, 60))
def test_a_budget_however_small_comes_to_an_end_and_leaves_out_all_that_can_be(
    transcript: Transcript, budget: int
) -> None:
    for part in parts_of(transcript, budget):
        assert part.tokens <= budget or part.ends == 0


@given(TRANSCRIPTS, BUDGETS, OVERLAPS)
def test_a_part_repeats_what_was_agreed_or_as_much_as_fits(transcript: Transcript, budget: int, overlap: int) -> None:
    parts = parts_of(transcript, budget, overlap)
    costs = [turn_tokens(message, turn) for turn, message in enumerate(transcript.messages)]
    for before, part in pairwise(parts):
        repeated = before.stop - part.start
        assert sum(costs[part.start : before.stop]) <= budget // 4
        if part.ends is not None or before.ends is not None:
            assert repeated == 0
        elif repeated < overlap and part.start > 0:
            unit = unit_before(transcript, part.start, budget)
            new = unit_from(transcript, before.stop, budget)
            too_many = sum(costs[unit : before.stop])
            assert too_many > budget // 4 or too_many + sum(costs[before.stop : new]) > budget


def unit_before(transcript: Transcript, at: int, budget: int) -> int:
    """Where a call begins whose last result stands before ``at``; else the turn before."""
    messages = transcript.messages
    start = at - 1
    while start > 0 and messages[start].role is Role.TOOL:
        start -= 1
    call = next((turn for turn in range(start, at) if messages[turn].tool_calls), at - 1)
    return call if unit_from(transcript, call, budget) == at else at - 1


def unit_from(transcript: Transcript, at: int, budget: int) -> int:
    """Behind a call that begins at ``at`` and its results, if they fit together; else the turn behind."""
    stop = at + 1
    while transcript.messages[at].tool_calls and stop < len(transcript.messages):
        if transcript.messages[stop].role is not Role.TOOL:
            break
        stop += 1
    cost = sum(turn_tokens(transcript.messages[turn], turn) for turn in range(at, stop))
    return stop if cost <= budget else at + 1


@given(TRANSCRIPTS)
def test_what_fits_is_one_part(transcript: Transcript) -> None:
    whole = whole_part(transcript)
    assert len(whole.whole) == whole.of
    assert parts_of(transcript, max(whole.tokens, 1)) == ((whole,) if transcript.messages else ())


def test_two_turns_are_repeated_where_they_fit() -> None:
    parts = parts_of(said(*[20] * 20), 8 * turn_tokens(said(20).messages[0], 0) + 8, overlap=2)
    assert [(part.start, part.stop) for part in parts] == [(0, 8), (6, 14), (12, 20)]


def test_a_call_stays_with_its_result_where_both_fit() -> None:
    turns = [
        Message(role=Role.USER, content="word " * 60),
        Message(role=Role.ASSISTANT, content="word " * 60, tool_calls=(CALL,)),
        Message(role=Role.TOOL, content="word " * 60, tool_call_id="c1"),
        Message(role=Role.ASSISTANT, content="word " * 60),
    ]
    transcript = Transcript(messages=tuple(turns))
    parts = parts_of(transcript, 250, overlap=0)
    assert [(part.start, part.stop) for part in parts] == [(0, 1), (1, 3), (3, 4)]
    assert all(part.tokens <= 250 for part in parts)


def test_a_turn_longer_than_the_budget_is_a_part_of_its_own() -> None:
    parts = parts_of(said(20, 9_000, 20), 400)
    assert [(part.start, part.stop, part.cut) for part in parts] == [(0, 1, None), (1, 2, 1), (2, 3, None)]
    assert [list(part.whole) for part in parts] == [[0], [], [2]]
    assert parts[1].in_words == "beginning and end of turn 2 of 3"
    assert 300 < parts[1].tokens <= 400


def test_a_long_argument_of_a_call_is_cut_like_a_text() -> None:
    call = ToolCall(name="write", arguments="word " * 9_000)
    transcript = Transcript(messages=(Message(role=Role.ASSISTANT, content="I write.", tool_calls=(call,)),))
    (part,) = parts_of(transcript, 300)
    data = turn_data(transcript.messages[0], 0, part.ends)
    assert data["text"] == "I write."
    assert data["tool_calls"][0]["left_out_characters"] > 40_000
    assert part.tokens <= 300


@given(TRANSCRIPTS.filter(lambda each: len(each.messages) > 1), OVERLAPS)
def test_halves_hold_every_turn_and_are_both_smaller(transcript: Transcript, overlap: int) -> None:
    whole = whole_part(transcript)
    both = halves(transcript, whole, overlap)
    assert both is not None
    first, second = both
    assert (first.start, second.stop) == (whole.start, whole.stop)
    assert first.stop - min(overlap, first.stop) <= second.start <= first.stop
    assert all(0 < part.stop - part.start < whole.stop - whole.start for part in both)
    assert all(sent(transcript, part) <= part.tokens < whole.tokens for part in both)


def test_halves_do_not_part_a_call_from_its_result_unless_nothing_else_is_left() -> None:
    call = Message(role=Role.ASSISTANT, content="a", tool_calls=(CALL,))
    result = Message(role=Role.TOOL, content="word " * 500)
    user = Message(role=Role.USER, content="b")
    three = Transcript(messages=(user, call, result))
    both = halves(three, whole_part(three), overlap=0)
    assert both is not None
    assert (both[0].stop, both[1].start) == (1, 1)
    two = Transcript(messages=(call, result))
    assert halves(two, whole_part(two)) is not None


def test_a_single_turn_has_no_halves_and_can_be_cut_shorter_until_nothing_is_left() -> None:
    transcript = said(2_000)
    part: Part | None = whole_part(transcript)
    seen = []
    while part is not None:
        assert halves(transcript, part) is None
        seen.append(part.tokens)
        part = shorter(transcript, part)
    assert seen == sorted(seen, reverse=True)
    assert 4 < len(seen) < 15
    assert seen[-1] < 40


@given(TRANSCRIPTS.filter(lambda each: bool(each.messages)))
def test_halving_and_cutting_come_to_an_end(transcript: Transcript) -> None:
    todo, steps = [whole_part(transcript)], 0
    while todo:
        part, steps = todo.pop(), steps + 1
        smaller = halves(transcript, part) or (shorter(transcript, part),)
        todo += [each for each in smaller if each is not None and each.tokens > 100]
    assert steps < 2_000


@pytest.mark.parametrize(
    ("part", "words"),
    [(Part(11, 25, 40, 0), "turns 12 to 25 of 40"), (Part(2, 3, 9, 0), "turn 3 of 9")],
)
def test_a_part_says_what_it_covers_counted_from_1(part: Part, words: str) -> None:
    assert part.in_words == words
