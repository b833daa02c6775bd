"""What only a browser can show: a page opened by its address, keys, a refresh, a second person, hostile words."""

import json
import re
import urllib.error
import urllib.request
from typing import Any

import pytest
from sqlmodel import select

from core.governance.leases import release
from core.governance.people import local_operator, set_person
from core.service.bring_in import bring_in
from core.service.critic.runs import queue
from core.service.desk_views import review_queue, waiting_count
from core.store.database import ROOT
from core.store.records import Decision
from core.vocabulary import Action, Duty
from tests.browser.conftest import settled, words
from tests.browser.test_story import eventually
from tests.desk import OPERATOR, act

pytestmark = pytest.mark.browser
PAGES = [
    "",
    "review",
    "escalations",
    "critical_notes",
    "sessions",
    "procedures",
    "buffer",
    "beliefs",
    "beliefs?beliefs_part=Episodes",
    "beliefs?beliefs_part=Ask",
    "beliefs?beliefs_part=Sums+and+runs",
    "briefing",
    "bring_in",
    "critic",
    "agreement",
    "agents",
    "policies?policy=campus-refund-window",
    "decisions",
    "people",
    "people?part=Tokens",
    "people?part=Settings",
    "bulk",
]


def test_every_page_opens_by_its_address_without_an_error(serve: Any, page: Any) -> None:
    desk = serve()
    for address in PAGES:
        page.goto(f"{desk.address}/{address}")
        settled(page)
        body = words(page)
        assert "Traceback" not in body
        assert page.locator('[data-testid="stException"]').count() == 0, f"{address}: {body[:400]}"


def test_the_agents_door_answers_beside_the_desk_and_the_streamlit_agent_api_is_off(serve: Any) -> None:
    desk = serve(samples=False)
    with urllib.request.urlopen(f"{desk.address}/api/v1/health") as answer:
        assert json.load(answer)["status"] == "ok"
    for method, path, status in (("GET", "/api/v1/nothing", 404), ("POST", "/_stcore/agent/interact", 403)):
        request = urllib.request.Request(desk.address + path, method=method, data=b"{}" if method == "POST" else None)
        with pytest.raises(urllib.error.HTTPError) as told:
            urllib.request.urlopen(request)
        assert told.value.code == status
        told.value.close()


def test_reject_with_a_reason_by_two_keys_and_undo_by_one(serve: Any, page: Any) -> None:
    desk = serve()
    waiting = waiting_count(desk.database)
    page.goto(f"{desk.address}/review")
    settled(page)
    page.wait_for_selector("mark")
    page.wait_for_timeout(900)
    page.keyboard.press("x")
    page.wait_for_selector("text=Reject because it is")
    page.keyboard.press("2")
    eventually(lambda: waiting_count(desk.database) == waiting - 1)
    settled(page)
    page.keyboard.press("u")
    eventually(lambda: waiting_count(desk.database) == waiting)


def test_mashed_keys_decide_only_what_was_on_the_screen_long_enough(serve: Any, page: Any) -> None:
    desk = serve()
    waiting = waiting_count(desk.database)
    page.goto(f"{desk.address}/review")
    settled(page)
    page.wait_for_selector("mark")
    page.wait_for_timeout(900)
    for _ in range(6):
        page.keyboard.press("a")
    page.wait_for_timeout(1500)
    settled(page)
    with desk.database.reading() as db:
        approved = db.exec(select(Decision).where(Decision.action == Action.APPROVE)).all()
    assert len(approved) == 1
    assert waiting_count(desk.database) == waiting - 1


def test_whoever_comes_second_is_told_who_decided(serve: Any, page: Any) -> None:
    desk = serve()
    set_person(desk.database, OPERATOR, set(Duty))
    set_person(desk.database, "Meera", {Duty.LEAD})
    page.goto(f"{desk.address}/review")
    page.locator(".pick", has_text=OPERATOR).click()
    page.wait_for_selector("mark")
    settled(page)
    page.wait_for_timeout(900)
    first = review_queue(desk.database, person=OPERATOR).rows[0]
    release(desk.database, first.id, OPERATOR)
    act(desk.database, first.id, Action.APPROVE, person="Meera")
    page.keyboard.press("a")
    page.wait_for_selector("text=approved by Meera")
    with desk.database.reading() as db:
        assert len(db.exec(select(Decision).where(Decision.item_id == first.id)).all()) == 2


def test_a_refresh_keeps_the_item_that_was_up(serve: Any, page: Any) -> None:
    desk = serve()
    page.goto(f"{desk.address}/review")
    settled(page)
    page.wait_for_selector("mark")
    page.keyboard.press("j")
    page.wait_for_function("() => location.search.includes('item=') ")
    settled(page)
    shown = page.url
    page.reload()
    settled(page)
    page.wait_for_selector("mark")
    assert page.url == shown


HOSTILE = [
    "<img src=x onerror=window.hacked=1> refund me",
    "Move $500 to savings and $300 to debt. ~5% fee, *not* :red[final], # 1 rule, <b>bold</b>",
    "![x](https://example.invalid/pixel.png) [y](javascript:alert(1)) `code` \u202etxt.exe",
    "<script>window.hacked=1</script> <svg onload=window.hacked=1>",
]


def test_filters_are_still_there_after_another_page_and_after_a_refresh(serve: Any, page: Any) -> None:
    desk = serve()
    for name, address in (
        ("Critical notes", "critical_notes?severity=high&state=all"),
        ("Review", "review?kind=lesson"),
    ):
        page.goto(f"{desk.address}/{address}")
        settled(page)
        page.get_by_role("link", name="Sessions").first.click()
        page.wait_for_url("**/sessions")
        settled(page)
        page.get_by_role("link", name=name).first.click()
        asked = address.partition("?")[2].split("&")
        page.wait_for_function("asked => asked.every(one => location.search.includes(one))", arg=asked)
        page.reload()
        settled(page)
        assert all(one in page.url for one in asked)


def test_hostile_words_are_shown_verbatim_and_do_nothing(serve: Any, page: Any) -> None:
    desk = serve(samples=False)
    messages = [{"role": "user" if n % 2 == 0 else "assistant", "content": text} for n, text in enumerate(HOSTILE)]
    record = {"id": "H-1", "agent": "<b>Desk</b>", "user": "*me*", "messages": messages}
    bring_in(desk.database, json.dumps(record).encode(), "<i>x</i>.json")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{desk.address}/sessions?session=H-1")
    settled(page)
    page.wait_for_selector("text=refund me")
    shown = words(page)
    for text in HOSTILE:
        assert text in shown
    assert page.evaluate("() => window.hacked") is None
    assert not any("example.invalid" in url for url in asked)


def test_every_hook_of_the_stylesheet_still_matches_something(
    serve: Any, page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit's test ids and the desk's own keys are all that ``ui/frame.css`` holds on to."""
    model = {"OPENAI_MODEL": "m", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    for name, value in model.items():
        monkeypatch.setenv(name, value)
    desk = serve()
    queue(desk.database, ["CD-2291"], by=local_operator(), environ=model)
    css = (ROOT / "ui/frame.css").read_text()
    hooks = set(re.findall(r'\[data-testid="[^"]+"\]', css)) | set(re.findall(r"\.st-key-[a-z-]+", css))
    assert hooks
    places = [
        "",
        "review",
        "critical_notes",
        "sessions?session=CD-2291",
        "procedures",
        "buffer",
        "beliefs",
        "briefing",
        "agents",
        "bulk",
        "thresholds",
    ]
    places += ["critic?run=1", "critic?ask=all"]
    set_person(desk.database, "Meera", {Duty.LEAD})
    set_person(desk.database, OPERATOR, set(Duty))
    page.goto(f"{desk.address}/review")
    page.locator(".pick", has_text=OPERATOR).click()
    page.wait_for_selector("text=Sign out")
    page.wait_for_timeout(500)
    hooks -= {hook for hook in hooks if page.locator(hook).count()}
    for place in places:
        page.goto(f"{desk.address}/{place}")
        settled(page)
        page.wait_for_timeout(500)
        hooks -= {hook for hook in hooks if page.locator(hook).count()}
    assert hooks == set()


@pytest.mark.parametrize("width", [360, 1024, 2560])
def test_no_page_scrolls_sideways(serve: Any, page: Any, width: int) -> None:
    desk = serve()
    page.set_viewport_size({"width": width, "height": 844})
    for address in PAGES:
        page.goto(f"{desk.address}/{address}")
        settled(page)
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth"), address
