"""The numbers of a sentence with what they count, so that two lessons can be compared by them.

Screening, twins and conflicts.
"""

import re
from dataclasses import dataclass, field

from core.screening.numbered_things import numbered_things
from core.screening.stems import stem, words
from core.screening.word_lists import word_list

_UNITS = re.compile(r"(%|percent|per cent)|([₹$€£])")
_NUMBER = re.compile(
    r"[₹$€£]?\s?(?:rs\.? ?)?(\d+(?:[.,:]\d+)*)\s?(%|-)?\s?"
    r"(?:(?:working|business|calendar|full|consecutive) )?([a-z]+)?",
    re.IGNORECASE,
)
_UNIT_WORDS = word_list("unit_words")
_LIMITS = word_list("limit_words")
UNIT_STEMS = frozenset(
    stem(word)
    for word in _UNIT_WORDS
    - {"item", "option", "step", "page", "point", "word", "letter", "token", "retry", "sentence"}
)
"""Stems of the words that make a number a measure; the others are things that are counted."""
_MINUTES = {stem(unit): minutes for unit, minutes in (("minute", 1), ("hour", 60), ("day", 1440), ("week", 10080))}


@dataclass(frozen=True)
class Amount:
    """A number as a lesson gives it: its value as text, the stem of its unit or of the word it counts, and its own
    words.
    """

    value: str
    unit: str
    said: str = field(default="", compare=False)


def amounts_of(sentence: str) -> tuple[frozenset[Amount], bool]:
    """The numbers of a sentence with their units, and whether one of its words makes them limits; a number that names
    a thing is none of them.
    """
    found, names = set(), {thing.place for thing in numbered_things(sentence)}
    for match in _NUMBER.finditer(sentence):
        if match.start(1) in names:
            continue
        unit = "%" if match[2] == "%" or (match[3] or "").lower() == "percent" else stem((match[3] or "").lower())
        unit = "" if (match[3] or "").lower() in word_list("function_words") else unit
        value, unit = _in_minutes(match[1].replace(",", ""), unit)
        money = bool(_UNITS.search(match[0])) and not match[2]
        unit = "clock" if ":" in match[1] else unit
        found.add(Amount(value, "money" if money else unit, match[0].strip()))
    limited = any(word in _LIMITS for word in words(sentence)) or any(
        amount.unit in UNIT_STEMS | {"%", "money", "clock"} for amount in found
    )
    return frozenset(found), limited


def _in_minutes(value: str, unit: str) -> tuple[str, str]:
    """A length of time in minutes, so that 48 hours and 2 days are one; any other amount as it is."""
    if unit not in _MINUTES or not value.isdigit():
        return value, unit
    return str(int(value) * _MINUTES[unit]), "minut"
