"""The desk that a reviewer is measured on is a whole one, and what the documentation counts is what is pressed."""

import re
from pathlib import Path

from bench.reviewer.steps import KEYS
from bench.reviewer.stock import content_number, filled
from core.governance.acts import Request
from core.governance.audit import verify
from core.governance.desk import decide
from core.service.desk_views import card, review_queue
from core.store.database import ROOT
from core.vocabulary import Action
from tests.desk import OPERATOR


def test_the_copies_are_whole_items_that_the_desk_decides_and_their_log_has_no_break(tmp_path: Path) -> None:
    database = filled(tmp_path / "desk.db", 120)
    assert not verify(database).breaks
    page = review_queue(database, person=OPERATOR, page=3)
    assert (page.total, len(page.rows)) == (120, 20)
    for row in page.rows[-3:]:
        shown = card(database, row.id, person=OPERATOR)
        assert [(quote.found, quote.stale) for quote in shown.quotes] == [(True, None)] * 2
        decide(database, Request(row.id, Action.APPROVE, OPERATOR, shown.revision, shown.screen_hash))
    assert not verify(database).breaks
    database.close()


def test_no_two_of_ten_thousand_items_say_the_same() -> None:
    assert len({content_number(number).headline for number in range(10_000)}) == 10_000


def test_the_document_counts_the_keys_that_are_pressed() -> None:
    text = (ROOT / "docs" / "governance.md").read_text(encoding="utf-8")
    counted = dict(re.findall(r"^\| ([a-z ]+) \| (\d) \|", text[text.index("## Measured") :], re.MULTILINE))
    assert {name: int(counted[name]) for name in KEYS} == {name: len(keys) for name, keys in KEYS.items()}
