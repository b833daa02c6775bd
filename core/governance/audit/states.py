"""Whether every item stands as its last decision says, and was led there by moves that the table has."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from sqlalchemy import exists, func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance import lifecycle
from core.governance.audit.contract import CANNOT_BE_READ, Break, Masked
from core.governance.audit.into_force import into_force
from core.governance.audit.links import MASK
from core.governance.audit.reading import readable
from core.governance.audit.rights import Rights
from core.governance.audit.words import named, version_in_words
from core.governance.bodies import content_of
from core.governance.in_force import found_otherwise
from core.governance.references import placed
from core.store.memory_records import BeliefBody
from core.store.records import Decision, Item, LessonBody, NoteBody, ProcedureBody, Screening
from core.vocabulary import Action, Kind, Severity, Status

PAGE = 300
"""Items that are looked at together, with all their decisions."""

FOUND_OTHERWISE = "it is found by other words than its own; “python -m core lessons find-anew” puts that right"
BODIES: tuple[Any, ...] = (NoteBody, LessonBody, ProcedureBody, BeliefBody, Screening)
History = Sequence[Decision]


def removed(db: DatabaseSession) -> Iterator[Break]:
    """Items about which the log has decisions, and which are not there any more."""
    gone = ~exists().where(col(Item.id) == col(Decision.item_id))
    query = select(Decision.item_id, func.count()).where(gone).group_by(col(Decision.item_id))
    for item_id, count in db.exec(query.order_by(col(Decision.item_id)).limit(PAGE)).all():
        many = "1 decision" if count == 1 else f"{count} decisions"
        yield Break(None, "item", item_id, f"item {item_id}", f"it was removed; the log has {many} about it")


def states(db: DatabaseSession, rights: Rights | None, masked: list[Masked]) -> Iterator[Break]:
    """Items that their decisions do not lead to, and those in force without what that needed.

    Without ``rights``, which could not be read, the second is not asked.
    """
    ids, last = select(col(Item.id)).order_by(col(Item.id)).limit(PAGE), None
    while page := db.exec(ids if last is None else ids.where(col(Item.id) > last)).all():
        last = page[-1]
        found = readable(partial(_page, db, page, rights))
        if found is None:
            each = [(one, readable(partial(_page, db, [one], rights))) for one in page]
            found = [fits for one, known in each for fits in ([_unread(one)] if known is None else known)]
        masked += (one for one in found if isinstance(one, Masked))
        yield from (one for one in found if isinstance(one, Break))
        db.expunge_all()


def _page(db: DatabaseSession, ids: Sequence[int | None], rights: Rights | None) -> list[Break | Masked]:
    """What is to be said of some items that follow one another."""
    between = (col(Decision.item_id) >= ids[0], col(Decision.item_id) <= ids[-1])
    histories: dict[int, list[Decision]] = defaultdict(list)
    for row in db.exec(select(Decision).where(*between).order_by(col(Decision.item_id), col(Decision.revision))):
        histories[row.item_id].append(row)
    kept = [list(db.exec(select(body).where(body.item_id.between(ids[0], ids[-1])))) for body in BODIES]
    masked: list[Masked] = []
    items = db.exec(select(Item).where(col(Item.id).between(ids[0], ids[-1])).order_by(col(Item.id))).all()
    breaks = [one for item in items for one in _one(db, item, histories[item.id or 0], rights, masked)]
    lessons = [item for item in items if item.kind == Kind.LESSON]
    breaks += [_broken(one, version_in_words(one, one.id), FOUND_OTHERWISE) for one in found_otherwise(db, lessons)]
    del kept
    return [*breaks, *masked]


def _unread(item_id: int | None) -> Break:
    return Break(None, "item", item_id, f"item {item_id}", CANNOT_BE_READ)


def _one(
    db: DatabaseSession, item: Item, history: History, rights: Rights | None, masked: list[Masked]
) -> Iterator[Break]:
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
    elif last.severity is not None:
        yield from _words(db, item, last, masked)
        yield from _facts(db, item, history[0])
    if last.placed is not None and last.placed != placed(item):
        yield _broken(item, about, "its agent, user, task class or session is not that of its last decision")
    if item.status == Status.ACTIVE and rights is not None:
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
    """What an item says, and what lists show of it, must be what was decided about."""
    content, about = content_of(db, item), version_in_words(item, item.id)
    if content.hash == last.content_hash:
        if (item.headline, item.content_hash) != (content.headline, content.hash):
            yield _broken(item, about, "lists show other words of it than those that its last decision was about")
    elif MASK in content.model_dump_json():
        masked.append(Masked(None, f"the words of {about}"))
    else:
        yield _broken(item, about, "its words are not those that its last decision was about")


def _facts(db: DatabaseSession, item: Item, began: Decision) -> Iterator[Break]:
    """Its place in the queue follows from its severity, and its proposer from the decision that made it."""
    about = version_in_words(item, item.id)
    if item.weight != Severity(item.severity).rank:
        yield _broken(item, about, f"it is {item.severity}, and its weight is {item.weight}")
    if began.severity is None or item.proposer == began.by:
        return
    same = (Item.kind == item.kind, Item.number == item.number, Item.version < item.version)
    words = (Item.content_hash == began.hash_before, Item.proposer == item.proposer)
    inherited = began.action == Action.EDIT and began.content_hash == began.hash_before
    if not (inherited and db.exec(select(Item.id).where(*same, *words)).first()):
        yield _broken(item, about, f"its proposer is {item.proposer}; by the log it is {began.by}")


def _about(db: DatabaseSession, row: Decision, why: str) -> Break:
    return Break(None, "decision", row.id, named(db, "decision", row.model_dump()), why)


def _broken(item: Item, about: str, why: str) -> Break:
    return Break(None, "item", item.id, about, why)
