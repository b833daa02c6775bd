"""The agents' door answers as itself, whatever is asked."""

import pytest
from starlette.testclient import TestClient

from core import __version__
from core.service.http import LARGEST, api


def test_health_names_the_version() -> None:
    assert TestClient(api).get("/v1/health").json() == {"status": "ok", "version": __version__}


@pytest.mark.parametrize(("method", "path", "status"), [("POST", "/v1/health", 405), ("GET", "/v1/nothing", 404)])
def test_an_unknown_path_or_method_is_answered_as_such(method: str, path: str, status: int) -> None:
    assert TestClient(api).request(method, path).status_code == status


MESSAGES = [
    {"role": "user", "content": "Is the fee waived this year?"},
    {"role": "assistant", "content": "The annual fee is waived for this year."},
]


def asked(**more: object):
    return TestClient(api).post("/v1/ground", json={"messages": MESSAGES, **more})


def test_quotes_are_grounded_in_the_messages_that_come_along() -> None:
    quotes = [
        {"quote": "the annual fee is waived", "speaker": "assistant"},
        {"quote": "The annual fee is not waived for this year."},
        {"quote": "Is the fee waived this year?", "speaker": "assistant"},
    ]
    found, changed, other = asked(quotes=quotes).json()["answers"]
    assert (found["verdict"], found["in_words"]) == ("folded", "quote found · folded: case")
    assert found["spans"] == [{"turn": 2, "message": 1, "start": 0, "end": 24, "words": "The annual fee is waived"}]
    assert (changed["grounded"], changed["in_words"]) == (False, "altered: a negation differs")
    assert changed["nearest"][0]["turn"] == 2
    assert other["in_words"] == "said by the user, not the agent"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"quotes": [{"quote": "a fee", "turn": 3}]}, "There is no turn 3; the transcript has 2, counted from 1."),
        ({"quotes": [{"quote": "a fee", "speaker": "Bob"}]}, "Nobody called “Bob” speaks; there are assistant, user."),
        ({"quotes": []}, "quotes: List should have at least 1 item"),
        ({"quotes": [{"quote": "a fee"}], "more": 1}, "more: Extra inputs are not permitted"),
        ({"messages": [7], "quotes": [{"quote": "a fee"}]}, "The messages could not be read"),
    ],
)
def test_a_question_that_cannot_be_answered_is_told_why(body: dict[str, object], why: str) -> None:
    answer = asked(**body)
    assert answer.status_code == 400
    assert why in answer.json()["error"]


def test_a_request_that_is_too_long_is_refused_before_it_is_read_whole() -> None:
    answer = TestClient(api).post("/v1/ground", content=b"[" * (LARGEST + 1))
    assert (answer.status_code, "4,194,304 bytes" in answer.json()["error"]) == (413, True)


def test_what_is_no_json_is_refused() -> None:
    assert TestClient(api).post("/v1/ground", content=b"\xff{").status_code == 400
