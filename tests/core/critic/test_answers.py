"""What became of a reply is said as it is: whole, cut, refused, empty, too long, or made of a part of the prompt."""

import pytest

from core.critic.answer import Request, RunStatus, Said, Usage
from core.errors import ReplyNotUnderstood, RequestNotAccepted
from tests.core.critic.asking import ASKED
from tests.critic_server import Scripted, refusal, reply

NOTHING = '{"notes": []}'


def test_an_answer_says_how_it_was_asked_and_what_it_cost(server, door):
    usage = {
        "prompt_tokens": 12,
        "completion_tokens": 30,
        "completion_tokens_details": {"reasoning_tokens": 20},
        "prompt_tokens_details": {"cached_tokens": 8},
    }
    server.script(reply(NOTHING, usage=usage))
    answer = door(reasoning_effort="low", token_cap=2_000).ask(ASKED)
    assert (answer.status, answer.text, answer.model, answer.request_id) == (RunStatus.OK, NOTHING, "m-1", "req-1")
    assert answer.usage == Usage(prompt=12, completion=30, reasoning=20, cached=8)
    assert answer.sent == {
        "model": "m",
        "temperature": 0.0,
        "max_tokens": 2_000,
        "reasoning_effort": "low",
        "response_format": "json_schema",
    }
    assert len(answer.attempts) == 1
    assert answer.seconds > 0
    assert server.bodies[0]["messages"] == [said.model_dump() for said in ASKED.messages]
    assert "stream" not in server.bodies[0]


def test_a_temperature_that_is_left_to_the_server_is_not_sent(server, door):
    server.script(reply(NOTHING))
    assert "temperature" not in door(temperature=None).ask(ASKED).sent
    assert "temperature" not in server.bodies[0]


@pytest.mark.parametrize("content", ['{"reflections":[{"dimension":"compl', "", None])
def test_a_reply_cut_at_the_token_limit_is_asked_again_once_with_a_larger_cap(server, door, content):
    server.script(*[reply(content, finish="length")] * 2)
    answer = door(token_cap=2_000).ask(ASKED)
    assert answer.status is RunStatus.TRUNCATED
    assert "token limit" in answer.in_words
    assert answer.detail == "token limit 2,000, then 4,000"
    assert [body["max_tokens"] for body in server.bodies] == [2_000, 4_000]


def test_the_larger_cap_may_be_enough(server, door):
    server.script(reply('{"no', finish="length", usage={"completion_tokens": 2_000}), reply(NOTHING))
    answer = door(token_cap=2_000).ask(ASKED)
    assert (answer.status, answer.text) == (RunStatus.OK, NOTHING)
    assert answer.attempts[0].usage.completion == 2_000


def test_a_reply_as_long_as_the_cap_is_cut_though_the_server_does_not_say_so(server, door):
    server.script(*[reply('{"no', usage={"completion_tokens": cap}) for cap in (100, 200)])
    assert door(token_cap=100).ask(ASKED).status is RunStatus.TRUNCATED


@pytest.mark.parametrize(
    "second",
    [
        refusal(400, {"message": "max_tokens is too large: 4000.", "param": "max_tokens", "code": "invalid_value"}),
        refusal(400, {"message": "This model's maximum context length is 4096 tokens.", "code": None}),
    ],
)
def test_a_cut_reply_stays_cut_where_the_larger_cap_is_refused(server, door, second):
    server.script(reply('{"no', finish="length"), second)
    answer = door(token_cap=2_000).ask(ASKED)
    assert answer.status is RunStatus.TRUNCATED
    assert [attempt.status for attempt in answer.attempts] == [200, 400]


def test_a_cap_at_its_limit_is_not_asked_again(server, door):
    server.script(reply("", finish="length"))
    answer = door(token_cap=2_000, largest_token_cap=2_000).ask(ASKED)
    assert (answer.status, answer.detail) == (RunStatus.TRUNCATED, "token limit 2,000")


@pytest.mark.parametrize(
    ("scripted", "detail"),
    [
        (reply(None, message={"refusal": "I cannot help with that."}), "I cannot help with that."),
        (reply("", finish="content_filter"), "content_filter"),
        (refusal(400, {"message": "The prompt was filtered.", "code": "content_filter"}), "The prompt was filtered."),
    ],
)
def test_a_refusal_is_no_empty_reply(server, door, scripted, detail):
    server.script(scripted)
    answer = door().ask(ASKED)
    assert (answer.status, answer.detail) == (RunStatus.REFUSED, detail)


@pytest.mark.parametrize("scripted", [reply(None), reply(" \n"), reply([]), Scripted({"choices": []})])
def test_a_reply_without_a_word_is_empty_and_not_asked_again(server, door, scripted):
    server.script(scripted)
    assert door().ask(ASKED).status is RunStatus.EMPTY
    assert len(server.received) == 1


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"message": "Too many.", "code": "context_length_exceeded"}),
        (400, {"message": "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens."}),
        (400, {"message": "the request exceeds the available context size", "type": "exceed_context_size_error"}),
        (400, "Trying to keep the first 5000 tokens when context the overflows."),
        (413, {"message": "Request too large for model m on tokens per minute", "code": "rate_limit_exceeded"}),
        (429, {"message": "Request too large for m on tokens per min: Limit 30000, Requested 40000."}),
    ],
)
def test_a_request_longer_than_the_context_has_a_status_of_its_own(server, door, status, error):
    server.script(refusal(status, error))
    answer = door().ask(ASKED)
    assert answer.status is RunStatus.TOO_LONG
    assert answer.text == ""
    assert len(server.received) == 1


CHINESE = Request(messages=(Said(role="user", content="客户询问年费是否已经免除。" * 1_000),))
LONG = Request(messages=(Said(role="user", content="The fee was waived for this customer last year. " * 400),))


@pytest.mark.parametrize(
    ("request_", "counted", "status"),
    [
        (LONG, 2_051, RunStatus.PROMPT_CUT),
        (LONG, 3_500, RunStatus.PROMPT_CUT),
        (CHINESE, 2_051, RunStatus.PROMPT_CUT),
        (CHINESE, 7_000, RunStatus.OK),
        (LONG, 4_003, RunStatus.OK),
        (LONG, None, RunStatus.OK),
        (LONG, 0, RunStatus.OK),
        (ASKED, 1, RunStatus.OK),
        (Request(messages=(Said(role="user", content="-" * 20_000 + " " * 20_000),)), 50, RunStatus.OK),
    ],
)
def test_a_prompt_that_the_server_cut_in_silence_is_noticed_by_its_count(server, door, request_, counted, status):
    server.script(reply(NOTHING, usage={"prompt_tokens": counted}))
    answer = door().ask(request_)
    assert answer.status is status
    if request_ is LONG and status is RunStatus.PROMPT_CUT:
        assert answer.detail == f"about 4,800 tokens were sent, {counted:,} were read"


JSON_FAILED = {"message": "Failed.", "code": "json_validate_failed", "failed_generation": '```json\n{"notes": ['}


def test_a_reply_that_the_json_mode_of_the_server_refused_is_asked_again_once(server, door):
    server.script(refusal(400, JSON_FAILED), reply(NOTHING))
    answer = door(token_cap=1_000).ask(ASKED)
    assert (answer.status, answer.text) == (RunStatus.OK, NOTHING)
    assert [body["max_tokens"] for body in server.bodies] == [1_000, 2_000]
    assert server.bodies[0]["response_format"] == server.bodies[1]["response_format"]


def test_a_json_mode_that_refuses_twice_is_an_error_and_the_next_session_is_asked(server, door):
    server.script(refusal(400, JSON_FAILED), refusal(400, JSON_FAILED), reply(NOTHING))
    llm = door()
    with pytest.raises(RequestNotAccepted) as raised:
        llm.ask(ASKED)
    assert (raised.value.code, raised.value.attempts) == ("json_validate_failed", 2)
    assert llm.ask(ASKED).status is RunStatus.OK


@pytest.mark.parametrize("body", ["<!doctype html><title>Sign in</title>", '{"choices": [{"mess', "", "[]", '"ok"'])
def test_what_is_no_completion_is_said_to_be_none(server, door, body):
    server.script(Scripted(body))
    with pytest.raises(ReplyNotUnderstood, match="no chat completion"):
        door().ask(ASKED)


def test_half_a_character_in_a_transcript_keeps_nothing_from_being_asked(server, door):
    server.script(reply(NOTHING))
    door().ask(Request(messages=(Said(role="user", content="half \ud83d a pair"),)))
    assert server.bodies[0]["messages"][0]["content"] == "half ? a pair"


def test_content_in_parts_is_joined_and_half_a_pair_of_surrogates_breaks_nothing(server, door):
    parts = [
        {"type": "thinking", "thinking": []},
        {"type": "text", "text": "one "},
        {"type": "text", "text": "two\ud83d"},
    ]
    server.script(reply(parts))
    assert door().ask(ASKED).text == "one two?"
