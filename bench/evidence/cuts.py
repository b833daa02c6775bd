"""Quotes that cut a number, a compound or a piece too short: false classes, for the rest of the word was left out."""

import random
import re

from bench.evidence.falsehoods import Falsehood
from bench.evidence.samples import Labelled, Passage, stands_anyway

_LONG_NUMBER = re.compile(r"(?<![\w.,$€£¥₹%-])[0-9][0-9.,]*[0-9](?![\w.,%-])")
_COMPOUND = re.compile(r"(?<![\w/-])[A-Za-z]{3,}-[A-Za-z]{3,}(?![\w-])")


def _within(pattern: re.Pattern[str], ends_there: bool, keep: str) -> Falsehood:
    """The quote ends, or begins, at ``keep`` within a match of ``pattern`` that stands in the source."""

    def made(found: Passage, chance: random.Random) -> Labelled | None:
        matches = list(pattern.finditer(found.text))
        if not matches:
            return None
        match = chance.choice(matches)
        inner = re.search(keep, match.group())
        if inner is None:
            return None
        place = match.start() + inner.start()
        text = (found.text[:place] if ends_there else found.text[place:]).strip(" -.,")
        return Labelled(text, found.transcript, None) if _tells(text, pattern, found) else None

    return made


def _tells(text: str, pattern: re.Pattern[str], found: Passage) -> bool:
    """Whether the rest says enough, and would not stand somewhere by itself were the cut word away."""
    enough = len(re.findall(r"(?<!\S)[A-Za-z]+(?!\S)", text)) >= 3
    return enough and not stands_anyway(text, found.with_source(pattern.sub("…", found.text)).transcript)


def _of_two_words(found: Passage, _: random.Random) -> Labelled | None:
    """A piece of two words beside one that is long enough."""
    words = found.text.split()
    ends = f"{words[0]} {words[1]}", " ".join(words[4:])
    if not re.match(r"[A-Za-z]+ [A-Za-z]+ \S", found.text) or re.search(r"\.\.|…", found.text):
        return None
    return Labelled(" ... ".join(ends), found.transcript, None)


CUTS: dict[str, Falsehood] = {
    "a number cut at its end": _within(_LONG_NUMBER, True, r"[0-9]$"),
    "a number cut at its start": _within(_LONG_NUMBER, False, r"(?<=[0-9])[0-9]"),
    "a compound's first half": _within(_COMPOUND, True, "-"),
    "a compound's second half": _within(_COMPOUND, False, "-"),
    "a piece of two words": _of_two_words,
}
