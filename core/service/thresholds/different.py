"""What other numbers would have changed: pure and fast, so that moving a slider answers at once. Reads nothing.

The numbers in force and those that are tried are both applied to the same past; what differs is counted, and shown.
"""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache

from core.memory.confidence import Path, fold
from core.memory.procedures import in_order
from core.service.thresholds.gates import Against, against
from core.service.thresholds.happened import Past, PastBriefing, ProcedureNow
from core.service.thresholds.lines import BriefingFlip, Text, flip
from core.service.thresholds.queue_now import flipped
from core.service.thresholds.taking import Read, exact, read, threshold
from core.settings import Settings
from core.vocabulary import Kind


@dataclass(frozen=True)
class ProcedureFlip:
    """An active procedure: its confidence now and with the other numbers, and whether it is read."""

    procedure: ProcedureNow
    now: Decimal
    then: Decimal
    read_now: bool
    read_then: bool
    path: Path
    """Its whole path with the other steps."""


class Different:
    """The numbers in force and others, applied to one past."""

    def __init__(self, past: Past, now: Settings, draft: Settings) -> None:
        self.past, self.now, self.draft = past, now, draft
        self._confidence_now, self.before = _applied(past, now)
        self._confidence_draft, self.after = _applied(past, draft)
        self.differing = [
            place for place, pair in enumerate(zip(self.before, self.after, strict=True)) if pair[0] != pair[1]
        ]

    @cached_property
    def procedures(self) -> tuple[ProcedureFlip, ...]:
        """Every active procedure, the most confident first."""
        now, then = self._read_now(self.now, self._confidence_now), self._read_now(self.draft, self._confidence_draft)
        found = [
            ProcedureFlip(
                procedure=one,
                now=exact(self._confidence_now[one.number][-1]),
                then=exact(self._confidence_draft[one.number][-1]),
                read_now=one.item in now,
                read_then=one.item in then,
                path=self._path(one.path),
            )
            for one in self.past.procedures
        ]
        return tuple(sorted(found, key=lambda one: (-one.now, one.procedure.number)))

    @property
    def procedures_read(self) -> tuple[int, int]:
        """How many active procedures are read, now and with the other numbers."""
        return sum(one.read_now for one in self.procedures), sum(one.read_then for one in self.procedures)

    def _path(self, path: Path) -> Path:
        start, *events = path.steps
        return fold(start.held, start.happened.at, (step.happened for step in events), self.draft)

    def _read_now(self, numbers: Settings, known: dict[int, list[int]]) -> set[int]:
        """The active procedures that are read now, agent by agent."""
        found: set[int] = set()
        for agent in {one.agent for one in self.past.procedures}:
            rows = [one for one in self.past.procedures if one.agent == agent]
            places = in_order([known[one.number][-1] for one in rows], threshold(numbers))
            found |= {rows[place].item for place in places[: numbers.procedures_in_briefing]}
        return found

    @property
    def briefings(self) -> int:
        """How many past briefings were looked at."""
        return len(self.past.briefings)

    @cached_property
    def upcoming(self) -> tuple[BriefingFlip, ...]:
        """The next briefings that would be others."""
        pairs = (
            (one, read(one, self.now, self._confidence_now), read(one, self.draft, self._confidence_draft))
            for one in self.past.upcoming
        )
        return tuple(self.shown(one) for one, before, after in pairs if before != after)

    @cached_property
    def enters_and_leaves(self) -> tuple[tuple[str, str, int, int], ...]:
        """Notes and lessons by reference, with a line of theirs, and how many next briefings they enter and leave."""
        enters, leaves, texts = Counter[str](), Counter[str](), dict[str, str]()
        for one in self.upcoming:
            for line in one.lines:
                if not line.key.startswith("P-"):
                    (enters if line.enters else leaves)[line.key] += 1
                    texts[line.key] = line.text
        return tuple((key, texts[key], enters[key], leaves[key]) for key in sorted(texts))

    def mean_notes(self) -> tuple[Decimal, Decimal] | None:
        """How many notes a briefing for a user had on average, now and with the other numbers."""
        places = [place for place, one in enumerate(self.past.briefings) if one.user is not None]
        if not places:
            return None
        means = (sum(len(reads[place].notes) for place in places) for reads in (self.before, self.after))
        now, then = ((Decimal(total) / len(places)).quantize(Decimal("0.1")) for total in means)
        return now, then

    def flips(self, most: int) -> tuple[BriefingFlip, ...]:
        """The newest briefings that differ, with their lines."""
        return tuple(self.shown(self.past.briefings[place]) for place in self.differing[:most])

    def alike(self, most: int) -> tuple[tuple[BriefingFlip, tuple[PastBriefing, ...]], ...]:
        """The newest briefings that differ, each with the others in which the same items enter and leave."""
        groups: dict[tuple[frozenset[int], frozenset[int]], list[int]] = {}
        for place in self.differing:
            before, after = self.before[place].items, self.after[place].items
            groups.setdefault((frozenset(before - after), frozenset(after - before)), []).append(place)
        briefings = self.past.briefings
        return tuple(
            (self.shown(briefings[first]), tuple(briefings[place] for place in others))
            for first, *others in list(groups.values())[:most]
        )

    def shown(self, one: PastBriefing) -> BriefingFlip:
        """What differs in one briefing, line by line."""
        before = Text(one, self.now, self._confidence_now)
        return flip(one, before, Text(one, self.draft, self._confidence_draft))

    def queue(self) -> int:
        """How many items of the queue would stand elsewhere in it, or be overdue otherwise."""
        return flipped(self.past.queue, self.past.at, self.now, self.draft)

    def against(self, numbers: Settings, kind: Kind) -> Against:
        """The gate of a kind, by the numbers in force or those that are tried, beside what people decided."""
        known = self._confidence_now if numbers is self.now else self._confidence_draft
        return against(self.past.judged, kind, numbers, known)


def different(past: Past, now: Settings, draft: Settings) -> Different:
    """What would have been different."""
    return Different(past, now, draft)


@lru_cache(maxsize=8)
def _applied(past: Past, numbers: Settings) -> tuple[dict[int, list[int]], list[Read]]:
    """Confidences and what each briefing takes by some numbers; those in force are asked for again and again."""
    known = past.confidences(numbers)
    return known, [read(one, numbers, known) for one in past.briefings]
