"""A debrief by the critic, queued with the keyboard alone: its progress is seen, the tab closed, and all is done."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from core.governance.people import local_operator
from core.service.critic.settings import save_critic_settings
from core.service.critic.views import run_counts, run_list
from core.vocabulary import RunState
from tests.browser.conftest import settled, words
from tests.browser.test_story import eventually
from tests.critic_server import CriticServer, Scripted, reply
from tests.critic_stock import answering, environment, note, replies

pytestmark = pytest.mark.browser


@pytest.fixture(name="server")
def _server(monkeypatch: pytest.MonkeyPatch) -> Iterator[CriticServer]:
    """The model's server, which takes its time."""
    with CriticServer().running() as server:
        notes = reply(json.dumps({"notes": [note("It promised what it could not keep.")]})).body
        answering(server, replies(notes=Scripted(notes, delay=0.4)))
        for name, value in environment(server).items():
            monkeypatch.setenv(name, value)
        yield server


def focused(page: Any) -> str:
    """The text of what has the focus."""
    return str(page.evaluate("document.activeElement.innerText || ''"))


def tab_to(page: Any, text: str) -> None:
    """Press Tab until the focus is on what starts with this text."""
    for _ in range(60):
        if focused(page).startswith(text):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {text}")


def test_debriefs_are_queued_by_keyboard_watched_and_done_although_the_tab_is_closed(
    serve: Any, page: Any, server: CriticServer
) -> None:
    desk = serve(works=True)
    save_critic_settings(
        desk.database, {"requests_at_once": 1, "writers": ["notes"]}, by=local_operator(), reason="a test"
    )
    page.goto(f"{desk.address}/critic")
    settled(page)
    page.wait_for_selector("text=has reviewed no session yet")
    tab_to(page, "Ask the critic")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=debriefs")
    assert run_list(desk.database).total == 0
    tab_to(page, "Queue ")
    page.keyboard.press("Enter")
    eventually(lambda: run_list(desk.database).total > 10)
    total = run_list(desk.database).total
    page.wait_for_selector("text=requests to come")
    head = page.locator(".st-key-runs-table").bounding_box()
    eventually(lambda: run_counts(desk.database).of(RunState.DONE) > 1)
    page.wait_for_function(
        "() => [...document.querySelectorAll('.st-key-run-counts *')].some(one => "
        "one.shadowRoot && / done/.test(one.shadowRoot.textContent))"
    )
    assert page.locator(".st-key-runs-table").bounding_box()["y"] == head["y"]
    assert run_counts(desk.database).of(RunState.QUEUED) > 0
    page.goto("about:blank")
    eventually(lambda: run_counts(desk.database).of(RunState.DONE) == total, seconds=60)
    page.goto(f"{desk.address}/critic")
    settled(page)
    page.wait_for_selector("text=Nothing is under way.")
    assert f"{total} done" in words(page)


def test_a_run_is_opened_by_enter_its_request_too_and_links_lead_there_and_back(
    serve: Any, page: Any, server: CriticServer
) -> None:
    desk = serve(works=True)
    ref = "CD-2291"
    page.goto(f"{desk.address}/sessions?session={ref}")
    settled(page)
    page.click("text=Ask the critic")
    eventually(lambda: run_counts(desk.database).of(RunState.DONE) == 1, seconds=60)
    page.wait_for_selector("text=Reviewed by the critic")
    page.click("text=run 1")
    page.wait_for_selector("text=What was made of the reply")
    assert "run=1" in page.url
    page.keyboard.press("Escape")
    page.wait_for_selector(".st-key-runs-table")
    settled(page)
    assert "run=" not in page.url
    page.locator("tr.row").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=What was made of the reply")
    page.locator("tr.row").nth(2).focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.search.includes('request=')")
    settled(page)
    page.locator("tr.row").first.focus()
    page.keyboard.press("Enter")
    page.locator("button.link", has_text=re.compile("^N-")).first.click()
    page.wait_for_url(re.compile("critical_notes.*note=N-"))
    page.click("text=run 1")
    page.wait_for_url(re.compile("critic.*run=1"))
    settled(page)
    assert page.locator('[data-testid="stException"]').count() == 0
