"""What comes along when a lesson comes into force, and goes when it leaves: the words it is found by, its trials.

Beside the writer of a status, in its transaction. A reflection lives by the trials of its task class, counted from its
activation; an instruction is found by the words of its text and its tags.
"""

from sqlalchemy import delete
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.memory.lessons import RELIABLE, findable_words
from core.store.memory_records import LessonWord
from core.store.records import Item, LessonBody, Screening, TaskClass
from core.vocabulary import Form, Kind, Reliability, Scope, Source, Status


def stand_in_force(db: DatabaseSession, item: Item) -> None:
    """Bring what goes along with a lesson in line with its status, after that was set."""
    if item.kind != Kind.LESSON:
        return
    body = db.get_one(LessonBody, item.id)
    if body.form == Form.REFLECTION:
        _count_trials(db, item, body)
    else:
        _be_found(db, item, body)


def trials_of(db: DatabaseSession, agent_id: int, task_class: str) -> int:
    """How many trials of a task class have come in."""
    known = select(TaskClass.trials).where(TaskClass.agent_id == agent_id, TaskClass.name == task_class)
    return db.exec(known).first() or 0


def _count_trials(db: DatabaseSession, item: Item, body: LessonBody) -> None:
    if item.status == Status.PROPOSED or item.active_at is None:
        body.from_trial = None
    elif item.status == Status.ACTIVE and body.from_trial is None:
        body.from_trial = trials_of(db, item.agent_id, item.task_class)
    db.add(body)


def _be_found(db: DatabaseSession, item: Item, body: LessonBody) -> None:
    db.connection().execute(delete(LessonWord).where(col(LessonWord.item_id) == item.id))
    if item.status != Status.ACTIVE:
        return
    reliable, since = RELIABLE.index(reliability_of(db, item)), item.active_at or item.created_at
    db.add_all(
        LessonWord(
            item_id=item.id or 0,
            word=word,
            agent_id=item.agent_id,
            place=place_of(item, body.scope),
            reliable=reliable,
            since=since,
        )
        for word in sorted(findable_words(body.text, body.tags))
    )


def place_of(item: Item, scope: str) -> str:
    """For whom a lesson holds, as one word to look for: ``agent``, ``class refund``, ``user asha``."""
    if scope == Scope.AGENT:
        return "agent"
    return f"user {item.user or ''}" if scope == Scope.USER else f"class {item.task_class}"


def reliability_of(db: DatabaseSession, item: Item) -> Reliability:
    """How far the source of an item can be trusted; what stands there without a source came from checks or people."""
    row = db.get(Screening, item.id)
    return Reliability.HIGH if row is None else Source(row.source).reliability
