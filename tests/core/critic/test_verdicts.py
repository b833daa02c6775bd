"""A verdict is read where it is clear, and is unreadable where it is not."""

import pytest

from core.critic.drafts import Unreadable
from core.critic.verdicts import Opinion, SelfReview, Supports, parse_opinion, parse_self_review


@pytest.mark.parametrize("said", ["yes", "Yes", " PARTLY ", "no."])
def test_an_opinion_is_read_whatever_its_case(said: str) -> None:
    read = parse_opinion(f'```json\n{{"why": "It says so.", "supports": "{said}"}}\n```')
    assert isinstance(read, Opinion)
    assert read.supports == Supports(said.strip(" .").lower())
    assert read.why == "It says so."


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "empty reply"),
        ("Yes.", "not an object with key supports"),
        ('{"supports": "mostly"}', "its supports is none of yes, partly and no but “mostly”"),
        ('{"supports": true}', "its supports is none of yes, partly and no but “True”"),
        ('{"supports": "yes"} {"supports": "no"}', "two objects whose supports differ"),
    ],
)
def test_an_opinion_that_is_not_clear_is_none(reply: str, why: str) -> None:
    read = parse_opinion(reply)
    assert isinstance(read, Unreadable)
    assert read.why == why


def test_a_review_is_read_with_its_problems_and_its_fix() -> None:
    read = parse_self_review(
        '{"ok": false, "problems": ["“tomorrow” stands in no tool result"], "fix": "Leave it out."}'
    )
    assert read == SelfReview(ok=False, problems=("“tomorrow” stands in no tool result",), fix="Leave it out.")
    assert parse_self_review('{"ok": true, "problems": [], "fix": ""}') == SelfReview(ok=True)
    assert parse_self_review('{"ok": "True", "problems": null}') == SelfReview(ok=True)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "empty reply"),
        ('{"problems": []}', "not an object with key ok"),
        ('{"ok": "maybe"}', "its ok is neither true nor false but “maybe”"),
        ('{"ok": true, "problems": ["a date"]}', "it says ok and names problems"),
        ('{"ok": false, "problems": []}', "it says not ok and names no problem"),
        ('{"ok": false, "problems": [7]}', "its problems are no list of texts"),
        ('{"ok": false, "problems": {"a": 1}}', "its problems are no list of texts"),
    ],
)
def test_a_review_that_contradicts_itself_or_says_nothing_is_none(reply: str, why: str) -> None:
    read = parse_self_review(reply)
    assert isinstance(read, Unreadable)
    assert read.why == why
