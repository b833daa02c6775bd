"""Filters survive an action, another page and the way back, and stay with their own page."""

from typing import Any

import pytest
from sqlmodel import col, select

from core.store.records import Decision, Item
from core.vocabulary import Kind, Role, Severity, Status
from tests.browser.conftest import settled, words
from tests.pages.stock import FOUND, add, fill, note

pytestmark = pytest.mark.browser


def asked_for(page: Any, *parts: str) -> None:
    """The address names each of these."""
    page.wait_for_function("parts => parts.every(one => location.search.includes(one))", arg=list(parts))


def visit(page: Any, name: str, within: str | None = None) -> None:
    """Leave by the navigation; ``within`` is the menu that holds the page."""
    if within:
        page.get_by_test_id("stTopNavSection").filter(has_text=within).click()
        page.get_by_test_id("stTopNavDropdownLink").filter(has_text=name).click()
        settled(page)
        page.wait_for_timeout(300)
        return
    page.get_by_role("link", name=name).first.click()
    settled(page)
    page.wait_for_timeout(300)


def open_notes(desk: Any, severity: Severity) -> list[str]:
    with desk.database.reading() as db:
        same = select(Item).where(Item.kind == Kind.NOTE, Item.severity == severity, Item.status == Status.OPEN)
        rows = db.exec(same.order_by(col(Item.created_at).desc(), col(Item.id).desc())).all()
        return [Kind.NOTE.reference(row.number) for row in rows]


def listed(page: Any) -> str:
    """The words of the list of notes: what stands between its heads and its foot."""
    return str(words(page)).partition("Closed by")[2].partition(" · resolved")[0]


def test_a_note_is_resolved_and_after_another_page_its_filters_hold_and_the_next_one_is_up(
    serve: Any, page: Any
) -> None:
    desk = serve(samples=False)
    fill(desk.database)
    add(desk.database, note(5, Severity.MEDIUM), Severity.MEDIUM, 5, [(FOUND, Role.ASSISTANT)])
    first, second = open_notes(desk, Severity.MEDIUM)
    never = open_notes(desk, Severity.CRITICAL)
    page.goto(f"{desk.address}/critical_notes?severity=medium&note={first}")
    settled(page)
    page.wait_for_timeout(1_500)
    page.locator('[class*="st-key-draft-words"] textarea').fill("The customer was called.")
    page.keyboard.press("Control+Enter")
    page.wait_for_function("next => location.search.includes(next)", arg=f"note={second}")
    settled(page)
    visit(page, "Sessions")
    visit(page, "Critical notes")
    asked_for(page, f"note={second}", "severity=medium")
    assert second in listed(page)
    assert [one for one in (first, *never) if one in listed(page)] == []
    page.locator(".st-key-state").get_by_text("closed", exact=True).click()
    asked_for(page, "state=closed", f"note={first}")
    settled(page)
    visit(page, "Sessions")
    visit(page, "Critical notes")
    asked_for(page, "state=closed", "severity=medium", f"note={first}")
    assert first in listed(page)
    assert [one for one in (second, *never) if one in listed(page)] == []
    with desk.database.reading() as db:
        assert db.exec(select(Decision).where(Decision.text == "The customer was called.")).one().after == "resolved"


def test_the_filters_of_review_survive_a_decision_and_another_page(serve: Any, page: Any) -> None:
    desk = serve(samples=False)
    fill(desk.database)
    page.goto(f"{desk.address}/review?kind=lesson&state=proposed&item=L-0002")
    settled(page)
    page.wait_for_timeout(1_500)
    page.keyboard.press("a")
    page.wait_for_function("() => !location.search.includes('item=L-0002')")
    settled(page)
    asked_for(page, "kind=lesson", "state=proposed")
    visit(page, "Sessions")
    visit(page, "Review")
    asked_for(page, "kind=lesson", "state=proposed", "item=L-")


@pytest.mark.parametrize(
    ("name", "address", "kept"),
    [
        ("Sessions", "sessions?search=light&sessions_agent=Cycle+desk", ("search=light", "sessions_agent=Cycle")),
        ("Decision log", "decisions?find=L-0001&log_kind=lesson", ("find=L-0001", "log_kind=lesson")),
    ],
)
def test_the_filters_of_a_list_survive_another_page(
    serve: Any, page: Any, name: str, address: str, kept: tuple[str, ...]
) -> None:
    desk = serve(samples=False)
    fill(desk.database)
    page.goto(f"{desk.address}/{address}")
    settled(page)
    visit(page, "Critical notes")
    visit(page, name, within="Desk" if name == "Decision log" else None)
    asked_for(page, *kept)


def test_several_at_once_begins_under_the_filters_of_review_and_keeps_them_after_the_act(serve: Any, page: Any) -> None:
    desk = serve(samples=False)
    fill(desk.database)
    page.goto(f"{desk.address}/review?kind=lesson&state=proposed")
    settled(page)
    page.get_by_text("Filter").first.click()
    page.locator(".st-key-several button").click()
    page.wait_for_url("**/bulk?*")
    settled(page)
    asked_for(page, "several_kind=lesson", "several_state=proposed")
    page.locator(".st-key-bulk-all button").click()
    settled(page)
    page.get_by_text("Approve 3…").click()
    page.locator(".st-key-bulk-do button").click()
    asked_for(page, "batch=B-")
    settled(page)
    page.get_by_text("Back to choosing").click()
    settled(page)
    asked_for(page, "several_kind=lesson", "several_state=proposed")
    assert "would be approved" not in words(page)


def test_the_filters_of_one_page_are_not_those_of_another(serve: Any, page: Any) -> None:
    desk = serve(samples=False)
    fill(desk.database)
    page.goto(f"{desk.address}/review?kind=lesson&state=proposed&evidence=quote+found")
    settled(page)
    visit(page, "Critical notes")
    page.wait_for_timeout(500)
    assert "state=proposed" not in page.url
    assert "evidence=" not in page.url
    visit(page, "Decision log", within="Desk")
    page.wait_for_timeout(500)
    assert "kind=lesson" not in page.url
