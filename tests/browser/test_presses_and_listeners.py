"""A press that comes while a listener of the page speaks: it acts, and the whole page follows it."""

from typing import Any

import pytest

from core.governance.desk_settings import save_desk_settings
from tests.browser.conftest import settled
from tests.core.governance.test_cases import breach
from tests.desk import OPERATOR, item

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("after", [0, 60, 90, 95, 100, 105, 110, 150])
def test_a_note_is_closed_by_key_at_whatever_moment_its_words_are_being_kept(serve: Any, page: Any, after: int) -> None:
    desk = serve(samples=False)
    save_desk_settings(desk.database, {"decide_after": "0"}, by=OPERATOR, reason="pressed at once")
    note = breach(desk.database, "CD-1")
    page.goto(f"{desk.address}/critical_notes?note={note.ref}")
    settled(page)
    page.locator('[class*="st-key-draft-words"] textarea').click()
    page.keyboard.type("Both were called.")
    page.wait_for_timeout(after)
    page.keyboard.press("Control+Enter")
    page.get_by_text("No critical note is open").wait_for()
    assert item(desk.database, note.item_id).status == "resolved"


def test_a_key_that_leaves_the_page_does_so_with_a_listener_in_the_same_message(serve: Any, page: Any) -> None:
    desk = serve()
    page.goto(f"{desk.address}/critical_notes?severity=every+severity&state=all")
    settled(page)
    page.keyboard.press("n")
    page.keyboard.press("n")
    page.keyboard.press("o")
    page.wait_for_url("**/sessions?**")
