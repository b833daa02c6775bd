"""The pieces of a shortened quote, strung together: in order, in one message, as tightly as they will go.

Evidence. What stands between two pieces is a gap; it is shown, because it may turn the meaning.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.evidence.contract import Span
from core.evidence.matching import Place
from core.evidence.tokens import tokens


@dataclass(frozen=True)
class Chain:
    """One place a piece, in order, in one message."""

    places: tuple[Place, ...]

    @property
    def turn(self) -> int:
        return self.places[0].span.turn

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(place.span for place in self.places)

    def gaps(self, content: str) -> tuple[Span, ...]:
        """The words between the pieces, from the first word to the last; nothing where the pieces touch."""
        return gaps_between(self.spans, content)


def gaps_between(spans: Sequence[Span], content: str) -> tuple[Span, ...]:
    """The words between spans of one message, from the first word to the last; nothing where the spans touch."""
    gaps = []
    for before, after in pairwise(spans):
        words = tokens(content, before.end, after.start)
        if words:
            gaps.append(Span(before.turn, words[0].start, words[-1].end))
    return tuple(gaps)


def chains(pieces: Sequence[Mapping[int, list[Place]]]) -> list[Chain]:
    """All chains, one after another, through the places of each piece, which are sorted, by turn."""
    common = sorted(set.intersection(*map(set, pieces))) if pieces else []
    return [chain for turn in common for chain in _chains_within([places[turn] for places in pieces])]


def by_turn(places: Iterable[Place]) -> dict[int, list[Place]]:
    """The places of each turn, in order. Of two that end alike the exact one counts: a link's title, not its label."""
    places = list(places)
    found: dict[int, list[Place]] = {}
    exact = {(place.span.turn, place.span.end) for place in places if not place.folds}
    for place in places:
        if place.folds and (place.span.turn, place.span.end) in exact:
            continue
        found.setdefault(place.span.turn, []).append(place)
    return found


def _chains_within(places_of_pieces: list[list[Place]]) -> list[Chain]:
    found, position = [], 0
    while (last := _earliest_end(places_of_pieces, position)) is not None:
        chain = _tightened(places_of_pieces, last)
        found.append(chain)
        position = chain.places[-1].span.end
    return found


def _earliest_end(places_of_pieces: list[list[Place]], position: int) -> Place | None:
    """The last place of the chain that ends first, from ``position`` on."""
    place = None
    for places in places_of_pieces:
        index = bisect_left(places, position, key=_start)
        if index == len(places):
            return None
        place = places[index]
        position = place.span.end
    return place


def _tightened(places_of_pieces: list[list[Place]], last: Place) -> Chain:
    """The chain that ends with ``last`` and whose every other piece stands as late as it can."""
    chain = [last]
    for places in reversed(places_of_pieces[:-1]):
        index = bisect_right(places, chain[-1].span.start, key=_end) - 1
        chain.append(places[index])
    return Chain(tuple(reversed(chain)))


def _start(place: Place) -> int:
    return place.span.start


def _end(place: Place) -> int:
    return place.span.end
