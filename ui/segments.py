"""Overlapping spans of one message as segments that follow each other.

Promise: the segments' texts joined are the message, character for character, however the spans overlap.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from core.evidence import segments as cut
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
    marks = [(one.span.start, min(one.span.end, len(content)), str(at)) for at, one in enumerate(inside)]
    return tuple(Segment(part.text, tuple(inside[int(at)] for at in part.ids)) for part in cut(content, marks))
