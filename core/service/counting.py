"""Counting that stays cheap: beyond a thousand it says that there are more, and counts no further."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, func, select
from sqlmodel import Session as DatabaseSession

MOST = 1_000
"""What is counted to."""


@dataclass(frozen=True)
class Count:
    """A number of things; with ``more`` there are more than that."""

    number: int
    more: bool = False

    def __str__(self) -> str:
        return f"{self.number:,}{'+' if self.more else ''}"

    def __bool__(self) -> bool:
        return self.number > 0


NONE = Count(0)


def count(db: DatabaseSession, which: Select[Any], most: int = MOST) -> Count:
    """How many rows a query finds, up to ``most``; the database reads no more of them than that."""
    found = int(db.execute(select(func.count()).select_from(which.limit(most + 1).subquery())).scalar_one())
    return Count(min(found, most), found > most)
