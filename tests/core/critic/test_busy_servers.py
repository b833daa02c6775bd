"""A busy server is asked again when it says, never earlier and never without end; errors say what can be done."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.utils import format_datetime

import pytest

from core.critic.answer import RunStatus
from core.critic.waiting import told_wait, wait_before
from core.errors import (
    KeyRefused,
    ModelBusy,
    ModelNotFound,
    ModelUnreachable,
    QuotaSpent,
    RequestNotAccepted,
)
from tests.core.critic.asking import ASKED, NOON, Waits
from tests.critic_server import HANG_UP, Scripted, refusal, reply

DONE = reply('{"notes": []}')


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "150", "retry-after": "9"}, 0.15),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": format_datetime(NOON + timedelta(seconds=7), usegmt=True)}, 7.0),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:07 -0000"}, 7.0),
        ({"retry-after": format_datetime(NOON - timedelta(seconds=7), usegmt=True)}, 0.0),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "in a while"}, None),
        ({"retry-after": "Fri, 31 Dec 2027 23:59:59 +99999999999999999"}, None),
        ({"retry-after": "Fri, 31 Dec 99999999999999999999 23:59:59 GMT"}, None),
        ({"retry-after": "Mon, 01 Jan 0001 00:00:00 +2359"}, 0.0),
        ({}, None),
    ],
)
def test_what_a_server_asks_to_wait_is_read_in_every_form(headers, seconds):
    assert told_wait(headers, NOON) == seconds


def test_chance_only_adds_to_what_was_told_and_the_cap_holds():
    assert wait_before(1, 8.0, 60.0, 0.0) == 8.0
    assert wait_before(1, 8.0, 60.0, 1.0) == 10.0
    assert wait_before(1, 59.0, 60.0, 1.0) == 60.0
    assert wait_before(1, 60.5, 60.0, 0.0) is None


def test_untold_waits_double_up_to_the_cap():
    assert [wait_before(n, None, 3.0, 0.0) for n in range(1, 6)] == [0.5, 1.0, 2.0, 3.0, 3.0]
    assert wait_before(10**6, None, 60.0, 1.0) == 60.0


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_a_busy_server_is_asked_again_as_it_says(server, door, waits, status):
    server.script(refusal(status, "busy", headers={"Retry-After": "1.5"}), DONE)
    answer = door().ask(ASKED)
    assert answer.status is RunStatus.OK
    assert waits.asked == [1.5]
    assert [(each.status, each.waited) for each in answer.attempts] == [(status, 0.0), (200, 1.5)]


def test_a_server_that_stays_busy_is_left_after_so_many_tries(server, door, waits):
    server.script(*[refusal(429, {"message": "slow down"})] * 3)
    with pytest.raises(ModelBusy, match="slow down") as raised:
        door(tries=3).ask(ASKED)
    assert (raised.value.attempts, len(server.received)) == (3, 3)
    assert waits.asked == [0.5, 1.0]


def test_a_server_that_asks_for_longer_than_the_cap_is_left_and_the_error_says_when_to_come_back(server, door, waits):
    server.script(refusal(429, "busy", headers={"retry-after": "3600"}))
    with pytest.raises(ModelBusy, match="in 3,600 seconds") as raised:
        door(longest_wait=60).ask(ASKED)
    assert raised.value.retry_in == 3600
    assert waits.asked == []


def test_a_server_that_forbids_repetition_is_not_asked_again(server, door, waits):
    server.script(refusal(503, "down", headers={"x-should-retry": "false"}))
    with pytest.raises(ModelBusy):
        door().ask(ASKED)
    assert len(server.received) == 1


def test_an_error_in_the_body_of_a_good_response_counts_as_what_it_is(server, door, waits):
    server.script(Scripted({"error": {"code": 429, "message": "upstream is busy"}}), DONE)
    answer = door().ask(ASKED)
    assert [each.status for each in answer.attempts] == [429, 200]


@pytest.mark.parametrize("finish", ["error", "abort", "insufficient_system_resource"])
def test_a_reply_that_the_server_broke_off_is_asked_for_again(server, door, waits, finish):
    server.script(*[reply('{"notes": [', finish=finish)] * 2, DONE)
    assert door().ask(ASKED).status is RunStatus.OK
    server.script(reply('{"notes": [', finish=finish))
    with pytest.raises(ModelBusy, match=rf"the reply broke off \({finish}\)"):
        door(tries=1).ask(ASKED)


@pytest.mark.parametrize("broken", [HANG_UP, Scripted('{"choices": [', missing=100)])
def test_a_connection_that_breaks_is_tried_again(server, door, waits, broken):
    server.script(broken, DONE)
    answer = door().ask(ASKED)
    assert answer.status is RunStatus.OK
    assert answer.attempts[0].status is None


def test_one_door_serves_many_threads(server, door):
    server.script(*[reply(str(n)) for n in range(40)])
    llm = door()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: llm.ask(ASKED), range(40)))
    assert sorted(int(each.text) for each in answers) == list(range(40))
    assert {len(each.attempts) for each in answers} == {1}


@pytest.mark.parametrize("named", ["http://{}", "{}"])
def test_a_proxy_that_the_environment_names_is_used(server, door, monkeypatch, named):
    monkeypatch.setenv("http_proxy", named.format(server.host))
    monkeypatch.delenv("no_proxy", raising=False)
    server.script(DONE)
    assert door(url="http://model.invalid/v1").ask(ASKED).status is RunStatus.OK
    assert server.received[0].path == "http://model.invalid/v1/chat/completions"


def test_no_proxy_stands_between_this_machine_and_itself(server, door, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    server.script(DONE, DONE)
    assert door().ask(ASKED).status is RunStatus.OK
    assert door(url=server.url.replace("127.0.0.1", "localhost")).ask(ASKED).status is RunStatus.OK


def test_a_server_that_is_too_slow_is_said_to_be(server, door):
    server.script(Scripted("", delay=0.5))
    with pytest.raises(ModelUnreachable, match="no answer in time"):
        door(timeout=0.05, tries=1).ask(ASKED)


def test_nobody_at_the_address(server, door):
    with pytest.raises(ModelUnreachable, match=r"http://127\.0\.0\.1:9/v1 could not be reached"):
        door(url="http://127.0.0.1:9/v1", tries=1).ask(ASKED)


@pytest.mark.parametrize(
    ("scripted", "error", "possible"),
    [
        (refusal(401, {"message": "Bad key."}), KeyRefused, "OPENAI_API_KEY"),
        (refusal(403, {"message": "Not here."}), KeyRefused, "OPENAI_API_KEY"),
        (refusal(402, "no funds"), QuotaSpent, "Credit can be added"),
        (refusal(429, {"message": "Spent.", "code": "insufficient_quota"}), QuotaSpent, "Credit can be added"),
        (refusal(404, {"message": "No such model."}), ModelNotFound, "most addresses end in /v1"),
        (Scripted("404 page not found", status=404), ModelNotFound, "404 page not found"),
        (refusal(403, {"message": "No access.", "code": "model_not_found"}), ModelNotFound, "“m”"),
        (refusal(400, {"message": "Odd.", "code": "odd_request"}), RequestNotAccepted, "odd_request"),
        (Scripted("", status=400), RequestNotAccepted, "no reason given"),
        (
            Scripted('[{"error": {"message": "Odd.", "code": 400}}]', status=400),
            RequestNotAccepted,
            ": Odd. (HTTP 400)",
        ),
    ],
)
def test_what_waiting_cannot_mend_is_an_error_that_says_what_to_do(server, door, waits, scripted, error, possible):
    server.script(scripted)
    with pytest.raises(error) as raised:
        door().ask(ASKED)
    assert possible in str(raised.value)
    assert raised.value.attempts == 1
    assert waits.asked == []


def test_what_was_sent_is_not_repeated_in_an_error(server, door):
    detail = [{"loc": ["body", "messages", 1, "role"], "msg": "unknown role", "input": {"content": "A transcript."}}]
    server.script(Scripted({"detail": detail}, status=422))
    with pytest.raises(RequestNotAccepted, match=r"body\.messages\.1\.role: unknown role \(HTTP 422\)") as raised:
        door().ask(ASKED)
    assert "A transcript." not in str(raised.value)


def test_a_redirect_is_named_and_nothing_is_sent_there(server, door):
    server.script(Scripted("", status=307, headers={"location": "http://127.0.0.1:9/elsewhere"}))
    with pytest.raises(RequestNotAccepted, match=r"moved to http://127\.0\.0\.1:9/elsewhere"):
        door().ask(ASKED)


def test_every_clock_reading_comes_from_the_clock_that_was_given():
    waits = Waits(chance=0.5)
    waits.clock.sleep(3.0)
    assert waits.clock.now() == NOON + timedelta(seconds=3)
