"""Who is here, in a real browser: signing in by keyboard, refresh, other windows, leaving, and foreign cookies."""

import re
from typing import Any

import pytest
from sqlmodel import select

from core.governance.people import set_person, take_duties
from core.store.governance_records import SignIn
from core.store.records import Decision
from core.vocabulary import Action, Duty
from tests.browser.conftest import settled, words
from tests.browser.test_story import eventually
from ui.signing_in import COOKIE

pytestmark = pytest.mark.browser
ROWS = ("Campus Desk", "CD-2291", "L-0001")
"""Words that stand on pages with rows of the samples."""


def team(desk: Any) -> None:
    set_person(desk.database, "Meera *lead* <b>", {Duty.LEAD, Duty.ADMIN})
    set_person(desk.database, "Ana", {Duty.AUDITOR})


def asks(page: Any) -> None:
    page.wait_for_selector("text=Who are you?")
    settled(page)


def here(page: Any, name: str) -> None:
    page.wait_for_selector("text=Sign out")
    page.wait_for_function("() => document.querySelector('.st-key-who')")
    settled(page)
    page.wait_for_selector(f"text={name} ·")


def pick(page: Any, name: str) -> None:
    asks(page)
    page.locator(".pick", has_text=name).click()
    here(page, name)


@pytest.mark.parametrize(
    "address", ["", "people", "sessions", "decisions", "critical_notes", "sessions?session=CD-2291"]
)
def test_the_first_page_of_a_fresh_server_shows_no_row_before_somebody_signed_in(
    serve: Any, page: Any, address: str
) -> None:
    desk = serve()
    team(desk)
    page.goto(f"{desk.address}/{address}")
    asks(page)
    shown = words(page)
    assert not [row for row in ROWS if row in shown]
    assert not re.search(r"(Review|Escalations|Critical notes) \d", shown)
    assert page.locator("table").count() == 0
    assert "on this machine only" in shown
    page.locator(".pick", has_text="Ana").click()
    here(page, "Ana")
    assert page.url.removeprefix(desk.address).lstrip("/").startswith(address)


def test_signing_in_by_keyboard_is_kept_over_a_refresh_and_in_a_new_window(serve: Any, page: Any) -> None:
    desk = serve()
    team(desk)
    page.goto(f"{desk.address}/decisions")
    asks(page)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.shadowRoot?.activeElement?.className === 'pick'"):
            break
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    here(page, "Meera *lead* <b>")
    page.reload()
    here(page, "Meera *lead* <b>")
    (cookie,) = [one for one in page.context.cookies() if one["name"] == COOKIE]
    assert (cookie["sameSite"], cookie["path"]) == ("Strict", "/")
    with desk.database.reading() as db:
        (row,) = db.exec(select(SignIn)).all()
        assert cookie["value"] not in row.id
    other = page.context.new_page()
    other.goto(f"{desk.address}/sessions")
    here(other, "Meera *lead* <b>")


def test_leaving_in_one_window_ends_the_other_at_its_next_run_and_a_copied_cookie_is_refused(
    serve: Any, page: Any, browser: Any
) -> None:
    desk = serve()
    team(desk)
    page.goto(f"{desk.address}/review")
    pick(page, "Meera *lead* <b>")
    page.reload()
    here(page, "Meera *lead* <b>")
    page.wait_for_selector("mark")
    page.wait_for_timeout(900)
    copied = page.context.cookies()
    other = page.context.new_page()
    other.goto(f"{desk.address}/decisions")
    here(other, "Meera *lead* <b>")
    other.locator("text=Sign out").click()
    asks(other)
    page.keyboard.press("a")
    asks(page)
    assert "is not signed in here any more" in words(page)
    with desk.database.reading() as db:
        assert db.exec(select(Decision).where(Decision.action == Action.APPROVE)).all() == []
    eventually(lambda: not [one for one in other.context.cookies() if one["name"] == COOKIE])
    thief = browser.new_context()
    thief.add_cookies(copied)
    stolen = thief.new_page()
    stolen.goto(desk.address)
    asks(stolen)
    thief.close()


@pytest.mark.parametrize("value", ["garbage", "%00%ff", "x" * 3000, "a5F_of-another-database"])
def test_a_cookie_that_means_nothing_here_leads_to_the_picker(serve: Any, page: Any, value: str) -> None:
    desk = serve()
    team(desk)
    page.context.add_cookies([{"name": COOKIE, "value": value, "url": desk.address}])
    page.goto(f"{desk.address}/sessions")
    pick(page, "Ana")
    page.reload()
    here(page, "Ana")


def test_the_same_browser_signed_in_twice_is_the_one_who_came_last(serve: Any, page: Any) -> None:
    desk = serve()
    team(desk)
    other = page.context.new_page()
    for window in (page, other):
        window.goto(desk.address)
        asks(window)
    pick(page, "Meera *lead* <b>")
    pick(other, "Ana")
    for window in (page, other):
        window.reload()
        here(window, "Ana")


def test_who_loses_every_duty_sees_no_row_at_the_next_run(serve: Any, page: Any) -> None:
    desk = serve()
    team(desk)
    page.goto(f"{desk.address}/sessions")
    pick(page, "Ana")
    page.wait_for_selector("text=CD-2291")
    take_duties(desk.database, "Ana")
    set_person(desk.database, "Ben", {Duty.LEAD})
    page.reload()
    page.wait_for_selector("text=Ana has no right to see")
    settled(page)
    assert not [row for row in ROWS if row in words(page)]


def test_an_export_is_not_made_for_who_has_left(serve: Any, page: Any) -> None:
    desk = serve()
    team(desk)
    page.goto(f"{desk.address}/decisions")
    pick(page, "Ana")
    page.reload()
    here(page, "Ana")
    other = page.context.new_page()
    other.goto(f"{desk.address}/decisions")
    here(other, "Ana")
    page.locator(".st-key-export-decisions button").first.click()
    with page.expect_download() as got:
        page.locator('.stDownloadButton button, [data-testid="stDownloadButton"] button').first.click()
    assert "L-0001" in got.value.path().read_text()
    other.locator("text=Sign out").click()
    asks(other)
    gone: list[Any] = []
    page.on("download", lambda one: gone.append(one))
    page.locator('.stDownloadButton button, [data-testid="stDownloadButton"] button').first.click()
    page.wait_for_timeout(2500)
    assert not [one for one in gone if "L-0001" in one.path().read_text()]


def test_a_second_person_is_added_without_being_asked_who_one_is_and_a_token_is_shown_once(
    serve: Any, page: Any
) -> None:
    desk = serve()
    set_person(desk.database, "Meera", set(Duty))
    page.goto(f"{desk.address}/people")
    page.wait_for_selector("text=This ends single-operator mode")
    page.get_by_label("Name").fill("Ana")
    page.locator(".st-key-duties-somebody-new-auditor label").click()
    page.get_by_role("button", name="Add", exact=True).click()
    here(page, "Meera")
    page.reload()
    here(page, "Meera")
    page.goto(f"{desk.address}/people?part=Tokens")
    page.get_by_label("Name").fill("nightly")
    page.get_by_role("button", name="Make the token").click()
    page.wait_for_selector("text=This is the only time that the token is shown")
    settled(page)
    assert re.search(r"tut_[0-9a-f]{48}", words(page))
    page.reload()
    page.wait_for_selector("text=nightly")
    settled(page)
    assert "tut_" not in words(page)
    page.locator("text=Revoke…").click()
    page.locator("text=Revoke for good").click()
    page.wait_for_selector("text=revoked")
