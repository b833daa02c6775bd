"""Home in a browser: the title of the window, the key to the next decision, and links that lead where they say."""

from typing import Any

import pytest

from core.governance.assignments import assign
from core.governance.people import duties_of, set_person
from core.service.desk_views import item_id_of, queue_counts
from core.vocabulary import Duty
from tests.browser.conftest import settled, words
from tests.browser.test_story import eventually

pytestmark = pytest.mark.browser


def test_the_title_counts_g_decides_the_next_one_and_links_filter(serve: Any, page: Any) -> None:
    desk = serve()
    for name, duties in (("Ann", {Duty.LEAD}), ("Meera", {Duty.LEAD, Duty.ADMIN})):
        set_person(desk.database, name, duties)
    mine = item_id_of(desk.database, "L-0003")
    assign(desk.database, [mine], "Ann", by="Meera")
    page.goto(desk.address)
    page.locator(".pick", has_text="Ann").click()
    page.wait_for_selector(".home")
    settled(page)
    with desk.database.reading() as db:
        unread = queue_counts(desk.database, duties_of(db, "Ann")).unread
    eventually(lambda: page.title() == f"({unread}) Home · Tutelage")

    page.keyboard.press("g")
    page.wait_for_url("**/review?item=L-0003*")
    settled(page)
    assert "yours to decide" in words(page)
    eventually(lambda: "Review · Tutelage" in page.title())

    page.locator(".whois a", has_text="yours").click()
    page.wait_for_function("() => location.search.includes('whose=mine')")
    settled(page)
    assert page.locator(".queue .item").count() == 1

    page.get_by_role("link", name="Home").first.click()
    page.wait_for_selector(".home")
    settled(page)
    page.locator(".whois a", has_text="unread").click()
    page.wait_for_url("**/review?*only=unread*")
    settled(page)
    page.wait_for_selector(".queue .item")
    assert page.locator(".queue .item.unread").count() == page.locator(".queue .item").count() > 0

    page.get_by_role("link", name="Home").first.click()
    page.wait_for_selector(".home")
    settled(page)
    page.keyboard.press("g")
    page.wait_for_url("**/review?item=L-0003")
    settled(page)
    page.goto(f"{desk.address}/?item=L-0003")
    page.wait_for_url("**/review?item=L-0003*")
