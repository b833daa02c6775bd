"""Whether two lessons say the same, nearly the same, the contrary, or something else.

Screening, twins and conflicts. Source: Reflexion buffer, "Near-duplicates"; how often similar words mean the contrary
was measured, so the order is fixed: numbers, negations, opposites, order of steps, scope and object decide before
likeness.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial

from core.screening.differences import Difference, difference
from core.screening.likeness import USUAL, Alike, common_run, folded
from core.screening.meaning import Saying, sayings
from core.screening.opposites import DONE_ONCE, MOMENTS
from core.screening.plain import plain
from core.screening.turns import for_anyone, turns_between

_LONG = 10
"""Words in common from which a single word more or less does not make another object, as in long reflections."""
_TOLD = re.compile(
    r"(?:\W*(?:however|in this (?:environment|trial|task|case|session)|because|since|and|but)\b)*\W*"
    r"(?:i|we|it|my plan) (?:was|were|had|did|failed|tried|kept|got|went|took|made|gave|told|said|forgot|lost|left"
    r"|\w{2,}ed)\b",
    re.IGNORECASE,
)


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


def compare(one: str, other: str, *, cosine: float | None = None, alike: Alike = USUAL) -> Comparison:
    """How ``one`` stands to ``other``. ``cosine`` is an embedding's opinion of their likeness, where there is one;
    ``alike`` says from where likeness counts.
    """
    one, other = plain(one).text, plain(other).text
    if folded(one) == folded(other):
        return Comparison(Relation.SAME, "words")
    said, told = sayings(one), sayings(other)
    asked, wanted = _asking(said), _asking(told)
    opposed = next((found for mine in asked for theirs in wanted if (found := _conflict(mine, theirs))), None)
    if opposed:
        return opposed
    if not said or not told:
        return Comparison(Relation.DIFFERENT, "object")
    rest, close = difference(_whole(said), _whole(told)), (cosine or 0) > alike.cosine
    return _likeness(said, told, rest, lambda: close or _runs_alike(folded(one), folded(other), alike))


def _asking(said: tuple[Saying, ...]) -> list[Saying]:
    """What a text asks for; what it only tells of the past contradicts nothing."""
    return [saying for saying in said if not _TOLD.match(saying.text)]


def _conflict(one: Saying, other: Saying) -> Comparison | None:
    """The contrary: an odd number of things that turn a sentence round, on the same object."""
    rest = difference(one, other)
    if contrast := _contrast(one, other, rest):
        return _opposed("contrast", contrast, one, other)
    if rest.shared + len(rest.opposed) < 2:
        return _other_number_alone(one, other, rest)
    if _other_case(one, other, rest):
        return None
    turns = turns_between(one, other, rest)
    if len(turns) % 2 == 1 and (_same_object(rest) or for_anyone(one, other)):
        return _opposed(*turns[0], one, other)
    counted = _other_count(one, other, rest) or (_other_limit(one, other) and rest.union >= 0.6)
    if not turns and counted and _same_object(rest):
        mine, theirs = _shown(one, other), _shown(other, one)
        return _opposed("number", (mine, theirs), one, other)
    if not turns and (moments := _other_moment(one, other, rest)):
        return _opposed("opposite", moments, one, other)
    return None


def _other_moment(one: Saying, other: Saying, rest: Difference) -> tuple[str, str] | None:
    """“Charge the card at booking”, “at departure”: what is done once with money, and when is all that differs."""
    mine, theirs = rest.one & one.moment & MOMENTS, rest.other & other.moment & MOMENTS
    alone = mine == rest.one and theirs == rest.other and one.positive and other.positive
    once = one.begins == other.begins and one.begins in DONE_ONCE
    return (min(mine), min(theirs)) if alone and once and mine and theirs else None


def _contrast(one: Saying, other: Saying, rest: Difference) -> tuple[str, str] | None:
    """What one rules out in favour of something else and the other asks for."""
    ruled_out, wanted = one.instead & (other.all - one.all), other.instead & (one.all - other.all)
    if ruled_out and wanted:
        return min(ruled_out), min(wanted)
    contrast = ruled_out or wanted
    alone = bool(rest.shared) and (rest.other if ruled_out else rest.one) <= contrast
    if contrast and (alone or rest.shared >= 2) and not turns_between(one, other, rest):
        return min(contrast), min(contrast)
    return None


def _other_case(one: Saying, other: Saying, rest: Difference) -> bool:
    """Whether the two hold for cases that exclude each other, or contrast other things: neither is a contradiction."""
    cases = any(mine in one.case and theirs in other.case for mine, theirs in rest.opposed)
    apart = one.instead and other.instead and not one.instead & (other.instead | other.all)
    return cases or bool(apart and not other.instead & one.all)


def _other_number_alone(one: Saying, other: Saying, rest: Difference) -> Comparison | None:
    """“Answer within 2 hours” has one word to compare; then nothing else may differ."""
    equal = rest.shared == 1 and not rest.one and not rest.other and one.positive is other.positive
    if not equal or not _other_limit(one, other):
        return None
    return _opposed("number", (_shown(one, other), _shown(other, one)), one, other)


def _opposed(by: str, pair: tuple[str, str], one: Saying, other: Saying) -> Comparison:
    return Comparison(Relation.CONFLICT, by, *pair, one.text, other.text)


def _same_object(rest: Difference) -> bool:
    """Whether one saying is about all that the other is about; words left on both sides are two objects."""
    return rest.smaller >= 0.99 and (rest.union >= 0.3 or rest.shared >= 2)


def _other_count(one: Saying, other: Saying, rest: Difference) -> bool:
    """Another number of the same things, and nothing else that differs: “in one paragraph”, “in three paragraphs”."""
    mine, theirs = one.amounts - other.amounts, other.amounts - one.amounts
    counted = {amount.unit for amount in mine} & {amount.unit for amount in theirs}
    return bool(counted - {""}) and not rest.one and not rest.other


def _other_limit(one: Saying, other: Saying) -> bool:
    mine, theirs = one.amounts - other.amounts, other.amounts - one.amounts
    units = {amount.unit for amount in mine} & {amount.unit for amount in theirs}
    return bool(units) and one.limited and other.limited


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
        source=_union(part.source for part in parts),
        goal=_union(part.goal for part in parts),
        turning=_union(part.turning for part in parts),
    )


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset(word for each in sets for word in each)


def _likeness(
    said: tuple[Saying, ...], told: tuple[Saying, ...], rest: Difference, alike: Callable[[], bool]
) -> Comparison:
    mine, theirs = _whole(said), _whole(told)
    turns = turns_between(mine, theirs, rest)
    if mine.turning != theirs.turning:
        return Comparison(Relation.DIFFERENT, "scope", *_turning_words(mine, theirs))
    if (mine.source - mine.goal) & (theirs.goal - theirs.source) or (mine.goal - mine.source) & theirs.source:
        return Comparison(Relation.DIFFERENT, "order")
    if mine.amounts != theirs.amounts and rest.union >= 0.5:
        return Comparison(Relation.DIFFERENT, "number", _shown(mine, theirs), _shown(theirs, mine))
    if turns and rest.union >= 0.5:
        return Comparison(Relation.DIFFERENT, turns[0][0], *turns[0][1])
    return _by_words(rest, mine, theirs, alike)


def _turning_words(one: Saying, other: Saying) -> tuple[str, str]:
    return " ".join(sorted(one.turning - other.turning)), " ".join(sorted(other.turning - one.turning))


def _runs_alike(one: str, other: str, alike: Alike) -> bool:
    return common_run(one, other) >= alike.needed(min(len(one), len(other)))


def _by_words(rest: Difference, one: Saying, other: Saying, alike: Callable[[], bool]) -> Comparison:
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


def are_twins(alike: Alike) -> Callable[[str, str], bool]:
    """Whether two texts say nearly the same: numbers, negations, polarity and scope decide before likeness."""
    return partial(_are_twins, alike=alike)


@lru_cache(maxsize=200_000)
def _are_twins(one: str, other: str, *, alike: Alike) -> bool:
    """Two texts never change, so what was found of them is kept: a page and a lock need not wait for it again."""
    return compare(one, other, alike=alike).relation in (Relation.SAME, Relation.TWIN)
