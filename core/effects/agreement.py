"""How far people agree, and how far with the critic: chance-corrected agreement from ratings, with its interval.

Pure numbers: ratings in, an ``Agreement`` out. Cohen's κ for two raters (Cohen, A coefficient of agreement for nominal
scales, 1960), Fleiss' κ for any two or more ratings an item (Fleiss, Measuring nominal scale agreement among many
raters, 1971), and a percentile interval from a bootstrap over items (Efron, 1979), seeded, so that the same ratings
give the same interval. Too few items say nothing, and where everybody says the same κ is not defined.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

FEWEST = 10
"""Items under which κ says too little to be shown."""

RESAMPLES = 2_000
LEVEL = 0.95
SEED = 1960
MOSTLY = 0.5
"""The share of resamples in which κ must be defined for an interval."""

Table: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"


@dataclass(frozen=True)
class Agreement:
    """How far ratings of ``items`` agree.

    ``same`` is the share of pairs of ratings that are the same, 0 to 1. ``kappa`` is None where ``why`` says so;
    ``low`` and ``high`` bound its interval at 95 %, None where none can be given.
    """

    items: int
    same: float | None = None
    kappa: float | None = None
    low: float | None = None
    high: float | None = None
    why: str = ""

    @property
    def text(self) -> str:
        """One clause for people: ``κ 0.62 (0.41 to 0.80), 84 % the same, 31 items``."""
        items = "1 item" if self.items == 1 else f"{self.items:,} items"
        same = None if self.same is None else f"{self.same:.0%} the same".replace("%", " %")
        kappa = None if self.kappa is None else f"κ {self.value}{self.interval}"
        return ", ".join(part for part in (kappa, self.why, same, items) if part)

    @property
    def interval(self) -> str:
        """`` (0.41 to 0.80)``, or nothing where there is none."""
        return "" if self.low is None or self.high is None else f" ({signed(self.low)} to {signed(self.high)})"

    @property
    def value(self) -> str:
        """``0.62``, or nothing where there is none."""
        return "" if self.kappa is None else signed(self.kappa)


def signed(number: float) -> str:
    """Two places, with a true minus sign: ``−0.11``."""
    return f"{number:.2f}".replace("-", "−")


def between_two(pairs: Sequence[tuple[str, str]]) -> Agreement:
    """Cohen's κ of what two raters said of the same items, in pairs; the first of each pair is the same rater's."""
    known = sorted({word for pair in pairs for word in pair})
    place = {word: at for at, word in enumerate(known)}
    cells = Counter((place[one], place[other]) for one, other in pairs)
    patterns = [cell for cell, _ in cells.most_common()]
    table = np.zeros((len(patterns), len(known), len(known)))
    for at, (one, other) in enumerate(patterns):
        table[at, one, other] = 1
    counts = np.array([cells[cell] for cell in patterns], dtype=np.float64)
    return _measured(counts, lambda weights: _cohen(np.tensordot(weights, table, axes=1)))


def among_many(rated: Sequence[Mapping[str, int]]) -> Agreement:
    """Fleiss' κ of any number of raters, who need not be the same for every item.

    For each item how many said what. An item with fewer than two ratings tells nothing and is left out; the numbers of
    ratings may differ, and each item counts alike.
    """
    known = sorted({word for item in rated for word in item})
    rows = Counter(tuple(item.get(word, 0) for word in known) for item in rated if sum(item.values()) > 1)
    patterns = sorted(rows)
    table = np.array(patterns, dtype=np.float64).reshape(len(patterns), len(known))
    counts = np.array([rows[row] for row in patterns], dtype=np.float64)
    return _measured(counts, lambda weights: _fleiss(weights, table))


def _measured(counts: Table, said: Callable[[Table], tuple[Table, Table]]) -> Agreement:
    """``counts`` are items by what was said of them; ``said`` gives agreement and κ for each row of such counts."""
    items = int(counts.sum())
    if not items:
        return Agreement(0, why=f"too few to say, {FEWEST} items are needed")
    same, kappa = (float(one[0]) for one in said(counts[np.newaxis]))
    if np.isnan(kappa):
        return Agreement(items, same, why="not defined: everybody said the same of every item")
    if items < FEWEST:
        return Agreement(items, same, why=f"too few to say, {FEWEST} items are needed")
    chance = np.random.default_rng(SEED)
    # Drawing items with replacement is drawing how often each pattern of ratings comes up.
    drawn = chance.multinomial(items, counts / items, size=RESAMPLES).astype(np.float64)
    kappas = said(drawn)[1]
    defined = kappas[~np.isnan(kappas)]
    if len(defined) < MOSTLY * RESAMPLES:
        return Agreement(items, same, kappa)
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Agreement(items, same, kappa, float(low), float(high))


def _cohen(table: Table) -> tuple[Table, Table]:
    """Agreement and κ of tables of what the one rater said by what the other said, one table a row."""
    shares = table / table.sum(axis=(1, 2), keepdims=True)
    same = np.trace(shares, axis1=1, axis2=2)
    by_chance = (shares.sum(axis=1) * shares.sum(axis=2)).sum(axis=1)
    return same, _beyond(same, by_chance)


def _fleiss(weights: Table, table: Table) -> tuple[Table, Table]:
    """The same for how many said what of an item, where ``weights`` are how many items have each of these rows."""
    raters = table.sum(axis=1)
    agreed = ((table**2).sum(axis=1) - raters) / (raters * (raters - 1))
    same = weights @ agreed / weights.sum(axis=1)
    said = weights @ table
    shares = said / said.sum(axis=1, keepdims=True)
    return same, _beyond(same, (shares**2).sum(axis=1))


def _beyond(same: Table, by_chance: Table) -> Table:
    """Agreement beyond chance as a share of what is possible beyond it; not a number where nothing is."""
    possible = 1 - by_chance
    kappa: Table = np.full(same.shape, np.nan)
    np.divide(same - by_chance, possible, out=kappa, where=possible > 1e-12)
    return kappa
