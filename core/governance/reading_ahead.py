"""Reads at once what will be asked of many items one by one: their words, quotes, remarks, decisions and leases.

For previews and exports. The questions stay where they are; in the same transaction each finds its answer kept.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import NotFound
from core.store.asked_once import held, told_for_each
from core.store.governance_records import Lease
from core.store.memory_records import BeliefBody, Citation
from core.store.oversight_records import Parent
from core.store.records import (
    Agent,
    Decision,
    Evidence,
    Item,
    LessonBody,
    NoteBody,
    ProcedureBody,
    Screening,
)


def read_ahead(db: DatabaseSession, item_ids: Sequence[int]) -> list[Item]:
    """The items of these ids, in this order, and what is stored about each. The same few statements for any number.

    Raises ``NotFound`` for an id that there is none of.
    """
    by_id = {item.id or 0: item for item in db.exec(select(Item).where(col(Item.id).in_(item_ids))).all()}
    for one in item_ids:
        if one not in by_id:
            raise NotFound("item", one)
    held(db, by_id.values())
    held(db, db.exec(select(Agent).where(col(Agent.id).in_({item.agent_id for item in by_id.values()}))).all())
    for table in (LessonBody, NoteBody, ProcedureBody, BeliefBody, Screening):
        held(db, db.exec(select(table).where(col(table.item_id).in_(item_ids))).all())
    cites = db.exec(
        select(Citation).where(col(Citation.item_id).in_(item_ids)).order_by(col(Citation.episode_id))
    ).all()
    told_for_each(db, "cites", {one: [row.episode_id for row in of] for one, of in of_each(item_ids, cites).items()})
    for question, about in (("quotes", Evidence), ("decisions", Decision)):
        rows = db.exec(select(about).where(col(about.item_id).in_(item_ids)).order_by(col(about.id))).all()
        told_for_each(db, question, of_each(item_ids, rows))
    told_for_each(db, "lease", of_each(item_ids, db.exec(select(Lease).where(col(Lease.item_id).in_(item_ids))).all()))
    _versions_ahead(db, by_id.values())
    return [by_id[one] for one in item_ids]


def _versions_ahead(db: DatabaseSession, items: Iterable[Item]) -> None:
    """The earlier versions of each, and what was merged into any of them."""
    numbers = {item.number for item in items}
    rows = db.exec(select(Item).where(col(Item.number).in_(numbers)).order_by(col(Item.version))).all()
    same: dict[tuple[str, int], list[Item]] = defaultdict(list)
    for row in rows:
        same[row.kind, row.number].append(row)
    up_to = {
        item.id or 0: [one for one in same[item.kind, item.number] if one.version <= item.version] for item in items
    }
    into = select(Parent.item_id, Item).join(Item, col(Item.id) == Parent.parent_id)
    ids = [one.id for some in up_to.values() for one in some]
    merged: dict[int, list[Item]] = defaultdict(list)
    for child, parent in db.exec(into.where(col(Parent.item_id).in_(ids))).all():
        merged[child].append(parent)
    told_for_each(db, "versions up to it", up_to)
    of_all = {
        item.id or 0: [
            parent
            for one in up_to[item.id or 0]
            for parent in merged.get(one.id or 0, ())
            if parent.number != item.number
        ]
        for item in items
    }
    told_for_each(db, "merged into it", of_all)


def of_each(item_ids: Iterable[int], rows: Iterable[Any]) -> dict[int, list[Any]]:
    """The rows by the item that they are about; an empty list for an item that none is about."""
    found: dict[int, list[Any]] = defaultdict(list, {one: [] for one in item_ids})
    for row in rows:
        found[row.item_id].append(row)
    return dict(found)
