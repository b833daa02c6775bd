"""What one user asked for, written down by the critic as a pattern, stays with that user."""

from typing import Any

import pytest
from sqlmodel import select

from core.store.records import Item
from core.vocabulary import Writer
from tests.critic_desk import Desk

SAID = {"quote": "Can I get my money back for the Django course?", "speaker": "user", "turn": 1}
AGENT_SAID = {"quote": "the refund has been arranged", "speaker": "assistant", "turn": 2}
NOBODY_SAID = {"quote": "I always want numbered lists from you", "speaker": "user", "turn": 1}


def users(desk: Desk, kind: str, *evidence: dict[str, Any], **record: Any) -> list[str | None]:
    """Of which users the procedures are that the critic proposes with this evidence."""
    told = {
        "title": "Numbered lists",
        "trigger": "When money is asked for",
        "description": "When money is asked for, answer in a numbered list.",
        "kind": kind,
        "confidence": 0.85,
        "evidence": list(evidence),
    }
    desk.answers[Writer.PROCEDURES] = {"procedures": [told]}
    desk.debrief(desk.bring(**record))
    with desk.database.reading() as db:
        return [item.user for item in db.exec(select(Item).where(Item.kind == "procedure")).all()]


def test_a_pattern_that_rests_on_the_users_words_is_of_that_user(desk: Desk) -> None:
    assert users(desk, "pattern", SAID, AGENT_SAID) == ["student 1"]


@pytest.mark.parametrize(
    ("kind", "evidence"),
    [
        ("workflow", (SAID,)),
        ("rule", (SAID,)),
        ("pattern", (AGENT_SAID,)),
        ("pattern", (NOBODY_SAID,)),
        ("pattern", ()),
    ],
)
def test_what_is_no_pattern_or_rests_on_no_words_of_the_user_is_for_everybody(
    desk: Desk, kind: str, evidence: tuple[dict[str, Any], ...]
) -> None:
    assert users(desk, kind, *evidence) == [None]


def test_a_session_of_nobody_gives_what_is_for_everybody(desk: Desk) -> None:
    assert users(desk, "pattern", SAID, user=None) == [None]
