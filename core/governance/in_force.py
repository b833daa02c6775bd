"""What comes along when a lesson comes into force, and goes when it leaves: the words it is found by, its trials.

Beside the writer of a status, in its transaction. A reflection lives by the trials of its task class, counted from its
activation; an instruction is found by the words of its text and its tags.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import delete
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.memory.lessons import RELIABLE, findable_words, kept_word
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
    if item.status == Status.ACTIVE:
        db.add_all(_words_of(db, item, body))


def _words_of(db: DatabaseSession, item: Item, body: LessonBody) -> list[LessonWord]:
    """The rows of one instruction in force; none for one of a user of whom nobody knows who it is."""
    if body.scope == Scope.USER and not item.user:
        return []
    reliable, since = RELIABLE.index(reliability_of(db, item)), item.active_at or item.created_at
    place = place_of(Scope(body.scope), user=item.user, task_class=item.task_class)
    placed: dict[str, Any] = {
        "item_id": item.id or 0,
        "agent_id": item.agent_id,
        "place": place,
        "reliable": reliable,
        "since": since,
    }
    return [LessonWord(word=kept_word(word), **placed) for word in sorted(findable_words(body.text, body.tags))]


def find_anew(db: DatabaseSession, item_ids: Collection[int] | None = None) -> int:
    """Write the words of instructions in force anew, of all of them or of these; returns of how many."""
    in_force = select(Item, LessonBody).join(LessonBody, col(LessonBody.item_id) == Item.id)
    in_force = in_force.where(Item.status == Status.ACTIVE, LessonBody.form == Form.INSTRUCTION)
    gone = delete(LessonWord)
    if item_ids is not None:
        in_force, gone = in_force.where(col(Item.id).in_(item_ids)), gone.where(col(LessonWord.item_id).in_(item_ids))
    db.connection().execute(gone)
    rows = db.exec(in_force.order_by(col(Item.id))).all()
    for item, body in rows:
        db.add_all(_words_of(db, item, body))
    db.flush()
    return len(rows)


def found_otherwise(db: DatabaseSession, items: Sequence[Item]) -> list[Item]:
    """Those of some lessons whose words in the index are not the ones by which they should be found."""
    ids = [item.id or 0 for item in items]
    stored: dict[int, set[tuple[object, ...]]] = {one: set() for one in ids}
    for row in db.exec(select(LessonWord).where(col(LessonWord.item_id).in_(ids))).all():
        stored[row.item_id].add(_as_found(row))
    return [item for item in items if stored[item.id or 0] != set(map(_as_found, _should_stand(db, item)))]


def _should_stand(db: DatabaseSession, item: Item) -> list[LessonWord]:
    body = db.get(LessonBody, item.id) if item.status == Status.ACTIVE else None
    return [] if body is None or body.form != Form.INSTRUCTION else _words_of(db, item, body)


def _as_found(row: LessonWord) -> tuple[object, ...]:
    return (row.word, row.agent_id, row.place, row.reliable, row.since)


def place_of(scope: Scope, *, user: str | None = None, task_class: str = "") -> str:
    """For whom a lesson holds, as one word to look for: ``agent``, ``class refund``, ``user asha``."""
    if scope is Scope.AGENT:
        return "agent"
    return f"user {user or ''}" if scope is Scope.USER else f"class {task_class}"


def reliability_of(db: DatabaseSession, item: Item) -> Reliability:
    """How far the source of an item can be trusted."""
    row = db.get(Screening, item.id)
    return trusted(None if row is None else row.source)


def reliabilities(db: DatabaseSession, item_ids: Collection[int]) -> dict[int, Reliability]:
    """The same for several items, by id."""
    query = select(Screening.item_id, Screening.source).where(col(Screening.item_id).in_(item_ids))
    known = dict(db.exec(query).all()) if item_ids else {}
    return {item: trusted(known.get(item)) for item in item_ids}


def trusted(source: str | None) -> Reliability:
    """The reliability of a source; what stands there without one came from checks or people."""
    return Reliability.HIGH if source is None else Source(source).reliability
