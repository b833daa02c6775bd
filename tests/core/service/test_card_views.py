"""The card: what an agent would not read is said with the task that it was tried on."""

from core.service.card_views import TASK_SHOWN, card
from core.store.database import Database
from core.store.records import AgentSession
from tests.desk import lesson, quote, session

APART = "Greet callers by name."


def test_what_is_not_read_names_the_task_that_it_was_tried_on(database: Database) -> None:
    one = lesson(database, APART, quotes=(quote(session(database)),), tags=("calls", "greeting")).item_id
    (line,) = card(database, one, person="Ben").reads
    assert line.why == "not read on the task “A refund for a course”: no word shared with the task"


def test_a_long_task_is_named_by_its_beginning(database: Database) -> None:
    at = session(database)
    with database.writing() as db:
        db.get_one(AgentSession, at).task = "A refund for a course\n" * 9
    one = lesson(database, APART, quotes=(quote(at),), tags=("calls", "greeting")).item_id
    (line,) = card(database, one, person="Ben").reads
    named = line.why.partition("“")[2].partition("”")[0]
    assert named.startswith("A refund for a course A refund")
    assert named.endswith("…")
    assert len(named) <= TASK_SHOWN
