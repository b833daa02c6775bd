"""One belief as its page shows it: what made it stale, its quotes, lists as of a day, and what they cost."""

from datetime import timedelta

import pytest

from core.errors import NotFound
from core.service.belief_shown import belief_shown
from core.service.belief_views import belief_list
from core.service.consolidation.sums import admit
from core.service.consolidation.views import belief_sums, belief_sums_page
from core.service.episodes import restore_episode, withdraw_episode
from core.service.views.beliefs import BeliefsAsked
from core.store.clock import now
from core.store.database import Database
from core.store.memory_records import Episode
from core.vocabulary import Action
from tests.commands import Commands
from tests.core.service.test_list_statements import watched
from tests.desk import OPERATOR, START, act, lesson
from tests.remembered import active, belief, episode, place

LEDGER = "Before a refund this user wants the ledger read aloud."
LETTER = "Letters to this user name the course and its price."
PLACES = ("exam", "room", "course", "library", "grant", "visa", "locker", "sports", "garage", "canteen")


@pytest.fixture
def ids(database: Database) -> list[int]:
    return [episode(database, f"The user asked, time {one}.", ref=f"R-{one}", days=one) for one in range(4)]


def test_a_stale_belief_says_what_withdrew_it_after_whom_and_when(database: Database, ids: list[int]) -> None:
    low = active(database, LEDGER, *ids[:2])
    high = belief(database, LETTER, place(database, low), *ids[2:]).item_id
    assert belief_shown(database, low).stale is None
    withdraw_episode(database, ids[0], reason="it was another student", person=OPERATOR)
    below, above = belief_shown(database, low).stale, belief_shown(database, high).stale
    assert below is not None
    assert below.because.startswith(f"E-0001 was withdrawn: it was another student (by {OPERATOR})")
    assert below.who == f"the rule “stale source of a belief”, after {OPERATOR}"
    assert above is not None
    assert above.because == "B-0001 went stale."
    assert above.at == below.at


def test_a_belief_that_a_person_has_looked_at_is_stale_no_longer(database: Database, ids: list[int]) -> None:
    item_id = active(database, LEDGER, *ids[:3])
    withdraw_episode(database, ids[0], reason="it was another student", person=OPERATOR)
    restore_episode(database, ids[0], text="It was this one after all", person=OPERATOR)
    assert belief_shown(database, item_id).stale is not None
    act(database, item_id, Action.REINSTATE, text="All three stand")
    assert belief_shown(database, item_id).stale is None


def test_the_quotes_of_a_belief_are_those_of_its_tree(database: Database, ids: list[int]) -> None:
    shown = belief_shown(database, belief(database, LEDGER, *ids[:3]).item_id)
    in_tree = [(quote.session, quote.text) for one in shown.tree.sources for quote in one.quotes]
    assert [(quote.session, quote.text) for quote in shown.quotes] == in_tree
    assert [quote.number for quote in shown.quotes] == [1, 2, 3]
    with pytest.raises(NotFound):
        belief_shown(database, lesson(database).item_id)


def test_a_list_shows_what_was_in_force_and_what_was_true_at_a_moment(database: Database, ids: list[int]) -> None:
    first = active(database, LEDGER, *ids[:2])
    active(database, LETTER, *ids[2:])
    then = now()
    withdraw_episode(database, ids[0], reason="it was another student", person=OPERATOR)
    assert [row.status for row in belief_list(database).rows] == ["suspended", "active"]
    known = belief_list(database, BeliefsAsked(known_at=then))
    assert [row.text for row in known.rows] == [LEDGER, LETTER]
    assert [row.text for row in belief_list(database, BeliefsAsked(known_at=now())).rows] == [LETTER]
    assert belief_list(database, BeliefsAsked(known_at=START - timedelta(days=900))).rows == ()
    of_both = BeliefsAsked(true_at=START + timedelta(days=1), known_at=then)
    assert [row.id for row in belief_list(database, of_both).rows] == [first]
    assert [row.id for row in belief_list(database, BeliefsAsked(true_at=START)).rows] == [first]


@pytest.mark.databases("sqlite", "postgresql")
def test_a_list_of_beliefs_costs_the_same_statements_however_many_it_holds(database: Database, ids: list[int]) -> None:
    counts = set()
    for number, thing in enumerate(PLACES):
        active(database, f"Whoever asks this user about the {thing} names page {number} first.", *ids[:2])
        if number in (2, 9):
            with watched(database) as (sent, _):
                assert len(belief_list(database).rows) == number + 1
            counts.add(len(sent))
    assert len(counts) == 1
    assert counts.pop() <= 8


def test_only_so_many_sums_are_read_as_are_shown(database: Database) -> None:
    for number in range(6):
        made = episode(database, "It rang.", ref=f"U-{number}", user=f"user {number}", importance=f"0.{number + 1}0")
        with database.writing() as db:
            admit(db, [db.get_one(Episode, made)], environ={})
    nearest = belief_sums(database, most=2, environ={})
    assert [row.user for row in nearest] == ["user 5", "user 4"]
    assert [row.user for row in belief_sums(database, user="user 1", environ={})] == ["user 1"]
    assert belief_sums(database, user="", environ={}) == ()


@pytest.mark.databases("sqlite", "postgresql")
def test_a_page_of_sums_costs_the_same_statements_however_many_it_holds(database: Database) -> None:
    counts = set()
    for number in range(12):
        user = f"user {number}" if number else None
        made = episode(database, "It rang.", ref=f"U-{number}", user=user, importance="0.90")
        with database.writing() as db:
            admit(db, [db.get_one(Episode, made)], environ={})
        if number in (2, 11):
            with watched(database) as (sent, _):
                page = belief_sums_page(database, size=10, environ={})
            assert len(page.rows) == min(10, number + 1)
            assert {row.high for row in page.rows} == {1}
            counts.add(len(sent))
    assert len(counts) == 1
    second = belief_sums_page(database, page=2, size=10, environ={})
    assert ([row.user for row in second.rows], second.total) == (["user 8", "user 9"], 12)
    assert belief_sums(database, environ={}) == (*page.rows, *second.rows)
    run = Commands(database.url)
    assert run("beliefs", "sums").stdout.endswith(
        "user 9: 0.90 of 15.00, 1 of 50 episodes of weight, 0 runs\nPage 1 of 1, 12 sums.\n"
    )
    assert run("beliefs", "sums", "--page", "2", "--agent", "Nobody").stdout == "No episode has been counted yet.\n"
