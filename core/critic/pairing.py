"""What can be said of two ways that were tried on the same sessions: counts, a mean difference, and its interval.

Critic. Pure arithmetic: each number is one session's difference, second way less first. The same numbers give the same
answer. Sources: Efron and Tibshirani, An Introduction to the Bootstrap, chapter 13 (percentile interval); Dixon and
Mood, The statistical sign test (1946).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from random import Random
from statistics import fmean

RESAMPLES, SEED = 2_000, 17
"""How often the sessions are drawn anew for an interval, and with which seed."""

COVERED = 0.95
"""The share of resampled means that an interval holds."""

_LIKELY_CHANCE = 0.05
"""From this chance on, as many sessions on one side are nothing that has to be explained."""


@dataclass(frozen=True)
class Paired:
    """The differences of some sessions: on which side more is found, and how much in the mean."""

    sessions: int
    first_more: int
    second_more: int
    equal: int
    mean: float | None
    """None without sessions."""
    low: float | None
    high: float | None
    """The ends of the 95 % bootstrap percentile interval of the mean; None for fewer than two sessions."""
    chance: float
    """The exact two-sided sign test: how likely sides at least as unequal are where each is as likely; ties count not.

    Fewer than six unequal sessions can never be below 0.05.
    """

    @property
    def tells(self) -> int:
        """1 where the second way has more, −1 where the first has, 0 where it cannot be told.

        Interval and sign test must agree: an interval of few sessions is too narrow.
        """
        if self.low is None or self.high is None or self.chance >= _LIKELY_CHANCE or self.low <= 0 <= self.high:
            return 0
        side = 1 if self.low > 0 else -1
        return side if side * (self.second_more - self.first_more) > 0 else 0


def paired(differences: Sequence[float]) -> Paired:
    """What these differences say."""
    first, second = sum(one < 0 for one in differences), sum(one > 0 for one in differences)
    low, high = _interval(differences) if len(differences) > 1 else (None, None)
    return Paired(
        sessions=len(differences),
        first_more=first,
        second_more=second,
        equal=len(differences) - first - second,
        mean=fmean(differences) if differences else None,
        low=low,
        high=high,
        chance=sign_test(first, second),
    )


def sign_test(first: int, second: int) -> float:
    """How likely counts at least as unequal are, of sessions that fall on either side with the same chance."""
    of = first + second
    fewest = min(first, second)
    at_most: int = sum(comb(of, count) for count in range(fewest + 1))
    return min(1.0, 2 * at_most / int(2**of))


def _interval(differences: Sequence[float]) -> tuple[float, float]:
    drawn = Random(SEED)
    means = sorted(fmean(drawn.choices(differences, k=len(differences))) for _ in range(RESAMPLES))
    outside = round(RESAMPLES * (1 - COVERED) / 2)
    return means[outside], means[-1 - outside]
