"""Faults that people reported of other systems, as the shared cases tell them, through the server and the parser."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.critic.accepted import Remembered
from core.critic.answer import RunStatus
from core.critic.parsing import parse_notes
from core.critic.reply_json import objects_in
from core.errors import RequestNotAccepted
from tests.core.critic.asking import ASKED
from tests.critic_server import Scripted, refusal, reply

pytestmark = pytest.mark.corpus


@pytest.fixture
def case(corpus: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    """The case that a test names."""
    lines = (corpus / "cases/public-reports.jsonl").read_text().splitlines()
    return next(each for each in map(json.loads, lines) if each["id"] == request.param)


def scripted(answer: dict[str, Any]) -> Scripted:
    if answer.get("http", 200) != 200:
        return refusal(answer["http"], answer.get("error", answer))
    return reply(answer["content"], finish=answer.get("finish_reason", "stop"))


@pytest.mark.parametrize("case", ["S-01"], indirect=True)
def test_a_cut_answer_is_never_one_that_finds_nothing(case, server, door):
    for answer in case["input"]["replies"]:
        server.received.clear()
        server.script(scripted(answer), scripted(answer))
        got = door().ask(ASKED)
        assert got.status == case["expected"]["each"]["run_status"]
        assert case["expected"]["each"]["message_names"] in got.in_words
        first, second = server.bodies
        assert second["max_tokens"] > first["max_tokens"]


@pytest.mark.parametrize("case", ["S-02"], indirect=True)
def test_a_json_mode_that_fails_is_asked_once_more(case, server, door):
    first, second = map(scripted, case["input"]["replies"])
    server.script(first, second)
    got = door().ask(ASKED)
    assert (got.status, len(server.received)) == (RunStatus.OK, case["expected"]["first"]["calls"])
    assert (parse_notes(got.text).drafts, parse_notes(got.text).error) == ((), None)
    server.script(first, first, second)
    with pytest.raises(RequestNotAccepted) as raised:
        door().ask(ASKED)
    assert raised.value.code == case["expected"]["variant_all_400"]["error_code"]
    assert raised.value.attempts == case["expected"]["variant_all_400"]["calls"]
    assert door().ask(ASKED).status is RunStatus.OK


@pytest.mark.parametrize("case", ["S-03"], indirect=True)
def test_every_wrapping_is_read_the_same_each_time(case):
    expected = case["expected"]["parsed"]
    for text, parsed in zip(case["input"]["replies"], expected, strict=True):
        read = parse_notes(text)
        assert read == parse_notes(text)
        if isinstance(parsed, dict):
            assert [each.content for each in objects_in(text).found] == [parsed]
            assert read.error is None
        elif parsed.startswith("parse error"):
            assert read.error
    assert parse_notes(case["input"]["replies"][4]).error is None


@pytest.mark.parametrize("case", ["S-04"], indirect=True)
def test_a_parameter_that_is_rejected_is_changed_and_remembered(case, server, door):
    server.script(*map(scripted, case["input"]["replies"]), reply("{}"))
    remembered = Remembered()
    assert door(remembered=remembered).ask(ASKED).status == case["expected"]["run_status"]
    assert len(server.received) == case["expected"]["calls"]
    door(remembered=remembered).ask(ASKED)
    first, second, third = server.bodies
    assert first != second
    assert second == third
    server.script(scripted(case["input"]["variant"]), reply("{}"))
    door().ask(ASKED)
    assert case["expected"]["variant"]["second_request_uses"] in server.bodies[-1]


@pytest.mark.parametrize("case", ["S-07"], indirect=True)
def test_an_odd_severity_is_held_and_its_siblings_kept(case):
    words = {"observation": "It did so.", "evidence": "I did so already", "improvement": "Ask first."}
    said = [{**words, **each} for each in case["input"]["reflections"]]
    read = parse_notes(json.dumps({"reflections": said}))
    assert [[each.dimension, each.severity] for each in read.drafts] == case["expected"]["kept"]
    quarantined = [[each.dimension, each.held[0].removeprefix("unknown_severity:")] for each in read.held]
    assert quarantined == case["expected"]["quarantined"]
