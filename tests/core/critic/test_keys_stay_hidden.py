"""A key stands in no text, log, repr or exception, wherever it came from and whatever the server says."""

import logging
import traceback

import httpx2
import pytest
from pydantic import SecretStr, ValidationError

from core.critic.answer import RunStatus
from core.critic.endpoint import Endpoint
from core.critic.llm import Llm
from core.critic.model_settings import ModelSettings
from core.errors import ModelError, ModelNotConfigured
from tests.core.critic.asking import ASKED, KEY
from tests.critic_server import HANG_UP, Scripted, refusal, reply

IN_URL = "url-secret-123456"
IN_PATH = "k3y9f8a7d6c5b4e3f2a1"
DONE = reply('{"notes": []}')


def everything_about(error: BaseException) -> str:
    """The text, the attributes and the traceback of an error and of all that it is chained to."""
    words = ["".join(traceback.format_exception(error)), repr(error), repr(vars(error))]
    while (error := error.__cause__ or error.__context__) is not None:
        words += [repr(error), repr(vars(error))]
    return "\n".join(words)


@pytest.mark.parametrize(
    "scripted",
    [
        refusal(401, {"message": f"Incorrect API key provided: {KEY}.", "code": f"bad_{KEY}"}),
        refusal(400, f"header was Bearer {KEY}"),
        refusal(429, {"message": f"{KEY} is over its limit, see {IN_URL}"}),
        Scripted("", status=302, headers={"location": f"/login?key={IN_URL}&token={KEY}"}),
        Scripted(f"<html>{KEY} {IN_URL}</html>"),
        HANG_UP,
    ],
)
def test_no_error_holds_a_key_that_the_server_repeats(server, door, caplog, scripted):
    caplog.set_level(logging.DEBUG)
    server.script(scripted)
    with pytest.raises(ModelError) as raised:
        door(url=f"{server.url}?key={IN_URL}", tries=1).ask(ASKED)
    for secret in (KEY, IN_URL):
        assert secret not in everything_about(raised.value)
        assert secret not in caplog.text


def test_a_secret_is_found_in_an_address_too(server, door):
    server.script(Scripted("", status=302, headers={"location": "/login?key=pass%2Fword%2B1%20x&k=pass%2Fword%2B1+x"}))
    with pytest.raises(ModelError) as raised:
        door(url=f"{server.url}?key=pass%2Fword%2B1%20x").ask(ASKED)
    assert "/login?key=[key]&k=[key]" in str(raised.value)


def test_no_answer_holds_a_key_that_the_server_repeats(server, door):
    server.script(reply(None, message={"refusal": f"No, {KEY}."}))
    answer = door().ask(ASKED)
    assert answer.status is RunStatus.REFUSED
    assert KEY not in answer.model_dump_json()


def test_a_login_and_a_query_in_the_url_reach_the_server_and_no_log(server, door, caplog):
    caplog.set_level(logging.DEBUG)
    server.script(DONE)
    llm = door(url=f"http://reader:{IN_URL}@{server.host}/v1?api-version=2&key={IN_URL}")
    assert llm.ask(ASKED).status is RunStatus.OK
    received = server.received[0]
    assert received.path == f"/v1/chat/completions?api-version=2&key={IN_URL}"
    assert received.headers["authorization"].startswith("Basic ")
    assert IN_URL not in caplog.text
    assert IN_URL not in repr(llm) + repr(llm.settings) + llm.settings.model_dump_json()
    assert repr(llm) == f"Llm(m at http://{server.host}/v1?api-version=…&key=…)"


def test_what_is_hidden_of_a_path_is_sent_and_logged_nowhere(server, door, caplog):
    caplog.set_level(logging.DEBUG)
    server.script(reply("{}"))
    llm = door(url=server.url.replace("/v1", f"/{IN_PATH}/v1"))
    assert llm.ask(ASKED).status is RunStatus.OK
    assert server.received[0].path == f"/{IN_PATH}/v1/chat/completions"
    assert IN_PATH not in caplog.text + repr(llm) + repr(llm.settings) + llm.settings.model_dump_json()
    assert llm.settings.endpoint.shown == f"http://{server.host}/…/v1"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/v1/0123456789abcdef0123456789abcdef/gateway/openai", "/v1/…/gateway/openai"),
        ("/k/sk-invented-0123456789", "/k/…"),
        ("/k/sk%2Dinvented%2D0123456789", "/k/…"),
        ("/openai/deployments/gpt-4o-mini-2024-07-18", "/openai/deployments/gpt-4o-mini-2024-07-18"),
        ("/compatible-mode-of-the-whole-gateway/v1", "/compatible-mode-of-the-whole-gateway/v1"),
    ],
)
def test_a_segment_of_a_path_that_looks_like_a_key_is_hidden_and_a_name_is_not(path, shown):
    endpoint = Endpoint.parse(f"https://host{path}")
    assert endpoint.shown == f"https://host{shown}"
    asked = httpx2.URL(f"{endpoint.address}/chat/completions")
    assert str(endpoint.full(asked, {})) == f"https://host{path}/chat/completions"


def test_two_servers_that_differ_in_what_is_hidden_are_two():
    one, other = (Endpoint.parse(f"https://host/{IN_PATH}{n}/v1") for n in (1, 2))
    assert one.shown == other.shown
    assert one.named != other.named


def test_the_key_is_sent_and_shown_nowhere(server, door):
    server.script(DONE)
    llm = door()
    llm.ask(ASKED)
    assert server.received[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(llm.settings) + str(llm.settings) + llm.settings.model_dump_json() + repr(vars(llm))


def test_a_server_that_needs_no_key_is_asked_without_one(server):
    server.script(DONE)
    with Llm(ModelSettings.from_environment({"OPENAI_BASE_URL": server.url, "OPENAI_MODEL": "m"})) as llm:
        assert llm.ask(ASKED).status is RunStatus.OK
    assert KEY not in str(server.received[0])


@pytest.mark.parametrize("chosen", [{"key": KEY}, {"endpoint": Endpoint.parse("http://elsewhere.invalid/v1")}])
def test_a_key_and_the_server_it_is_for_come_from_the_environment_only(chosen):
    with pytest.raises(ModelNotConfigured, match="from OPENAI_API_KEY and OPENAI_BASE_URL only") as raised:
        ModelSettings.from_environment({"OPENAI_API_KEY": KEY}, model="m", **chosen)
    assert KEY not in everything_about(raised.value)


@pytest.mark.parametrize("key", [f"{KEY}\nX-Other: 1", f"{KEY} {KEY}", f"{KEY}é"])
def test_a_key_that_no_header_can_carry_is_refused_unquoted(key):
    with pytest.raises(ModelNotConfigured, match="cannot be sent") as raised:
        ModelSettings.from_environment({"OPENAI_API_KEY": key}, model="m")
    assert KEY not in everything_about(raised.value)
    with pytest.raises(ValidationError) as invalid:
        ModelSettings(model="m", key=SecretStr(key))
    assert KEY not in str(invalid.value)


@pytest.mark.parametrize("url", [f"ftp://{IN_URL}@host", IN_URL, f"http://[{IN_URL}", f"http://host:{IN_URL}/v1"])
def test_an_address_that_cannot_be_used_is_refused_unquoted(url):
    with pytest.raises(ModelNotConfigured, match="OPENAI_BASE_URL takes an address") as raised:
        Endpoint.parse(url)
    assert IN_URL not in everything_about(raised.value)


@pytest.mark.parametrize(
    ("environ", "chosen", "possible"),
    [
        ({"OPENAI_API_KEY": KEY}, {}, "Set OPENAI_MODEL"),
        ({"OPENAI_API_KEY": KEY, "OPENAI_MODEL": " "}, {}, "Set OPENAI_MODEL"),
        ({"OPENAI_MODEL": "m"}, {}, "Set OPENAI_API_KEY"),
        ({"OPENAI_MODEL": "m", "OPENAI_API_KEY": KEY}, {"temperature": 9}, "temperature cannot be used"),
        ({"OPENAI_MODEL": "m", "OPENAI_API_KEY": KEY}, {"reasoning_effort": "much"}, "reasoning_effort cannot be used"),
    ],
)
def test_what_is_missing_is_named_before_anything_is_sent(environ, chosen, possible):
    with pytest.raises(ModelNotConfigured, match=possible):
        ModelSettings.from_environment(environ, **chosen)


def test_an_agents_own_settings_come_before_the_environment():
    environ = {"OPENAI_MODEL": "m", "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "https://host/v1/"}
    settings = ModelSettings.from_environment(environ, model="other", temperature=None)
    assert (settings.model, settings.temperature, settings.endpoint.address) == ("other", None, "https://host/v1")


@pytest.mark.parametrize(
    "scripted",
    [
        reply('{"notes": []}', model=f"m ({KEY})"),
        reply('{"notes": []}', headers={"x-request-id": f"req-{KEY}"}),
        reply('{"notes": []}', finish=f"stop-{KEY}"),
        reply(f'{{"notes": ["{KEY}"]}}'),
        reply(f'{{"notes": ["{KEY.upper()}"]}}'),
    ],
    ids=["model", "request id", "finish", "text", "upper case"],
)
def test_no_good_reply_holds_a_key_that_the_server_repeats(server, door, scripted):
    server.script(scripted)
    answer = door().ask(ASKED)
    assert answer.status is RunStatus.OK
    held = answer.model_dump_json() + repr(answer.text)
    assert KEY.lower() not in held.lower()
    assert "[key]" in held


@pytest.mark.parametrize(
    "said",
    [
        "abc&amp;def&quot;g/hi-123",
        "abc&amp;def&#34;g/hi-123",
        'abc&def\\"g/hi-123',
        'abc&def\\"g\\/hi-123',
        "abc%26def%22g%2Fhi-123",
        'BEARER ABC&DEF"G/HI-123',
    ],
)
def test_a_secret_is_found_however_it_is_escaped(said):
    settings = ModelSettings(model="m", key=SecretStr('abc&def"g/hi-123'))
    assert settings.masked(f"<p>{said}</p>").endswith("[key]</p>")


@pytest.mark.parametrize("word", ["ollama", "lm-studio", "not-needed", "12345678", "2024-10-21", "2024-10-21-preview"])
def test_what_the_model_quotes_is_not_blotted_out_for_a_key_that_is_a_word(word):
    settings = ModelSettings(model="m", key=SecretStr(word))
    assert settings.masked(f"It was {word}.", words=False) == f"It was {word}."
    assert settings.masked(f"It was {word}.") == "It was [key]."


def test_the_models_name_stays_where_the_key_is_a_part_of_it(server):
    environ = {"OPENAI_API_KEY": "ollama", "OPENAI_BASE_URL": server.url, "OPENAI_MODEL": "ollama/qwen"}
    server.script(reply("{}", model="ollama/qwen"))
    with Llm(ModelSettings.from_environment(environ)) as llm:
        assert llm.ask(ASKED).model == "ollama/qwen"
