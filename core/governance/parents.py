"""Which versions went into a merged one, and which of them stand aside until it is decided.

Read from the ``parent`` table and the log; nothing is decided here. The rule *the merge was turned down* brings back
what stands aside.
"""

from collections.abc import Sequence

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.store.asked_once import once
from core.store.oversight_records import Parent
from core.store.records import Decision, Item
from core.vocabulary import Action, Status

COMPACTION = "compaction"
"""Who proposes that one reflection stands for several, and the name of the rule by which they give way to it."""

TURNED_DOWN = "the merge was turned down"
"""The name of the rule by which a parent waits again, as it stands in the log."""


def add_parents(db: DatabaseSession, item: Item, parents: Sequence[Item]) -> None:
    """Say of a version which ones went into it."""
    db.add_all(Parent(item_id=item.id or 0, parent_id=one.id or 0) for one in parents)
    db.flush()


def parents_of(db: DatabaseSession, item_id: int) -> Sequence[Item]:
    """The versions that went into one, by kind and number; nothing for one that is no merger."""
    into = select(Item).join(Parent, col(Parent.parent_id) == Item.id).where(Parent.item_id == item_id)
    into = into.order_by(col(Item.kind), col(Item.number), col(Item.version))
    return once(db, ("parents", item_id), lambda: db.exec(into).all())


def merged_into(db: DatabaseSession, item_id: int) -> Sequence[Item]:
    """The versions into which one went, oldest first."""
    out_of = select(Item).join(Parent, col(Parent.item_id) == Item.id).where(Parent.parent_id == item_id)
    return db.exec(out_of.order_by(col(Item.id))).all()


def set_aside(db: DatabaseSession, item: Item) -> list[Item]:
    """The parents that wait for nothing but the fate of this version: merged into it, and into no other since."""
    return [one for one in parents_of(db, item.id or 0) if one.status == Status.MERGED and _for_this(db, one, item)]


def gathered(db: DatabaseSession, item: Item) -> list[Item]:
    """What a compaction brought together in this version and is still in force: it gives way once this is approved."""
    if item.origin != COMPACTION:
        return []
    return [one for one in parents_of(db, item.id or 0) if one.status == Status.ACTIVE and one.number != item.number]


def _for_this(db: DatabaseSession, parent: Item, item: Item) -> bool:
    """Whether a parent was last merged into this version, or into one that this was made from."""
    moves = select(Decision).where(Decision.item_id == parent.id, Decision.action == Action.MERGE)
    last = db.exec(moves.order_by(col(Decision.id).desc()).limit(1)).first()
    cause = db.get(Decision, last.cause) if last is not None and last.cause is not None else None
    if cause is None:
        return False
    first = db.get_one(Item, cause.item_id)
    same = (first.kind, first.number) == (item.kind, item.number)
    return first.id == item.id or (same and first.status == Status.SUPERSEDED)
