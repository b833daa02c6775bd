"""Every place where a piece of a quote stands, and every place where it nearly does.

Evidence. Puts filter (skeletons) and strict check (matching) together, layer by layer, and stops when the claim is
settled. Linear in the transcript on any text: candidates that fail are counted, and there is an end to them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from core.evidence.context import is_whole_sentence
from core.evidence.contract import Span
from core.evidence.layers import Layer, Layers
from core.evidence.matching import Miss, Place, checked, surely_cut
from core.evidence.quote import Piece

_PATIENCE = 100_000
"""How many characters may be looked at in vain in one layer."""

_AT_A_GLANCE = 5
"""What it costs to see that a candidate begins or ends inside a word."""

_ENOUGH_MISSES = 8


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
        for layer in layers.holding(piece):
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
    taken = {(place.span.turn, place.span.start) for place in result.places}
    patience, beyond = _PATIENCE, 0
    for candidate in layer.candidates(piece):
        if candidate.place < beyond:
            continue
        many = len(result.misses) >= _ENOUGH_MISSES
        if many and patience <= 0:
            return
        if many and surely_cut(layer, piece, candidate):
            patience -= _AT_A_GLANCE
            continue
        outcome = checked(layer, piece, candidate)
        if isinstance(outcome, Miss):
            result.misses.append(outcome)
            patience -= len(piece.text) + 200
            continue
        beyond = candidate.place + len(piece.bones)
        if (outcome.span.turn, outcome.span.start) not in taken:
            result.places.append(outcome)


def proves(place: Place, piece: Piece, content: str) -> bool:
    """Whether the piece is long enough to prove anything there, or else a whole sentence of the source."""
    return piece.long_enough or is_whole_sentence(content, place.span.start, place.span.end)
