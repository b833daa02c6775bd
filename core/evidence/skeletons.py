"""A transcript reduced to bare letters, so that a quote is looked for at the speed of ``str.find``.

Evidence, third step: the filter. A skeleton is the text with everything but letters and digits taken out, character by
character, so the skeleton of two joined texts is the two skeletons joined. Words that are equal when folded have equal
skeletons, so nothing true is missed; what is found is only a candidate, and is checked strictly afterwards. The place
of a candidate is found by halving, so no offset is kept for any character.

Two alphabets: ``narrow`` keeps ASCII letters and digits; ``wide`` keeps the letters of every script, for
quotes that narrow says too little about.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from core.evidence.characters import LETTERS, SPELLINGS, foreign_characters
from core.evidence.readings import Reading

_KEPT = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LOWER = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")
_DROPPED = bytes(code for code in range(256) if code not in _KEPT)
_DIGITS = dict.fromkeys(range(ord("0"), ord("9") + 1))
_BLOCK = 4096
_FEW = 24


def narrow(text: str) -> str:
    """The ASCII letters and digits that the text spells, in lower case."""
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) > len(text) and (spelled := _spelled(text)) is not text:
        raw = spelled.encode("utf-8", "surrogatepass")
    return raw.translate(_LOWER, _DROPPED).decode("ascii")


def _spelled(text: str) -> str:
    """The text with the characters replaced that spell ASCII letters."""
    spelling = [character for character in foreign_characters(text) if SPELLINGS[ord(character)]]
    if len(spelling) > _FEW:
        return text.translate(SPELLINGS)
    for character in spelling:
        text = text.replace(character, SPELLINGS[ord(character)])
    return text


def wide(text: str) -> str:
    """The letters and digits of every script, folded, without marks."""
    return text.translate(LETTERS)


class Candidate:
    """A stretch of reading ``part`` whose skeleton is the quote's: ``first`` and ``last`` kept character, inclusive.

    ``place`` is where it begins in the joined skeletons.
    """

    def __init__(self, skeleton: "Skeleton", place: int, size: int, words: str) -> None:
        self.place = place
        self.part, self.first = skeleton.locate(place, words)
        self._skeleton, self._size = skeleton, size

    @cached_property
    def last(self) -> int:
        """Found when it is asked for; most candidates prove themselves without."""
        return self._skeleton.locate(self.place + self._size - 1)[1]


class Skeleton:
    """The skeletons of many readings, searched as one; a border stands between readings.

    ``skips_ascii`` leaves out readings of nothing but ASCII.
    """

    def __init__(self, readings: Sequence[Reading], reduced: Callable[[str], str], *, skips_ascii: bool) -> None:
        self._readings = readings
        self._reduced = reduced
        self._blocks: list[tuple[int, int]] = []
        self._starts: list[int] = []
        chunks: list[str] = []
        length = 0
        for part, reading in enumerate(readings):
            if skips_ascii and reading.text.isascii():
                continue
            for start in range(0, len(reading.text), _BLOCK):
                self._blocks.append((part, start))
                self._starts.append(length)
                chunks.append(reduced(reading.text[start : start + _BLOCK]))
                length += len(chunks[-1])
            chunks.append("\n")
            length += 1
        self._bones = "".join(chunks)

    def candidates(self, bones: str, words: str = "") -> Iterator[Candidate]:
        """Every place where ``bones`` stand inside one reading, from the first on; overlapping ones too.

        ``words``, where given, are the quoted words as they would stand letter for letter, beginning with a letter
        that is kept: a hint that spares the halving.
        """
        place = self._bones.find(bones)
        while place >= 0:
            yield Candidate(self, place, len(bones), words)
            place = self._bones.find(bones, place + 1)

    def across(self, bones: str) -> list[tuple[int, int, int]]:
        """Where ``bones`` stand across the border of readings: (part, first, last), one for each; or nothing."""
        place = self._flat.find(bones)
        if place < 0:
            return []
        first = self.locate(self._with_borders(place))
        last = self.locate(self._with_borders(place + len(bones) - 1))
        ends = {part: len(self._readings[part].text) - 1 for part in range(first[0], last[0])} | {last[0]: last[1]}
        return [(part, first[1] if part == first[0] else 0, end) for part, end in ends.items() if end >= 0]

    @cached_property
    def _flat(self) -> str:
        return self._bones.replace("\n", "")

    def _with_borders(self, place: int) -> int:
        """The place with borders between readings counted, for one that leaves them out."""
        kept = 0
        for number, chunk in enumerate(self._bones.split("\n")):
            kept += len(chunk)
            if place < kept:
                return place + number
        return place

    def holds_without_digits(self, bones: str) -> bool:
        """Whether ``bones`` stand here when digits are left out on both sides."""
        return bones.translate(_DIGITS) in self._digitless

    @cached_property
    def _digitless(self) -> str:
        return self._bones.translate(_DIGITS)

    def locate(self, place: int, words: str = "") -> tuple[int, int]:
        """The reading and the index of the character that kept number ``place``, by halving its block."""
        block = bisect_right(self._starts, place) - 1
        part, low = self._blocks[block]
        text, before = self._readings[part].text, place - self._starts[block]
        high = min(low + _BLOCK, len(text))
        if words:
            hinted = text.find(words, low, high + len(words))
            if hinted >= 0 and len(self._reduced(text[low:hinted])) == before:
                return part, hinted
        while high - low > 1:
            middle = (low + high) // 2
            kept = len(self._reduced(text[low:middle]))
            if kept > before:
                high = middle
            else:
                low, before = middle, before - kept
        return part, low
