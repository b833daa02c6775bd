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
    """An item that is not read, and why. ``near`` says that it just missed: with a little more room it would be."""

    item: Candidate
    why: str
    near: bool = False


@dataclass(frozen=True)
class Choice(Generic[Candidate]):
    """The answer of a rule over its candidates; every candidate is in exactly one of the two."""

    taken: tuple[Taken[Candidate], ...] = ()
    left: tuple[Left[Candidate], ...] = ()

    def without_last(self, why: str) -> "Choice[Candidate]":
        """The same with the last one left out for a reason, having just missed."""
        last = self.taken[-1]
        return Choice(self.taken[:-1], (Left(last.item, why, near=True), *self.left))
