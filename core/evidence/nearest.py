"""The passage that comes closest to a quote that was not found, for a person to compare.

Evidence. This never grounds anything: it looks for short runs of the quote's words and measures what stands there.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from core.evidence.common_runs import common_runs
from core.evidence.contract import Span
from core.evidence.layers import Layer
from core.evidence.quote import Piece
from core.evidence.skeletons import narrow, wide
from core.evidence.tokens import has_glyphs, tokens

_WORD = re.compile(r"\w(?:(?<=[0-9])[0-9]*(?:[.,:][0-9]+)*|(?<![0-9])\w*(?:['’]\w+)*)")
_SPACE = re.compile(r"\s+")
_LAST_SPACE = re.compile(r"\s+\S*\Z")
_ENOUGH_TO_SHOW = 0.34
_ENOUGH_TO_CALL_ALTERED = 0.6
_ENOUGH_TO_STOP = 0.8
_RUN = 3
_MOST_RUNS = 12
_SHORTEST_BONES = 5
_PLACES_A_RUN = 3
_LONGEST = 4_000
"""Characters of a quote that are compared; a longer one is known by its beginning."""


@dataclass(frozen=True)
class Passage:
    """Where a quote comes closest. ``likeness`` is the share of words in common, from 0 to 1."""

    span: Span
    likeness: float

    @property
    def altered(self) -> bool:
        """Whether this is the quote with some words changed, rather than another sentence."""
        return self.likeness >= _ENOUGH_TO_CALL_ALTERED


def nearest_passage(layer: Layer, quote: Piece, holds: Callable[[Span], bool]) -> Passage | None:
    """The likest passage, one of the claimed speaker (``holds``) before any other; None where nothing is like it."""
    best: Passage | None = None
    for passage in _passages(layer, quote):
        held = holds(passage.span)
        if best is None or (held, passage.likeness) > (holds(best.span), best.likeness):
            best = passage
        if held and passage.likeness >= _ENOUGH_TO_STOP:
            break
    return best if best is not None and best.likeness >= _ENOUGH_TO_SHOW else None


def _between_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without the words that its ends would cut, where there is white space to cut at."""
    start, end = max(0, start), min(len(text), end)
    if start and not text[start - 1].isspace():
        space = _SPACE.search(text, start, min(end, start + 40))
        start = space.end() if space else start
    if end < len(text) and not text[end].isspace():
        space = _LAST_SPACE.search(text, max(start, end - 40), end)
        end = space.start() if space else end
    return start, end


def _passages(layer: Layer, quote: Piece) -> Iterator[Passage]:
    skeleton = layer.narrow if quote.prefers_narrow else layer.wide
    words = _Words(quote.text, 0, min(len(quote.text), _LONGEST), has_glyphs=has_glyphs(quote.text))
    seen: set[tuple[int, int]] = set()
    for start, run, bones in _runs(quote, words):
        for candidate in islice(skeleton.candidates(bones, run), _PLACES_A_RUN):
            region = candidate.part, candidate.first // (words.end + 1)
            if region in seen:
                continue
            seen.add(region)
            passage = _measured(layer, words, candidate.part, candidate.first - start)
            if passage is not None:
                yield passage


class _Words:
    """The words of ``text[start:end]``, simply cut, which will do for a likeness; tokens where there are no spaces."""

    def __init__(self, text: str, start: int, end: int, *, has_glyphs: bool) -> None:
        self.text, self.start, self.end = text, start, end
        self._tokens = tokens(text, start, end) if has_glyphs else None
        self._words: list[str] = [] if has_glyphs else _WORD.findall(text, start, end)
        self.keys = self._keys()

    def _keys(self) -> list[str]:
        if self._tokens is not None:
            return [token.key for token in self._tokens]
        return "\n".join(self._words).lower().split("\n") if self._words else []

    def stretch(self, first: int, last: int) -> tuple[int, int]:
        """From the start of word number ``first`` to the end of word number ``last``."""
        if self._tokens is not None:
            return self._tokens[first].start, self._tokens[last].end
        return self._place(first), self._place(last) + len(self._words[last])

    def _place(self, number: int) -> int:
        """Where a word begins: the words are found again one by one, from the end that is nearer."""
        if 2 * number < len(self._words):
            place = self.start
            for word in self._words[:number]:
                place = self.text.find(word, place) + len(word)
            return self.text.find(self._words[number], place)
        place = self.end
        for word in reversed(self._words[number:]):
            place = self.text.rfind(word, self.start, place)
        return place


def _runs(quote: Piece, words: _Words) -> Iterator[tuple[int, str, str]]:
    """Runs of three words, in short quotes of two: where each begins in the quote, its text and its bones."""
    size = _RUN if len(words.keys) > 2 * _RUN else 2
    step = max(size if size == _RUN else 1, len(words.keys) // _MOST_RUNS)
    reduced, fewest = (narrow, _SHORTEST_BONES) if quote.prefers_narrow else (wide, 2)
    for first in range(0, len(words.keys) - size + 1, step):
        start, end = words.stretch(first, first + size - 1)
        run = quote.text[start:end]
        bones = reduced(run)
        if len(bones) >= fewest:
            yield start, run if run[0].isascii() else "", bones


def _measured(layer: Layer, words: _Words, part: int, start: int) -> Passage | None:
    """The stretch from the first word in common to the last, widened by the words that the quote has beyond them."""
    reading = layer.readings[part]
    slack = 20 + words.end // 6
    first, last = _between_words(reading.text, start - slack, start + words.end + slack)
    with_glyphs = layer.has_glyphs and has_glyphs(reading.text[first:last])
    around = _Words(reading.text, first, last, has_glyphs=with_glyphs)
    runs = common_runs(words.keys, around.keys)
    if not runs:
        return None
    head, tail = runs[0], runs[-1]
    first = head.at - min(head.at, head.start)
    ours, theirs = len(around.keys) - tail.at - tail.size, len(words.keys) - tail.start - tail.size
    last = tail.at + tail.size - 1 + min(ours, theirs)
    likeness = 2 * sum(run.size for run in runs) / (last - first + 1 + len(words.keys))
    return Passage(Span(layer.turns[part], *reading.origin(*around.stretch(first, last))), likeness)
