"""An escalation in a browser: found in the navigation, opened and answered by key, its words kept on a refresh."""

from typing import Any

import pytest

from core.errors import ModelNotConfigured
from core.service.self_review import review
from core.service.self_review.asked import asked
from core.service.self_review.lists import review_view
from core.store.database import Database
from tests.browser.conftest import settled, words
from tests.browser.test_story import eventually

pytestmark = pytest.mark.browser

TASK = "Which fund is safe? <img src=x onerror=alert(1)> $5 and $9"
DRAFTS = ("A guaranteed return of 9.4%.", "It is risk-free <b>at</b> 9.4%.", "You cannot lose :red[with] it: 9.4%.")


def nobody(database: Database, **_: Any) -> Any:
    raise ModelNotConfigured("no model is named", "Set OPENAI_MODEL.")


def escalated(database: Database) -> str:
    first = review(database, asked(agent="FinCoach", task=TASK, draft=DRAFTS[0], user="client 81"), ask=nobody)
    for draft in DRAFTS[1:]:
        review(database, asked(agent="FinCoach", review=first.review_id, draft=draft), ask=nobody)
    return first.review_id


def test_an_escalation_is_opened_and_answered_by_key(serve: Any, page: Any) -> None:
    desk = serve()
    ref = escalated(desk.database)
    page.goto(desk.address)
    settled(page)
    page.get_by_role("link", name="Escalations 1").click()
    page.wait_for_selector(f"text={ref}")
    settled(page)
    page.locator("tr.row").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Revision 2")
    settled(page)
    assert page.url.endswith(f"review={ref}")
    said = words(page)
    assert all(draft in said for draft in (TASK, *DRAFTS))
    assert page.locator("article.rounds img, article.rounds .speech b").count() == 0

    field = page.get_by_role("textbox", name="What the agent is to do")
    field.fill("Name the past return with its date, and no promise.")
    field.press("Control+Enter")
    eventually(lambda: review_view(desk.database, ref).row.answer is not None, 20)
    answer = review_view(desk.database, ref).row.answer
    assert answer is not None
    assert answer.text == "Name the past return with its date, and no promise."

    page.goto(f"{desk.address}/escalations?review={ref}")
    settled(page)
    page.wait_for_selector("text=Name the past return")
    assert "Escalations 1" not in words(page)


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_drafts_fit_on_a_phone_and_on_a_desk(serve: Any, page: Any, width: int, scheme: Any) -> None:
    desk = serve()
    ref = escalated(desk.database)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{desk.address}/escalations?review={ref}")
    settled(page)
    page.wait_for_selector("text=Revision 2")
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    left, right = page.locator(".draft").first.bounding_box(), page.locator(".remarks").first.bounding_box()
    assert (right["x"] >= left["x"] + left["width"]) == (width == 1440)
