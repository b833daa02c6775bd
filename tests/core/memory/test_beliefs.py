"""When beliefs are drawn, which citations count, what repeats its source, and which beliefs an agent reads."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.memory.beliefs import (
    BeliefCandidate,
    Cited,
    Dropped,
    choose_beliefs,
    cited,
    repeats_a_source,
)
from core.settings import DEFAULTS

DAY = datetime(2026, 3, 1, tzinfo=UTC)
NONE: frozenset[str] = frozenset()


def case(corpus: Path, name: str) -> dict[str, Any]:
    rows = json.loads((corpus / "cases" / "seed-cases.json").read_text("utf-8"))
    return next(row for row in rows if row["id"] == name)


def test_citations_of_the_seeds_case(corpus: Path) -> None:
    row = case(corpus, "seed-beliefs-2")
    names = dict(enumerate(row["statements"], 1))
    kept, dropped = {}, {}
    for one in row["reply"]:
        found = cited(one["evidence_ids"], list(names))
        if isinstance(found, Cited):
            kept[one["insight"]] = [names[each] for each in found.ids]
        else:
            dropped[one["insight"]] = found.why
    assert kept == row["expected"]["kept"]
    assert dropped == row["expected"]["dropped"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([], "no citation"),
        (["two", None], "no known citation"),
        ([True, 1], "one known citation"),
        ([0, -1, 4], "no known citation"),
        (["[1]", 1, 1.0], "one distinct citation"),
        (["9" * 5_000, 1], "one known citation"),
        ([10**5_000, -(10**5_000)], "no known citation"),
    ],
)
def test_what_names_no_statement_is_no_citation(said: list[object], why: str) -> None:
    assert cited(said, [11, 12, 13]) == Dropped(why)


def test_local_numbers_lead_back_to_real_ids_in_their_order() -> None:
    assert cited([3, "1", 3, 9], [40, 7, 21]) == Cited((21, 40))


@pytest.mark.parametrize(
    ("text", "repeats"),
    [
        ("The user asked for the logs.", True),
        ("The user asks for logs", True),
        ("The user wants logs before any retry.", False),
        ("Whoever deploys for this user shows the logs first.", False),
    ],
)
def test_a_belief_says_more_than_one_of_its_sources(text: str, repeats: bool) -> None:
    sources = ["On Monday the user asked for the logs of the deployment.", "The retry was stopped by hand."]
    assert repeats_a_source(text, sources) is repeats


@pytest.mark.parametrize("text", ["", "…", "to be", "환불 요청"])
def test_what_shares_no_word_with_its_sources_repeats_none(text: str) -> None:
    assert not repeats_a_source(text, ["On Monday the user asked for the logs.", ""])
    assert repeats_a_source("환불 요청", ["고객 환불 요청"])


def belief(key: str, text: str = "Refunds are asked for.", *, days: int = 0, **more: Any) -> BeliefCandidate:
    fields = {"importance": Decimal("0.85"), "status": "active", "at": DAY + timedelta(days=days), **more}
    return BeliefCandidate(key=key, text=text, **fields)


def keys(choice: Any) -> list[str]:
    return [one.item.key for one in choice.taken]


def test_beliefs_go_by_relevance_times_importance_then_newest() -> None:
    beliefs = [
        belief("old", days=1),
        belief("new", days=2),
        belief("two words", "Refunds of courses are asked for.", importance=Decimal("0.60")),
        belief("grave", "Letters are late.", importance=Decimal("0.99")),
    ]
    choice = choose_beliefs(beliefs, "refunds courses", DEFAULTS, NONE)
    assert keys(choice) == ["two words", "new", "old", "grave"]
    assert "shares no word with what is asked" in choice.taken[-1].why
    assert choice.taken[0].why == (
        "approved, shares “courses”, “refunds” with what is asked, importance 0.60, rests on 0 episodes"
    )


def test_a_belief_without_a_shared_word_is_read_all_the_same_and_one_that_is_not_active_never() -> None:
    beliefs = [
        belief("far", "Letters are late."),
        belief("waits", status="proposed"),
        belief("gone", status="suspended"),
    ]
    choice = choose_beliefs(beliefs, "", DEFAULTS, NONE)
    assert keys(choice) == ["far"]
    assert {(one.item.key, one.why) for one in choice.left} == {("waits", "proposed"), ("gone", "suspended")}


def test_so_many_beliefs_at_most() -> None:
    some = DEFAULTS.model_copy(update={"beliefs_in_briefing": 2})
    choice = choose_beliefs([belief(str(day), days=day) for day in range(4)], "refunds", some, NONE)
    assert keys(choice) == ["3", "2"]
    assert [one.item.key for one in choice.left] == ["1", "0"]
    assert not choose_beliefs(
        [belief("one")], "refunds", DEFAULTS.model_copy(update={"beliefs_in_briefing": 0}), NONE
    ).taken
