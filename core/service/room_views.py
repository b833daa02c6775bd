"""What could leave so that there is room for one more instruction: on the card, and for all agents on demand."""

from dataclasses import dataclass

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.briefing.read import agent_named
from core.governance.leaving import Leaving, could_leave
from core.governance.numbers import numbers_in_force
from core.governance.references import reference
from core.governance.room import in_force_of, room_for
from core.service.views import CouldLeave, NoRoom
from core.store.database import Database
from core.store.records import Agent, Item


def no_room(db: DatabaseSession, item: Item) -> NoRoom | None:
    """What could leave for an item, where its agent has as many instructions in force as it may."""
    room = room_for(db, item)
    if room is None or not room.full:
        return None
    ranked = could_leave(db, item.agent_id, room.in_force)
    return NoRoom(len(room.in_force), room.most, tuple(map(_could_leave, ranked)))


@dataclass(frozen=True)
class OverCap:
    """An agent, how many instructions it has in force and may have, and which of them could leave, ranked."""

    agent: str
    active: int
    most: int
    leaving: tuple[CouldLeave, ...]

    @property
    def too_many(self) -> int:
        """How many must leave before one more can come into force; 0 where there is room."""
        return max(0, self.active - self.most + 1)


def over_cap(database: Database, agent: str | None = None) -> tuple[OverCap, ...]:
    """The agents that have no room for one more instruction, and what each could do without; or this agent anyway.

    Raises ``NotFound`` for an agent that there is none of.
    """
    with database.reading() as db:
        most = numbers_in_force(db).active_lessons
        agents = db.exec(select(Agent).order_by(Agent.name)).all() if agent is None else [agent_named(db, agent)]
        found = []
        for one in agents:
            in_force = in_force_of(db, one.id or 0)
            if agent is not None or len(in_force) >= most:
                leaving = tuple(map(_could_leave, could_leave(db, one.id or 0, in_force)))
                found.append(OverCap(one.name, len(in_force), most, leaving))
        return tuple(found)


def _could_leave(one: Leaving) -> CouldLeave:
    item = one.item
    return CouldLeave(item.id or 0, reference(item), item.headline, one.told, item.owner, one.since)
