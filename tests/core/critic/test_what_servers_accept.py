"""A request is changed as a server's refusal demands, once a parameter, and the next one begins there."""

import pytest

from core.critic.accepted import Remembered
from core.critic.answer import Request, RunStatus, Said
from core.errors import RequestNotAccepted
from tests.core.critic.asking import ASKED
from tests.critic_server import Scripted, refusal, reply

DONE = reply('{"notes": []}')


def formats(server) -> list[str | None]:
    return [body.get("response_format", {}).get("type") for body in server.bodies]


def test_json_is_asked_for_with_the_schema_first(server, door):
    server.script(DONE)
    door().ask(ASKED)
    schema = {"name": "review", "schema": {"type": "object"}, "strict": True}
    assert server.bodies[0]["response_format"] == {"type": "json_schema", "json_schema": schema}


@pytest.mark.parametrize(
    "error",
    [
        "'response_format.type' must be 'json_schema' or 'text'",
        {"message": "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."},
        {"message": "This model does not support response format `json_schema`."},
        {"message": "Unsupported value.", "param": "response_format"},
        {"message": "Unsupported value.", "param": "response_format.type"},
        {"message": "json mode is not available"},
    ],
)
def test_a_response_format_that_is_refused_gives_way_to_the_next_and_is_remembered(server, door, error):
    server.script(refusal(400, error), DONE, DONE)
    remembered = Remembered()
    assert door(remembered=remembered).ask(ASKED).status is RunStatus.OK
    assert door(remembered=remembered).ask(ASKED).status is RunStatus.OK
    assert formats(server) == ["json_schema", "json_object", "json_object"]


def test_a_server_that_fails_over_a_parameter_is_asked_without_it_at_once(server, door, waits):
    server.script(refusal(500, {"message": "Unsupported response_format."}), DONE)
    assert door().ask(ASKED).status is RunStatus.OK
    assert formats(server) == ["json_schema", "json_object"]
    assert waits.asked == []


def test_a_server_without_any_json_mode_is_asked_in_words(server, door):
    server.script(*[refusal(400, {"message": "response_format is not supported"})] * 2, DONE)
    answer = door().ask(ASKED)
    assert answer.status is RunStatus.OK
    assert formats(server) == ["json_schema", "json_object", None]
    assert "response_format" not in answer.sent


@pytest.mark.parametrize(
    "scripted",
    [
        refusal(400, {"message": "Unsupported.", "param": "max_tokens", "code": "unsupported_parameter"}),
        refusal(
            400, {"message": "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}
        ),
        Scripted({"detail": [{"type": "extra_forbidden", "loc": ["body", "max_tokens"]}]}, status=422),
        Scripted({"object": "error", "message": "Extra inputs: max_tokens"}, status=400),
    ],
)
def test_a_token_cap_goes_by_the_name_that_the_server_knows(server, door, scripted):
    server.script(scripted, DONE, DONE)
    remembered = Remembered()
    for _ in range(2):
        door(remembered=remembered, token_cap=500).ask(ASKED)
    names = [[name for name in body if "tokens" in name] for body in server.bodies]
    assert names == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]


@pytest.mark.parametrize("parameter", ["reasoning_effort", "temperature"])
def test_a_parameter_that_a_model_does_not_take_is_left_out_and_that_is_recorded(server, door, parameter):
    server.script(refusal(400, {"message": f"Unsupported value: '{parameter}' does not support this."}), DONE)
    answer = door(reasoning_effort="high", temperature=0.5).ask(ASKED)
    assert parameter in server.bodies[0]
    assert parameter not in server.bodies[1]
    assert parameter not in answer.sent
    assert parameter in answer.attempts[0].sent


def test_all_that_can_be_refused_is_refused_and_the_words_alone_remain(server, door):
    refused = ["temperature", "reasoning_effort", "response_format", "max_tokens", "response_format"]
    refused.append("max_completion_tokens")
    server.script(*[refusal(400, {"message": "no", "param": name}) for name in refused], DONE)
    assert door(reasoning_effort="low").ask(ASKED).status is RunStatus.OK
    assert set(server.bodies[-1]) == {"model", "messages"}


def test_what_one_model_accepts_says_nothing_of_another(server, door):
    server.script(refusal(400, {"message": "no", "param": "response_format"}), DONE, DONE)
    remembered = Remembered()
    door(remembered=remembered).ask(ASKED)
    door(remembered=remembered, model="other").ask(ASKED)
    assert formats(server) == ["json_schema", "json_object", "json_schema"]


def test_nothing_is_remembered_of_a_request_that_failed(server, door):
    remembered = Remembered()
    server.script(refusal(400, {"message": "no", "param": "response_format"}), refusal(400, {"message": "no"}), DONE)
    with pytest.raises(RequestNotAccepted):
        door(remembered=remembered).ask(ASKED)
    door(remembered=remembered).ask(ASKED)
    assert formats(server) == ["json_schema", "json_object", "json_schema"]


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (
            {"token_cap": 90_000, "largest_token_cap": 90_000},
            "max_tokens is too large: 90000; at most 4096 are supported",
        ),
        ({"temperature": 2.0}, "Invalid 'temperature': above the maximum of 1."),
    ],
)
def test_a_number_that_is_too_large_is_told_and_not_dropped(server, door, chosen, message):
    server.script(refusal(400, {"message": message}))
    with pytest.raises(RequestNotAccepted) as raised:
        door(**chosen).ask(ASKED)
    assert message in str(raised.value)
    assert len(server.received) == 1


def test_plain_text_asks_for_no_format(server, door):
    server.script(reply("yes"))
    door().ask(Request(messages=(Said(role="user", content="Does it?"),)))
    assert formats(server) == [None]
