"""Beliefs on pages and the command line: the list, the tree down to the words, sums and runs."""

import json
import re

import pytest
from sqlmodel import col, select

from core.errors import BadInput, NotFound, Refused
from core.governance.audit import verify
from core.governance.sources import citing, standing_of
from core.screening.named import name_kept
from core.service.belief_views import belief_list, belief_tree
from core.service.consolidation.views import NO_MODEL, belief_run, belief_runs, belief_sums
from core.service.episode_views import EpisodesAsked, episode_list
from core.service.episodes import (
    episode_number,
    look_for_beliefs,
    release_episode,
    restore_episode,
    withdraw_episode,
)
from core.service.log_views import LogAsked, LogView, log_page
from core.service.views.beliefs import BeliefsAsked
from core.store.database import Database
from core.store.memory_records import Citation
from core.store.records import Refusal
from core.vocabulary import RunState, Writer
from tests.commands import Commands
from tests.core.service.test_consolidations import BELIEF, admitted, carried_out, desk, runs, sums
from tests.core.service.test_consolidations import NO_MODEL as NOTHING
from tests.critic_desk import Desk
from tests.desk import OPERATOR, lesson
from tests.remembered import active, belief, episode, place

pytestmark = pytest.mark.databases("sqlite", "postgresql")

__all__ = ["desk"]
LEDGER = "Before a refund this user wants the ledger read aloud."
LETTER = "Letters to this user name the course and its price."
LATE = "This user pays late in autumn."


@pytest.fixture
def ids(database: Database) -> list[int]:
    return [episode(database, f"The user asked, time {one}.", ref=f"R-{one}", days=one) for one in range(4)]


def test_the_list_is_narrowed_and_paged(database: Database, ids: list[int]) -> None:
    active(database, LEDGER, *ids[:2])
    belief(database, LETTER, *ids[1:3])
    theirs = [episode(database, f"Another asked {one}.", ref=f"X-{one}", user="student 10") for one in range(2)]
    belief(database, LATE, *theirs, user="student 10")
    assert [row.text for row in belief_list(database).rows] == [LEDGER, LETTER, LATE]
    assert [row.text for row in belief_list(database, BeliefsAsked(user="student 1")).rows] == [LEDGER, LETTER]
    assert belief_list(database, BeliefsAsked(user="")).rows == ()
    assert [row.text for row in belief_list(database, BeliefsAsked(status="proposed")).rows] == [LETTER, LATE]
    assert [row.text for row in belief_list(database, BeliefsAsked(words="COURSE and")).rows] == [LETTER]
    assert belief_list(database, BeliefsAsked(words="100%")).rows == ()
    second = belief_list(database, page=2, size=2)
    assert ([row.text for row in second.rows], second.total, second.pages) == ([LATE], 3, 2)
    assert belief_list(database, BeliefsAsked(stale=True)).total == 0
    withdraw_episode(database, ids[0], reason="another student", person=OPERATOR)
    [stale] = belief_list(database, BeliefsAsked(stale=True)).rows
    assert (stale.text, stale.standing, stale.cites, stale.rests_on_enough) == (LEDGER, 1, 2, False)
    assert stale.stale == (f"E-0001, withdrawn: another student (by {OPERATOR})",)
    assert (stale.is_stale, stale.known_until is not None) == (True, True)
    restore_episode(database, ids[0], text="it was found", person=OPERATOR)
    [stale] = belief_list(database, BeliefsAsked(stale=True)).rows
    assert (stale.is_stale, stale.stale) == (True, ())
    assert not any(row.is_stale for row in belief_list(database, BeliefsAsked(status="proposed")).rows)


def test_the_tree_goes_down_to_the_words_and_says_what_rests_on_it(database: Database, ids: list[int]) -> None:
    low = active(database, LEDGER, *ids[:2])
    high = active(database, LETTER, place(database, low), ids[2])
    tree = belief_tree(database, high)
    assert (tree.row.depth, tree.row.cites) == (2, 2)
    inner = next(one for one in tree.sources if one.belief is not None)
    leaf = next(one for one in tree.sources if one.belief is None)
    assert (leaf.ref, leaf.stands, leaf.session_ref) == ("E-0003", True, "R-2")
    [quote] = leaf.quotes
    assert (quote.session_ref, quote.turn, quote.start, quote.end) == ("R-2", 2, 5, 33)
    assert (quote.text, quote.found) == ("the refund has been arranged", True)
    assert inner.belief is not None
    assert [one.ref for one in inner.belief.sources] == ["E-0001", "E-0002"]
    assert [one.id for one in inner.belief.above] == [high]
    withdraw_episode(database, ids[0], reason="another student", person=OPERATOR)
    tree = belief_tree(database, high)
    inner = next(one for one in tree.sources if one.belief is not None)
    assert (inner.stands, inner.why_not) == (False, "the belief is suspended")
    assert inner.belief is not None
    assert inner.belief.sources[0].why_not == f"withdrawn: another student (by {OPERATOR})"


def test_a_cycle_in_the_tree_ends(database: Database, ids: list[int]) -> None:
    low = active(database, LEDGER, *ids[:2])
    high = active(database, LETTER, place(database, low), ids[2])
    with database.writing() as db:
        db.add(Citation(item_id=low, episode_id=place(database, high)))
    tree = belief_tree(database, high)
    inner = next(one for one in tree.sources if one.belief is not None).belief
    assert inner is not None
    again = next(one for one in inner.sources if one.belief is not None).belief
    assert again is not None
    assert (again.again, again.sources) == (True, ())


def test_what_is_no_belief_has_no_tree(database: Database) -> None:
    with pytest.raises(NotFound):
        belief_tree(database, lesson(database).item_id)
    with pytest.raises(NotFound):
        belief_tree(database, 99)


def test_sums_say_how_far_they_are_and_why_nothing_is_queued(desk: Desk) -> None:
    admitted(desk.database, 19, environ=NOTHING)
    admitted(desk.database, 1, environ=NOTHING, user=None, prefix="N")
    [first, second] = belief_sums(desk.database, environ=NOTHING)
    assert (first.user, str(first.total), str(first.threshold), first.high) == ("student 1", "15.20", "15.00", 19)
    assert first.waits == NO_MODEL
    assert (second.user, second.waits) == (None, "")
    assert belief_sums(desk.database, environ=desk.environ)[0].waits == "a worker queues it within seconds"
    run = look_for_beliefs(desk.database, "Campus Desk", "student 1", by=OPERATOR, environ=desk.environ)
    assert sums(desk.database)["student 1"] == (0, 1)
    with pytest.raises(Refused, match="A run is under way for Campus Desk and student 1"):
        look_for_beliefs(desk.database, "Campus Desk", "student 1", by=OPERATOR, environ=desk.environ)
    with pytest.raises(Refused, match="lacks the duty"):
        look_for_beliefs(desk.database, "Campus Desk", "student 2", by="Nobody", environ=desk.environ)
    with desk.database.reading() as db:
        refused = db.exec(select(Refusal).order_by(col(Refusal.id))).all()
    assert [(one.action, one.by, one.code) for one in refused] == [
        ("look for beliefs", OPERATOR, "under_way"),
        ("look for beliefs", "Nobody", "not_your_duty"),
    ]
    assert [one.id for one in runs(desk.database)] == [run]


CARD = "4111 1111 1111 1111"


def test_no_run_is_queued_for_a_user_of_whom_nothing_is_known(desk: Desk) -> None:
    admitted(desk.database, 1, environ=NOTHING, user=None, prefix="N")
    for user, whose in (("student 01", "Campus Desk and student 01"), (CARD, name_kept(CARD))):
        with pytest.raises(Refused, match=f"No episode is known of .*{re.escape(whose)}") as refused:
            look_for_beliefs(desk.database, "Campus Desk", user, by=OPERATOR, environ=desk.environ)
        assert refused.value.code == "no_episodes"
        assert CARD not in str(refused.value)
    assert (list(sums(desk.database)), runs(desk.database)) == ([""], [])
    assert look_for_beliefs(desk.database, "Campus Desk", None, by=OPERATOR, environ=desk.environ)


def test_a_user_whose_name_is_masked_is_found_by_the_name_as_it_was(desk: Desk) -> None:
    kept = name_kept(CARD)
    episode(desk.database, user=kept)
    look_for_beliefs(desk.database, "Campus Desk", CARD, by=OPERATOR, environ=desk.environ)
    assert list(sums(desk.database)) == [kept] == [one.user_key for one in runs(desk.database)]


def test_a_run_is_shown_with_the_factors_of_each_episode_and_its_cost(desk: Desk) -> None:
    admitted(desk.database, 19, environ=desk.environ)
    carried_out(desk)
    [row] = belief_runs(desk.database, user="student 1").rows
    assert (row.state, row.beliefs, row.questions, str(row.importance)) == (RunState.DONE, 1, 1, "15.20")
    assert row.tokens > 0
    assert belief_runs(desk.database, user="student 10").rows == ()
    view = belief_run(desk.database, row.id)
    [question] = view.questions
    assert len(question["episodes"]) == 8
    assert all(0 < one["recency"] <= 1 and one["text"] and one["ref"] for one in question["episodes"])
    [became] = question["became"]
    assert (became["what"], became["text"]) == ("new", BELIEF)
    with pytest.raises(NotFound):
        belief_run(desk.database, 99)
    assert desk.asked(Writer.QUESTIONS)


def test_an_episode_that_is_released_counts_once(desk: Desk) -> None:
    held = episode(desk.database, "Held.", held="Its words were not found in the transcript.")
    release_episode(desk.database, held, text="They stand in the mail.", person=OPERATOR, environ=NOTHING)
    assert sums(desk.database) == {"student 1": (80, 0)}
    with pytest.raises(Refused, match="is not held"):
        release_episode(desk.database, held, text="Again.", person=OPERATOR, environ=NOTHING)
    assert sums(desk.database) == {"student 1": (80, 0)}


def test_what_a_person_does_with_an_episode_stands_in_the_log_with_who_when_and_why(database: Database) -> None:
    one = episode(database, "It rang.", held="Look.")
    release_episode(database, one, text="The mail proves it, card 4111 1111 1111 1111.", person=OPERATOR)
    withdraw_episode(database, one, reason="another student", person=OPERATOR)
    restore_episode(database, one, text="It was this one after all", person=OPERATOR)
    with pytest.raises(Refused):
        restore_episode(database, one, text="Once more", person=OPERATOR)
    rows = log_page(database, LogAsked(LogView.OVERSIGHT, kind="episodes")).rows
    assert [(row.action, row.about, row.who) for row in rows] == [
        (act, "episode E-0001", OPERATOR) for act in ("restore", "withdraw", "release")
    ]
    assert [row.reason for row in rows[:2]] == ["It was this one after all", "another student"]
    assert "The mail proves it" in rows[2].reason
    assert "4111" not in rows[2].reason
    assert verify(database).whole


def test_episodes_are_listed_by_how_they_stand(database: Database, ids: list[int]) -> None:
    held = episode(database, "Held.", held="Look.", ref="R-9")
    active(database, LEDGER, *ids[:2])
    withdraw_episode(database, ids[3], reason="another student", person=OPERATOR)
    by = {
        standing: [row.id for row in episode_list(database, EpisodesAsked(standing=standing)).rows]
        for standing in ("stands", "held", "withdrawn")
    }
    assert by == {"stands": [ids[2], ids[1], ids[0]], "held": [held], "withdrawn": [ids[3]]}
    [row] = episode_list(database, EpisodesAsked(session="R-0")).rows
    assert row.cited_by == ("B-0001",)
    assert episode_list(database, EpisodesAsked(user="student")).total == 0


def test_more_ids_may_be_asked_about_than_a_statement_can_name(database: Database, ids: list[int]) -> None:
    active(database, LEDGER, *ids[:2])
    every = range(1, {"sqlite": 260_000, "postgresql": 70_000}[database.engine.dialect.name])
    with database.reading() as db:
        assert len(standing_of(db, every)) == len(ids) + 1
        assert [(item.number, one) for item, one in citing(db, every)] == [(1, ids[0]), (1, ids[1])]


def test_beliefs_are_told_in_pieces_as_at_once(
    database: Database, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for text, first in ((LEDGER, 0), (LETTER, 1), (LATE, 2)):
        active(database, text, *ids[first : first + 2])
    withdraw_episode(database, ids[1], reason="another student", person=OPERATOR)
    at_once = belief_list(database, size=1_000_000)
    episodes = episode_list(database)
    monkeypatch.setattr("core.store.in_pieces.AT_ONCE", 1)
    assert episode_list(database) == episodes
    assert belief_list(database, size=1_000_000) == at_once
    assert [len(row.stale) for row in at_once.rows] == [1, 1, 0]


@pytest.mark.parametrize("name", ["E-9999999999999999999999999", "9" * 5_000, "E-", "E-²", "one"])
def test_what_is_no_number_of_an_episode_is_said_to_name_none(name: str) -> None:
    with pytest.raises(BadInput, match="names no episode"):
        episode_number(name)
    assert (episode_number(" e-0012 "), episode_number("999999999")) == (12, 999_999_999)


def test_a_number_that_no_run_can_have_is_refused_in_words(database: Database) -> None:
    run = Commands(database.url)
    for words in (("runs", "9" * 25), ("again", "9" * 25), ("runs", "0"), ("again", str(2**31))):
        told = run("beliefs", *words)
        assert (told.returncode, "is not in the range" in told.stderr) == (2, True)
    assert run("beliefs", "runs", str(2**31 - 1)).returncode == 1


def test_the_commands_show_the_tree_withdraw_and_restore(database: Database, ids: list[int]) -> None:
    run = Commands(database.url)
    active(database, LEDGER, *ids[:2])
    shown = run("beliefs", "show", "B-0001").stdout
    assert f"B-0001 v1 [active] Campus Desk, student 1: {LEDGER} (2 sources)" in shown
    assert "R-0 assistant, turn 2, 5 to 33: “the refund has been arranged”" in shown
    assert json.loads(run("beliefs", "show", "B-0001", "--json").stdout)["row"]["text"] == LEDGER
    told = run("episodes", "withdraw", "E-0001", "--reason", "another student", "--contradicted-by", "E-0002")
    assert told.stdout == "Withdrawn. B-0001 went stale.\n"
    assert "does not stand: E-0001, withdrawn: contradicted by E-0002: another student" in run("beliefs", "list").stdout
    assert run("episodes", "restore", "e-1", "--reason", "the same after all").returncode == 0
    assert (
        run("episodes", "restore", "one", "--reason", "x").stderr == "“one” names no episode; one reads like E-0012.\n"
    )
    assert "student 1: 0.00" not in run("beliefs", "sums").stdout
    refused = run("beliefs", "run", "--agent", "Campus Desk", "--user", "student 1")
    assert refused.returncode == 1
    assert "The critic cannot be asked" in refused.stderr
