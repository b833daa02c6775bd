"""What is left of two sayings when everything they share is taken away.

Screening, twins and conflicts.
"""

from dataclasses import dataclass

from core.screening.likeness import edits_apart
from core.screening.meaning import MINOR, Saying
from core.screening.opposites import DEMANDS, opposites_of

_PARTY = frozenset(("customer",))
_FRAME = 3
"""Words in common from which a member is taken to belong to a forbidden class."""


@dataclass(frozen=True)
class Difference:
    """What is left of two sayings when everything they share is taken away."""

    shared: int
    one: frozenset[str]
    other: frozenset[str]
    opposed: tuple[tuple[str, str], ...]

    @property
    def smaller(self) -> float:
        """Share of the smaller saying that the other has too, opposites counted as shared."""
        common = self.shared + len(self.opposed)
        return common / max(1, common + min(len(self.one), len(self.other)))

    @property
    def union(self) -> float:
        """Share of all words that both have, opposites counted as shared."""
        common = self.shared + len(self.opposed)
        return common / max(1, common + len(self.one) + len(self.other))


def difference(one: Saying, other: Saying) -> Difference:
    """The words of each that the other has not, and which of them are opposites; a misspelt word is shared."""
    mine, theirs = set(one.all - other.all), set(other.all - one.all)
    opposed = []
    for word in sorted(mine):
        against = min(opposites_of(word) & theirs, default=None)
        met = against or next((each for each in sorted(theirs) if each[0] == word[0] and _misspelt(word, each)), None)
        if against:
            opposed.append((word, against))
        if met:
            mine.discard(word)
            theirs.discard(met)
    shared = len(one.all) - len(mine) - len(opposed)
    if one.without & other.all or other.without & one.all:
        mine, theirs = mine - DEMANDS, theirs - DEMANDS
    apart = one.positive is not other.positive and shared >= _FRAME
    if apart and (_of_class(one, mine, theirs) or _of_class(other, theirs, mine)):
        mine, theirs = set(), set()
    return Difference(shared, _telling(mine, theirs), _telling(theirs, mine), tuple(opposed))


def _telling(own: set[str], others: set[str]) -> frozenset[str]:
    """The words of a difference that count; who does it counts where the other names somebody else."""
    counts = frozenset(own) - MINOR
    return counts or (frozenset(own) & _PARTY if others - MINOR else counts)


def _of_class(banned: Saying, own: set[str], others: set[str]) -> bool:
    """Whether the only other word may be of the class that is forbidden: “no medicine” beside the name of one."""
    return len(others) == 1 and bool(own) and own <= banned.any


def _misspelt(one: str, other: str) -> bool:
    long_enough = min(len(one), len(other)) >= 4 and max(len(one), len(other)) >= 5
    numbered = any(character.isdigit() for character in one + other)
    return long_enough and not numbered and edits_apart(one, other) <= 1
