"""What a request carries, in which order, and what it leaves out."""

import json
from datetime import timedelta, timezone

import pytest
from hypothesis import given

from core.critic.answer import Said
from core.critic.material import Draft, KnownFact, MaterialPolicy, ToolResult
from core.critic.parts import Part, parts_of
from core.critic.prompts import Prompt, prompt
from core.critic.second_requests import OnceMore, once_more, opinion_on, review_of
from core.critic.shapes import LESSON, NOTES, OPINION, SELF_REVIEW, SHAPES
from core.critic.tokens import estimate, prompt_estimate
from core.critic.writing import DEBRIEFING, request_for, tokens_beside_the_turns
from core.evidence.contract import Span
from core.settings import DEFAULTS
from core.transcripts import Message, Transcript
from core.vocabulary import Role, Writer
from tests.core.critic.sessions import SHORT, TRANSCRIPTS, data_of, earlier, material, transcript_in

ABOUT_THE_USER = {"user_facts", "earlier_sessions", "earlier_sessions_left_out"}


@pytest.mark.parametrize("writer", DEBRIEFING)
def test_the_first_message_is_the_prompt_and_nothing_else(writer: Writer) -> None:
    request = request_for(writer, material())
    assert request.messages[0] == Said(role="system", content=prompt(writer).text)
    assert request.shape == SHAPES[writer]


def test_what_changes_least_stands_first() -> None:
    assert list(data_of(request_for(Writer.NOTES, material()))) == [
        *("agent", "policies", "task_class", "user_facts", "earlier_sessions", "earlier_sessions_left_out"),
        *("task", "feedback", "turns_in_session", "turns_shown", "shown_without_its_middle", "transcript"),
    ]


@given(TRANSCRIPTS)
def test_the_turns_are_read_back_as_they_are_in_the_transcript(transcript: Transcript) -> None:
    request = request_for(Writer.NOTES, material(transcript))
    assert transcript_in(request) == transcript
    assert [turn["turn"] for turn in data_of(request)["transcript"]] == [*range(1, len(transcript.messages) + 1)]


@given(TRANSCRIPTS)
def test_each_turn_is_one_line_of_its_own(transcript: Transcript) -> None:
    lines = request_for(Writer.NOTES, material(transcript)).messages[1].content.splitlines()
    turns = [line for line in lines if line.startswith('{"turn"')]
    assert [json.loads(line.rstrip(","))["turn"] for line in turns] == [*range(1, len(transcript.messages) + 1)]


def test_what_the_agent_was_told_is_marked_and_what_it_said_is_not() -> None:
    turns = data_of(request_for(Writer.NOTES, material()))["transcript"]
    assert [turn["speaker"] for turn in turns if turn.get("told_to_agent")] == ["system"]


def test_the_same_material_is_the_same_bytes_in_whatever_order_earlier_sessions_come() -> None:
    first, second = earlier(1, day=1), earlier(2, day=2)
    one, other = (request_for(Writer.NOTES, material(earlier=each)) for each in ((first, second), (second, first)))
    assert one == other


def test_earlier_sessions_go_in_newest_first_and_those_left_out_are_counted() -> None:
    many = tuple(earlier(number, day=number, summary="A late order. " * 30) for number in range(1, 20))
    data = data_of(request_for(Writer.NOTES, material(earlier=many)))
    refs = [each["ref"] for each in data["earlier_sessions"]]
    assert refs == [f"S-{number:04d}" for number in range(19, 19 - len(refs), -1)]
    assert 0 < len(refs) < 19
    assert data["earlier_sessions_left_out"] == 19 - len(refs)
    assert estimate(json.dumps(data["earlier_sessions"])) <= DEFAULTS.earlier_sessions_tokens


def test_an_earlier_session_that_is_too_long_does_not_keep_out_the_others() -> None:
    data = data_of(request_for(Writer.NOTES, material(earlier=(earlier(1), earlier(2, day=2, summary="x y " * 9_000)))))
    assert [each["ref"] for each in data["earlier_sessions"]] == ["S-0001"]
    assert data["earlier_sessions_left_out"] == 1


def test_without_a_budget_no_earlier_session_goes_in() -> None:
    settings = DEFAULTS.model_copy(update={"earlier_sessions_tokens": 0})
    data = data_of(request_for(Writer.NOTES, material(), settings=settings))
    assert (data["earlier_sessions"], data["earlier_sessions_left_out"]) == ([], 1)


def test_of_the_time_of_an_earlier_session_its_day_is_sent() -> None:
    late = earlier(1)
    late = late.model_copy(update={"started_at": late.started_at.astimezone(timezone(timedelta(hours=9)))})
    (sent,) = data_of(request_for(Writer.NOTES, material(earlier=(late,))))["earlier_sessions"]
    assert sent["started_at"] == "2026-05-01"


@pytest.mark.parametrize("writer", [writer for writer in DEBRIEFING if writer is not Writer.NOTES])
def test_only_the_writer_of_notes_is_given_what_is_known_of_the_user(writer: Writer) -> None:
    assert not ABOUT_THE_USER & data_of(request_for(writer, material())).keys()
    assert data_of(request_for(Writer.NOTES, material())).keys() >= ABOUT_THE_USER


def test_a_part_keeps_the_numbers_of_the_whole_session() -> None:
    data = data_of(request_for(Writer.NOTES, material(), Part(2, 4, 6, 0)))
    assert [turn["turn"] for turn in data["transcript"]] == [3, 4]
    assert (data["turns_in_session"], data["turns_shown"]) == (6, {"from": 3, "to": 4})


def test_a_turn_that_is_cut_says_how_much_is_left_out() -> None:
    long = Transcript(messages=(Message(role=Role.TOOL, content="begin " + "x y " * 9_000 + " end"),))
    (part,) = parts_of(long, 500)
    data = data_of(request_for(Writer.NOTES, material(long), part))
    (turn,) = data["transcript"]
    assert data["shown_without_its_middle"] == 1
    assert turn["text"].startswith("begin ")
    assert turn["text_end"].endswith(" end")
    assert len(turn["text"]) + turn["left_out_characters"] + len(turn["text_end"]) == long.characters


def test_a_session_without_turns_can_be_asked_about() -> None:
    data = data_of(request_for(Writer.NOTES, material(Transcript())))
    assert (data["transcript"], data["turns_shown"]) == ([], None)


def test_what_stands_beside_the_turns_is_counted() -> None:
    empty = request_for(Writer.NOTES, material(Transcript()))
    assert abs(tokens_beside_the_turns(Writer.NOTES, material()) - prompt_estimate(empty)) <= 2


def test_another_prompt_can_take_the_place_of_a_writers_own() -> None:
    mine = Prompt(Writer.NOTES, "Mine, in JSON.", "0" * 64)
    request = request_for(Writer.NOTES, material(), instead=mine)
    assert request.messages[0].content == "Mine, in JSON."
    assert request.messages[1] == request_for(Writer.NOTES, material()).messages[1]


@pytest.mark.parametrize("why", OnceMore)
def test_a_lesson_is_asked_for_once_more_behind_the_reply(why: OnceMore) -> None:
    asked = request_for(Writer.LESSON, material())
    again = once_more(asked, '{"lesson": "Be careful."}', why)
    assert again.messages[:2] == asked.messages
    assert again.messages[2] == Said(role="assistant", content='{"lesson": "Be careful."}')
    assert again.messages[3].role == "user"
    assert why.in_words in again.messages[3].content
    assert "JSON" in again.messages[3].content
    assert again.shape == LESSON


def test_a_second_opinion_sees_the_words_their_turn_and_those_around_it_and_the_observation() -> None:
    request = opinion_on("It named a date that no tool gave.", Span(4, 0, 10), SHORT)
    data = data_of(request)
    assert list(data) == ["transcript", "quote", "observation"]
    assert data["quote"] == {"turn": 5, "speaker": "assistant", "text": "It arrives"}
    assert [turn["turn"] for turn in data["transcript"]] == [3, 4, 5, 6]
    assert transcript_in(request).messages == SHORT.messages[2:]
    assert request.shape == OPINION


def test_a_second_opinion_is_not_told_of_a_first_answer() -> None:
    content = opinion_on("It named a date.", Span(4, 0, 10), SHORT).messages[1].content
    assert not any(word in content for word in ("severity", "improvement", "critic", "dimension"))


def test_a_second_opinion_on_a_long_turn_sees_the_quote_in_its_place() -> None:
    text = "a b " * 5_000 + "I promise a refund." + " c d" * 5_000
    long = Transcript(messages=(Message(role=Role.ASSISTANT, content=text),))
    start = text.index("I promise")
    (turn,) = data_of(opinion_on("It promised.", Span(0, start, start + 19), long))["transcript"]
    assert turn["left_out_before"] + len(turn["text"]) + turn["left_out_behind"] == len(text)
    assert turn["text"] == text[turn["left_out_before"] :][: len(turn["text"])]
    assert "I promise a refund." in turn["text"]
    assert len(turn["text"]) < 10_000


def test_a_review_of_a_draft_carries_what_the_draft_must_be_true_to() -> None:
    draft = Draft(
        text="It arrives tomorrow.",
        task="Where is my order?",
        tool_results=(ToolResult(name="find_order", text='{"status": "lost"}'),),
        policies=(MaterialPolicy(id="dates", title="Dates", version=1, text="Name no date."),),
        facts=(KnownFact(text="Wants short answers.", source="S-0001"),),
    )
    request = review_of(draft)
    data = data_of(request)
    assert list(data) == ["policies", "user_facts", "task", "tool_results", "draft"]
    assert data["draft"] == draft.text
    assert request.shape == SELF_REVIEW


def test_the_writer_of_notes_replies_in_the_shape_of_notes() -> None:
    assert request_for(Writer.NOTES, material()).shape == NOTES
