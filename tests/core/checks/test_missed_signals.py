"""A feeling that the user named must be answered before the task goes on."""

import pytest

from core.checks.contract import Case
from core.checks.missed_signals import findings
from core.transcripts import Message, Transcript
from core.vocabulary import Severity


def case(*turns: tuple[str, str]) -> Case:
    return Case(Transcript(messages=tuple(Message(role=role, content=text) for role, text in turns)))


UPSET = ("user", "My exam was moved again. I’m really upset about this. Can you look?")


def test_a_feeling_that_is_passed_over_is_found_with_both_sides_words() -> None:
    given = case(UPSET, ("assistant", "Please send me your student number. I will look."))
    (found,) = findings(given)
    quoted = [given.transcript.messages[span.turn].content[span.start : span.end] for span in found.spans]
    assert quoted == ["I’m really upset about this.", "Please send me your student number."]
    assert found.severity is Severity.MEDIUM


@pytest.mark.parametrize(
    "reply",
    [
        "I’m sorry that it was moved again. Your student number?",
        "That must be hard to plan around. Your student number?",
        "I understand. Your student number?",
        "I can see why you are upset. Your student number?",
    ],
)
def test_a_reply_that_answers_the_feeling_in_any_words_is_fine(reply: str) -> None:
    assert findings(case(UPSET, ("assistant", reply))) == []


@pytest.mark.parametrize(
    "said",
    [
        "I’m not upset, just curious.",
        "I won’t be upset if it takes a while.",
        "Is there an emergency exit row left?",
        "The course is called Stress and You.",
    ],
)
def test_a_feeling_that_the_user_does_not_have_is_no_signal(said: str) -> None:
    assert findings(case(("user", said), ("assistant", "Here are the options."))) == []


def test_what_the_agent_says_of_itself_is_no_signal() -> None:
    assert findings(case(("assistant", "I was worried."), ("user", "Fine."), ("assistant", "Good."))) == []


def test_tool_turns_between_do_not_hide_the_reply() -> None:
    given = case(UPSET, ("assistant", ""), ("tool", "{}"), ("assistant", "The exam is on Monday."))
    assert [span.turn for span in findings(given)[0].spans] == [0, 3]


def test_a_user_who_speaks_again_first_has_not_been_passed_over() -> None:
    assert findings(case(UPSET, ("user", "Hello?"), ("assistant", "The exam is on Monday."))) == []


def test_a_reply_in_json_is_quoted_from_its_words_on() -> None:
    given = case(UPSET, ("assistant", '{"message": "Your student number, Mira?"}'))
    span = findings(given)[0].spans[1]
    assert given.transcript.messages[1].content[span.start : span.end] == "Your student number, Mira?"
