"""Quick looks at a text that say where a dear search can find anything at all.

Screening, secrets. A transcript on its way in is long and holds next to nothing, so every search is led to the few
places where it may match. Promise: what is found is what the search alone would find.
"""

import re
from collections.abc import Iterable, Iterator

_LETTERS = (("İ", "i"), ("ſ", "s"), ("ı", "i"))
"""Letters that a search without regard to case takes for plain ones and that ``str.lower`` leaves or makes longer."""


def lowered(text: str) -> str:
    """Lower case, character by character; wherever a search in any case meets a plain word, the word stands here."""
    if text.isascii():
        return text.lower()
    for letter, plain in _LETTERS:
        text = text.replace(letter, plain)
    return text.lower()


def holds(text: str, words: Iterable[str]) -> bool:
    """Whether one of the words stands in a text."""
    return any(word in text for word in words)


def places(text: str, words: Iterable[str]) -> list[int]:
    """In order, every place where one of the words stands, also inside another."""
    return starts(text, ((word, 0) for word in words))


def starts(text: str, words: Iterable[tuple[str, int]]) -> list[int]:
    """In order, every place where a match can begin that has one of the words at most so far behind its start."""
    found: set[int] = set()
    for word, reach in [each for each in words if each[0] in text]:
        place = text.find(word)
        while place >= 0:
            found.update(range(max(0, place - reach), place + 1))
            place = text.find(word, place + 1)
    return sorted(found)


def matches_at(pattern: re.Pattern[str], text: str, starts: Iterable[int]) -> Iterator[re.Match[str]]:
    """The matches that ``finditer`` gives when none begins elsewhere."""
    done = 0
    for start in starts:
        match = pattern.match(text, start) if start >= done else None
        if match:
            yield match
            done = match.end()


def regions(spots: Iterable[int], before: int, after: int) -> Iterator[tuple[int, int]]:
    """The surroundings of places that are in order; those that overlap are one."""
    begin, end = 0, 0
    for spot in spots:
        if spot - before > end:
            if end:
                yield begin, end
            begin = spot - before
        end = spot + after
    if end:
        yield begin, end


def long_words(text: str, length: int) -> str:
    """What stands between white space and has at least ``length`` characters, one after the other."""
    return " ".join([word for word in text.split() if len(word) >= length])
