"""Presses that came before their item could be decided: each is in the log, and nothing else changed."""

import pytest
from sqlmodel import select

from core.governance.pressing import MOST_AT_ONCE, Early, EarlyPress, refuse_presses
from core.store.records import Decision, Refusal
from tests.desk import OPERATOR, item, lesson

pytestmark = pytest.mark.databases("sqlite", "postgresql")


def test_every_early_press_is_logged_in_its_order_with_its_reason_and_changes_nothing(database):
    found = lesson(database).item_id
    before = item(database, found)
    presses = [EarlyPress(found, "approve", why, 0.31) for why in (Early.ON_ITS_WAY, Early.TOO_SOON)]
    said = refuse_presses(database, OPERATOR, presses)
    assert said == (
        "Pressed while the answer about L-0001 was on its way: nothing more was decided.",
        "Pressed 0.3 s after L-0001 appeared: nothing was decided. Press again.",
    )
    with database.reading() as db:
        rows = db.exec(select(Refusal).order_by(Refusal.id)).all()
        assert [(row.code, row.text) for row in rows] == list(zip(("on_its_way", "too_soon"), said, strict=True))
        assert len(db.exec(select(Decision)).all()) == 1
    assert item(database, found) == before


def test_a_press_upon_what_is_not_there_is_left_out_and_a_flood_is_cut(database):
    found = lesson(database).item_id
    assert refuse_presses(database, OPERATOR, [EarlyPress(found + 99, "approve", Early.TOO_SOON, 0.1)]) == ()
    flood = [EarlyPress(found, "approve", Early.TOO_SOON, 0.1)] * (MOST_AT_ONCE + 5)
    assert len(refuse_presses(database, OPERATOR, flood)) == MOST_AT_ONCE
