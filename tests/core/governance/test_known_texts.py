"""What is known of an agent is kept between questions, and what was taken back is not."""

import pytest

from core.governance.known_texts import Own, texts_beside
from core.vocabulary import Action, Kind, Scope
from tests.desk import act, agent, lesson

pytestmark = pytest.mark.databases("sqlite", "postgresql")

OWN = Own(Kind.LESSON, "refunds", Scope.TASK_CLASS)


def known(database, db=None, **chosen):
    agent_id = agent(database)
    if db is not None:
        with texts_beside(db, agent_id, OWN, **chosen) as beside:
            return beside.texts, len(beside.texts)
    with database.reading() as reading:
        return known(database, reading, **chosen)


def test_only_what_is_in_force_is_read_for_an_approval(database):
    first = lesson(database).item_id
    lesson(database, "Name the costs that are not given back, such as postage.")
    assert (known(database)[1], known(database, only_in_force=True)[1]) == (2, 0)
    act(database, first, Action.APPROVE)
    assert (known(database)[1], known(database, only_in_force=True)[1]) == (2, 1)
    act(database, first, Action.SUSPEND, text="looked at again")
    assert (known(database)[1], known(database, only_in_force=True)[1]) == (2, 0)


def test_a_refused_writer_costs_the_next_one_nothing(database):
    lesson(database)
    texts, _ = known(database)
    agent_id = agent(database)
    with pytest.raises(ZeroDivisionError), database.writing() as db, texts_beside(db, agent_id, OWN):
        raise ZeroDivisionError
    assert known(database)[0] is texts
