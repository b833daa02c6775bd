"""Beliefs in a browser: by keys alone from a belief to the lit words, hostile texts harmless, narrow and wide."""

from typing import Any

import pytest

from tests.browser.conftest import settled, words
from tests.browser.test_transcript import look, until
from tests.remembered import active, belief, episode, status, withdrawn

pytestmark = pytest.mark.browser

LEDGER = "Before a refund this user wants the ledger read aloud."
HOSTILE = "<img src=x onerror=window.hurt=1> **bold** $x$ [a](javascript:window.hurt=1)"


def tab_to(page: Any, press: str) -> None:
    """Go on by Tab until what is pressed so has the focus."""
    for _ in range(120):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
                let at = document.activeElement;
                while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
                return at ? at.dataset.press || at.dataset.go || "" : "";
            }"""
        )
        if found == press:
            return
    raise AssertionError(f"{press} was never reached")


def lit(page: Any) -> str:
    """The words in the light, beside the tree."""
    return str(look(page, 'return (all(".words mark.now")[0] || {}).textContent || "";'))


def test_keys_alone_lead_from_a_belief_to_the_words_that_prove_it(serve: Any, page: Any) -> None:
    desk = serve()
    page.goto(f"{desk.address}/beliefs?belief=B-0001")
    settled(page)
    until(page, 'return all(".words mark.now").length === 1;')
    assert lit(page) == "anything that ties the money up beyond 10 March is out"
    tab_to(page, "belief:B-0003")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.search.includes('belief=B-0003')")
    settled(page)
    until(page, 'return (all(".belief .lesson")[0] || {}).textContent.startsWith("This client decides");')
    tab_to(page, "quote:3")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.search.includes('quote=3')")
    settled(page)
    until(page, 'return (all(".words mark.now")[0] || {}).textContent === "Done: ₹9,000 on the 12th of each month";')
    page.keyboard.press("n")
    until(page, 'return (all(".words mark.now")[0] || {}).textContent.startsWith("My brother says yes");')
    page.keyboard.press("o")
    page.wait_for_url("**/sessions?*session=FC-0082*")


def test_a_stale_belief_leads_to_review_and_what_withdrew_it_stands_there(serve: Any, page: Any) -> None:
    desk = serve()
    page.goto(f"{desk.address}/beliefs?beliefs_state=stale")
    settled(page)
    until(page, 'return all(".belief del").length === 1;')
    assert "E-0041 was withdrawn: its words no longer stand in FC-0087." in words(page)
    page.get_by_text("Decide B-0004 on Review").click()
    page.wait_for_url("**/review?*item=B-0004*")
    settled(page)
    until(page, 'return all(".restson .link").length === 1;')
    page.get_by_text("Show its tree").click()
    page.wait_for_url("**/beliefs?*belief=B-0004*")


def test_an_episode_is_withdrawn_by_pressing_and_typing_why(serve: Any, page: Any) -> None:
    desk = serve(samples=False)
    ids = [episode(desk.database, f"It rang, time {one}.", ref=f"R-{one}") for one in range(3)]
    item_id = active(desk.database, LEDGER, *ids)
    page.goto(f"{desk.address}/beliefs")
    settled(page)
    until(page, 'return all(".belief .lesson").length === 1;')
    look(page, f"""one('[data-press="withdraw:{ids[1]}"]').click();""")
    page.get_by_label("Withdraw E-0002, because").fill("It was another student")
    page.keyboard.press("Enter")
    page.locator('[class*="st-key-do-withdraw"] button').click()
    page.wait_for_function("() => !document.querySelector('[class*=\"st-key-do-withdraw\"]')")
    settled(page)
    until(page, 'return all(".belief del").length === 1;')
    assert str(withdrawn(desk.database, ids[1])).startswith("It was another student (by ")
    assert status(desk.database, item_id) == "suspended"


@pytest.mark.parametrize("width", [390, 1024, 1440, 2560])
def test_hostile_texts_do_nothing_and_the_page_holds_its_width(serve: Any, page: Any, width: int) -> None:
    desk = serve(samples=False)
    long = "withoutanyspace" * 30
    ids = [episode(desk.database, f"{HOSTILE} {long} {one}", ref=f"R-{one}", user=HOSTILE[:60]) for one in range(2)]
    belief(desk.database, f"This user writes {HOSTILE}", *ids, user=HOSTILE[:60])
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{desk.address}/beliefs")
    settled(page)
    until(page, 'return all(".belief .lesson").length === 1;')
    assert f"This user writes {HOSTILE}" in words(page)
    assert page.evaluate("() => window.hurt") is None
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    too_wide = f"return all('.belief, .believed, .words').some(one => one.getBoundingClientRect().right > {width});"
    assert look(page, too_wide) is False
