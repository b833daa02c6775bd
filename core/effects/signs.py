"""Signs that decisions may have been pressed through rather than made: counts over what the log keeps of each.

Pure numbers, each with how many decisions it rests on. A sign is a reason to talk, never an accusation: some items are
plain, and some people read a transcript elsewhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from statistics import median

FEWEST_FOR_A_MEDIAN = 3
"""People whose median says nothing of any one of them."""


@dataclass(frozen=True)
class Looked:
    """One decision of one person. ``kept`` says on which side it fell; ``quotes`` is how many the item has.

    ``looked_ms`` and ``opened`` are None where nothing was on a screen; ``every_session`` says whether a quote of each
    of the item's sessions had been looked at; ``reversed`` whether what was kept was later taken back, suspended or
    retired by somebody.
    """

    by: str
    kept: bool
    quotes: int
    looked_ms: int | None
    opened: int | None
    every_session: bool
    reversed: bool = False
    in_bulk: bool = False


@dataclass(frozen=True)
class Share:
    """``count`` of ``of``; ``value`` is None of nothing."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """From 0 to 1."""
        return self.count / self.of if self.of else None

    @property
    def text(self) -> str:
        """``31 % of 42``, or what it says where nothing was counted."""
        return "none yet" if not self.of else f"{100 * self.count / self.of:.0f} % of {self.of:,}"


@dataclass(frozen=True)
class Signs:
    """What the decisions of one person look like. ``others`` is the share that the others kept."""

    person: str
    decisions: int
    in_bulk: int
    quick: Share
    unopened: Share
    partly_opened: Share
    run: int
    kept: Share
    others: Share
    reversed: Share


def signs(decisions: Sequence[Looked], quick_seconds: Decimal) -> tuple[Signs, ...]:
    """The signs of everybody who decided, by name; ``decisions`` are in the order in which they were made.

    What was decided in bulk is counted apart, and is in no sign but the share that was kept and reversed.
    """
    people = sorted({one.by for one in decisions})
    return tuple(_signs(name, decisions, quick_seconds) for name in people)


def middle(values: Sequence[float | None]) -> float | None:
    """The median of what is known; None where it would say too much of any one person."""
    known = [value for value in values if value is not None]
    return median(known) if len(known) >= FEWEST_FOR_A_MEDIAN else None


def _signs(name: str, decisions: Sequence[Looked], quick_seconds: Decimal) -> Signs:
    mine = [one for one in decisions if one.by == name]
    others = [one for one in decisions if one.by != name]
    single = [one for one in mine if not one.in_bulk]
    quoted = [one for one in single if one.quotes]
    timed = [one for one in quoted if one.looked_ms is not None]
    shown = [one for one in quoted if one.opened is not None]
    kept = [one for one in mine if one.kept]
    return Signs(
        person=name,
        decisions=len(mine),
        in_bulk=len(mine) - len(single),
        quick=Share(sum((one.looked_ms or 0) < quick_seconds * 1_000 for one in timed), len(timed)),
        unopened=Share(sum(not one.opened for one in shown), len(shown)),
        partly_opened=Share(sum(bool(one.opened) and not one.every_session for one in shown), len(shown)),
        run=max((len(list(same)) for _, same in groupby(single, key=lambda one: one.kept)), default=0),
        kept=Share(len(kept), len(mine)),
        others=Share(sum(one.kept for one in others), len(others)),
        reversed=Share(sum(one.reversed for one in kept), len(kept)),
    )
