"""Candidates by likeness of meaning: word pieces without a model, or a small embedding where one is installed.

Screening, twins. A fetcher only proposes whom to compare; numbers, negations, opposites, scope and object decide. The
default weighs hashed character n-grams by their rarity; ``wordllama_fetcher`` loads the vectors that its package brings
along and never asks the network.
"""

import importlib
import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from core.screening.known import Fetcher
from core.screening.likeness import folded

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""From texts to vectors of one length, normed to 1."""

_BUCKETS = 1 << 18
_SIZES = (3, 4)
_ASKED = 32
"""N-grams of a question that are looked up, the rarest first."""


class PieceFetcher:
    """Hashed character n-grams, weighted by rarity (TF-IDF), compared by cosine. Needs no model and no weights."""

    def __init__(self) -> None:
        self._pieces: dict[str, Counter[int]] = {}
        self._holders: dict[int, dict[str, None]] = defaultdict(dict)

    def add(self, key: str, text: str) -> None:
        """Take a text in, or replace the one under its key."""
        self.remove(key)
        self._pieces[key] = _pieces(text)
        for piece in self._pieces[key]:
            self._holders[piece][key] = None

    def remove(self, key: str) -> None:
        """Forget it; an unknown key changes nothing."""
        for piece in self._pieces.pop(key, ()):
            self._holders[piece].pop(key, None)

    def near(self, text: str, limit: int) -> list[tuple[str, float]]:
        """Keys and cosines, 0 to 1, the most alike first; at most ``limit``."""
        asked = _pieces(text)
        rare = sorted(asked, key=lambda piece: len(self._holders.get(piece, ())))[:_ASKED]
        hits = Counter(key for piece in rare for key in self._holders.get(piece, ()))
        scored = [(key, self._cosine(asked, self._pieces[key])) for key, _ in hits.most_common(4 * limit)]
        return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def _weight(self, piece: int) -> float:
        return math.log((1 + len(self._pieces)) / (1 + len(self._holders.get(piece, ())))) + 1

    def _cosine(self, one: Counter[int], other: Counter[int]) -> float:
        shared = sum(one[piece] * other[piece] * self._weight(piece) ** 2 for piece in one.keys() & other.keys())
        return shared / (self._norm(one) * self._norm(other) or 1.0)

    def _norm(self, pieces: Counter[int]) -> float:
        return math.sqrt(sum((count * self._weight(piece)) ** 2 for piece, count in pieces.items()))


class EmbeddingFetcher:
    """Vectors of an embedding, compared one by one; for some thousands of texts."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._vectors: dict[str, Sequence[float]] = {}

    def add(self, key: str, text: str) -> None:
        """Take a text in, or replace the one under its key."""
        self._vectors[key] = self._embed([text])[0]

    def remove(self, key: str) -> None:
        """Forget it; an unknown key changes nothing."""
        self._vectors.pop(key, None)

    def near(self, text: str, limit: int) -> list[tuple[str, float]]:
        """Keys and cosines, the most alike first; at most ``limit``."""
        asked = self._embed([text])[0]
        scored = [(key, sum(map(float.__mul__, asked, vector))) for key, vector in self._vectors.items()]
        return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:limit]


def wordllama_fetcher() -> Fetcher | None:
    """A fetcher over wordllama's bundled vectors, loaded without the network; None where it is not installed."""
    try:
        package = importlib.import_module("wordllama")
    except ImportError:
        return None
    folder = Path(str(package.__file__)).parent
    model = package.WordLlama.load(cache_dir=folder, disable_download=True)
    return EmbeddingFetcher(
        lambda texts: [[float(value) for value in row] for row in model.embed(list(texts), norm=True)]
    )


def _pieces(text: str) -> Counter[int]:
    spaced = f" {folded(text)} "
    grams = (spaced[place : place + size] for size in _SIZES for place in range(len(spaced) - size + 1))
    return Counter(zlib.crc32(gram.encode()) % _BUCKETS for gram in grams)
