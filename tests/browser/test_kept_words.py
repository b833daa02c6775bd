"""Words that were typed and not sent outlive a refresh, a crash of the desk, and a lost race."""

from pathlib import Path
from typing import Any

import pytest

from core.governance.kept_words import kept_words
from core.governance.leases import release
from core.governance.people import set_person
from core.service.desk_views import review_queue
from core.vocabulary import Action, Duty
from tests.browser.conftest import served, settled, words
from tests.browser.test_story import eventually
from tests.desk import OPERATOR, act

pytestmark = pytest.mark.browser
QUIET = 300
"""Milliseconds after the last key at which the page is taken away."""


def opened(page: Any, address: str) -> None:
    """The Review page with its first item, long enough on the screen."""
    page.goto(address)
    settled(page)
    page.wait_for_selector("mark")
    page.wait_for_timeout(900)


def rejecting(page: Any, text: str) -> None:
    """Type words for a rejection, and leave them unsent."""
    page.keyboard.press("x")
    page.wait_for_selector("text=Reject because it is")
    field = page.locator('[class*="st-key-draft-words-"] input')
    field.click()
    page.keyboard.type(text)


def test_a_typed_reason_survives_a_refresh_and_the_question_is_open_again(serve: Any, page: Any) -> None:
    desk = serve()
    opened(page, f"{desk.address}/review")
    rejecting(page, "half a reas")
    page.wait_for_timeout(QUIET)
    page.reload()
    settled(page)
    page.wait_for_selector("text=Reject because it is")
    assert page.locator('[class*="st-key-draft-words-"] input').input_value() == "half a reas"


def test_a_half_typed_edit_survives_a_refresh(serve: Any, page: Any) -> None:
    desk = serve()
    opened(page, f"{desk.address}/review")
    page.keyboard.press("e")
    field = page.locator('[class*="st-key-draft-text-"] textarea')
    field.wait_for()
    field.click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" And say wh")
    page.wait_for_timeout(QUIET)
    page.reload()
    settled(page)
    field.wait_for()
    assert field.input_value().endswith(" And say wh")


def test_a_typed_reason_for_a_critical_note_survives_a_refresh(serve: Any, page: Any) -> None:
    desk = serve()
    page.goto(f"{desk.address}/critical_notes")
    settled(page)
    field = page.locator('[class*="st-key-draft-words-"] textarea')
    field.wait_for()
    field.click()
    page.keyboard.type("It was paid back on")
    page.wait_for_timeout(QUIET)
    page.reload()
    settled(page)
    field.wait_for()
    assert field.input_value() == "It was paid back on"


def test_a_killed_desk_loses_no_words(page: Any, tmp_path: Path) -> None:
    with served(tmp_path) as desk:
        opened(page, f"{desk.address}/review")
        rejecting(page, "before the crash")
        page.wait_for_timeout(QUIET)
        desk.process.kill()
    with served(tmp_path) as desk:
        opened(page, f"{desk.address}/review")
        assert page.locator('[class*="st-key-draft-words-"] input').input_value() == "before the crash"


def test_who_loses_a_race_keeps_what_was_typed_and_reads_who_was_first_why_and_what_changed(
    serve: Any, page: Any
) -> None:
    desk = serve()
    set_person(desk.database, OPERATOR, set(Duty))
    set_person(desk.database, "Meera", {Duty.LEAD})
    first = review_queue(desk.database, person=OPERATOR).rows[0]
    page.goto(f"{desk.address}/review")
    page.locator(".st-key-picker [data-press]", has_text=OPERATOR).click()
    page.wait_for_selector("mark")
    page.wait_for_timeout(900)
    rejecting(page, "my own words")
    eventually(lambda: kept_words(desk.database, first.id, OPERATOR).get("words") == "my own words")
    release(desk.database, first.id, OPERATOR)
    act(desk.database, first.id, Action.REJECT, person="Meera", reason="too_vague", text="It helps nobody.")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=by Meera")
    settled(page)
    said = words(page)
    assert "rejected (too vague: It helps nobody.) by Meera" in said
    assert "it went from proposed to rejected" in said
    assert "my own words" in said
    assert kept_words(desk.database, first.id, OPERATOR)["words"] == "my own words"


def test_words_that_were_sent_are_kept_no_longer(serve: Any, page: Any) -> None:
    desk = serve()
    first = review_queue(desk.database, person=OPERATOR).rows[0]
    opened(page, f"{desk.address}/review")
    rejecting(page, "sent")
    eventually(lambda: bool(kept_words(desk.database, first.id, OPERATOR)))
    page.keyboard.press("Tab")
    page.locator('[class*="st-key-reject-not_general-"] button').click()
    page.wait_for_selector(f"text={first.ref} rejected")
    settled(page)
    page.wait_for_timeout(QUIET)
    assert kept_words(desk.database, first.id, OPERATOR) == {}
