"""Quotes that are walked to by key, or pressed, count as looked at; a step asks for no run of the page."""

from typing import Any

import pytest
from sqlmodel import select

from core.service import desk_views
from core.store.records import Decision, ReadMark
from core.vocabulary import Action
from tests.browser.conftest import settled
from tests.browser.test_story import eventually
from tests.desk import OPERATOR

pytestmark = pytest.mark.browser


def opened(desk: Any, item_id: int) -> list[int]:
    with desk.database.reading() as db:
        mark = db.get(ReadMark, (item_id, OPERATOR))
        return list(mark.opened or ()) if mark else []


def several_quotes_of_one_session(desk: Any) -> Any:
    """The card of an item that waits and quotes its first session more than once."""
    for row in desk_views.review_queue(desk.database, person=OPERATOR, size=200).rows:
        card = desk_views.card(desk.database, row.id, person=OPERATOR)
        here = [one for one in card.quotes if one.session == card.quotes[0].session]
        if len(here) > 1 and not card.why_off:
            return card
    raise AssertionError("no item that waits quotes one session twice")


def test_quotes_that_are_walked_to_are_kept_with_the_decision(serve: Any, page: Any) -> None:
    desk = serve()
    card = several_quotes_of_one_session(desk)
    page.goto(f"{desk.address}/review?item={card.ref}")
    settled(page)
    page.wait_for_selector("mark")
    eventually(lambda: opened(desk, card.id) == [card.quotes[0].id])
    page.wait_for_timeout(900)
    page.keyboard.press("n")
    page.keyboard.press("a")
    eventually(lambda: _approved(desk, card.id) is not None)
    found = _approved(desk, card.id)
    assert found is not None
    assert found.opened == 2
    assert (found.looked_ms or 0) > 700
    assert opened(desk, card.id) == sorted(one.id for one in card.quotes[:2])
    page.locator(f'article[aria-label$="{card.ref}"]').wait_for(state="detached")


def _approved(desk: Any, item_id: int) -> Decision | None:
    with desk.database.reading() as db:
        return db.exec(select(Decision).where(Decision.item_id == item_id, Decision.action == Action.APPROVE)).first()
