"""What a transcript that comes in again is to the known one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.transcripts.compare import Differs, Longer, Same, Shorter, compare
from core.transcripts.message import Message, ToolCall, Transcript
from core.vocabulary import Role

TURNS = tuple(Message(role=Role.USER, content=f"turn {number}") for number in range(6))
MESSAGES = st.builds(
    Message,
    role=st.sampled_from(Role),
    content=st.sampled_from(["", "a"]),
    name=st.sampled_from([None, "n"]),
    tool_call_id=st.sampled_from([None, "c"]),
    tool_calls=st.lists(st.builds(ToolCall, name=st.just("f"), id=st.sampled_from([None, "c"])), max_size=1).map(tuple),
    failed=st.booleans(),
)
TRANSCRIPTS = st.lists(MESSAGES, max_size=3).map(lambda messages: Transcript(messages=tuple(messages)))


def of(*messages):
    return Transcript(messages=messages)


def test_the_same_export_is_the_same_even_with_other_times(session_of):
    turns = [{"role": "user", "content": "x"}]
    timed = [{"role": "user", "content": "x", "timestamp": "2026-03-10T09:30:00Z"}]
    assert compare(session_of(turns).transcript, session_of(timed).transcript) == Same()


def test_a_longer_export_gives_the_turns_that_came_after():
    assert compare(of(*TURNS[:4]), of(*TURNS)) == Longer(TURNS[4:])
    assert compare(of(), of(TURNS[0])) == Longer((TURNS[0],))


def test_a_shorter_export_says_how_many_turns_are_missing():
    assert compare(of(*TURNS), of(*TURNS[:4])) == Shorter(2)


@pytest.mark.parametrize(
    "change",
    [
        {"content": "turn 1 "},
        {"role": Role.ASSISTANT},
        {"name": "n"},
        {"tool_call_id": "c"},
        {"tool_calls": (ToolCall(name="f"),)},
    ],
)
def test_another_turn_is_named_and_counts_before_any_length(change):
    other = (TURNS[0], TURNS[1].model_copy(update=change), *TURNS[2:])
    assert compare(of(*TURNS[:4]), of(*other)) == Differs(1)


@given(TRANSCRIPTS, TRANSCRIPTS)
def test_the_comparison_agrees_with_the_hash(known, new):
    answer = compare(known, new)
    assert (answer == Same()) == (known.sha256 == new.sha256)
    assert isinstance(answer, Longer) == (
        len(new.messages) > len(known.messages) and new.prefix_sha256(len(known.messages)) == known.sha256
    )
