"""Settings and people in a real browser: reasons as they were written, and a page that holds nobody up."""

import re
from typing import Any

import pytest

from core.governance.desk_settings import save_desk_settings
from core.governance.people import local_operator
from tests.browser.conftest import settled

pytestmark = pytest.mark.browser

WORDS = "*not* $x$ <b>true</b>"


def test_a_reason_stands_on_its_button_as_it_was_written(serve: Any, page: Any) -> None:
    desk = serve()
    chosen = {"reject_reasons": [{"code": "not_true", "words": WORDS}]}
    save_desk_settings(desk.database, chosen, by=local_operator(), reason="our own words")
    page.goto(f"{desk.address}/review")
    settled(page)
    page.get_by_role("button", name=re.compile("Reject")).click()
    button = page.locator('[class*="st-key-reject-not_true"] button')
    button.wait_for()
    assert WORDS in button.inner_text()
    assert button.locator(".katex, em, b").count() == 0


def test_leaving_the_settings_asks_only_about_what_was_typed(serve: Any, page: Any) -> None:
    desk = serve()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.goto(f"{desk.address}/people?part=Settings")
    settled(page)
    field = page.locator('[class*="st-key-draft-reject_reasons"] textarea')
    field.click()
    page.reload()
    settled(page)
    assert asked == []
    field.click()
    page.keyboard.type("x")
    page.reload()
    settled(page)
    assert asked == ["beforeunload"]
