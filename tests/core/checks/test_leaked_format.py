"""What a user reads must be sentences, not markup for machines."""

import pytest

from core.checks.contract import Case
from core.checks.leaked_format import findings
from core.transcripts import Message, ToolCall, Transcript


def case(*turns: tuple[str, str]) -> Case:
    return Case(Transcript(messages=tuple(Message(role=role, content=text) for role, text in turns)))


@pytest.mark.parametrize(
    "reply",
    [
        '{"message": "Your exam is on Monday."}',
        '```json\n{"reply": "Monday"}\n```',
        '[{"option": 1}, {"option": 2}]',
        "<think>The student wants a date.</think>\nYour exam is on Monday.",
        '<tool_call>{"name": "find_exam"}</tool_call>',
        '{"message": "cut off in the middle", "next": }',
    ],
)
def test_markup_in_place_of_a_reply_is_found(reply: str) -> None:
    given = case(("user", "When is my exam?"), ("assistant", reply))
    (found,) = findings(given)
    (span,) = found.spans
    assert given.transcript.messages[1].content[span.start : span.end]
    assert span.end - span.start <= 160


@pytest.mark.parametrize(
    "reply",
    ["Your exam is on Monday.", "Use {name} as the placeholder.", "[1] See the handbook.", "Write x < 3, please."],
)
def test_sentences_with_a_bracket_in_them_are_sentences(reply: str) -> None:
    assert findings(case(("user", "When is my exam?"), ("assistant", reply))) == []


def test_a_user_who_asked_for_json_gets_json() -> None:
    assert findings(case(("user", "As JSON, please."), ("assistant", '{"exam": "Monday"}'))) == []


def test_what_the_agent_sends_to_a_tool_is_not_shown_to_the_user() -> None:
    call = Message(role="assistant", content='{"exam": 1}', tool_calls=(ToolCall(name="find_exam"),))
    to_tool = Transcript(messages=(Message(role="user", content="When?"), call, Message(role="tool", content="Monday")))
    assert findings(Case(to_tool)) == []
    between = case(("user", "When?"), ("assistant", '{"exam": 1}'), ("tool", "Monday"), ("assistant", "Monday."))
    assert findings(between) == []


def test_one_session_gives_one_finding_that_counts_its_replies() -> None:
    turns = [("user", "When?"), ("assistant", '{"a": "b"}')] * 3
    (found,) = findings(case(*turns))
    assert "3 replies" in found.observation
