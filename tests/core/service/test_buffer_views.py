"""The buffer as pages, files and commands show it."""

import json

import pytest

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.errors import NotFound
from core.governance.drafts import LessonContent
from core.governance.saving_numbers import save_numbers
from core.service import buffer_views as views
from core.service.agents import know_task_class
from core.service.consolidation.buffer import carry_out
from core.store.database import Database
from core.store.records import Agent, LessonBody
from core.vocabulary import Action, Form, Scope, Severity
from tests.commands import Commands
from tests.core.service.test_compaction import NEW, OLD, OTHER
from tests.desk import OPERATOR, act, agent, put, quote, session

PREFERS = "I failed to write in German because I overlooked what this user prefers; next time, I write in German."


def reflection(database: Database, text: str, *, user: str | None = None, of: int | None = None) -> int:
    """A reflection in force, for one user where one is named, on one session."""
    scope = Scope.USER if user else Scope.TASK_CLASS
    content = LessonContent(form=Form.REFLECTION, scope=scope, text=text, tags=("log", "retry"))
    proof = (quote(of),) if of else ()
    made = put(database, content, Severity.MEDIUM, user=user, session_id=of, quotes=proof).item_id
    act(database, made, Action.APPROVE)
    return made


def many(database: Database, count: int, place: str = "house") -> None:
    """So many reflections that say other things, at most ten of one place."""
    things = ["drawer", "shelf", "cabinet", "lamp", "kettle", "desk", "bottle", "mirror", "towel", "carpet"]
    for thing in things[:count]:
        where = f"the {thing} in the {place}"
        text = f"I failed to find {where} because I stopped early; next time, I look behind {where} first."
        content = LessonContent(form=Form.REFLECTION, text=text, tags=("search", thing))
        act(database, put(database, content, Severity.MEDIUM).item_id, Action.APPROVE)


def pass_trials(database: Database, count: int) -> None:
    agent_id = agent(database)
    with database.writing() as db:
        found = know_task_class(db, db.get_one(Agent, agent_id), "refunds")
        found.trials += count
        db.add(found)


def test_of_ten_reflections_the_block_has_six_bullets_and_one_line_for_four(database: Database) -> None:
    many(database, 10)
    view = views.buffer_view(database, "Campus Desk", "refunds")
    title, *lines = view.block.splitlines()
    assert title == "What I learned from prior trials"
    assert [line[:13] for line in lines[:-1]] == ["- I failed to"] * 6
    assert lines[-1].removeprefix("- ") == "... and 4 older reflections about search"
    assert (len(view.rows), len(view.read), len(view.summed_up), view.over) == (10, 6, 4, False)
    assert view.read.isdisjoint(view.summed_up)


def test_sixty_approved_reflections_are_six_bullets_and_one_line_that_counts_the_others(database: Database) -> None:
    for place in ("hall", "attic", "cellar", "porch", "garage", "study"):
        many(database, 10, place)
    view = views.buffer_view(database, "Campus Desk", "refunds")
    assert (len(view.rows), len(view.read), view.over, view.under_way) == (60, 6, True, True)
    assert view.block.count("I failed to") == 6
    assert view.block.endswith("... and 54 older reflections about search")


def test_the_block_is_the_one_that_the_agent_is_handed(database: Database) -> None:
    many(database, 8)
    reflection(database, PREFERS, user="asha")
    for user in (None, "asha"):
        shown = views.buffer_view(database, "Campus Desk", "refunds", user=user).block
        handed = issue(database, Asked("Campus Desk", user, "refunds")).messages
        assert shown
        assert any(shown in message["content"] for message in handed)


def test_a_reflection_for_one_user_is_in_that_users_block_alone(database: Database) -> None:
    reflection(database, PREFERS, user="asha")
    for user in (None, "ash", "asha2", "Asha"):
        assert views.buffer_view(database, "Campus Desk", "refunds", user=user).block == ""
    assert PREFERS in views.buffer_view(database, "Campus Desk", "orders", user="asha").block
    assert views.users_with_a_reflection(database, "Campus Desk") == ("asha",)
    for user in (None, "ash", "ben"):
        assert json.loads(views.buffer_json(database, "Campus Desk", user=user)) == []
    (row,) = json.loads(views.buffer_json(database, "Campus Desk", user="asha"))
    assert (row["scope"], row["user"]) == ("user", "asha")


def test_the_file_and_the_count_hold_what_the_view_shows_of_other_task_classes(database: Database) -> None:
    reflection(database, OLD)
    reflection(database, PREFERS, user="asha")
    everywhere = put(database, LessonContent(form=Form.REFLECTION, text=OTHER, tags=("log",)), Severity.MEDIUM)
    act(database, everywhere.item_id, Action.APPROVE)
    with database.writing() as db:
        db.get_one(LessonBody, everywhere.item_id).scope = Scope.AGENT
    seen = {}
    for task_class, user in (("refunds", None), ("orders", None), ("orders", "asha")):
        view = views.buffer_view(database, "Campus Desk", task_class, user=user)
        rows = json.loads(views.buffer_json(database, "Campus Desk", task_class, user=user))
        assert {row["ref"] for row in rows} == {row.ref for row in view.rows}
        seen[task_class, user] = (view.in_force, view.further, view.further_in_words)
    assert seen["refunds", None] == (3, 0, "")
    assert seen["orders", None] == (0, 1, "and 1 more that holds for every task")
    assert seen["orders", "asha"] == (0, 2, "and 2 more that hold for every task or for this user")


def test_what_has_few_trials_left_is_told_and_what_is_over_is_in_no_block(database: Database) -> None:
    pass_trials(database, 1)
    reflection(database, OLD)
    pass_trials(database, 8)
    (soon,) = views.buffer_view(database, "Campus Desk", "refunds").soon
    assert soon.ttl_remaining == 2
    pass_trials(database, 2)
    assert views.buffer_view(database, "Campus Desk", "refunds").block == ""
    assert json.loads(views.buffer_json(database, "Campus Desk")) == []


def test_what_is_over_is_not_read_and_no_line_sums_it_up(database: Database) -> None:
    pass_trials(database, 1)
    many(database, 7)
    pass_trials(database, 8)
    reflection(database, OLD)
    save_numbers(database, {"reflection_trials": 5}, by=OPERATOR, reason="fewer trials")
    view = views.buffer_view(database, "Campus Desk", "refunds")
    assert (len(view.rows), view.in_force) == (8, 1)
    assert (view.read, view.summed_up) == ({"L-0008"}, frozenset())
    shown = Commands(database.url)("buffer", "show", "--agent", "Campus Desk", "--task-class", "refunds").stdout
    assert "1 in force, the budget has room for 12; 9 trials so far." in shown
    assert "L-0001  its trials are over; it expires with the next one, not read" in shown
    assert "summed up" not in shown


def test_what_gives_way_whole_is_not_read_and_no_line_sums_it_up(database: Database) -> None:
    save_numbers(database, {"briefing_tokens": 100}, by=OPERATOR, reason="little room")
    many(database, 2)
    agent_id = agent(database)
    with database.writing() as db:
        db.get_one(Agent, agent_id).base_prompt = "You answer students of the campus. " * 12
    view = views.buffer_view(database, "Campus Desk", "refunds")
    assert (view.block, view.in_force, view.read, view.summed_up) == ("", 2, frozenset(), frozenset())


def test_twins_and_the_budget_are_shown_with_what_was_run(database: Database) -> None:
    save_numbers(database, {"buffer_budget": 2}, by=OPERATOR, reason="a small buffer")
    for text in (OLD, NEW, OTHER):
        reflection(database, text)
    view = views.buffer_view(database, "Campus Desk", "refunds")
    assert [cluster.refs for cluster in view.clusters] == [("L-0002", "L-0001")]
    assert (view.over, view.under_way, [run.state for run in view.runs]) == (True, True, ["queued"])
    assert view.advice is None


def test_where_compactions_do_not_help_it_is_said_what_does(database: Database) -> None:
    save_numbers(database, {"buffer_budget": 1}, by=OPERATOR, reason="a small buffer")
    many(database, 3)
    run = Commands(database.url)
    run("buffer", "compact", "--agent", "Campus Desk", "--task-class", "refunds", "--here")
    for row in views.buffer_view(database, "Campus Desk", "refunds").runs:
        carry_out(database, row.id, {})
    run("buffer", "compact", "--agent", "Campus Desk", "--task-class", "refunds", "--here")
    view = views.buffer_view(database, "Campus Desk", "refunds")
    assert view.advice is not None
    assert "context" in view.advice


def test_an_unknown_agent_is_not_found(database: Database) -> None:
    with pytest.raises(NotFound):
        views.buffer_view(database, "Nobody", "refunds")


def test_the_commands_show_the_block_the_file_and_what_expires_soon(database: Database) -> None:
    run = Commands(database.url)
    pass_trials(database, 1)
    reflection(database, OLD, of=session(database))
    shown = run("buffer", "show", "--agent", "Campus Desk", "--task-class", "refunds")
    assert f"- {OLD}" in shown.stdout
    assert "L-0001  10 trials left" in shown.stdout
    assert json.loads(run("buffer", "show", "--agent", "Campus Desk", "--task-class", "refunds", "--json").stdout)
    first = run("buffer", "file", "--agent", "Campus Desk").stdout
    assert first == run("buffer", "file", "--agent", "Campus Desk").stdout
    (row,) = json.loads(first)
    assert (row["trial_id"], row["task_class"], row["scope"]) == ("CD-1", "refunds", "task_class")
    assert (row["text"], row["created_at"], row["ttl_remaining"]) == (OLD, "2026-11-02T09:00:00+00:00", 10)
    assert run("buffer", "stale").stdout == "Nothing expires within 3 trials.\n"
    pass_trials(database, 7)
    assert run("buffer", "stale").stdout.startswith("L-0001 (refunds): 3 trials left. ")


def test_a_compaction_by_command_can_be_carried_out_at_once(database: Database) -> None:
    run = Commands(database.url)
    for text in (OLD, NEW):
        reflection(database, text)
    told = run("buffer", "compact", "--agent", "Campus Desk", "--task-class", "refunds", "--here")
    assert "2 reflections in force, the budget has room for 12; 1 merged one is proposed" in told.stdout
    assert views.buffer_view(database, "Campus Desk", "refunds").clusters == ()


def test_a_command_of_somebody_without_a_duty_queues_nothing(database: Database) -> None:
    reflection(database, OLD)
    run = Commands(database.url)
    told = run("buffer", "compact", "--agent", "Campus Desk", "--task-class", "refunds", "--by", "a stranger")
    assert told.returncode == 1
    assert views.buffer_view(database, "Campus Desk", "refunds").runs == ()
