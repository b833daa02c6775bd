"""A reply may be made to be slow: the work that it takes is bounded, and what is given up is reported."""

import json
import sys
from types import FrameType
from typing import Any

import pytest

from core.critic.opinion import parse_opinion
from core.critic.parsing import parse_lessons, parse_notes
from core.critic.reply_json import LONGEST, objects_in
from core.critic.self_review_reply import parse_self_review
from core.vocabulary import Support

NOTE = json.dumps({"dimension": "compliance", "severity": "critical", "observation": "It lied.", "evidence": "I lied"})


def work(reply: str) -> int:
    """The calls that the reading of a reply takes, those into C included."""
    calls = 0

    def count(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        parse_notes(reply)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize(
    "piece",
    ['{"a": [1, ', '{"a":"', "{'a':[[],[],", '{"a":{},"b":[1],', "{a:1}", "{}", "{'b':\""],
)
def test_the_work_that_a_hostile_reply_takes_has_an_end(piece: str) -> None:
    half, whole = (work(piece * (size // len(piece))) for size in (LONGEST // 2, LONGEST))
    assert half < 2_500_000
    assert whole <= 2.1 * half


def test_a_reply_that_is_longer_than_any_is_not_read_and_says_so() -> None:
    reply = '{"notes": [' + NOTE + "]}" + " " * LONGEST
    said = f"the reply has {len(reply):,} characters; at most 1,000,000 are read"
    assert parse_notes(reply).error == said
    assert parse_self_review(reply).error == said
    assert parse_opinion(reply).supports is Support.UNREADABLE
    assert parse_notes(reply[:LONGEST]).drafts


@pytest.mark.parametrize("vain", ['{"a": [1, ' * 90_000, '{"a": "' * 90_000, "{'a':" * 90_000])
def test_what_is_given_up_does_not_look_like_nothing(vain: str) -> None:
    read = parse_notes('{"notes": []}\n' + vain + '{"notes": [' + NOTE + "]}")
    assert read.drafts or read.unreadable
    assert not read.finds_nothing


def test_brackets_that_open_nothing_hide_nothing() -> None:
    read = parse_notes('{"notes": []}\n' + "{" * 900_000 + '{"notes": [' + NOTE + "]}")
    assert [each.severity for each in read.drafts] == ["critical"]


def test_a_number_of_any_length_is_read_in_linear_time() -> None:
    assert parse_notes('{"notes": [' + NOTE + '], "n": ' + "1" * 900_000 + "}").drafts


def test_broken_places_are_named_up_to_ten_and_the_rest_is_counted() -> None:
    reply = '{"notes": [' + NOTE + "]}" + '{"a": oops} ' * 500
    objects = objects_in(reply)
    assert (len(objects.broken), objects.broken_besides) == (10, 490)
    unreadable = parse_notes(reply).unreadable
    assert (len(unreadable), unreadable[-1].why) == (11, "490 more places are broken JSON")


def test_parts_that_cannot_be_read_are_named_up_to_ten_and_the_rest_is_counted() -> None:
    read = parse_notes('{"notes": [' + "1, " * 2_000 + NOTE + "]}")
    assert [each.place for each in read.unreadable] == [*range(1, 11), 0, 0]
    assert [each.why for each in read.unreadable[-2:]] == [
        "990 more parts cannot be read",
        "1,001 more parts were not read; at most 1,000 are",
    ]
    assert not parse_lessons('{"lessons": [' + '{"lesson": ""}, ' * 2_000 + "]}").finds_nothing
