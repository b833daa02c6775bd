"""Numbers that name a thing and measure nothing: “form 12”, “rule number 1”, “terminal 3”.

Screening, twins and conflicts. Two such names are two things, so another number there is no other limit.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.screening.stems import stem, stems_of
from core.screening.word_lists import word_list

NOUNS = "|".join(sorted(word_list("numbered_things")))
_NAMED = re.compile(
    rf"\b({NOUNS}) (\d+(?:\.\d+)*[a-z]?)\b(?![%-]| ?%| percent| per cent| atleast| atmost| (?:or|and) (?:\w+er|above"
    r"|below|over|under|up)\b)(?: ([a-z]+))?",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\b(?:atmost|atleast)\s+(?:the\s+)?$")
_ASKS = re.compile(r"(?:^|[,:;]|\b(?:to|and|or|then|please|always|never|not))\s*$", re.IGNORECASE)
"""In front of a verb; “plan 3 visits” counts visits."""
_UNITS = stems_of("unit_words") - {"page", "step", "option"}


class NumberedThing(NamedTuple):
    """The stem of the noun with its number, and where the number stands."""

    name: str
    place: int


def numbered_things(sentence: str) -> Iterator[NumberedThing]:
    """Every number that is the name of a thing; ``sentence`` has its fixed expressions in one form."""
    for match in _NAMED.finditer(sentence):
        before, follows = sentence[: match.start()], (match[3] or "").lower()
        counts = stem(follows) in _UNITS or (_plural(follows) and _ASKS.search(before))
        if not counts and not _BOUND.search(before):
            yield NumberedThing(f"{stem(match[1].lower())} {match[2].lower()}", match.start(2))


def _plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith("ss")
