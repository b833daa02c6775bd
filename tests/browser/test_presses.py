"""Hands that are faster than the desk: no press is lost, and none decides what nobody could have read."""

from typing import Any

import pytest
from sqlmodel import select

from core.governance.people import set_person
from core.service.desk_views import waiting_count
from core.store.records import Decision, Item, Refusal
from core.vocabulary import Action, Duty, RejectReason
from tests.browser.conftest import settled, words
from tests.browser.test_story import eventually

pytestmark = pytest.mark.browser
LONG_ENOUGH = 1_200
PEOPLE = (Action.APPROVE, Action.REJECT)


def opened(page: Any, address: str) -> None:
    page.goto(address)
    settled(page)
    page.wait_for_selector("mark")
    page.wait_for_timeout(LONG_ENOUGH)


def log(desk: Any) -> tuple[list[Decision], list[str]]:
    with desk.database.reading() as db:
        made = db.exec(select(Decision).where(Decision.action.in_(PEOPLE))).all()  # type: ignore[attr-defined]
        return list(made), list(db.exec(select(Refusal.code)).all())


def test_every_one_of_mashed_keys_decides_or_is_answered_and_logged(serve: Any, page: Any) -> None:
    desk = serve()
    opened(page, f"{desk.address}/review")
    for _ in range(12):
        page.keyboard.press("a")
        page.wait_for_timeout(80)
    eventually(lambda: len(log(desk)[1]) == 11)
    assert len(log(desk)[0]) == 1
    assert set(log(desk)[1]) <= {"too_soon", "on_its_way"}
    eventually(lambda: "nothing was decided. Press again." in words(page))


def test_a_double_click_decides_once_and_its_second_click_is_answered(serve: Any, page: Any) -> None:
    desk = serve()
    opened(page, f"{desk.address}/review")
    page.locator('[class*="st-key-approve-"] button').dblclick()
    eventually(lambda: log(desk)[1] == ["on_its_way"])
    settled(page)
    assert len(log(desk)[0]) == 1
    assert "approved just now" in words(page)
    assert "nothing more was decided" in words(page)


def test_the_reason_may_be_pressed_before_the_reasons_are_there(serve: Any, page: Any) -> None:
    desk = serve()
    opened(page, f"{desk.address}/review")
    page.keyboard.press("x")
    page.keyboard.press("1")
    eventually(lambda: len(log(desk)[0]) == 1)
    made, refused = log(desk)
    assert (made[0].action, made[0].reason, refused) == (Action.REJECT, RejectReason.NOT_TRUE, [])


def test_a_reason_that_is_pressed_too_soon_after_its_item_appeared_is_refused_in_the_bar(serve: Any, page: Any) -> None:
    desk = serve()
    waiting = waiting_count(desk.database)
    opened(page, f"{desk.address}/review")
    page.keyboard.press("s")
    page.wait_for_selector("text=was skipped")
    settled(page)
    page.keyboard.press("x")
    page.keyboard.press("1")
    eventually(lambda: log(desk)[1] == ["too_soon"] or len(log(desk)[0]) == 1)
    made, refused = log(desk)
    if refused:  # a slow machine may show the reasons so late that it was long enough
        page.wait_for_selector("text=nothing was decided. Press again.")
        assert (made, waiting_count(desk.database)) == ([], waiting)


def test_who_goes_on_is_handed_what_still_waits(serve: Any, browser: Any) -> None:
    desk = serve()
    for name in ("Ann", "Ben"):
        set_person(desk.database, name, set(Duty))
    windows = [browser.new_context(viewport={"width": 1440, "height": 900}).new_page() for _ in range(2)]
    for name, window in zip(("Ann", "Ben"), windows, strict=True):
        window.goto(f"{desk.address}/review")
        window.locator(".st-key-picker [data-press]", has_text=name).click()
        window.wait_for_selector("mark")
        settled(window)
    for window in (windows[1], windows[0], windows[1], windows[0]):
        window.wait_for_timeout(LONG_ENOUGH)
        made = len(log(desk)[0])
        window.keyboard.press("x")
        window.keyboard.press("1")
        eventually(lambda made=made: len(log(desk)[0]) == made + 1)
        settled(window)
    decided = log(desk)[0]
    assert len({one.item_id for one in decided}) == 4
    with desk.database.reading() as db:
        assert len(db.exec(select(Item).where(Item.status == "rejected")).all()) == 4
    for window in windows:
        window.context.close()
