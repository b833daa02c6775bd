"""The texts in which a quote is looked for: as they stand, then with escapes resolved, then with markup rendered.

Evidence. A layer holds only messages that read otherwise than in the layer before, so most transcripts pay for one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.evidence.joined import Joined
from core.evidence.quote import Piece
from core.evidence.readings import (
    Reading,
    decoded,
    marks_of_encoding,
    marks_of_labels,
    marks_of_lists,
    marks_of_markup,
    rendered,
    unlabelled,
    unnumbered,
)
from core.evidence.skeletons import Candidate, Skeleton, loosened
from core.evidence.tokens import is_glyph


@dataclass(frozen=True)
class Layer:
    """Readings of some messages; ``turns[n]`` is the turn of reading ``n``."""

    turns: Sequence[int]
    readings: Sequence[Reading]

    @cached_property
    def texts(self) -> Joined:
        return Joined([reading.text for reading in self.readings])

    @cached_property
    def has_glyphs(self) -> bool:
        """Whether any reading holds characters of a script without spaces."""
        return any(map(is_glyph, self.texts.foreign))

    @cached_property
    def narrow(self) -> Skeleton:
        return Skeleton.narrow(self.texts)

    @cached_property
    def wide(self) -> Skeleton:
        """Only of readings that hold more than ASCII; others cannot hold what this is asked for."""
        return Skeleton.wide(self.texts)

    def candidate(self, piece: Piece, start: int) -> Candidate | None:
        """Where the piece may stand next, from place ``start`` of the skeleton on."""
        if not piece.prefers_narrow:
            return self.wide.candidate(piece.wide, start)
        return self.narrow.candidate(piece.narrow, start, piece.stripped if piece.has_plain_edges else "")


_NOTHING = Layer((), ())


class Layers:
    """The layers of one transcript, made when they are first asked for."""

    def __init__(self, contents: Sequence[str]) -> None:
        self._contents = contents

    def close(self) -> Iterator[Layer]:
        """The layers in which any quote is looked for, one after another."""
        yield self.plain
        yield from self._marked

    def hold_loosely(self, piece: Piece) -> bool:
        """Whether leaving out list numbers or the borders of messages could bring the piece to light.

        Most absent quotes are spared what comes after this question.
        """
        if not piece.prefers_narrow:
            return True
        bones = loosened(piece.narrow)
        return any(bones in layer.narrow.loose for layer in self.close())

    @cached_property
    def _marked(self) -> list[Layer]:
        return [layer for layer in (self.decoded, self.rendered, self.unlabelled) if layer.turns]

    @cached_property
    def plain(self) -> Layer:
        """The texts as they stand."""
        return Layer(range(len(self._contents)), [Reading(content) for content in self._contents])

    @cached_property
    def decoded(self) -> Layer:
        """Escapes and entities resolved."""
        return _after([self.plain], marks_of_encoding, lambda reading: decoded(reading.text))

    @cached_property
    def rendered(self) -> Layer:
        """Then links and tags as they are shown."""
        return _after([self.decoded, self.plain], marks_of_markup, rendered)

    @cached_property
    def unlabelled(self) -> Layer:
        """Then lists of things done without their ticks, and fences of code without their language."""
        return _after([self.rendered, self.decoded, self.plain], marks_of_labels, unlabelled)

    @cached_property
    def unnumbered(self) -> Layer:
        """Then lists without their numbers."""
        return _after([self.unlabelled, self.rendered, self.decoded, self.plain], marks_of_lists, unnumbered)


def _after(
    before: Sequence[Layer], marks_of: Callable[[Joined], list[str]], read: Callable[[Reading], Reading]
) -> Layer:
    """The layer of those texts that read otherwise again, each from the latest of the layers before.

    Texts without any of the marks are left aside; they read the same.
    """
    marks = {mark for layer in before for mark in marks_of(layer.texts)}
    if not marks:
        return _NOTHING
    latest: dict[int, Reading] = {}
    for layer in reversed(before):
        latest.update(zip(layer.turns, layer.readings, strict=True))
    marked = {turn: reading for turn, reading in latest.items() if any(mark in reading.text for mark in marks)}
    made = {turn: read(reading) for turn, reading in marked.items()}
    changed = [turn for turn, reading in made.items() if reading is not latest[turn] and reading.resolved]
    return Layer(changed, [made[turn] for turn in changed])
