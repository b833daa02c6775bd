"""Near-duplicates among many texts, found exactly and fast.

Screening, the fourth screen. Source: Reflexion buffer, "Near-duplicates". The rule: a common run of characters covers
at least 80 % of the shorter text. Such a run must cover that text's middle; so of the shorter text a few neighbouring
n-grams of its middle are enough as a key, and of the longer one every fourth n-gram. One of the neighbours always
meets one of the fourths, so nothing is missed, and a hit is checked at its place, so nothing is invented.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.screening.likeness import folded

__all__ = ["Twin", "TwinIndex", "folded"]

VERSION = 1

_GRAM = 6
_STEP = 4
_SHORT = 15
"""Characters below which a text's middle may be too short for a key; such texts are few and compared one by one."""


@dataclass(frozen=True)
class Twin:
    """Two texts by their keys, and the share of the shorter one that their longest common run covers, 0.8 to 1."""

    one: str
    other: str
    share: float


def _needed(length: int) -> int:
    """Characters that a common run must have: 80 % of the shorter text, rounded up."""
    return -(-length * 4 // 5)


class TwinIndex:
    """Folded texts under keys. Adding, removing and asking each take time by the length of the text and its twins."""

    def __init__(self, texts: Iterable[tuple[str, str]] = ()) -> None:
        self._texts: dict[str, str] = {}
        self._same: dict[str, dict[str, None]] = defaultdict(dict)
        self._by_step: dict[str, dict[str, None]] = defaultdict(dict)
        self._by_window: dict[str, dict[str, None]] = defaultdict(dict)
        self._windows: dict[str, tuple[str, ...]] = {}
        self._short: dict[str, None] = {}
        self._keyed = 0
        loaded = [self._hold(key, text) for key, text in texts]
        for key in loaded:
            self._key(key)
        self._keyed = len(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def add(self, key: str, text: str) -> None:
        """Put a text under a key; what stood there before is replaced."""
        if key in self._texts:
            self.remove(key)
        self._key(self._hold(key, text))
        if len(self._texts) > 2 * self._keyed + 64:
            self._key_again()

    def remove(self, key: str) -> None:
        """Forget the text under a key; an unknown key changes nothing."""
        text = self._texts.pop(key, None)
        if text is None:
            return
        self._drop(self._same, text, key)
        self._short.pop(key, None)
        for gram in _steps(text):
            self._drop(self._by_step, gram, key)
        for gram in self._windows.pop(key, ()):
            self._drop(self._by_window, gram, key)

    def same(self, text: str) -> list[str]:
        """Keys of the texts that are equal when folded."""
        return list(self._same.get(folded(text), ()))

    def find(self, text: str) -> list[Twin]:
        """Every text that shares a long enough run with this one, equal ones included, the most alike first."""
        probe = folded(text)
        if not probe:
            return []
        window = self._window(probe) if len(probe) >= _SHORT else None
        keys = self._holding_middle(probe, window) | self._shorter(probe)
        found = (Twin("", key, share) for key in keys if (share := self._share(probe, self._texts[key])) >= 0.8)
        return sorted(found, key=lambda twin: (-twin.share, twin.other))

    def pairs(self) -> Iterator[Twin]:
        """Every pair of twins once, the shorter text first; of two equally long ones, the one added first."""
        order = {key: place for place, key in enumerate(self._texts)}
        for key, text in self._texts.items():
            size, place = len(text), order[key]
            for other in self._holding_middle(text, self._windows.get(key)):
                longer = self._texts[other]
                if size < len(longer) or (size == len(longer) and place < order[other]):
                    share = self._share(text, longer)
                    if share >= 0.8:
                        yield Twin(key, other, share)

    def _holding_middle(self, text: str, window: tuple[str, ...] | None) -> set[str]:
        """Keys of texts, as long or longer, that hold the whole middle of ``text``."""
        needed = _needed(len(text))
        middle = text[len(text) - needed : needed]
        if window is None:
            return {key for key, other in self._texts.items() if len(other) >= len(text) and middle in other}
        texts = self._texts
        return {key for gram in window for key in self._by_step.get(gram, ()) if middle in texts[key]}

    def _hold(self, key: str, text: str) -> str:
        kept = folded(text)
        self._texts[key] = kept
        self._same[kept][key] = None
        for gram in _steps(kept):
            self._by_step[gram][key] = None
        return key

    def _key(self, key: str) -> None:
        """Choose the neighbours by which a text is found as the shorter one."""
        text = self._texts[key]
        if len(text) < _SHORT:
            self._short[key] = None
            return
        self._windows[key] = self._window(text)
        for gram in self._windows[key]:
            self._by_window[gram][key] = None

    def _key_again(self) -> None:
        """As the collection grows other n-grams become the rare ones."""
        self._by_window.clear()
        self._windows.clear()
        for key in self._texts:
            self._key(key)
        self._keyed = len(self._texts)

    def _window(self, text: str) -> tuple[str, ...]:
        """The neighbouring n-grams of the middle that stand in the fewest texts."""
        needed = _needed(len(text))
        grams = [text[place : place + _GRAM] for place in range(len(text) - needed, needed - _GRAM + 1)]
        counts = [len(self._by_step.get(gram, ())) for gram in grams]
        best = min(range(len(grams) - _STEP + 1), key=lambda place: sum(counts[place : place + _STEP]))
        return tuple(grams[best : best + _STEP])

    def _shorter(self, probe: str) -> set[str]:
        """Keys of texts of which ``probe`` may hold a long run."""
        return {key for gram in _steps(probe) for key in self._by_window.get(gram, ())} | set(self._short)

    def _share(self, one: str, other: str) -> float:
        """The share of the shorter text that the longest common run covers, or 0 where it is under 80 %."""
        short, long = (one, other) if len(one) <= len(other) else (other, one)
        if not short:
            return 0.0
        needed = _needed(len(short))
        run = _run_over_middle(short, long, needed)
        return run / len(short) if run >= needed else 0.0

    def _drop(self, table: dict[str, dict[str, None]], entry: str, key: str) -> None:
        keys = table.get(entry)
        if keys is not None:
            keys.pop(key, None)
            if not keys:
                del table[entry]


def _steps(text: str) -> set[str]:
    return {text[place : place + _GRAM] for place in range(0, len(text) - _GRAM + 1, _STEP)}


def _run_over_middle(short: str, long: str, needed: int) -> int:
    """Length of the longest common run that covers the middle of ``short``; every run of ``needed`` characters does."""
    middle_start, middle_end = len(short) - needed, needed
    if short in long:
        return len(short)
    middle = short[middle_start:middle_end]
    best, place = 0, long.find(middle)
    while place >= 0:
        before = _common_end(short[:middle_start], long[:place])
        after = _common_start(short[middle_end:], long[place + len(middle) : place + len(middle) + len(short)])
        best = max(best, before + len(middle) + after)
        place = long.find(middle, place + 1)
    return best


def _common_start(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((place for place, (mine, theirs) in enumerate(pairs) if mine != theirs), min(len(one), len(other)))


def _common_end(one: str, other: str) -> int:
    return _common_start(one[::-1], other[-len(one) - 1 :][::-1] if one else "")
