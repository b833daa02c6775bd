"""What a memory rule answers: what an agent reads, in order, and what it does not read, with the reason."""

from dataclasses import dataclass
from typing import Generic, TypeVar

Candidate = TypeVar("Candidate")


@dataclass(frozen=True)
class Taken(Generic[Candidate]):
    """An item that is read, and why."""

    item: Candidate
    why: str


@dataclass(frozen=True)
class Left(Generic[Candidate]):
    """An item that is not read, and why."""

    item: Candidate
    why: str


@dataclass(frozen=True)
class Choice(Generic[Candidate]):
    """The answer of a rule over its candidates; every candidate is in exactly one of the two."""

    taken: tuple[Taken[Candidate], ...]
    left: tuple[Left[Candidate], ...]
