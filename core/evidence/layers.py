"""The texts in which a quote is looked for: as they stand, then with escapes resolved, then with markup rendered.

Evidence. A layer holds only messages that read otherwise than in the layer before, so most transcripts pay for one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.evidence.quote import Piece
from core.evidence.readings import (
    Reading,
    decoded,
    may_be_encoded,
    may_be_labelled,
    may_be_marked_up,
    rendered,
    unlabelled,
    unnumbered,
)
from core.evidence.skeletons import Candidate, Skeleton, narrow, wide


@dataclass(frozen=True)
class Layer:
    """Readings of some messages; ``turns[n]`` is the turn of reading ``n``."""

    turns: Sequence[int]
    readings: Sequence[Reading]

    @cached_property
    def narrow(self) -> Skeleton:
        return Skeleton(self.readings, narrow, skips_ascii=False)

    @cached_property
    def wide(self) -> Skeleton:
        """Only of readings that hold more than ASCII; others cannot hold what this is asked for."""
        return Skeleton(self.readings, wide, skips_ascii=True)

    def candidates(self, piece: Piece) -> Iterator[Candidate]:
        """Where the piece may stand."""
        if not piece.prefers_narrow:
            return self.wide.candidates(piece.wide)
        return self.narrow.candidates(piece.narrow, piece.stripped if piece.has_plain_edges else "")


_NOTHING = Layer((), ())


class Layers:
    """The layers of one transcript, made when they are first asked for."""

    def __init__(self, contents: Sequence[str]) -> None:
        self._contents = contents

    def holding(self, piece: Piece) -> Iterator[Layer]:
        """The layers in which the piece may stand, one after another."""
        yield self.plain
        yield self.decoded
        yield self.rendered
        yield self.unlabelled
        if not piece.prefers_narrow or self._hold_without_digits(piece):
            yield self.unnumbered

    def _hold_without_digits(self, piece: Piece) -> bool:
        """Whether leaving out list numbers could bring the piece to light; most absent quotes are spared that layer."""
        layers = (self.plain, self.decoded, self.rendered, self.unlabelled)
        return any(layer.narrow.holds_without_digits(piece.narrow) for layer in layers)

    @cached_property
    def plain(self) -> Layer:
        """The texts as they stand."""
        return Layer(range(len(self._contents)), [Reading(content) for content in self._contents])

    @cached_property
    def _joined(self) -> str:
        return "\n".join(self._contents)

    @cached_property
    def decoded(self) -> Layer:
        """Escapes and entities resolved."""
        if not may_be_encoded(self._joined):
            return _NOTHING
        return self._after([self.plain], lambda reading: decoded(reading.text))

    @cached_property
    def rendered(self) -> Layer:
        """Then links and tags as they are shown."""
        if not self.decoded.turns and not may_be_marked_up(self._joined):
            return _NOTHING
        return self._after([self.decoded, self.plain], rendered)

    @cached_property
    def unlabelled(self) -> Layer:
        """Then lists of things done without their ticks, and fences of code without their language."""
        if not may_be_labelled(self._joined):
            return _NOTHING
        return self._after([self.rendered, self.decoded, self.plain], unlabelled)

    @cached_property
    def unnumbered(self) -> Layer:
        """Then lists without their numbers."""
        return self._after([self.unlabelled, self.rendered, self.decoded, self.plain], unnumbered)

    def _after(self, before: Sequence[Layer], read: Callable[[Reading], Reading]) -> Layer:
        """The layer of those texts that read otherwise again, each from the latest of the layers before."""
        latest: dict[int, Reading] = {}
        for layer in reversed(before):
            latest.update(zip(layer.turns, layer.readings, strict=True))
        made = {turn: read(reading) for turn, reading in latest.items()}
        changed = [turn for turn, reading in made.items() if reading is not latest[turn] and reading.resolved]
        return Layer(changed, [made[turn] for turn in changed])
