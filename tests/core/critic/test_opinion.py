"""A second opinion is read where it is clear, and is none where it is not."""

import pytest

from core.critic.opinion import parse_opinion
from core.vocabulary import Support


@pytest.mark.parametrize("said", ["yes", "Yes", " PARTLY ", "no."])
def test_an_opinion_is_read_whatever_its_case(said: str) -> None:
    read = parse_opinion(f'```json\n{{"why": "It says so.", "supports": "{said}"}}\n```')
    assert (read.supports, read.why) == (said.strip(" .").lower(), "It says so.")


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Yes.",
        '{"supports": "mostly"}',
        '{"supports": true}',
        '{"supports": "yes"} {"supports": "no"}',
        '{"why": 1}',
    ],
)
def test_an_opinion_that_is_not_clear_is_none(reply: str) -> None:
    assert parse_opinion(reply).supports is Support.UNREADABLE
