"""The passage that comes closest to a quote that was not found, for a person to compare.

Evidence. This never grounds anything: it looks for short runs of the quote's words and measures what stands there.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

from core.evidence.contract import Span
from core.evidence.layers import Layer
from core.evidence.quote import Piece
from core.evidence.skeletons import narrow, wide
from core.evidence.tokens import has_glyphs, tokens

_WORD = re.compile(r"[0-9]+(?:[.,:][0-9]+)*|\w+(?:['’]\w+)*")
_SPACE = re.compile(r"\s+")
_ENOUGH_TO_SHOW = 0.34
_ENOUGH_TO_CALL_ALTERED = 0.6
_ENOUGH_TO_STOP = 0.8
_RUN = 3
_MOST_RUNS = 12
_SHORTEST_BONES = 5
_PLACES_A_RUN = 3


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
        spaces = [space.start() for space in _SPACE.finditer(text, max(start, end - 40), end)]
        end = spaces[-1] if spaces else end
    return start, end


def _passages(layer: Layer, quote: Piece) -> Iterator[Passage]:
    skeleton = layer.narrow if quote.prefers_narrow else layer.wide
    words = _words(quote.text, 0, len(quote.text))
    seen: set[tuple[int, int]] = set()
    for start, run, bones in _runs(quote, words):
        for candidate in islice(skeleton.candidates(bones, run), _PLACES_A_RUN):
            region = candidate.part, candidate.first // (len(quote.text) + 1)
            if region in seen:
                continue
            seen.add(region)
            passage = _measured(layer, quote, words, candidate.part, candidate.first - start)
            if passage is not None:
                yield passage


@dataclass(frozen=True)
class _Words:
    """The words of a stretch of text: keys to compare, and the place of each."""

    keys: list[str]
    places: list[tuple[int, int]]


def _words(text: str, start: int, end: int) -> _Words:
    """Simply cut words, which will do for a likeness; tokens where a script has no spaces to cut at."""
    if has_glyphs(text[start:end]):
        found = tokens(text, start, end)
        return _Words([token.key for token in found], [(token.start, token.end) for token in found])
    matches = list(_WORD.finditer(text, start, end))
    return _Words([match.group().lower() for match in matches], [match.span() for match in matches])


def _runs(quote: Piece, words: _Words) -> Iterator[tuple[int, str, str]]:
    """Runs of three words, in short quotes of two: where each begins in the quote, its text and its bones."""
    size = _RUN if len(words.keys) > 2 * _RUN else 2
    step = max(size if size == _RUN else 1, len(words.keys) // _MOST_RUNS)
    reduced, fewest = (narrow, _SHORTEST_BONES) if quote.prefers_narrow else (wide, 2)
    for first in range(0, len(words.keys) - size + 1, step):
        start = words.places[first][0]
        run = quote.text[start : words.places[first + size - 1][1]]
        bones = reduced(run)
        if len(bones) >= fewest:
            yield start, run if run[0].isascii() else "", bones


def _measured(layer: Layer, quote: Piece, words: _Words, part: int, start: int) -> Passage | None:
    """The stretch from the first word in common to the last, widened by the words that the quote has beyond them."""
    text = layer.readings[part].text
    slack = 20 + len(quote.text) // 6
    around = _words(text, *_between_words(text, start - slack, start + len(quote.text) + slack))
    blocks = SequenceMatcher(None, words.keys, around.keys, autojunk=False).get_matching_blocks()
    matched = [block for block in blocks if block.size]
    if not matched:
        return None
    head, tail = matched[0], matched[-1]
    first = head.b - min(head.a, head.b)
    ours, theirs = len(around.keys) - tail.b - tail.size, len(words.keys) - tail.a - tail.size
    last = tail.b + tail.size - 1 + min(ours, theirs)
    likeness = 2 * sum(block.size for block in matched) / (last - first + 1 + len(words.keys))
    span = Span(layer.turns[part], *layer.readings[part].origin(around.places[first][0], around.places[last][1]))
    return Passage(span, likeness)
