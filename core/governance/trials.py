"""Trials: the sessions of a task class by number, and the reflections whose trials are over.

A session takes its number in the transaction that stores it, and what is over expires there, too: two that bring
sessions in at once never share a number. Source: Reflexion buffer, "TTL and dedup".
"""

from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.acts import Act
from core.governance.numbers import numbers_in_force
from core.governance.status_writer import turn
from core.store.records import Item, LessonBody, TaskClass
from core.vocabulary import Action, Form, Kind, Status

RULE = "trials over"
"""The name of the automatic rule, as it stands in the log."""

LIVES = (Status.ACTIVE, Status.SUSPENDED)
"""The statuses from which a reflection expires; a proposed one has not begun to live."""


def next_trial(db: DatabaseSession, agent_id: int, task_class: str, *, by: str, at: datetime) -> int:
    """The number of one more trial of a task class, which must be known; what has lived for its trials expires."""
    counted = update(TaskClass).where(col(TaskClass.agent_id) == agent_id, col(TaskClass.name) == task_class)
    counted = counted.values(trials=col(TaskClass.trials) + 1)
    number = int(db.connection().execute(counted.returning(col(TaskClass.trials))).scalar_one())
    expire(db, agent_id, task_class, number, by=by, at=at)
    return number


def expire(
    db: DatabaseSession, agent_id: int, task_class: str, trials: int, *, by: str, at: datetime
) -> tuple[Item, ...]:
    """Expire the reflections of a task class that have lived for their trials, of which there were ``trials``."""
    of_class = (Item.agent_id == agent_id, Item.kind == Kind.LESSON, col(Item.status).in_(LIVES))
    query = select(Item).join(LessonBody).where(*of_class, Item.task_class == task_class)
    began = query.where(LessonBody.form == Form.REFLECTION, col(LessonBody.from_trial) < trials)
    if db.exec(began.limit(1)).first() is None:
        return ()
    lives_for = numbers_in_force(db).reflection_trials
    over = db.exec(began.where(col(LessonBody.from_trial) <= trials - lives_for).order_by(col(Item.id))).all()
    for item in over:
        counted = "1 trial" if lives_for == 1 else f"{lives_for} trials"
        said = f"{task_class} has had the {counted} for which it lives"
        turn(db, item, Act(Action.EXPIRE, Status.EXPIRED, by, at, rule=RULE, text=said))
    return tuple(over)
