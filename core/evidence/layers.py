"""The texts in which a quote is looked for: as they stand, then with escapes resolved, then with markup rendered.

Evidence. A layer holds only messages that read otherwise than in the layer before, so most transcripts pay for one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.evidence.quote import Piece
from core.evidence.readings import Reading, decoded, rendered
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
        return self.narrow.candidates(piece.narrow) if piece.prefers_narrow else self.wide.candidates(piece.wide)


class Layers:
    """The layers of one transcript, made when they are first asked for."""

    def __init__(self, contents: Sequence[str]) -> None:
        self._contents = contents

    def __iter__(self) -> Iterator[Layer]:
        yield self.plain
        yield self.decoded
        yield self.rendered

    @cached_property
    def plain(self) -> Layer:
        return Layer(range(len(self._contents)), [Reading(content) for content in self._contents])

    @cached_property
    def _decoded(self) -> list[Reading]:
        return [decoded(content) for content in self._contents]

    @cached_property
    def decoded(self) -> Layer:
        changed = [turn for turn, reading in enumerate(self._decoded) if reading.resolved]
        return Layer(changed, [self._decoded[turn] for turn in changed])

    @cached_property
    def rendered(self) -> Layer:
        made = {turn: rendered(reading) for turn, reading in enumerate(self._decoded)}
        changed = [turn for turn, reading in made.items() if reading is not self._decoded[turn]]
        return Layer(changed, [made[turn] for turn in changed])
