"""How alike two texts are by their characters.

Screening, twins. Source: Using Feedback and Reflection in Agent Workflows, "Deduplication"; Reflexion buffer,
"Near-duplicates".
"""

import unicodedata
from dataclasses import dataclass

from core.screening.plain import plain
from core.settings import DEFAULTS, Settings

_ENDS = ".!?…,;: \t\n"


@dataclass(frozen=True)
class Alike:
    """From where two texts are alike: hundredths of the shorter one that a common run covers, and a cosine.

    Source: Reflexion buffer, "Near-duplicates".
    """

    share: int
    cosine: float

    @classmethod
    def by(cls, numbers: Settings) -> "Alike":
        """As the numbers of the rules have it."""
        return cls(int(numbers.twin_share * 100), float(numbers.twin_cosine))

    def needed(self, length: int) -> int:
        """Characters that a common run must have, of a shorter text with so many; rounded up."""
        return -(-length * self.share // 100)


USUAL = Alike.by(DEFAULTS)
"""The default numbers; rules that guard against a trick keep to them, whatever is in force."""


def folded(text: str) -> str:
    """The text as twins are compared: as it is seen, lower case, single spaces, no spaces or full stop at the ends."""
    return " ".join(unicodedata.normalize("NFC", plain(text).text).casefold().split()).rstrip(_ENDS)


def common_run(one: str, other: str) -> int:
    """Length in characters of the longest run that both texts share. Quadratic; for one pair of lessons."""
    short, long = sorted((one, other), key=len)
    best = 0
    for start in range(len(short)):
        while start + best < len(short) and short[start : start + best + 1] in long:
            best += 1
        if len(short) - start <= best:
            break
    return best


def edits_apart(one: str, other: str) -> int:
    """0 where two words are equal, 1 where one letter is changed, missing, added or swapped with its neighbour, else
    2.
    """
    if one == other:
        return 0
    if abs(len(one) - len(other)) > 1:
        return 2
    start = next(
        (place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )
    short, long = sorted((one[start:], other[start:]), key=len)
    if len(short) < len(long):
        return 1 if long[1:] == short else 2
    swapped = short[:2] == long[1::-1] and short[2:] == long[2:]
    return 1 if short[1:] == long[1:] or swapped else 2
