"""The texts that exist already, arranged so that one draft is compared with few of them.

Screening. Twins are fetched by common runs of characters and by shared words, conflicts by shared words; an embedding
may add candidates of its own. Fetching is generous, the comparison of each pair decides.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from heapq import nsmallest
from typing import Protocol

from core.screening.contract import KnownText
from core.screening.likeness import USUAL, Alike
from core.screening.meaning import sayings
from core.screening.plain import plain
from core.screening.twins import TwinIndex

_MOST = 100
"""Candidates by shared words that are compared at most, the ones that share most first."""


class Fetcher(Protocol):
    """Finds texts that are alike by meaning."""

    def add(self, key: str, text: str) -> None:
        """Take a text in."""

    def remove(self, key: str) -> None:
        """Forget it."""

    def near(self, text: str, limit: int) -> list[tuple[str, float]]:
        """Keys and cosines, the most alike first."""


class KnownTexts:
    """Known texts under their references; grows and shrinks with the store. ``alike`` says what makes a twin."""

    def __init__(
        self, texts: Iterable[KnownText] = (), *, fetcher: Fetcher | None = None, alike: Alike = USUAL
    ) -> None:
        self.alike = alike
        self._texts: dict[str, KnownText] = {}
        self._stems: dict[str, frozenset[str]] = {}
        self._least: dict[str, int] = {}
        self._by_stem: dict[str, set[str]] = defaultdict(set)
        self._fetcher = fetcher
        held = [self._hold(known) for known in texts]
        self._index = TwinIndex(((known.reference, known.text) for known in held), alike=alike)

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, known: KnownText) -> None:
        """Take a text in, or replace the one under its reference."""
        before = self._texts.get(known.reference)
        if before is not None and before.text == known.text:
            self._texts[known.reference] = known
            return
        self.remove(known.reference)
        self._hold(known)
        self._index.add(known.reference, known.text)

    def remove(self, reference: str) -> None:
        """Forget a text; an unknown reference changes nothing."""
        if self._texts.pop(reference, None) is None:
            return
        self._index.remove(reference)
        for stemmed in self._stems.pop(reference):
            self._by_stem[stemmed].discard(reference)
        if self._fetcher:
            self._fetcher.remove(reference)

    def same(self, text: str) -> list[KnownText]:
        """Texts that are equal when folded."""
        return [self._texts[key] for key in self._index.same(text)]

    def candidates(self, text: str) -> dict[str, float | None]:
        """References worth comparing, with the cosine where an embedding gave one."""
        near = dict(self._fetcher.near(text, 20)) if self._fetcher else {}
        found: dict[str, float | None] = {twin.other: None for twin in self._index.find(text)}
        found |= dict.fromkeys(self._sharing(text))
        return found | near

    def __getitem__(self, reference: str) -> KnownText:
        return self._texts[reference]

    def _hold(self, known: KnownText) -> KnownText:
        self._texts[known.reference] = known
        self._stems[known.reference] = _stems(known.text)
        self._least[known.reference] = _least(known.text)
        for stemmed in self._stems[known.reference]:
            self._by_stem[stemmed].add(known.reference)
        if self._fetcher:
            self._fetcher.add(known.reference, known.text)
        return known

    def _sharing(self, text: str) -> list[str]:
        """References that share two stems at least and half of the shorter saying, those that share most first."""
        counts: Counter[str] = Counter()
        for stemmed in _stems(text):
            counts.update(self._by_stem.get(stemmed, ()))
        least = _least(text)
        near = [
            (-count / (3 + len(self._stems[key])), key)
            for key, count in counts.items()
            if count >= 2 and 2 * count >= min(least, self._least[key])
        ]
        return [key for _, key in nsmallest(_MOST, near)]


def _stems(text: str) -> frozenset[str]:
    """Stems of all that a text says, its upper and lower bounds apart."""
    return frozenset().union(*(saying.all | saying.instead for saying in sayings(plain(text).text)))


def _least(text: str) -> int:
    """Stems of the shortest saying of a text."""
    return min((len(saying.all) for saying in sayings(plain(text).text)), default=0)
