"""What a server sends can be stored in every database: no U+0000, and no name longer than its place."""

import json

import pytest

from core.critic.answer import Said
from core.errors import ModelError, ReplyNotUnderstood
from tests.core.critic.asking import ASKED
from tests.critic_server import Scripted, refusal, reply


@pytest.mark.parametrize(
    "scripted",
    [
        reply('\0{"notes": []}'),
        reply("{}", model="a\0b"),
        reply("{}", finish="st\0op"),
        reply(None, message={"refusal": "n\0o"}),
    ],
    ids=["text", "model", "finish", "refusal"],
)
def test_an_answer_holds_no_nul(server, door, scripted):
    server.script(scripted)
    answer = door().ask(ASKED)
    held = repr(answer) + repr(answer.text)
    assert "\\x00" not in held
    assert "�" in held


@pytest.mark.parametrize(
    "scripted",
    [refusal(400, {"code": "x\0y", "message": "a\0b"}), Scripted("<p>a\0b</p>", status=400), Scripted("<p>\0</p>")],
)
def test_an_error_holds_no_nul(server, door, scripted):
    server.script(scripted)
    with pytest.raises(ModelError) as raised:
        door().ask(ASKED)
    assert "\0" not in str(raised.value) + raised.value.code + repr(raised.value.tried)
    assert "�" in str(raised.value)


def test_the_json_of_a_reply_holds_no_nul(server, door):
    said = {"notes": [], "a": "x\0y", "b": "\0\0", "c": "\\u0000", "d": "\\\0"}
    server.script(reply(json.dumps(said)))
    expected = {"notes": [], "a": "x�y", "b": "��", "c": "\\u0000", "d": "\\�"}
    assert json.loads(door().ask(ASKED).text) == expected


def test_what_is_sent_holds_no_nul():
    assert Said(role="user", content="a\0b").content == "a�b"


def test_codes_and_names_are_not_longer_than_their_place(server, door):
    server.script(refusal(400, {"code": "x" * 300, "message": "bad"}))
    with pytest.raises(ModelError) as raised:
        door().ask(ASKED)
    assert raised.value.code == "x" * 60
    server.script(reply("{}", model="m" * 5_000, headers={"x-request-id": "r" * 3_000}))
    answer = door().ask(ASKED)
    assert (answer.model, answer.request_id) == ("m" * 200, "r" * 200)


def test_an_error_says_what_was_tried_before_it(server, door):
    server.script(
        reply('{"notes": [', finish="length", usage={"prompt_tokens": 30, "completion_tokens": 4_000}),
        refusal(429, "busy"),
    )
    with pytest.raises(ModelError) as raised:
        door(tries=1).ask(ASKED)
    assert [(one.status, one.replied, one.usage.completion) for one in raised.value.tried] == [
        (200, True, 4_000),
        (429, False, None),
    ]


def test_a_reply_that_broke_off_is_counted_and_a_page_is_no_reply(server, door):
    server.script(reply("{", finish="error", usage={"prompt_tokens": 30, "completion_tokens": 7}))
    with pytest.raises(ModelError) as raised:
        door(tries=1).ask(ASKED)
    assert [(one.replied, one.usage.completion) for one in raised.value.tried] == [(True, 7)]
    server.script(Scripted("<html>Sign in</html>"))
    with pytest.raises(ReplyNotUnderstood) as raised:
        door(tries=1).ask(ASKED)
    assert [one.replied for one in raised.value.tried] == [False]
