"""A transcript reduced to bare letters, so that a quote is looked for at the speed of ``str.find``.

Evidence, third step: the filter. A skeleton is the text with everything but letters and digits taken out, character by
character, so the skeleton of two joined texts is the two skeletons joined. Words that are equal when folded have equal
skeletons, so nothing true is missed; what is found is only a candidate, and is checked strictly afterwards. The place
of a candidate is found by counting in the one block of text that was hit, so no offset is kept for any other.

Two alphabets: ``narrow`` keeps ASCII letters and digits; ``wide`` keeps the letters of every script, for
quotes that narrow says too little about.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate

from core.evidence.characters import LETTERS, SPELLINGS
from core.evidence.joined import SEAM, Joined, encoded, foreign_characters

_KEPT = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" + SEAM
_BORDER = "\n"
"""Stands between the skeletons of two texts, where the texts have their seam."""

_LOWER = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ" + SEAM, b"abcdefghijklmnopqrstuvwxyz" + _BORDER.encode())
_DROPPED = bytes(code for code in range(256) if code not in _KEPT)
_LOOSENED = dict.fromkeys(map(ord, "0123456789" + _BORDER))
_BLOCK = 1024
_OFTEN = 8
"""So many times a place in a block is counted out; a block that is asked again is written out."""

_FEW = 24


def narrow(text: str) -> str:
    """The ASCII letters and digits that the text spells, in lower case."""
    return _narrow(text, {} if text.isascii() else spellings(foreign_characters(text)))


def _narrow(text: str, spelled: Mapping[str, str]) -> str:
    return encoded(_respelled(text, spelled)).translate(_LOWER, _DROPPED).decode()


def spellings(characters: Iterable[str]) -> dict[str, str]:
    """Those of the characters that spell ASCII letters or digits, with what they spell."""
    return {character: SPELLINGS[ord(character)] for character in characters if SPELLINGS[ord(character)]}


def _respelled(text: str, spelled: Mapping[str, str]) -> str:
    if not spelled or text.isascii():
        return text
    if len(spelled) > _FEW:
        return text.translate(SPELLINGS)
    for character, spelling in spelled.items():
        text = text.replace(character, spelling)
    return text


def wide(text: str) -> str:
    """The letters and digits of every script, folded, without marks."""
    return text.translate(LETTERS)


def loosened(bones: str) -> str:
    """The skeleton without digits and borders."""
    return bones.translate(_LOOSENED)


class Candidate:
    """A stretch of text ``part`` whose skeleton is the quote's: ``first`` and ``last`` kept character, inclusive.

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
    """The skeletons of many texts, searched as one, a border between each.

    ``reduced`` makes the skeleton of any part, ``letters`` holds that of every character.
    """

    def __init__(
        self, texts: Sequence[str], bones: str, reduced: Callable[[str], str], letters: Mapping[int, str]
    ) -> None:
        self._texts, self._bones, self._reduced, self._letters = texts, bones, reduced, letters
        self._kept_before: dict[int, list[int]] = {}
        self._asked: Counter[tuple[int, int]] = Counter()
        self._tables: dict[tuple[int, int], list[int]] = {}

    @classmethod
    def narrow(cls, texts: Joined) -> "Skeleton":
        """By ASCII letters and digits."""
        spelled = spellings(texts.foreign)
        plain = Joined([_respelled(text, spelled) for text in texts.texts]) if spelled else texts
        bones = plain.raw.translate(_LOWER, _DROPPED).decode()
        return cls(texts.texts, bones, partial(_narrow, spelled=spelled), SPELLINGS)

    @classmethod
    def wide(cls, texts: Joined) -> "Skeleton":
        """By the letters of every script; texts of nothing but ASCII are left empty."""
        bones = _BORDER.join(["" if text.isascii() else wide(text) for text in texts.texts])
        return cls(texts.texts, bones, wide, LETTERS)

    @cached_property
    def _starts(self) -> list[int]:
        """Where the skeleton of each text begins."""
        return list(accumulate((len(bones) + 1 for bones in self._bones.split(_BORDER)), initial=0))

    def _blocks(self, part: int) -> list[int]:
        """For each block of a text, how many characters are kept before it; counted when a place is asked for."""
        if part not in self._kept_before:
            text = self._texts[part]
            sizes = (len(self._reduced(text[start : start + _BLOCK])) for start in range(0, len(text) - _BLOCK, _BLOCK))
            self._kept_before[part] = list(accumulate(sizes, initial=0))
        return self._kept_before[part]

    def candidate(self, bones: str, start: int = 0, words: str = "") -> Candidate | None:
        """The first place from ``start`` on where ``bones`` stand inside one text.

        ``words``, where given, are the quoted words as they would stand letter for letter, beginning with a letter
        that is kept: a hint where to look first.
        """
        place = self._bones.find(bones, start)
        return Candidate(self, place, len(bones), words) if place >= 0 else None

    def candidates(self, bones: str, words: str = "") -> Iterator[Candidate]:
        """Every such place, overlapping ones too."""
        candidate = self.candidate(bones, 0, words)
        while candidate is not None:
            yield candidate
            candidate = self.candidate(bones, candidate.place + 1, words)

    def across(self, bones: str) -> list[tuple[int, int, int]]:
        """Where ``bones`` stand across the border of texts: (part, first, last), one for each; or nothing."""
        place = self._flat.find(bones)
        if place < 0:
            return []
        first = self.locate(self._with_borders(place))
        last = self.locate(self._with_borders(place + len(bones) - 1))
        ends = {part: len(self._texts[part]) - 1 for part in range(first[0], last[0])} | {last[0]: last[1]}
        return [(part, first[1] if part == first[0] else 0, end) for part, end in ends.items() if end >= 0]

    @cached_property
    def _flat(self) -> str:
        return self._bones.replace(_BORDER, "")

    def _with_borders(self, place: int) -> int:
        """The place with borders between texts counted, for one that leaves them out."""
        kept = 0
        for number, chunk in enumerate(self._bones.split(_BORDER)):
            kept += len(chunk)
            if place < kept:
                return place + number
        return place

    @cached_property
    def loose(self) -> str:
        """The skeletons without digits and borders."""
        return loosened(self._bones)

    def locate(self, place: int, words: str = "") -> tuple[int, int]:
        """The text and the index of the character that kept number ``place``."""
        part = bisect_right(self._starts, place) - 1
        text, before = self._texts[part], place - self._starts[part]
        blocks = self._blocks(part)
        block = bisect_right(blocks, before) - 1
        start, before = block * _BLOCK, before - blocks[block]
        if words:
            hinted = text.find(words, start, start + _BLOCK + len(words))
            if hinted >= 0 and len(self._reduced(text[start:hinted])) == before:
                return part, hinted
        self._asked[part, start] += 1
        if self._asked[part, start] > _OFTEN:
            return part, start + self._kept_in(part, start)[before]
        return part, self._halved(text, start, before)

    def _halved(self, text: str, low: int, before: int) -> int:
        """The character of a block that is kept after ``before`` others, by halving the block and counting."""
        high = min(low + _BLOCK, len(text))
        while high - low > 1:
            middle = (low + high) // 2
            kept = len(self._reduced(text[low:middle]))
            if kept > before:
                high = middle
            else:
                low, before = middle, before - kept
        return low

    def _kept_in(self, part: int, start: int) -> list[int]:
        """For each letter of a block's skeleton, the place in the block that it comes from."""
        if (part, start) not in self._tables:
            block = self._texts[part][start : start + _BLOCK]
            self._tables[part, start] = [index for index, kept in enumerate(block) for _ in self._letters[ord(kept)]]
        return self._tables[part, start]
