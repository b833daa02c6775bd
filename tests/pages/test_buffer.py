"""The Buffer page: the block, the trials left, twins and compaction."""

import pytest
from sqlmodel import select

from core.governance.drafts import LessonContent
from core.governance.saving_numbers import save_numbers
from core.service.agents import know_task_class
from core.store.memory_records import Consolidation
from core.store.records import Agent
from core.vocabulary import Action, Form, RunState, Scope, Severity
from tests.core.service.test_compaction import NEW, OLD
from tests.desk import OPERATOR, act, agent, put
from tests.pages.reading import all_words, button, words

HOSTILE = "I failed to **stop** because <b>$x$</b> said so; next time, read the [log](javascript:1) before each retry."
PREFERS = "I failed to write in German because I overlooked what this user prefers; next time, I write in German."


def reflection(db, text, *, user=None):
    scope = Scope.USER if user else Scope.TASK_CLASS
    content = LessonContent(form=Form.REFLECTION, scope=scope, text=text, tags=("log", "retry"))
    act(db, put(db, content, Severity.MEDIUM, user=user).item_id, Action.APPROVE)


def opened(open_page, **query):
    return open_page("buffer", buffer_agent="Campus Desk", buffer_class="refunds", **query)


@pytest.fixture(name="db")
def _db(db):
    """The desk, on which the task class is known as after an import."""
    agent_id = agent(db)
    with db.writing() as rows:
        know_task_class(rows, rows.get_one(Agent, agent_id), "refunds").trials = 5
    return db


def test_the_block_stands_as_the_agent_reads_it_with_the_trials_left(db, open_page):
    reflection(db, OLD)
    page = opened(open_page)
    assert words(page, "buffer-block") == f"What I learned from prior trials\n- {OLD}"
    assert "▮▮▮▮▮▮▮▮▮▮ 10 trials left" in words(page, "buffer-table")
    assert "1 reflection in force, within the budget of 12" in words(page, "buffer-budget")


def test_words_of_a_reflection_are_shown_as_they_are(db, open_page):
    reflection(db, HOSTILE)
    assert HOSTILE in words(opened(open_page), "buffer-block")


def test_a_user_s_reflection_shows_for_that_user_alone(db, open_page):
    reflection(db, PREFERS, user="asha")
    assert PREFERS not in all_words(opened(open_page))
    assert PREFERS in words(opened(open_page, buffer_user="asha"), "buffer-block")


def test_what_holds_for_a_user_from_another_task_class_is_counted_in_the_heading(db, open_page):
    reflection(db, PREFERS, user="asha")
    agent_id = agent(db)
    with db.writing() as rows:
        know_task_class(rows, rows.get_one(Agent, agent_id), "orders")
    page = open_page("buffer", buffer_agent="Campus Desk", buffer_class="orders", buffer_user="asha")
    said = "0 reflections in force, within the budget of 12, and 1 more that holds for every task or for this user"
    assert words(page, "buffer-budget") == said


def test_twins_are_brought_together_by_the_button(db, open_page):
    save_numbers(db, {"buffer_budget": 2}, by=OPERATOR, reason="a small buffer")
    reflection(db, OLD)
    reflection(db, NEW)
    page = opened(open_page)
    assert "say nearly the same" in words(page, "buffer-alike")
    button(page, "buffer-compact").click().run()
    assert words(page, "answer-line") == "The compaction is queued."
    with db.reading() as rows:
        (run,) = rows.exec(select(Consolidation)).all()
    assert (run.state, run.by) == (RunState.QUEUED, OPERATOR)
    assert "queued" in words(page, "buffer-runs")
    assert not [one for one in page.button if one.key == "buffer-compact"]


def test_a_reflection_whose_trials_are_over_is_not_read(db, open_page):
    reflection(db, OLD)
    agent_id = agent(db)
    with db.writing() as rows:
        know_task_class(rows, rows.get_one(Agent, agent_id), "refunds").trials = 50
    page = opened(open_page)
    shown = words(page, "buffer-table")
    assert "not read" in shown
    assert "The next trial reads none of the reflections below." in words(page, "buffer-block")
    assert "summed up" not in shown


def test_an_empty_buffer_says_where_reflections_wait(db, open_page):
    assert "stand in Review" in words(opened(open_page), "buffer-block")


def test_a_desk_without_an_agent_says_what_to_do(empty_db, open_page):
    assert "No agent is known yet." in all_words(open_page("buffer"))
