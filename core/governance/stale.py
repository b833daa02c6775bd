"""What rests on a source that stands no longer: a walk along the citations, of bounded depth.

Reads only; ``status_writer`` takes out what is found. A cycle ends where it was, since nothing is reached twice.
Source: Reflection: From Experiences to Beliefs, "View invalidation".
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.governance.references import version_reference
from core.governance.sources import citing
from core.store.memory_records import Episode
from core.store.records import Item
from core.vocabulary import Status

RULE = "stale source of a belief"
"""The name of the automatic rule, as it stands in the log."""

REACHED = (Status.ACTIVE, Status.PROPOSED)
"""The statuses in which a belief goes stale with its source; what waits for a look otherwise is looked at anyway."""


@dataclass(frozen=True)
class Resting:
    """A belief that rests on what stands no longer: how many steps from it, and on what directly, in words."""

    item: Item
    steps: int
    because: str


@dataclass(frozen=True)
class Walk:
    """What a walk reached, nearest first, and what lay right beyond its bound and was not looked at further."""

    reached: tuple[Resting, ...] = ()
    beyond: tuple[Resting, ...] = ()

    @property
    def text(self) -> str:
        """A clause for people; empty where nothing rests on the source."""
        said = [", ".join(version_reference(one.item) for one in self.reached) + " went stale"] if self.reached else []
        return "; ".join([*said, *([self.beyond_text] if self.beyond else [])])

    @property
    def beyond_text(self) -> str:
        """What was not marked, in words; empty where the walk came to its end."""
        if not self.beyond:
            return ""
        named = ", ".join(version_reference(one.item) for one in self.beyond)
        return f"{named} rests on it {self.beyond[0].steps} steps away, beyond the walk, and was not marked"


def resting_on(db: DatabaseSession, gone: Mapping[int, str], steps: int) -> Walk:
    """The beliefs in force, or proposed, that rest on these episodes, along so many ``steps``.

    ``gone`` says in words what became of each, such as ``episode 12 was withdrawn: …``.
    """
    reached: list[Resting] = []
    seen: set[int] = set()
    frontier = dict(gone)
    for step in range(1, steps + 2):
        found = _next(db, frontier, seen, step)
        if step > steps:
            return Walk(tuple(reached), tuple(found))
        reached += found
        frontier = _as_episodes(db, found)
        if not frontier:
            break
    return Walk(tuple(reached))


def _next(db: DatabaseSession, frontier: Mapping[int, str], seen: set[int], step: int) -> list[Resting]:
    found: dict[int, Resting] = {}
    for item, episode in citing(db, tuple(frontier)):
        number = item.id or 0
        if number not in seen and item.status in REACHED:
            found.setdefault(number, Resting(item, step, frontier[episode]))
    seen |= found.keys()
    return list(found.values())


def _as_episodes(db: DatabaseSession, found: list[Resting]) -> dict[int, str]:
    """The places of beliefs among the episodes, each with what became of it."""
    return {
        episode: f"{version_reference(one.item)} went stale"
        for one in found
        for episode in places_of(db, one.item.id or 0)
    }


def places_of(db: DatabaseSession, item_id: int) -> list[int]:
    """Where a version of a belief stands among the episodes."""
    return [one or 0 for one in db.exec(select(Episode.id).where(Episode.belief_id == item_id)).all()]
