"""Who may do anything about an item that waits: the lifecycle table asked for one person, and whom they must not be."""

from sqlmodel import Session as DatabaseSession

from core.errors import Refused
from core.governance import lifecycle
from core.governance.approvers import gravest, must_be_apart
from core.governance.people import Person
from core.store.records import Item
from core.vocabulary import Action, Kind, Status

WAITS_FOR: dict[str, Action] = {
    Status.PROPOSED: Action.APPROVE,
    Status.HELD: Action.RELEASE,
    Status.APPEALED: Action.GRANT,
    Status.OPEN: Action.RESOLVE,
    Status.SUSPENDED: Action.REINSTATE,
}
"""The statuses in which an item can wait for somebody, and the act that it waits for."""


def may_decide(db: DatabaseSession, item: Item, person: Person) -> bool:
    """Whether a person may do anything about an item as it stands but appeal."""
    acts = (act for act in lifecycle.possible(Kind(item.kind), item.status) if act is not Action.APPEAL)
    moves = (lifecycle.move(Kind(item.kind), item.status, act) for act in acts)
    return any(isinstance(move, lifecycle.Move) and open_to(db, item, move, person) for move in moves)


def may_settle(db: DatabaseSession, item: Item, person: Person) -> bool:
    """Whether a person may do what an item waits for, so that it can be theirs to decide."""
    act = WAITS_FOR.get(item.status)
    move = lifecycle.move(Kind(item.kind), item.status, act) if act else None
    return isinstance(move, lifecycle.Move) and open_to(db, item, move, person)


def open_to(db: DatabaseSession, item: Item, move: lifecycle.Move, person: Person) -> bool:
    """Whether a person may make this move: they have a duty for it, and need not be apart from the item."""
    if not move.duties(gravest(db, item)) & person.duties:
        return False
    try:
        must_be_apart(db, item, move, person)
    except Refused:
        return False
    return True
