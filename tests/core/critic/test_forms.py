"""A lesson is one sentence; a reflection says what failed, why, and what comes next time."""

import pytest

from core.critic.forms import is_reflection, sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Check the refund rule before you promise a refund.", 1),
        ("Ask for the order number, e.g. B-210, before you look it up.", 1),
        ("Quote the rule (“No refunds after 7 days.”) before you answer.", 1),
        ("Check the rule. Then promise.", 2),
        ("Check the rule! Never guess? Ask.", 3),
        ("先に規則を確認する。それから返金を約束する。", 2),
    ],
)
def test_sentences_are_counted(text: str, count: int) -> None:
    assert sentences(text) == count


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("I failed to look the rule up because I answered from memory; next time, I will look it up first.", True),
        ("i failed to ask because I guessed; next time I ask.", True),
        ("Check the rule first.", False),
        ("I failed to look it up; next time, I will.", False),
        ("I failed because I guessed.", False),
    ],
)
def test_a_reflection_is_known_by_its_three_parts(text: str, is_one: bool) -> None:
    assert is_reflection(text) is is_one
