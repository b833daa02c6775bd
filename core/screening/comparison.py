"""Whether two lessons say the same, nearly the same, the contrary, or something else.

Screening, twins and conflicts. Source: Reflexion buffer, "Near-duplicates"; how often similar words mean the contrary
was measured, so the order is fixed: numbers, negations, opposites, order of steps, scope and object decide before
likeness.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from core.screening.likeness import common_run, edits_apart, folded
from core.screening.meaning import MINOR, Saying, opposites_of, sayings
from core.screening.plain import plain

RUN = 0.8
"""Share of the shorter text that a common run of characters must cover. Source: Reflexion buffer."""
_LONG = 10
"""Words in common from which a single word more or less does not make another object, as in long reflections."""
_CLOSE = 0.9
"""Cosine from which two texts are alike. Source: Reflexion buffer."""


class Relation(StrEnum):
    """How two texts stand to each other."""

    SAME = "same"
    TWIN = "twin"
    CONFLICT = "conflict"
    DIFFERENT = "different"


@dataclass(frozen=True)
class Comparison:
    """The relation, what decided (``words``, ``likeness``, ``number``, ``negation``, ``opposite``, ``order``,
    ``contrast``, ``scope``, ``object``), the deciding words of each text, and the half-sentences they stand in.
    """

    relation: Relation
    by: str
    one: str = ""
    other: str = ""
    sentence: str = ""
    other_sentence: str = ""


@dataclass(frozen=True)
class _Difference:
    """What is left of two sayings when everything they share is taken away."""

    shared: int
    one: frozenset[str]
    other: frozenset[str]
    opposed: tuple[tuple[str, str], ...]

    @property
    def smaller(self) -> float:
        """Share of the smaller saying that the other has too, opposites counted as shared."""
        common = self.shared + len(self.opposed)
        return common / max(1, common + min(len(self.one), len(self.other)))

    @property
    def union(self) -> float:
        """Share of all words that both have, opposites counted as shared."""
        common = self.shared + len(self.opposed)
        return common / max(1, common + len(self.one) + len(self.other))


def compare(one: str, other: str, *, cosine: float | None = None) -> Comparison:
    """How ``one`` stands to ``other``. ``cosine`` is an embedding's opinion of their likeness, where there is one."""
    one, other = plain(one).text, plain(other).text
    if folded(one) == folded(other):
        return Comparison(Relation.SAME, "words")
    said, told = sayings(one), sayings(other)
    opposed = next((found for mine in said for theirs in told if (found := _conflict(mine, theirs))), None)
    if opposed:
        return opposed
    if not said or not told:
        return Comparison(Relation.DIFFERENT, "object")
    return _likeness(one, other, said, told, cosine)


def _conflict(one: Saying, other: Saying) -> Comparison | None:
    """The contrary: an odd number of things that turn a sentence round, on the same object."""
    rest = _difference(one, other)
    if rest.shared + len(rest.opposed) < 2:
        return _other_number_alone(one, other, rest)
    turns = _turns(one, other, rest)
    contrast = (one.instead & (other.all - one.all)) or (other.instead & (one.all - other.all))
    if contrast and not turns and rest.shared >= 2:
        return _opposed("contrast", (min(contrast), min(contrast)), one, other)
    if len(turns) % 2 == 1 and _same_object(rest):
        return _opposed(*turns[0], one, other)
    if not turns and _other_limit(one, other) and _same_object(rest) and rest.union >= 0.6:
        mine, theirs = _shown(one, other), _shown(other, one)
        return _opposed("number", (mine, theirs), one, other)
    return None


def _other_number_alone(one: Saying, other: Saying, rest: _Difference) -> Comparison | None:
    """“Answer within 2 hours” has one word to compare; then nothing else may differ."""
    equal = rest.shared == 1 and not rest.one and not rest.other and one.positive is other.positive
    if not equal or not _other_limit(one, other):
        return None
    return _opposed("number", (_shown(one, other), _shown(other, one)), one, other)


def _opposed(by: str, pair: tuple[str, str], one: Saying, other: Saying) -> Comparison:
    return Comparison(Relation.CONFLICT, by, *pair, one.text, other.text)


def _turns(one: Saying, other: Saying, rest: _Difference) -> list[tuple[str, tuple[str, str]]]:
    """Everything that turns one saying round against the other, with the words."""
    turns: list[tuple[str, tuple[str, str]]] = [("opposite", pair) for pair in rest.opposed]
    if one.positive is not other.positive:
        turns.append(("negation", (one.turned_by, other.turned_by)))
    if one.bounds and other.bounds and one.bounds != other.bounds:
        turns.append(("opposite", (min(one.bounds), min(other.bounds))))
    if left := (one.without & (other.all - other.without)) | (other.without & (one.all - one.without)):
        turns.append(("negation", (f"without {min(left)}", min(left))))
    if _order_turned(one, other):
        turns.append(("order", ("first " + " ".join(sorted(one.first)), "first " + " ".join(sorted(other.first)))))
    return turns


def _order_turned(one: Saying, other: Saying) -> bool:
    """Whether what one puts first the other puts after."""
    if not (one.first and one.then and other.first and other.then):
        return False
    straight = len(one.first & other.first) + len(one.then & other.then)
    crossed = len(one.first & other.then) + len(one.then & other.first)
    own = one.first - one.then
    return crossed > straight and bool(own & other.then) and not own & (other.first - other.then)


def _same_object(rest: _Difference) -> bool:
    """Whether one saying is about all that the other is about; words left on both sides are two objects."""
    return rest.smaller >= 0.99 and (rest.union >= 0.3 or rest.shared >= 2)


def _other_limit(one: Saying, other: Saying) -> bool:
    mine, theirs = one.amounts - other.amounts, other.amounts - one.amounts
    units = {amount.unit for amount in mine} & {amount.unit for amount in theirs}
    return bool(units) and one.limited and other.limited


def _difference(one: Saying, other: Saying) -> _Difference:
    mine, theirs = set(one.all - other.all), set(other.all - one.all)
    opposed = []
    for word in sorted(mine):
        against = min(opposites_of(word) & theirs, default=None)
        met = against or next((each for each in sorted(theirs) if each[0] == word[0] and _misspelt(word, each)), None)
        if against:
            opposed.append((word, against))
        if met:
            mine.discard(word)
            theirs.discard(met)
    shared = len(one.all) - len(mine) - len(opposed)
    return _Difference(shared, frozenset(mine) - MINOR, frozenset(theirs) - MINOR, tuple(opposed))


def _misspelt(one: str, other: str) -> bool:
    long_enough = min(len(one), len(other)) >= 4 and max(len(one), len(other)) >= 5
    return long_enough and edits_apart(one, other) <= 1


def _whole(parts: tuple[Saying, ...]) -> Saying:
    """All sayings of a text as one, for likeness."""
    if len(parts) == 1:
        return parts[0]
    return Saying(
        text="",
        positive=all(part.positive for part in parts),
        all=_union(part.all for part in parts),
        first=_union(part.first for part in parts),
        then=_union(part.then for part in parts),
        scope=_union(part.scope for part in parts),
        instead=_union(part.instead for part in parts),
        amounts=frozenset(amount for part in parts for amount in part.amounts),
        bounds=_union(part.bounds for part in parts),
        without=_union(part.without for part in parts),
        limited=any(part.limited for part in parts),
    )


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset(word for each in sets for word in each)


def _likeness(
    one: str, other: str, said: tuple[Saying, ...], told: tuple[Saying, ...], cosine: float | None
) -> Comparison:
    mine, theirs = _whole(said), _whole(told)
    rest = _difference(mine, theirs)
    turns = _turns(mine, theirs, rest)
    if mine.amounts != theirs.amounts and rest.union >= 0.5:
        return Comparison(Relation.DIFFERENT, "number", _shown(mine, theirs), _shown(theirs, mine))
    if turns and rest.union >= 0.5:
        return Comparison(Relation.DIFFERENT, turns[0][0], *turns[0][1])
    return _by_words(rest, mine, theirs, lambda: (cosine or 0) > _CLOSE or _runs_alike(folded(one), folded(other)))


def _runs_alike(one: str, other: str) -> bool:
    return common_run(one, other) >= RUN * min(len(one), len(other))


def _by_words(rest: _Difference, one: Saying, other: Saying, alike: Callable[[], bool]) -> Comparison:
    """``alike`` is asked only where the words leave it open."""
    left, right = " ".join(sorted(rest.one)), " ".join(sorted(rest.other))
    long = rest.shared >= _LONG and rest.union >= 0.8
    if rest.one and rest.other:
        close = long and len(rest.one) + len(rest.other) > 2 and alike()
        return Comparison(
            Relation.TWIN if close else Relation.DIFFERENT, "likeness" if close else "object", left, right
        )
    extra, scope = rest.one or rest.other, one.scope if rest.one else other.scope
    if extra & scope and not long:
        return Comparison(Relation.DIFFERENT, "scope", left, right)
    if not extra or rest.union >= 0.75 or (rest.union >= 0.6 and alike()):
        return Comparison(Relation.TWIN, "likeness", left, right)
    return Comparison(Relation.DIFFERENT, "scope", left, right)


def _shown(one: Saying, other: Saying) -> str:
    return " ".join(sorted(amount.said for amount in one.amounts - other.amounts))
