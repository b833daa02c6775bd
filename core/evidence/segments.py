"""Overlapping marks drawn side by side: a text cut where any mark begins or ends.

Evidence, for the display. Every character is drawn once, whatever lies over it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.errors import BadInput


@dataclass(frozen=True)
class Segment:
    """A stretch of text and the marks that lie over it, in the order in which they were given."""

    text: str
    ids: tuple[str, ...] = ()


def segments(text: str, marks: Sequence[tuple[int, int, str]]) -> list[Segment]:
    """The text in stretches; joined they are the text again.

    A mark is ``(start, end, id)`` in code points, half-open. An empty mark draws nothing; one that leaves the text, or
    ends before it starts, is refused (``BadInput``).
    """
    for start, end, name in marks:
        if not 0 <= start <= end <= len(text):
            raise BadInput(f"The mark {name} runs from {start} to {end}; the text has {len(text)} characters.")
    opened: dict[int, list[int]] = {}
    closed: dict[int, list[int]] = {}
    for number, (start, end, _) in enumerate(marks):
        if start < end:
            opened.setdefault(start, []).append(number)
            closed.setdefault(end, []).append(number)
    cuts = sorted({0, len(text), *opened, *closed})
    lying: set[int] = set()
    found = []
    for start, end in pairwise(cuts):
        lying.difference_update(closed.get(start, ()))
        lying.update(opened.get(start, ()))
        ids = dict.fromkeys(marks[number][2] for number in sorted(lying))
        found.append(Segment(text[start:end], tuple(ids)))
    return found
