"""A text as ``addressed`` reads it: as it is seen, in lower case, without accents; and what hides in it.

Screening. Everything leads back to the characters of the original.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.screening.plain import Plain, plain

_MARKS = re.compile(r"[\u0300-\u036f\u20d0-\u20ff]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_TAGS = re.compile(r"[\U000e0020-\U000e007e]{4,}")
_TURNED = re.compile(r"[\u202e\u202d\u2067]([^\u202c\u2069\n]{8,2000})")
_SPACED = re.compile(r"(?<![^\W\d_])(?:[^\W\d_][\W_]{1,3}){6,200}[^\W\d_](?![^\W\d_])")
_DIGITS = str.maketrans("013457", "oieast")
_DIGIT_INSIDE = re.compile(r"[a-z][013457][a-z]|(?<![^\W_])[013457][a-z]{2}")
_BETWEEN = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Seen:
    """What is seen, the same folded for searching (character for character), and the way back to the original."""

    text: str
    folded: str
    _plain: Plain
    _starts: tuple[int, ...] | None
    changed: bool

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The half-open range of the original behind a range of ``text``."""
        if self._starts is not None and end > start:
            start, end = self._starts[start], self._starts[end - 1] + 1
        return self._plain.place(start, end)


def as_seen(text: str) -> Seen:
    """The text without what nobody sees and with look-alikes as what they look like."""
    if text.isascii():
        return Seen(text, text.lower(), Plain(text), None, False)
    shown = plain(text)
    short, starts = _without_marks(shown.text)
    bases = {ord(each): _base(each) for each in set(_NOT_ASCII.findall(short))}
    return Seen(short, short.translate(bases).lower(), shown, starts, short != text)


def in_digits(folded: str) -> str | None:
    """The text with digits as the letters that they may stand for (“1gn0re”); None where no word has one inside."""
    return folded.translate(_DIGITS) if _DIGIT_INSIDE.search(folded) else None


def tag_runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Places of invisible tag characters, with the ASCII that they spell."""
    for match in _TAGS.finditer(text):
        yield *match.span(), "".join(chr(ord(each) - 0xE0000) for each in match[0])


def reversed_runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Places where the order of letters is turned round, with the text as it is seen."""
    for match in _TURNED.finditer(text):
        yield *match.span(), match[1][::-1]


def spaced_runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Places where words are written letter by letter, with the letters in lower case and nothing between them.

    Where a wider gap parts the words, a blank does.
    """
    for match in _SPACED.finditer(text):
        yield *match.span(), _BETWEEN.sub(lambda gap: " " if len(gap[0]) > 1 else "", match[0]).lower()


def _without_marks(text: str) -> tuple[str, tuple[int, ...] | None]:
    """The text without accents that stand as characters of their own, and where each character stood."""
    if not _MARKS.search(text):
        return text, None
    starts: list[int] = []
    last = 0
    for match in _MARKS.finditer(text):
        starts += range(last, match.start())
        last = match.end()
    starts += range(last, len(text))
    return _MARKS.sub("", text), tuple(starts)


@lru_cache(maxsize=4096)
def _base(character: str) -> str:
    """The Latin letter that an accent was put on, or the character in lower case if that is one character."""
    base = unicodedata.normalize("NFKD", character)[0]
    if base.isascii() and base.isalpha():
        return base
    lower = character.lower()
    return {"ß": "s", "ẞ": "s", "ø": "o", "ł": "l"}.get(lower, lower) if len(lower) == 1 else character
