"""What a reader would not see."""

import pytest

from core.screening.invisible import says_nothing


@pytest.mark.parametrize("text", ["", "  \n", "\u200b", "\u2800\u3164", "\ufeff \u2060", "\u202e\u202c"])
def test_signs_that_nobody_sees_say_nothing(text: str) -> None:
    assert says_nothing(text)
    assert not says_nothing(f"{text}a")


@pytest.mark.parametrize("text", [".", "1", "不", "ок", "👍", "é"])
def test_one_sign_that_is_seen_says_something(text: str) -> None:
    assert not says_nothing(text)
