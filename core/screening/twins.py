"""Near-duplicates among many texts, found exactly and fast.

Screening, the fourth screen. Source: Reflexion buffer, "Near-duplicates". The rule: a common run of characters covers
at least a share of the shorter text, 80 % by default. Such a run must cover that text's middle; so of the shorter text
a few neighbouring n-grams of its middle are enough as a key, and of the longer one every fourth n-gram. One of the
neighbours always meets one of the fourths, so nothing is missed, and a hit is checked at its place, so nothing is
invented.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.screening.likeness import USUAL, Alike, folded

__all__ = ["Twin", "TwinIndex", "folded"]

VERSION = 3

_GRAMS = (18, 6)
"""Lengths of n-grams, the more telling first; a text uses the first for which its middle leaves a choice."""
_STEP = 4
_FEWEST = _GRAMS[-1] + _STEP - 1
"""Characters that a middle must have to leave a choice; texts with a shorter one are few and compared one by one."""


@dataclass(frozen=True)
class Twin:
    """Two texts by their keys, and the share of the shorter one that their longest common run covers, 0.7 to 1."""

    one: str
    other: str
    share: float


class TwinIndex:
    """Folded texts under keys. Adding, removing and asking each take time by the length of the text and its twins."""

    def __init__(self, texts: Iterable[tuple[str, str]] = (), *, alike: Alike = USUAL) -> None:
        self._alike = alike
        self._short_below = -(-_FEWEST * 100 // (2 * alike.share - 100))
        self._texts: dict[str, str] = {}
        self._same: dict[str, dict[str, None]] = defaultdict(dict)
        self._grams = tuple(_Grams(length, alike) for length in _GRAMS)
        self._short: dict[str, None] = {}
        for key, text in texts:
            if key in self._texts:
                self.remove(key)
            self._hold(key, text)
        self._key_again()

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def add(self, key: str, text: str) -> None:
        """Put a text under a key; what stood there before is replaced."""
        self.remove(key)
        self._hold(key, text)
        self._key(key)
        if len(self._texts) > 2 * self._keyed + 64:
            self._key_again()

    def remove(self, key: str) -> None:
        """Forget the text under a key; an unknown key changes nothing."""
        text = self._texts.pop(key, None)
        if text is None:
            return
        _drop(self._same, text, key)
        self._short.pop(key, None)
        for grams in self._grams:
            grams.forget(key, text)

    def same(self, text: str) -> list[str]:
        """Keys of the texts that are equal when folded."""
        return list(self._same.get(folded(text), ()))

    def find(self, text: str) -> list[Twin]:
        """Every text that shares a long enough run with this one, equal ones included, the most alike first."""
        probe = folded(text)
        if not probe:
            return []
        keys = self._holding_middle(probe) | self._shorter(probe)
        found = (Twin("", key, share) for key in keys if (share := _share(probe, self._texts[key], self._alike)))
        return sorted(found, key=lambda twin: (-twin.share, twin.other))

    def pairs(self) -> Iterator[Twin]:
        """Every pair of twins once, the shorter text first; of two equally long ones, the one added first."""
        order = {key: place for place, key in enumerate(self._texts)}
        for key, text in self._texts.items():
            size, place = len(text), order[key]
            for other in self._holding_middle(text, key):
                longer = self._texts[other]
                if size < len(longer) or (size == len(longer) and place < order[other]):
                    share = _share(text, longer, self._alike)
                    if share:
                        yield Twin(key, other, share)

    def _hold(self, key: str, text: str) -> None:
        kept = folded(text)
        self._texts[key] = kept
        self._same[kept][key] = None
        for grams in self._grams:
            grams.hold(key, kept)

    def _key(self, key: str) -> None:
        """Choose the neighbours by which a text is found as the shorter one."""
        text = self._texts[key]
        grams = self._grams_for(text)
        if grams is None:
            self._short[key] = None
        else:
            grams.choose(key, text)

    def _key_again(self) -> None:
        """As the collection grows other n-grams become the rare ones."""
        for grams in self._grams:
            grams.forget_choices()
        for key in self._texts:
            self._key(key)
        self._keyed = len(self._texts)

    def _grams_for(self, text: str) -> "_Grams | None":
        """The most telling n-grams for which a middle leaves a choice; None for a short text."""
        middle = 2 * self._alike.needed(len(text)) - len(text)
        if len(text) < self._short_below:
            return None
        return next((grams for grams in self._grams if middle >= 2 * grams.length + _STEP), self._grams[-1])

    def _holding_middle(self, text: str, key: str | None = None) -> set[str]:
        """Keys of texts that hold the whole middle of ``text``; ``key`` is its own, where it is in the index."""
        texts, middle = self._texts, _middle(text, self._alike)
        grams = self._grams_for(text)
        if grams is None:
            return {other for other, longer in texts.items() if middle in longer}
        return {other for other in grams.holders(text, key) if middle in texts[other]}

    def _shorter(self, probe: str) -> set[str]:
        """Keys of texts of which ``probe`` may hold a long run."""
        return set(self._short).union(*(grams.met_by(probe) for grams in self._grams))


class _Grams:
    """The n-grams of one length: which texts have them at every fourth place, and which chose them for their middle."""

    def __init__(self, length: int, alike: Alike) -> None:
        self.length, self._alike = length, alike
        self._by_step: dict[str, dict[str, None]] = defaultdict(dict)
        self._by_window: dict[str, dict[str, None]] = defaultdict(dict)
        self._windows: dict[str, tuple[str, ...]] = {}

    def hold(self, key: str, text: str) -> None:
        for gram in self._steps(text):
            self._by_step[gram][key] = None

    def choose(self, key: str, text: str) -> None:
        self._windows[key] = self._window(text)
        for gram in self._windows[key]:
            self._by_window[gram][key] = None

    def forget(self, key: str, text: str) -> None:
        for gram in self._steps(text):
            _drop(self._by_step, gram, key)
        for gram in self._windows.pop(key, ()):
            _drop(self._by_window, gram, key)

    def forget_choices(self) -> None:
        self._by_window.clear()
        self._windows.clear()

    def holders(self, text: str, key: str | None) -> Iterator[str]:
        """Keys of the texts that have one of the neighbours chosen for ``text``; some more than once."""
        window = self._windows.get(key) if key is not None else None
        for gram in window or self._window(text):
            yield from self._by_step.get(gram, ())

    def met_by(self, probe: str) -> set[str]:
        """Keys of the texts whose neighbours ``probe`` has at one of its every fourth places."""
        return {key for gram in self._steps(probe) for key in self._by_window.get(gram, ())}

    def _window(self, text: str) -> tuple[str, ...]:
        """The neighbouring n-grams of the middle that stand in the fewest texts."""
        middle, size = _middle(text, self._alike), self.length
        grams = [middle[place : place + size] for place in range(len(middle) - size + 1)]
        counts = [len(self._by_step.get(gram, ())) for gram in grams]
        best = min(range(len(grams) - _STEP + 1), key=lambda place: sum(counts[place : place + _STEP]))
        return tuple(grams[best : best + _STEP])

    def _steps(self, text: str) -> set[str]:
        size = self.length
        return {text[place : place + size] for place in range(0, len(text) - size + 1, _STEP)}


def _drop(table: dict[str, dict[str, None]], entry: str, key: str) -> None:
    keys = table.get(entry)
    if keys is not None:
        keys.pop(key, None)
        if not keys:
            del table[entry]


def _middle(text: str, alike: Alike) -> str:
    """What every run covers that is long enough to make a twin of the text."""
    needed = alike.needed(len(text))
    return text[len(text) - needed : needed]


def _share(one: str, other: str, alike: Alike) -> float:
    """The share of the shorter text that the longest common run covers, or 0 where that is too little for twins."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if not short:
        return 0.0
    needed = alike.needed(len(short))
    run = _run_over_middle(short, long, needed)
    return run / len(short) if run >= needed else 0.0


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
