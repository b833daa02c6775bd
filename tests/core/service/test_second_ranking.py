"""Another ranker is shown beside the one that agents read by, and moves nothing that they read."""

import sys

import pytest
from click.testing import CliRunner

from core.briefing.read import Asked, agent_named, brief
from core.governance.saving_numbers import save_numbers
from core.service.cli import main
from core.service.second_ranking import NOT_INSTALLED, second_ranking
from core.store.database import Database
from core.vocabulary import Action, Scope, SecondRanker
from tests.desk import OPERATOR, act, agent, lesson
from tests.lessons import approved, put
from ui.second_ranking import second_ranking_tree
from ui.tree import text_of

TASK = "Check my order: I want a refund for the voucher"
ASKED = Asked("Campus Desk", "asha", "refunds", TASK)


@pytest.fixture
def desk(database: Database) -> Database:
    """Five instructions in force; the last speaks of another user."""
    for text in (
        "Check the order and the tariff, the label, the seat map and the meal of the trip before you answer.",
        "Check the order number.",
        "Offer the voucher before money.",
        "Read the tariff before you answer.",
    ):
        act(database, lesson(database, text, tags=()).item_id, Action.APPROVE)
    approved(database, put(database, "Refund the voucher of ash in euros.", scope=Scope.USER, user="ash"))
    return database


def switch_on(database: Database, ranker: SecondRanker) -> None:
    save_numbers(database, {"second_ranker": ranker}, by=OPERATOR, reason="to compare")


def read(database: Database) -> tuple[str, ...]:
    with database.reading() as db:
        return tuple(block.text for block in brief(db, agent_named(db, ASKED.agent), ASKED).blocks)


def test_it_is_off_until_somebody_switches_it_on(desk: Database) -> None:
    assert second_ranking(desk, ASKED) is None


def test_bm25_stands_beside_the_shared_words_and_what_is_read_stays(desk: Database) -> None:
    before = read(desk)
    switch_on(desk, SecondRanker.BM25)
    found = second_ranking(desk, ASKED)
    assert found is not None
    assert read(desk) == before
    assert [one.ref for one in found.by_words] == ["L-0002", "L-0001", "L-0003"]
    assert [one.score for one in found.by_words][1:] == ["2 words", "1 word"]
    others = [one.ref for one in found.by_other]
    assert others.index("L-0003") < others.index("L-0001"), "a rare word in a short text outweighs two common ones"
    assert {one.ref: one.also for one in found.by_words}["L-0003"] == others.index("L-0003") + 1
    assert "L-0005" not in others, "what is of another user is ranked for nobody else"
    shown = text_of(second_ranking_tree(found))
    assert "BM25 is shown beside it, and moves nothing." in shown
    assert "Offer the voucher before money." in shown


def test_a_task_without_words_is_ranked_by_nothing(desk: Database) -> None:
    switch_on(desk, SecondRanker.BM25)
    found = second_ranking(desk, Asked("Campus Desk", None, None, "我要退款"))
    assert found is not None
    assert (found.by_words, found.by_other) == ((), ())


def test_without_any_lesson_there_is_nothing_to_rank(database: Database) -> None:
    agent(database)
    switch_on(database, SecondRanker.BM25)
    found = second_ranking(database, ASKED)
    assert found is not None
    assert (found.by_words, found.by_other) == ((), ())


def test_an_embedding_that_is_not_installed_is_said_to_be_missing(
    desk: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    switch_on(desk, SecondRanker.EMBEDDING)
    found = second_ranking(desk, ASKED)
    assert found is not None
    assert (found.told, found.by_other) == (NOT_INSTALLED, ())
    assert NOT_INSTALLED in text_of(second_ranking_tree(found))


def test_an_embedding_ranks_by_meaning_where_it_is_installed(desk: Database) -> None:
    pytest.importorskip("wordllama")
    switch_on(desk, SecondRanker.EMBEDDING)
    found = second_ranking(desk, ASKED)
    assert found is not None
    assert found.by_other
    assert not found.told


def test_the_command_line_shows_it_beside_the_briefing_and_not_in_it(
    desk: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", desk.url)
    monkeypatch.setenv("TUTELAGE_SAMPLES", "0")
    asked = ["briefing", "--agent", "Campus Desk", "--user", "asha", "--task-class", "refunds", "--task", TASK]
    without = CliRunner().invoke(main, asked)
    switch_on(desk, SecondRanker.BM25)
    told = CliRunner().invoke(main, asked)
    assert "By BM25, shown beside it and not read:" in told.stderr
    assert "by shared words in place 3) Offer the voucher before money." in told.stderr
    messages = [said.stdout.partition("Receipt")[0] for said in (without, told)]
    assert messages[0] == messages[1]
    assert "BM25" not in CliRunner().invoke(main, [*asked, "--json"]).stdout
