"""Questions about a user: one event is answered by episodes, a pattern by beliefs, and only by what may be given."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import select
from starlette.testclient import TestClient

from core.briefing.asked import Asked
from core.briefing.sources import Looking, beliefs_for
from core.errors import NotFound
from core.governance.saving_numbers import save_numbers
from core.memory.routing import Layer
from core.service.agents import users_of
from core.service.belief_views import belief_list
from core.service.episode_import import import_episodes
from core.service.episode_views import EpisodesAsked, episode_list
from core.service.episodes import withdraw_episode
from core.service.http import agents_door
from core.service.recall import Recalled, recall
from core.service.views.beliefs import BeliefsAsked
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, Refusal
from core.vocabulary import Action, Verb
from tests.commands import Commands
from tests.core.service.test_agents_door import bearer, token_of
from tests.desk import OPERATOR, START, act, agent
from tests.remembered import active, belief, episode

pytestmark = pytest.mark.databases("sqlite", "postgresql")

PATTERN = "What does this user usually want before a refund?"
EVENT = "When did the user ask about the refund?"
LEDGER = "Before a refund this user wants the ledger read aloud."
LETTER = "Letters to this user name the course and its price."


@pytest.fixture
def remembered(database: Database) -> list[int]:
    """Four episodes of student 1: two behind a belief in force, one behind a proposed one, one behind none."""
    told = "The user asked about the refund, time"
    ids = [episode(database, f"{told} {one}.", ref=f"R-{one}", days=one) for one in range(4)]
    active(database, LEDGER, ids[0], ids[1])
    belief(database, LETTER, ids[1], ids[2])
    return ids


def asked(database: Database, question: str, user: str | None = "student 1", **how: Any) -> Recalled:
    return recall(database, "Campus Desk", user, question, **how)


def test_a_pattern_is_answered_by_beliefs_with_what_is_behind_them(database: Database, remembered: list[int]) -> None:
    found = asked(database, PATTERN)
    assert (found.layer, found.words) == (Layer.BELIEFS, ("usually", "What does this user usually want"))
    [only] = found.beliefs
    assert (only.text, only.standing) == (LEDGER, "active")
    assert [one.ref for one in only.behind] == ["E-0001", "E-0002"]
    assert found.episodes == ()


def test_one_event_is_answered_by_the_episodes_behind_beliefs_in_force(
    database: Database, remembered: list[int]
) -> None:
    found = asked(database, EVENT)
    assert found.layer is Layer.EPISODES
    assert {one.ref for one in found.episodes} == {"E-0001", "E-0002"}
    assert all(one.standing == "stands" and one.similarity > 0 for one in found.episodes)


def test_the_setting_opens_all_episodes_that_are_proven(database: Database, remembered: list[int]) -> None:
    episode(database, "The user asked about the refund, unproven.", ref="R-8", quotes=[])
    episode(database, "The user asked about the refund, held.", ref="R-9", held="Its words were not found.")
    save_numbers(database, {"episodes_read": "grounded"}, by=OPERATOR, reason="all that is proven", seen=0)
    assert {one.ref for one in asked(database, EVENT).episodes} == {"E-0001", "E-0002", "E-0003", "E-0004"}


def test_at_the_desk_everything_that_was_not_withdrawn_is_shown_with_its_standing(
    database: Database, remembered: list[int]
) -> None:
    episode(database, "The user asked about the refund, held.", ref="R-9", held="Its words were not found.")
    withdraw_episode(database, remembered[3], reason="another student", person=OPERATOR)
    found = asked(database, EVENT, approved=False)
    standings = {one.ref: one.standing for one in found.episodes}
    assert standings == {
        "E-0001": "stands",
        "E-0002": "stands",
        "E-0003": "stands",
        "E-0007": "held: Its words were not found.",
    }
    beliefs = asked(database, PATTERN, approved=False).beliefs
    assert {(one.text, one.standing) for one in beliefs} == {(LEDGER, "active"), (LETTER, "proposed")}


def test_without_a_belief_episodes_answer_a_pattern_and_it_says_so(database: Database, remembered: list[int]) -> None:
    save_numbers(database, {"beliefs_in_briefing": 0}, by=OPERATOR, reason="none", seen=0)
    found = asked(database, PATTERN)
    assert found.layer is Layer.EPISODES
    assert found.why.endswith("No belief answers it, so episodes do.")
    assert found.episodes


OTHERS = ["student 10", "student", "Student 1", "student 1 ", "", None]


@pytest.mark.parametrize("user", OTHERS)
@pytest.mark.parametrize("approved", [True, False])
def test_nothing_of_one_user_is_given_for_another(
    database: Database, remembered: list[int], user: str | None, approved: bool
) -> None:
    for question in (PATTERN, EVENT):
        found = asked(database, question, user, approved=approved)
        assert (found.beliefs, found.episodes) == ((), ())
    with database.reading() as db:
        row = db.exec(select(Agent)).one()
        assert beliefs_for(db, row, Asked(row.name, user), Looking()) == []


def test_what_is_about_nobody_is_given_without_a_user_only(database: Database) -> None:
    ids = [episode(database, f"Somebody asked about the refund {one}.", ref=f"N-{one}", user=None) for one in range(2)]
    active(database, LEDGER, *ids, user=None)
    assert [one.text for one in asked(database, PATTERN, None).beliefs] == [LEDGER]
    assert asked(database, PATTERN).beliefs == ()


def test_another_agents_beliefs_stay_its_own(database: Database, remembered: list[int]) -> None:
    agent(database, "Other Desk")
    for approved in (True, False):
        found = recall(database, "Other Desk", "student 1", PATTERN, approved=approved)
        assert (found.beliefs, found.episodes) == ((), ())
    with pytest.raises(NotFound):
        recall(database, "Nobody's Desk", "student 1", PATTERN)


def test_whoever_is_known_by_an_episode_alone_can_be_chosen(database: Database, remembered: list[int]) -> None:
    other = {"agent": "Other Desk", "user": "student 9", "text": "Asked.", "importance": 0.5, "at": "2026-11-03"}
    told = [other, {**other, "agent": "Campus Desk", "user": "student 0"}, {**other, "user": None}]
    import_episodes(database, "\n".join(map(json.dumps, told)).encode(), by=OPERATOR, environ={})
    assert users_of(database, "Campus Desk") == ("student 0", "student 1")
    assert users_of(database, "Other Desk") == ("student 9",)


def test_a_stale_belief_and_a_withdrawn_episode_are_given_no_more(database: Database, remembered: list[int]) -> None:
    withdraw_episode(database, remembered[0], reason="another student", person=OPERATOR)
    assert asked(database, PATTERN).beliefs == ()
    assert asked(database, EVENT).episodes == ()


def test_the_agents_door_answers_its_own_agent_and_needs_the_verb(database: Database, remembered: list[int]) -> None:
    door = TestClient(agents_door(database), raise_server_exceptions=False)
    token = token_of(database, verbs=[Verb.RECALL])
    body = {"agent": "Campus Desk", "user": "student 1", "question": PATTERN}
    said = door.post("/v1/recall", json=body, headers=bearer(token)).json()
    assert said["layer"] == "beliefs"
    assert said["beliefs"][0]["text"] == LEDGER
    assert said["beliefs"][0]["importance"] == "0.85"
    assert LETTER not in str(said)
    other = door.post("/v1/recall", json={**body, "agent": "Other Desk"}, headers=bearer(token))
    assert (other.status_code, other.json()["code"]) == (403, "other_agent")
    unable = token_of(database, name="briefings", verbs=[Verb.BRIEFING])
    assert door.post("/v1/recall", json=body, headers=bearer(unable)).status_code == 403
    assert door.post("/v1/recall", json=body).status_code == 401
    assert door.post("/v1/recall", json={**body, "question": ""}, headers=bearer(token)).status_code == 400
    with database.reading() as db:
        assert len(db.exec(select(Refusal)).all()) == 3


def test_what_was_true_and_what_was_known_are_two_times(database: Database) -> None:
    later = START + timedelta(days=20)
    ids = [episode(database, f"Asked, {one}.", ref=f"B-{one}", days=one, at=later) for one in (2, 5)]
    made = active(database, LEDGER, *ids)
    known = now()

    def beliefs(true: int, at: datetime) -> list[str]:
        asked = BeliefsAsked(user="student 1", true_at=START + timedelta(days=true), known_at=at)
        return [row.text for row in belief_list(database, asked).rows]

    def episodes(at: datetime, user: str = "student 1") -> list[str]:
        asked = EpisodesAsked(user=user, true_at=known, known_at=at)
        return [row.ref for row in episode_list(database, asked).rows]

    assert beliefs(2, known) == [LEDGER]
    assert beliefs(1, known) == []
    assert beliefs(2, START + timedelta(days=21)) == []
    withdraw_episode(database, ids[0], reason="another student", person=OPERATOR)
    assert (beliefs(2, now()), beliefs(2, known)) == ([], [LEDGER])
    assert made
    assert (episodes(known), episodes(now()), episodes(START + timedelta(days=19))) == (
        ["E-0002", "E-0001"],
        ["E-0002"],
        [],
    )
    assert episodes(known, "student 10") == []
    run = Commands(database.url)
    early = ("--known-at", "1999-12-31")
    assert "0 episodes" in run("episodes", "list", *early).stdout
    assert "0 beliefs" in run("beliefs", "list", *early).stdout
    assert "2 episodes" in run("episodes", "list", "--true-at", known.isoformat()).stdout
    assert run("beliefs", "list", "--true-at", "soon").stderr.startswith("“soon” is no day or time")


def test_the_command_line_says_which_layer_answered_and_why(database: Database, remembered: list[int]) -> None:
    run = Commands(database.url)
    told = run("recall", PATTERN, "--agent", "Campus Desk", "--user", "student 1")
    assert told.stdout.startswith("beliefs: It asks about a pattern: “usually”")
    assert LEDGER in told.stdout
    assert LETTER in told.stdout
    assert LETTER not in run("recall", PATTERN, "--agent", "Campus Desk", "--user", "student 1", "--as-agent").stdout
    assert "Nothing is remembered" in run("recall", PATTERN, "--agent", "Campus Desk", "--user", "student 10").stdout
    act(database, 1, Action.SUSPEND, text="A look.")
    assert "B-0001 v1 [suspended]" in run("beliefs", "list").stdout
