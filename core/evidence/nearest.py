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
from core.evidence.tokens import tokens

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
    seen: set[tuple[int, int]] = set()
    for place, run in _runs(quote):
        for candidate in islice(skeleton.candidates(run), _PLACES_A_RUN):
            region = candidate.part, candidate.first // (len(quote.text) + 1)
            if region in seen:
                continue
            seen.add(region)
            passage = _measured(layer, quote, candidate.part, candidate.first - quote.tokens[place].start)
            if passage is not None:
                yield passage


def _runs(quote: Piece) -> Iterator[tuple[int, str]]:
    """The bones of runs of words, each with the number of its first word: of three, in short quotes of two."""
    size = _RUN if len(quote.tokens) > 2 * _RUN else 2
    step = max(size if size == _RUN else 1, len(quote.tokens) // _MOST_RUNS)
    reduced, fewest = (narrow, _SHORTEST_BONES) if quote.prefers_narrow else (wide, 2)
    for first in range(0, len(quote.tokens) - size + 1, step):
        bones = reduced(quote.text[quote.tokens[first].start : quote.tokens[first + size - 1].end])
        if len(bones) >= fewest:
            yield first, bones


def _measured(layer: Layer, quote: Piece, part: int, start: int) -> Passage | None:
    """The stretch from the first word in common to the last, widened by the words that the quote has beyond them."""
    text = layer.readings[part].text
    slack = 20 + len(quote.text) // 6
    around = tokens(text, *_between_words(text, start - slack, start + len(quote.text) + slack))
    blocks = SequenceMatcher(None, quote.keys, [token.key for token in around], autojunk=False).get_matching_blocks()
    matched = [block for block in blocks if block.size]
    if not matched:
        return None
    head, tail = matched[0], matched[-1]
    first = head.b - min(head.a, head.b)
    ours, theirs = len(around) - tail.b - tail.size, len(quote.tokens) - tail.a - tail.size
    last = tail.b + tail.size - 1 + min(ours, theirs)
    likeness = 2 * sum(block.size for block in matched) / (last - first + 1 + len(quote.tokens))
    span = Span(layer.turns[part], *layer.readings[part].origin(around[first].start, around[last].end))
    return Passage(span, likeness)
