"""Every place where a piece of a quote stands, and every place where it nearly does.

Evidence. Puts filter (skeletons) and strict check (matching) together, layer by layer, and stops when the claim is
settled. Linear in the transcript on any text: candidates that fail are counted, and there is an end to them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from core.evidence.context import is_whole_sentence
from core.evidence.contract import Span
from core.evidence.layers import Layer, Layers
from core.evidence.matching import Miss, Place, checked
from core.evidence.quote import Piece

_FAILURES = 400_000
"""How many quoted characters may be checked in vain in one layer."""


@dataclass
class Found:
    """What a search brought: places in the order of the transcript, and near misses."""

    places: list[Place] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)


def found(pieces: Iterable[Piece], layers: Layers, settled: Callable[[Span], bool]) -> Found:
    """Where any of the readings of a piece stands; looks no further once a place settles the claim."""
    result = Found()
    for piece in pieces:
        if not piece.bones:
            continue
        for layer in layers:
            _look_through(layer, piece, result)
            if any(settled(place.span) for place in result.places):
                result.places.sort(key=_order)
                return result
    result.places.sort(key=_order)
    return result


def _order(place: Place) -> tuple[int, int]:
    return place.span.turn, place.span.start


def _look_through(layer: Layer, piece: Piece, result: Found) -> None:
    """Add what one layer holds; places do not overlap one another."""
    patience = max(8, _FAILURES // (len(piece.text) + 200))
    taken = {(place.span.turn, place.span.start) for place in result.places}
    beyond = 0
    for candidate in layer.candidates(piece):
        if candidate.place < beyond:
            continue
        outcome = checked(layer, piece, candidate)
        if isinstance(outcome, Place):
            beyond = candidate.place + len(piece.bones)
            if (outcome.span.turn, outcome.span.start) not in taken:
                result.places.append(outcome)
            continue
        result.misses.append(outcome)
        patience -= 1
        if not patience:
            return


def proves(place: Place, piece: Piece, content: str) -> bool:
    """Whether the piece is long enough to prove anything there, or else a whole sentence of the source."""
    return piece.long_enough or is_whole_sentence(content, place.span.start, place.span.end)
