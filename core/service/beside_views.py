"""What stands beside an item on its card: twins and contraries in force as of now, twins that wait, merged parents."""

from collections.abc import Sequence

from sqlmodel import Session as DatabaseSession

from core.governance.beside import UNDECIDED, InForce, names_an_item
from core.governance.for_whom import item_for
from core.governance.parents import merged_into, parents_of
from core.governance.queueing import scope_of
from core.governance.references import version_named, version_reference
from core.screening.contract import Screen, ScreenFinding
from core.service.views import Kin, Neighbour
from core.store.records import Item
from core.vocabulary import Kind, Scope, Status

STILL_WAITS = (Status.PROPOSED, Status.HELD)


def neighbours(db: DatabaseSession, item: Item, beside: Sequence[InForce]) -> tuple[Neighbour, ...]:
    """Twins and contraries in force as a card shows them."""
    return tuple(_neighbour(db, item, one.item, one.finding) for one in beside)


def still_true(
    db: DatabaseSession, item: Item, remarks: Sequence[ScreenFinding]
) -> tuple[tuple[ScreenFinding, ...], tuple[Neighbour, ...]]:
    """Those remarks on an undecided item that still hold, and what says nearly the same and waits, too.

    What was remarked about others when it came holds while they wait; what is in force is asked anew.
    """
    if item.status not in UNDECIDED:
        return tuple(remarks), ()
    others = [(one, version_named(db, one.beside.reference)) for one in remarks if one.beside and names_an_item(one)]
    waiting = [(one, other) for one, other in others if other is not None and other.status in STILL_WAITS]
    holds = [one for one, _ in waiting]
    kept = tuple(one for one in remarks if not names_an_item(one) or one in holds)
    return kept, tuple(_neighbour(db, item, other, one) for one, other in waiting)


def kin(db: DatabaseSession, item: Item) -> tuple[tuple[Kin, ...], tuple[Kin, ...]]:
    """What was merged into an item, and what it was merged into."""
    parents = parents_of(db, item.id or 0)
    into = merged_into(db, item.id or 0) if item.status in (Status.MERGED, Status.SUPERSEDED) else ()
    return tuple(map(_kin, parents)), tuple(map(_kin, into))


def _neighbour(db: DatabaseSession, item: Item, other: Item, finding: ScreenFinding) -> Neighbour:
    for_the_same = other.task_class == item.task_class or scope_of(db, other) is Scope.AGENT
    for_the_same &= item_for(other, scope_of(db, other)) == item_for(item, scope_of(db, item))
    return Neighbour(
        id=other.id or 0,
        ref=version_reference(other),
        revision=other.revision,
        kind=Kind(other.kind),
        status=other.status,
        contrary=finding.kind is Screen.CONFLICT,
        for_the_same=for_the_same,
        finding=finding,
        text=other.headline,
        owner=other.owner,
        since=other.active_at,
    )


def _kin(item: Item) -> Kin:
    return Kin(item.id or 0, version_reference(item), item.status)
