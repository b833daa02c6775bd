"""The strict check, not made twice where the answer must be the same.

Evidence, between the filter and ``matching``: most quotes stand letter for letter between white space and need no words
cut, and a text that repeats itself is decided once.
"""

from dataclasses import replace

from core.evidence.contract import Span
from core.evidence.graphemes import is_flag_half
from core.evidence.languages import REACH
from core.evidence.layers import Layer
from core.evidence.matching import AROUND, Miss, Place, checked, plainly_verbatim
from core.evidence.quote import Piece
from core.evidence.readings import Reading
from core.evidence.skeletons import Candidate


class StrictCheck:
    """The strict check of one piece in one layer, made as seldom as can be.

    What is decided about a candidate is decided about every other that stands between the same characters, so a text
    that says the same thing thousands of times is cut into words once. ``made`` counts the checks that were made.
    """

    def __init__(self, layer: Layer, piece: Piece) -> None:
        self._layer, self._piece = layer, piece
        self._decided: dict[str, tuple[int, Place | Miss]] = {}
        self.made = 0

    def result(self, candidate: Candidate) -> Place | Miss:
        """Whether the piece really stands where its skeleton was found."""
        reading, turn = self._layer.readings[candidate.part], self._layer.turns[candidate.part]
        if not reading.resolved and plainly_verbatim(reading.text, self._piece, candidate.first):
            return Place(Span(turn, candidate.first, candidate.first + len(self._piece.stripped)))
        surroundings = _surroundings(reading, self._piece, candidate)
        if surroundings in self._decided:
            first, decided = self._decided[surroundings]
            return _moved(decided, turn, candidate.first - first)
        self.made += 1
        decided = checked(reading, turn, self._piece, candidate)
        if surroundings:
            self._decided[surroundings] = candidate.first, decided
        return decided


def _surroundings(reading: Reading, piece: Piece, candidate: Candidate) -> str:
    """All that a check looks at; nothing where it may look further: at the ends of a text, in a row of flags."""
    reach = REACH + 4 * AROUND + 3 * max(edge.characters for edge in piece.boneless_edges)
    start, end = candidate.first - reach, candidate.last + 1 + reach
    if reading.resolved or start <= 0 or end >= len(reading.text) or is_flag_half(reading.text[start]):
        return ""
    return reading.text[start:end]


def _moved(decided: Place | Miss, turn: int, by: int) -> Place | Miss:
    return replace(decided, span=Span(turn, decided.span.start + by, decided.span.end + by))
