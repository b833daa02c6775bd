"""Which episodes answer a question best: by recency × importance × similarity, each as a factor that can be shown.

Source: Reflection: From Experiences to Beliefs, "Evidence retrieval per question". Every factor lies between 0 and 1; a
weight is the power to which it counts, and 0 leaves it out.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache, lru_cache
from itertools import chain

from snowballstemmer.english_stemmer import EnglishStemmer

from core.settings import Settings

DAY = 86_400.0
WORD = re.compile(
    r"[\w\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
    r"\u0e00-\u0e4e\u0eb0-\u0ecd\u102b-\u103e\u17b6-\u17d3]+"
)
"""Letters and digits with the marks that stand on and between them: vowel signs are part of their word."""

NO_SPACES = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Scripts that put no spaces between words; their words are taken as pairs of characters."""

LATIN = re.compile(r"[_a-z\u00aa\u00ba\u00df-\u00f6\u00f8-\u02af\u1e00-\u1eff]")
"""Letters of a script in which words of one or two letters say little."""

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""From a question and texts to how alike each is to the question, 0 to 1."""


@dataclass(frozen=True)
class EpisodeCandidate:
    """What the rule looks at: an episode, or a belief among them (``depth`` from 1). ``at`` is when it happened."""

    id: int
    text: str
    importance: Decimal
    at: datetime
    depth: int = 0


@dataclass(frozen=True)
class FoundEpisode:
    """An episode with its factors as they counted, weights apart, and the product of their powers."""

    episode: EpisodeCandidate
    recency: float
    importance: float
    similarity: float
    score: float


def best_episodes(
    candidates: Sequence[EpisodeCandidate],
    question: str,
    at: datetime,
    settings: Settings,
    *,
    similarity: Similarity | None = None,
    most: int | None = None,
) -> tuple[FoundEpisode, ...]:
    """The best episodes for a question as of ``at``, best first; as many as the settings give, or ``most``.

    Ties go to what is more recent and important, then to the newest, so the same material gives the same answer.
    """
    alike = (similarity or shared_words)(question, [one.text for one in candidates])
    found = [_found(one, like, at, settings) for one, like in zip(candidates, alike, strict=True)]
    found.sort(key=lambda one: (one.score, one.recency * one.importance, one.episode.at, one.episode.id), reverse=True)
    return tuple(found[: settings.episodes_of_question if most is None else most])


def recency(happened: datetime, at: datetime, half_life: int) -> float:
    """How recent something is: 1 now, ½ after ``half_life`` days, ¼ after two. What is to come counts as now."""
    days = max(0.0, (at - happened).total_seconds() / DAY)
    return float(0.5 ** (days / half_life))


def shared_words(question: str, texts: Sequence[str]) -> list[float]:
    """How alike texts are to a question by the words that they share, weighted by their rarity (cosine of TF-IDF)."""
    return likeness_among(texts)(question)


def likeness_among(texts: Iterable[str]) -> Callable[[str], list[float]]:
    """``shared_words`` for several questions about the same texts, whose words are counted once."""
    counted = [Counter(words(text)) for text in texts]
    holders = Counter(chain.from_iterable(counted))

    @cache
    def weight(word: str) -> float:
        return math.log((1 + len(counted)) / (1 + holders[word])) + 1

    def norm(each: Counter[str]) -> float:
        return math.sqrt(sum((count * weight(word)) ** 2 for word, count in sorted(each.items())))

    def alike(question: str) -> list[float]:
        asked = Counter(words(question))
        named, length = asked.keys(), norm(asked)
        return [
            0.0 if named.isdisjoint(each) else _cosine(asked, each, weight, length * norm(each)) for each in counted
        ]

    return alike


def words(text: str) -> list[str]:
    """The words of a text by which it is found: lower case, cut to their stems; of Latin letters three or more."""
    return [part for word in WORD.findall(unicodedata.normalize("NFC", text).casefold()) for part in _parts(word)]


@lru_cache(maxsize=20_000)
def _parts(word: str) -> tuple[str, ...]:
    if NO_SPACES.search(word):
        return tuple(word[at : at + 2] for at in range(max(1, len(word) - 1)))
    return (stem(word),) if len(word) >= 3 or word.isdigit() or not LATIN.search(word) else ()


def stem(word: str) -> str:
    """A word without its English endings (Porter2), so that “deploys” and “deployed” meet; others stay as they are."""
    return str(EnglishStemmer().stemWord(word))


def _cosine(asked: Counter[str], other: Counter[str], weight: Callable[[str], float], lengths: float) -> float:
    shared = sum(asked[word] * other[word] * weight(word) ** 2 for word in sorted(asked.keys() & other.keys()))
    return min(1.0, shared / lengths) if lengths else 0.0


def _found(one: EpisodeCandidate, like: float, at: datetime, settings: Settings) -> FoundEpisode:
    fresh, weighs = recency(one.at, at, settings.recency_half_life), float(one.importance)
    like = min(1.0, max(0.0, like))
    score = fresh ** float(settings.recency_weight) * weighs ** float(settings.importance_weight)
    score *= like ** float(settings.similarity_weight)
    return FoundEpisode(one, fresh, weighs, like, score)
