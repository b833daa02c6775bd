"""One line of Home, and what all lines are asked with."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from sqlalchemy import text
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.effects.paths import paths
from core.governance.people import Person
from core.memory.confidence import Path
from core.service.counting import Count, count
from core.settings import Settings
from core.store.critic_records import UNDER_WAY, CriticRun
from core.store.records import Item
from core.vocabulary import Duty, Kind, Status

NEWEST = 1_000
"""The newest rows of a table that a line of Home looks at, where no index finds just those that it means."""

ACTIVE = f"status = '{Status.ACTIVE}'"
"""In the very words of the index of what is in force."""

PROCEDURES = 50
"""Procedures in force whose confidence is followed."""


@dataclass(frozen=True)
class Fact:
    """A number, what it counts, more about it, and where that is found: a page and what its address asks for."""

    number: Count
    fact: str
    detail: str
    page: str
    name: str
    query: tuple[tuple[str, str], ...] = ()


@dataclass
class Asked:
    """For whom, since when and at which moment, under which numbers, in one transaction."""

    db: DatabaseSession
    person: Person
    since: datetime
    at: datetime
    numbers: Settings

    def has(self, *duties: Duty) -> bool:
        """Whether the person has one of these duties."""
        return bool(self.person.duties & set(duties))

    @cached_property
    def under_way(self) -> Count:
        """Debriefs by the critic that are queued or running."""
        return count(self.db, select(CriticRun.id).where(text(UNDER_WAY)))

    @cached_property
    def procedures(self) -> dict[int, Item]:
        """The newest procedures in force, by number."""
        active = select(Item).where(Item.kind == Kind.PROCEDURE, text(ACTIVE))
        rows = self.db.exec(active.order_by(col(Item.number).desc()).limit(PROCEDURES)).all()
        return {row.number: row for row in rows}

    @cached_property
    def paths(self) -> dict[int, Path]:
        """Their confidence paths as they are now."""
        return paths(self.db, list(self.procedures), self.numbers) if self.procedures else {}


def some(number: int, one: str, many: str) -> str:
    """``one`` for 1, else ``many``: the words after a number."""
    return one if number == 1 else many


def short(text: str, most: int = 80) -> str:
    """The beginning of a text, for a line of detail."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
