"""Overlapping spans of one message as segments that follow each other.

Promise: the segments' texts joined are the message, character for character, however the spans overlap.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from core.evidence.contract import Span


@dataclass(frozen=True)
class Lit:
    """A span with its look. ``line`` is ``exact``, ``folded``, ``elided``, ``gap`` or ``nearest``."""

    span: Span
    number: int
    line: str


@dataclass(frozen=True)
class Segment:
    """A run of characters that the same spans cover."""

    text: str
    lit: tuple[Lit, ...] = ()


def segments(content: str, lit: Iterable[Lit]) -> tuple[Segment, ...]:
    """Split ``content`` wherever a span begins or ends. Spans are cut to the message; empty ones are left out."""
    inside = [one for one in lit if 0 <= one.span.start < min(one.span.end, len(content))]
    edges = {0, len(content)}
    for one in inside:
        edges |= {one.span.start, min(one.span.end, len(content))}
    borders = sorted(edges)
    return tuple(Segment(content[start:end], _covering(inside, start, end)) for start, end in pairwise(borders))


def _covering(lit: list[Lit], start: int, end: int) -> tuple[Lit, ...]:
    return tuple(one for one in lit if one.span.start <= start and end <= one.span.end)
