"""What comes along when a lesson comes into force, and goes when it leaves: the words it is found by, its trials.

Beside the writer of a status, in its transaction. A reflection lives by the trials of its task class, counted from its
activation; an instruction is found by the words of its text and its tags.
"""

from collections.abc import Collection, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import delete, insert
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.memory.lessons import findable_words, kept_word, standing
from core.store.memory_records import LessonWord
from core.store.records import Item, LessonBody, Screening, TaskClass
from core.vocabulary import Action, Form, Kind, Reliability, Scope, Source, Status

AT_ONCE = 5_000
"""Lessons whose words are written in one statement."""


def stand_in_force(db: DatabaseSession, item: Item, action: Action) -> None:
    """Bring what goes along with a lesson in line with its status, after an act has set that."""
    if item.kind != Kind.LESSON:
        return
    body = db.get_one(LessonBody, item.id)
    if body.form == Form.REFLECTION:
        _count_trials(db, item, body, anew=action is Action.ROLL_BACK)
    else:
        _be_found(db, item, body)


def trials_of(db: DatabaseSession, agent_id: int, task_class: str) -> int:
    """How many trials of a task class have come in."""
    known = select(TaskClass.trials).where(TaskClass.agent_id == agent_id, TaskClass.name == task_class)
    return db.exec(known).first() or 0


def _count_trials(db: DatabaseSession, item: Item, body: LessonBody, *, anew: bool) -> None:
    """Since which trial a reflection lives; one that is rolled back to lives ``anew``, one that is put back goes on."""
    if item.status == Status.PROPOSED or item.active_at is None:
        body.from_trial = None
    elif item.status == Status.ACTIVE and (anew or body.from_trial is None):
        body.from_trial = trials_of(db, item.agent_id, item.task_class)
    db.add(body)


def _be_found(db: DatabaseSession, item: Item, body: LessonBody) -> None:
    db.connection().execute(delete(LessonWord).where(col(LessonWord.item_id) == item.id))
    rows = _words_of(item, body, reliability_of(db, item)) if item.status == Status.ACTIVE else []
    if rows:
        db.connection().execute(insert(LessonWord), rows)


def _words_of(item: Item, body: LessonBody, reliability: Reliability) -> list[dict[str, Any]]:
    """The rows of one instruction in force; none for one of a user of whom nobody knows who it is."""
    if body.scope == Scope.USER and not item.user:
        return []
    place = place_of(Scope(body.scope), user=item.user, task_class=item.task_class)
    stands = standing(reliability, item.active_at or item.created_at)
    placed = {"item_id": item.id or 0, "agent_id": item.agent_id, "place": place, "standing": stands}
    return [{**placed, "word": kept_word(word)} for word in sorted(findable_words(body.text, body.tags))]


def find_anew(db: DatabaseSession) -> int:
    """Write the words of all instructions in force anew; returns of how many."""
    db.flush()
    db.connection().execute(delete(LessonWord))
    in_force = select(Item, LessonBody, Screening.source).join(LessonBody, col(LessonBody.item_id) == Item.id)
    in_force = in_force.outerjoin(Screening, col(Screening.item_id) == Item.id).order_by(col(Item.id))
    in_force = in_force.where(Item.status == Status.ACTIVE, LessonBody.form == Form.INSTRUCTION)
    many, last = 0, 0
    while some := db.exec(in_force.where(col(Item.id) > last).limit(AT_ONCE)).all():
        rows = [row for item, body, source in some for row in _words_of(item, body, trusted(source))]
        if rows:
            db.connection().execute(insert(LessonWord), rows)
        many, last = many + len(some), some[-1][0].id or 0
        for item, body, _ in some:
            db.expunge(item)
            db.expunge(body)
    return many


def found_otherwise(db: DatabaseSession, items: Sequence[Item]) -> list[Item]:
    """Those of some lessons whose words in the index are not the ones by which they should be found."""
    ids = [item.id or 0 for item in items]
    stored: dict[int, list[dict[str, Any]]] = {one: [] for one in ids}
    for row in db.exec(select(LessonWord).where(col(LessonWord.item_id).in_(ids))).all():
        stored[row.item_id].append(row.model_dump())
    by_word = itemgetter("word")
    return [
        one for one in items if sorted(stored[one.id or 0], key=by_word) != sorted(_should_stand(db, one), key=by_word)
    ]


def _should_stand(db: DatabaseSession, item: Item) -> list[dict[str, Any]]:
    body = db.get(LessonBody, item.id) if item.status == Status.ACTIVE else None
    found = body is not None and body.form == Form.INSTRUCTION
    return _words_of(item, body, reliability_of(db, item)) if body is not None and found else []


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
    return Reliability.HIGH if source is None else Source.stored(source).reliability
