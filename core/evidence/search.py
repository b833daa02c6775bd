"""Every place where a piece of a quote stands, and every place where it nearly does.

Evidence. Puts filter (skeletons) and strict check (matching) together, layer by layer, and stops when the claim is
settled. Linear in the transcript on any text: candidates that fail are counted, and there is an end to them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from core.evidence.context import is_whole_sentence
from core.evidence.contract import Span
from core.evidence.layers import Layer, Layers
from core.evidence.matching import Miss, Place, surely_cut
from core.evidence.quote import Piece
from core.evidence.strict import StrictCheck

_PATIENCE = 100_000
"""How many characters may be looked at in vain in one layer."""

_AT_A_GLANCE = 5
"""What it costs to see that a candidate begins or ends inside a word."""

_LETTERS_A_GLANCE = 50
"""How many letters of a piece make the search for the next candidate cost one more."""

_ENOUGH_MISSES = 8

MOST_PLACES = 1_000
"""Places of one quote that are looked for; where it stands so often, no further one says more."""


@dataclass
class Found:
    """What a search brought: places in the order of the transcript, and near misses."""

    places: list[Place] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)
    loosely: bool = False
    """Whether the letters may stand where list numbers or the borders of messages are left out."""


def found(pieces: Iterable[Piece], layers: Layers, settled: Callable[[Span], bool]) -> Found:
    """Where any of the readings of a piece stands; looks no further once a place settles the claim."""
    result = Found()
    for piece in pieces:
        if not piece.bones:
            continue
        for layer in _layers_holding(piece, layers, result):
            _look_through(layer, piece, result)
            if any(settled(place.span) for place in result.places):
                result.places.sort(key=_order)
                return result
    result.places.sort(key=_order)
    return result


def _layers_holding(piece: Piece, layers: Layers, result: Found) -> Iterator[Layer]:
    """The layers in which the piece may stand; the last of them only where it can help."""
    yield from layers.close()
    if layers.hold_loosely(piece):
        result.loosely = True
        yield layers.unnumbered


def _order(place: Place) -> tuple[int, int]:
    return place.span.turn, place.span.start


def _look_through(layer: Layer, piece: Piece, result: Found) -> None:
    """Add what one layer holds; places do not overlap one another."""
    taken = {(place.span.turn, place.span.start) for place in result.places}
    patience, start, check = _PATIENCE, 0, StrictCheck(layer, piece)
    while (candidate := layer.candidate(piece, start)) is not None:
        start = candidate.place + 1
        many = len(result.misses) >= _ENOUGH_MISSES
        if many and patience <= 0:
            return
        if many and surely_cut(layer, piece, candidate):
            patience -= _AT_A_GLANCE + len(piece.bones) // _LETTERS_A_GLANCE
            continue
        outcome = check.result(candidate)
        if isinstance(outcome, Miss):
            result.misses.append(outcome)
            patience -= len(piece.text) + 200
            continue
        start = candidate.place + len(piece.bones)
        if (outcome.span.turn, outcome.span.start) not in taken:
            result.places.append(outcome)
        if len(result.places) >= MOST_PLACES:
            return


def proves(place: Place, piece: Piece, content: str) -> bool:
    """Whether the piece is long enough to prove anything there, or else a whole sentence of the source."""
    return piece.long_enough or is_whole_sentence(content, place.span.start, place.span.end)
