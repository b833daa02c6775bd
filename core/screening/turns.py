"""What turns one saying round against another.

Screening, conflicts: opposites, negations, bounds, things left out or excepted, the order of steps, the way from one
thing to another, and how far each reaches. An odd number of turns on the same object is a contradiction.
"""

from core.screening.differences import Difference
from core.screening.meaning import Saying

_FIRST = frozenset(("first",))
"""What says that something is due first, and is no part of it."""


def turns_between(one: Saying, other: Saying, rest: Difference) -> list[tuple[str, tuple[str, str]]]:
    """Everything that turns one saying round against the other, with the words."""
    turns: list[tuple[str, tuple[str, str]]] = [("opposite", pair) for pair in rest.opposed]
    if one.positive is not other.positive:
        turns.append(("negation", (one.turned_by, other.turned_by)))
    if one.bounds and other.bounds and one.bounds != other.bounds:
        turns.append(("opposite", (min(one.bounds), min(other.bounds))))
    if left := (one.without & (other.all - other.without)) | (other.without & (one.all - one.without)):
        turns.append(("negation", (f"without {min(left)}", min(left))))
    if left := (one.excepted & (other.all - other.excepted)) | (other.excepted & (one.all - one.excepted)):
        turns.append(("opposite", (f"except {min(left)}", min(left))))
    if _order_turned(one, other):
        turns.append(("order", ("first " + " ".join(sorted(one.first)), "first " + " ".join(sorted(other.first)))))
    if _way_turned(one, other):
        turns.append(("order", ("from " + " ".join(sorted(one.source)), "from " + " ".join(sorted(other.source)))))
    if not turns and (reach := _other_reach(one, other, rest)):
        turns.append(("opposite", reach))
    return turns


def _way_turned(one: Saying, other: Saying) -> bool:
    """Whether one leads from where the other leads to, and back."""
    return bool((one.source - one.goal) & other.goal and (one.goal - one.source) & other.source)


def _other_reach(one: Saying, other: Saying, rest: Difference) -> tuple[str, str] | None:
    """“Only” on one side and “even”, “every” or something more on the other."""
    if "only" in one.reach and "only" not in other.reach:
        free = _freer(one, other, own=rest.one, more=rest.other)
        return ("only", free) if free else None
    if "only" in other.reach and "only" not in one.reach:
        free = _freer(other, one, own=rest.other, more=rest.one)
        return (free, "only") if free else None
    return None


def for_anyone(one: Saying, other: Saying) -> bool:
    """“Only to doctors” beside “to anyone who asks”: whoever is named on one side belongs to the other."""
    return {"only", "anyone"} <= one.reach ^ other.reach and one.positive and other.positive


def _freer(limited: Saying, other: Saying, *, own: frozenset[str], more: frozenset[str]) -> str:
    """By which word ``other`` reaches further, or empty. “Every” may also belong to a step that is due first."""
    if "whatever" in other.reach:
        return "even"
    if "every" in other.reach - limited.reach and not (limited.first or other.first):
        return "every"
    return "also" if "also" in other.reach - limited.reach and more and len(more) <= 2 and not own else ""


def _order_turned(one: Saying, other: Saying) -> bool:
    """Whether what one puts first the other puts after."""
    if not (one.first and one.then and other.first and other.then):
        return False
    said_once = (
        _FIRST | ({one.begins} & {other.begins}) - one.then - other.then
    )  # “offer X first, then Y”: the verb is left out with Y
    mine, theirs = one.first - said_once, other.first - said_once
    straight = len(mine & theirs) + len(one.then & other.then)
    crossed = len(mine & other.then) + len(one.then & theirs)
    own = mine - one.then
    return crossed > straight and bool(own & other.then) and not own & (theirs - other.then)
