"""The buffer of a task class as the desk sees it: how many reflections are in force, and when that is too many.

An approval that brings a buffer over its budget queues its compaction in the same transaction; a worker carries it out,
so nobody who approves waits for it. Source: Reflexion buffer, "Compaction".
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.governance.in_force import trials_of
from core.governance.numbers import numbers_in_force
from core.governance.references import by_number
from core.memory.buffer import remaining
from core.store.memory_records import UNDER_WAY, Consolidation
from core.store.records import Item, LessonBody
from core.vocabulary import Form, Kind, Memory, RunState, Status

HowToAsk = Callable[[DatabaseSession, int], tuple[dict[str, Any], str]]
"""The critic's settings for an agent, and the server that is asked; both empty where no model can be asked."""

_asked_by: list[HowToAsk] = []


def ask_by(how: HowToAsk) -> None:
    """Say how a model is asked for what an approval queues; before that, it is carried out without one."""
    _asked_by[:] = [how]


def living(db: DatabaseSession, agent_id: int, task_class: str) -> Sequence[tuple[Item, LessonBody]]:
    """The reflections of a task class that are in force and whose trials are not over, by number."""
    of_class = (Item.agent_id == agent_id, Item.kind == Kind.LESSON, Item.status == Status.ACTIVE)
    query = select(Item, LessonBody).join(LessonBody).where(*of_class, Item.task_class == task_class)
    rows = db.exec(query.where(LessonBody.form == Form.REFLECTION).order_by(by_number())).all()
    trials, lives_for = trials_of(db, agent_id, task_class), numbers_in_force(db).reflection_trials
    return [row for row in rows if remaining(row[1].from_trial, trials, lives_for) > 0]


def compact_when_over(db: DatabaseSession, item: Item, *, by: str, at: datetime) -> int | None:
    """Queue the compaction of the buffer that an item came into, where it is over its budget and none is under way.

    The run's id, or None where nothing was queued.
    """
    if item.kind != Kind.LESSON or db.get_one(LessonBody, item.id).form != Form.REFLECTION:
        return None
    if len(living(db, item.agent_id, item.task_class)) <= numbers_in_force(db).buffer_budget:
        return None
    of_class = (Consolidation.memory == Memory.BUFFER, Consolidation.agent_id == item.agent_id)
    same = (*of_class, Consolidation.task_class == item.task_class, text(UNDER_WAY))
    if db.exec(select(Consolidation.id).where(*same)).first() is not None:
        return None
    settings, server = _asked_by[0](db, item.agent_id) if _asked_by else ({}, "")
    run = Consolidation(
        memory=Memory.BUFFER,
        agent_id=item.agent_id,
        task_class=item.task_class,
        settings=settings,
        server=server,
        state=RunState.QUEUED,
        by=by,
        queued_at=at,
    )
    db.add(run)
    db.flush()
    return run.id
