"""Runs of words that two lists have in common, in the same order in both.

Evidence, for a likeness. The longest run is taken first, then the longest on either side of it, and so on, as difflib
does it; but each word becomes one character, so that looking for a run is a search in a short string.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

_UNSHARED = "\0"


class Run(NamedTuple):
    """``ours[start : start + size] == theirs[at : at + size]``."""

    start: int
    at: int
    size: int


def common_runs(ours: Sequence[str], theirs: Sequence[str]) -> list[Run]:
    """The runs in order; neighbours may touch."""
    signs = dict(zip(dict.fromkeys(ours), map(chr, count(1)), strict=False))
    one = "".join([signs[word] for word in ours])
    other = "".join([signs.get(word, _UNSHARED) for word in theirs])
    found: list[Run] = []
    unsearched = [_Field(0, len(one), 0, len(other), len(one))]
    while unsearched:
        field = unsearched.pop()
        run = field.longest(one, other)
        if run.size:
            found.append(run)
            unsearched += field.beside(run)
    return sorted(found)


class _Field(NamedTuple):
    """``ours[first:last]`` and ``theirs[low:high]``, known to share no run of more than ``most`` words."""

    first: int
    last: int
    low: int
    high: int
    most: int

    def longest(self, ours: str, theirs: str) -> Run:
        """The longest run within both; of several the first.

        A run that goes on where it was found need not be looked for again.
        """
        size, end, at = 0, self.first, self.low
        for reached in range(self.first + 1, self.last + 1):
            if size and end == reached - 1 and at + size < self.high and theirs[at + size] == ours[end]:
                size, end = size + 1, reached
            elif (place := theirs.find(ours[reached - size - 1 : reached], self.low, self.high)) >= 0:
                size, end, at = size + 1, reached, place
            if size == self.most:
                break
        return Run(end - size, at, size)

    def beside(self, run: Run) -> Iterator["_Field"]:
        """What is left to search: before the run, where all others are shorter, and after it."""
        if run.size > 1 and self.first < run.start and self.low < run.at:
            yield _Field(self.first, run.start, self.low, run.at, run.size - 1)
        if run.start + run.size < self.last and run.at + run.size < self.high:
            yield _Field(run.start + run.size, self.last, run.at + run.size, self.high, run.size)
