"""How many instructions an agent may have in force, and what leaves so that one more can come into force.

Governance, asked by the desk at the moment of a decision. Too many lessons dilute the prompt; which of them leaves is a
person's choice, never silent. Reflections have a budget of their own and do not count here. Source: Using Feedback and
Reflection in Agent Workflows, "Governing Lesson Memory".
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import Refused
from core.governance.acts import Request
from core.governance.beside import may_come_into_force
from core.governance.numbers import numbers_in_force
from core.governance.references import by_number, item_of, reference
from core.store.asked_once import once
from core.store.records import Item, LessonBody
from core.vocabulary import Form, Kind, Status


@dataclass(frozen=True)
class Room:
    """The other instructions that an agent has in force, oldest number first, and how many it may have."""

    in_force: tuple[Item, ...]
    most: int

    @property
    def full(self) -> bool:
        """Whether one more is too many."""
        return len(self.in_force) >= self.most

    @property
    def told(self) -> str:
        """``50 instructions are in force, 50 at most``."""
        return f"{len(self.in_force)} instructions are in force, {self.most} at most"


def room_for(db: DatabaseSession, item: Item) -> Room | None:
    """What stands in the way of an instruction that may come into force; None for anything else."""
    if item.kind != Kind.LESSON or not may_come_into_force(item):
        return None
    if db.get_one(LessonBody, item.id).form != Form.INSTRUCTION:
        return None
    others = (one for one in in_force_of(db, item.agent_id) if one.number != item.number)
    return Room(tuple(others), numbers_in_force(db).active_lessons)


def in_force_of(db: DatabaseSession, agent_id: int) -> Collection[Item]:
    """An agent's instructions in force, oldest number first."""
    of_agent = (Item.agent_id == agent_id, Item.kind == Kind.LESSON, Item.status == Status.ACTIVE)
    query = select(Item).join(LessonBody, col(LessonBody.item_id) == Item.id).where(*of_agent)
    query = query.where(LessonBody.form == Form.INSTRUCTION).order_by(by_number())
    return once(db, ("instructions in force", agent_id), lambda: db.exec(query).all())


def room_is_made(db: DatabaseSession, item: Item, leaving: Collection[Item], request: Request | None) -> Item | None:
    """Refuse what has no room; returns the instruction that leaves for it, where the request names one.

    ``leaving`` gives way already, as a twin or a contrary. Raises ``Refused`` with the current and the allowed number.
    """
    room, chosen = room_for(db, item), None if request is None else request.makes_room
    if room is None:
        if chosen is not None:
            raise Refused("no_room_needed", f"Nothing has to leave for {reference(item)}; it takes no room.")
        return None
    gone = {one.id for one in leaving}
    stay = [one for one in room.in_force if one.id not in gone]
    if chosen is None:
        _is_free(room, item, len(stay))
        return None
    if len(stay) < room.most:
        raise Refused("no_room_needed", f"{room.told}, so nothing has to leave for {reference(item)}.")
    named = next((one for one in stay if one.id == chosen), None)
    if named is None:
        ref = reference(item_of(db, chosen))
        text = f"{ref} is no instruction in force beside {reference(item)}; one that is can leave for it."
        raise Refused("not_in_force", text)
    _is_free(room, item, len(stay) - 1)
    return named


def _is_free(room: Room, item: Item, stay: int) -> None:
    if stay < room.most:
        return
    too_many = stay - room.most + 1
    first = "one of them must leave for it" if too_many == 1 else f"{too_many} of them must be retired first"
    raise Refused("full", f"{room.told}: for {reference(item)}, {first}.")
