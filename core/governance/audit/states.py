"""Whether every item stands as its last decision says, and was led there by moves that the table has."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance import lifecycle
from core.governance.audit.contract import Break, Masked
from core.governance.audit.into_force import into_force
from core.governance.audit.links import MASK
from core.governance.audit.rights import Rights
from core.governance.audit.words import named, version_in_words
from core.governance.bodies import content_of
from core.store.records import Decision, Item, LessonBody, NoteBody, ProcedureBody, Screening
from core.vocabulary import Action, Kind, Status

PAGE = 300
"""Items that are looked at together, with all their decisions."""

READ = (Status.ACTIVE, Status.OPEN)
"""Statuses in which an agent reads an item's words, so that they must be those that were decided about."""

BODIES: tuple[Any, ...] = (NoteBody, LessonBody, ProcedureBody, Screening)
History = Sequence[Decision]


def states(db: DatabaseSession, rights: Rights, masked: list[Masked]) -> Iterator[Break]:
    """Items that their decisions do not lead to, and those in force without what that needed."""
    last = 0
    while items := db.exec(select(Item).where(col(Item.id) > last).order_by(col(Item.id)).limit(PAGE)).all():
        first, last = items[0].id or 0, items[-1].id or 0
        between = col(Decision.item_id).between(first, last)
        histories: dict[int, list[Decision]] = defaultdict(list)
        for row in db.exec(select(Decision).where(between).order_by(col(Decision.item_id), col(Decision.revision))):
            histories[row.item_id].append(row)
        kept = [list(db.exec(select(body).where(body.item_id.between(first, last)))) for body in BODIES]
        for item in items:
            yield from _one(db, item, histories[item.id or 0], rights, masked)
        del kept
        db.expunge_all()


def _one(db: DatabaseSession, item: Item, history: History, rights: Rights, masked: list[Masked]) -> Iterator[Break]:
    about = version_in_words(item, item.id)
    if not history:
        yield _broken(item, about, f"it is {item.status}, and no decision leads to it")
        return
    yield from _moves(db, item, history)
    last = history[-1]
    if (item.status, item.revision) != (last.after, last.revision):
        now, led = f"{item.status} at revision {item.revision}", f"{last.after} at revision {last.revision}"
        yield _broken(item, about, f"it is {now}; its last decision leads to {led}")
    elif last.severity is not None and item.severity != last.severity:
        yield _broken(item, about, f"it is {item.severity}; by its last decision it is {last.severity}")
    elif item.status in READ and last.severity is not None:
        yield from _words(db, item, last, masked)
    if item.status == Status.ACTIVE:
        yield from into_force(db, item, history, rights)


def _moves(db: DatabaseSession, item: Item, history: History) -> Iterator[Break]:
    """Decisions that do not follow from the one before by a row of the table."""
    by_id = {row.id: row for row in history}
    before, revision = "", 0
    for row in history:
        if row.before != before or row.revision != revision + 1:
            came = f"{before or 'nothing'} at revision {revision}"
            why = f"it says that {row.before or 'nothing'} went before at revision {row.revision - 1}; {came} did"
            yield _about(db, row, why)
        elif not _is_a_move(item, row, by_id.get(row.undoes)):
            yield _about(db, row, f"the table has no “{row.action}” from {row.before or 'nothing'} to {row.after}")
        before, revision = row.after, row.revision


def _is_a_move(item: Item, row: Decision, undone: Decision | None) -> bool:
    kind = Kind(item.kind)
    if not row.before:
        return row.action in (Action.PROPOSE, Action.EDIT) and row.after in lifecycle.BEGINS[kind]
    if row.action == Action.ENDORSE:
        return row.after == row.before
    if row.action == Action.UNDO:
        return undone is not None and row.after == (undone.before or Status.SUPERSEDED)
    move = lifecycle.move(kind, row.before, row.action)
    return isinstance(move, lifecycle.Move) and move.after == row.after


def _words(db: DatabaseSession, item: Item, last: Decision, masked: list[Masked]) -> Iterator[Break]:
    """What an agent reads must be what was decided about."""
    content = content_of(db, item)
    if content.hash == last.content_hash:
        return
    about = version_in_words(item, item.id)
    if MASK in content.model_dump_json():
        masked.append(Masked(None, f"the words of {about}"))
    else:
        yield _broken(item, about, "its words are not those that its last decision was about")


def _about(db: DatabaseSession, row: Decision, why: str) -> Break:
    return Break(None, "decision", row.id, named(db, "decision", row.model_dump()), why)


def _broken(item: Item, about: str, why: str) -> Break:
    return Break(None, "item", item.id, about, why)
