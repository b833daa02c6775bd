"""Whether a number follows from known ones by the little arithmetic that service work needs.

Part of the checks, second station of the flow. Covered: price × count, a share of an amount, sums and differences of
two, totals of one list, a rate of an amount, yearly growth, parts that add up to a known whole. Promise: pure, and
quick enough for a few hundred known numbers.
"""

from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import accumulate, combinations

_ALONE = Decimal(1)
_CENT = Decimal("0.01")
_TOTALLED = 4
"""A longer list is totalled as a whole or by up to this many neighbours, not by any choice of its members."""
_PARTS = 8
"""How many neighbouring figures may make up a whole."""
_LONGEST_TERM = 15
"""Years of growth that are tried."""


def is_multiple_or_share(number: Decimal, known: set[Decimal], counts: Iterable[Decimal]) -> bool:
    """Whether the number is a known one times, or divided by, one of the counts."""
    return any(number / count in known or number * count in known or _near(number * count, known) for count in counts)


def is_sum_or_difference(number: Decimal, operands: set[Decimal], counts: Iterable[Decimal]) -> bool:
    """Whether the number is ``a + b`` or ``a - b`` of two operands, alone or times one of the counts."""
    for count in (_ALONE, *counts):
        share = number / count
        if any(share - each in operands or share + each in operands for each in operands if each != share):
            return True
    return False


def is_total(number: Decimal, lists: Iterable[Sequence[Decimal]], counts: Iterable[Decimal]) -> bool:
    """Whether the number is the total of a list, of neighbours or of a few members, alone or times a count."""
    targets = {number / count for count in (_ALONE, *counts)}
    return any(not targets.isdisjoint(_totals(tuple(each))) for each in lists)


def is_rate_of(number: Decimal, amounts: set[Decimal], rates: set[Decimal]) -> bool:
    """Whether the number is a known percentage of a known amount, or the amount grown by it over some years."""
    cents = number.quantize(_CENT)
    for rate in rates:
        factor = rate / 100
        for amount in amounts:
            if amount * factor in (number, cents) or _grown(number, amount, factor):
                return True
    return False


def is_ratio(percentage: Decimal, numbers: set[Decimal]) -> bool:
    """Whether the percentage is the ratio of two known numbers, as a whole per cent or to one decimal."""
    shares = ((percentage / 100), 1 - percentage / 100)
    return any(
        (share * whole) in numbers or ((share * whole).quantize(Decimal(1), ROUND_HALF_UP) in numbers and whole > 100)
        for share in shares
        for whole in numbers
        if whole > 12
    )


def is_part_of_whole(number: Decimal, figures: Sequence[Decimal], wholes: set[Decimal]) -> bool:
    """Whether neighbouring figures, this one among them, add up to a known whole."""
    for start in range(len(figures)):
        parts = figures[start : start + _PARTS]
        if number not in parts:
            continue
        for length, total in enumerate(accumulate(parts), 1):
            if length > 1 and total in wholes and number in parts[:length]:
                return True
    return False


def is_about(number: Decimal, known: Iterable[Decimal]) -> bool:
    """Whether a rounded number lies within two per cent of a known one."""
    return any(abs(each - number) * 50 <= number for each in known)


def _near(number: Decimal, known: Iterable[Decimal]) -> bool:
    """Whether a share that was rounded to cents belongs to a known whole; only for numbers with cents."""
    return number != number.to_integral_value() and any(abs(each - number) <= _CENT * 6 for each in known)


def _grown(number: Decimal, amount: Decimal, factor: Decimal) -> bool:
    if not amount < number < amount * 20 or factor > 1:
        return False
    value = amount
    for _ in range(_LONGEST_TERM):
        value += value * factor
        if abs(value - number) * 200 <= number:
            return True
    return False


def _totals(members: Sequence[Decimal]) -> set[Decimal]:
    neighbours = (accumulate(members[start : start + _TOTALLED]) for start in range(len(members)))
    totals = {total for run in neighbours for total in run} | {sum(members, Decimal(0))}
    if len(members) <= _TOTALLED:
        totals.update(sum(some, Decimal(0)) for size in range(2, len(members)) for some in combinations(members, size))
    return totals
