"""What leaves when an item comes into force, and by which act: other versions, what gives way to it, what makes room.

Governance. The desk writes each with its own decision, caused by the one that brought the item into force, so that an
undo of that one brings all of them back.
"""

from collections.abc import Iterator, Sequence

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance import approval
from core.governance.acts import Act, Request
from core.governance.leaving import could_leave
from core.governance.parents import COMPACTION, gathered
from core.governance.references import reference
from core.governance.room import in_force_of, room_is_made
from core.store.records import Item
from core.vocabulary import Action, Status


def steps_aside(db: DatabaseSession, item: Item, request: Request, act: Act) -> Iterator[tuple[Item, Act]]:
    """What leaves for an item that comes into force by ``act``. Raises ``Refused`` as the desk did when it asked."""
    superseded = (Action.SUPERSEDE, Status.SUPERSEDED, act.by, act.at)
    for other in versions_beside(db, item):
        yield other, Act(*superseded, rule="one active version")
    gives_way = approval.giving_way_now(db, item, request)
    for other in gives_way:
        yield other, Act(*superseded, rule=f"gave way to {reference(item)}")
    gone = {other.id for other in (*versions_beside(db, item), *gives_way)}
    for other in gathered(db, item):
        if other.id not in gone:
            stands = f"{reference(item)} stands for it"
            yield other, Act(Action.MERGE, Status.MERGED, act.by, act.at, rule=COMPACTION, text=stands)
    leaves = room_is_made(db, item, gives_way, request)
    if leaves is not None:
        ranked = could_leave(db, item.agent_id, in_force_of(db, item.agent_id))
        why = next(one.told for one in ranked if one.item.id == leaves.id)
        rule = f"made room for {reference(item)}"
        yield leaves, Act(Action.RETIRE, Status.RETIRED, act.by, act.at, rule=rule, text=why)


def versions_beside(
    db: DatabaseSession, item: Item, statuses: Sequence[Status] = (Status.ACTIVE, Status.SUSPENDED)
) -> Sequence[Item]:
    """The other versions of an item that are in force, or were until they were suspended."""
    same = (Item.kind == item.kind, Item.number == item.number, Item.id != item.id)
    return db.exec(select(Item).where(*same, col(Item.status).in_(statuses)).order_by(col(Item.id))).all()
