"""What figures an agent could know at a turn, and which ones follow from them.

Part of the checks, second station of the flow. Known is what the agent was told, what the user said, what tools
answered, the arguments of calls, policies and facts. Promise: in doubt a figure counts as known.
"""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from core.checks import arithmetic
from core.checks.figures import Figure, decimal, figures, numbers

_SMALL = Decimal(12)
"""Counts up to twelve stand everywhere: such a duration is known only with its unit, and such numbers are not added."""
_MANY = 40
"""An answer with more numbers than this is a listing; any sum could be made from it, so its pairs are not tried."""
_RECENT = 4
"""How many texts back two numbers may be added or subtracted."""
_RECENT_LISTS = 6
_LONG = 16
"""Code points of a field's number from which it is a reference and no amount."""
_USUAL_COUNTS = frozenset({Decimal(2), Decimal(12)})
"""There and back, and the months of a year: counts that a reply uses without naming them."""
_LEAP_YEAR = 2024
_IN_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_SMALL_UNITS = re.compile(r"cents|paise|minor", re.I)
_FIELD = re.compile(r"\"([\w ]+)\"\s*:\s*\"?[₹$€£]?(\d[\d,]*(?:\.\d+)?)")
_PERIOD_KEY = re.compile(r"\"(\d+)([dwmy])\"\s*:")
_SHORT_UNITS = {"d": "day", "w": "week", "m": "month", "y": "year"}
_UNIT_IN_KEY = re.compile(r"(day|hour|week|month|year|gb|mbp|mb|point|lesson|module)", re.I)


@dataclass
class Known:
    """Everything known up to a turn. It grows as the transcript is read and is never asked about later turns."""

    texts: list[str] = field(default_factory=list)
    numbers: set[Decimal] = field(default_factory=set)
    rates: set[Decimal] = field(default_factory=set)
    dates: set[Decimal] = field(default_factory=set)
    times: set[Decimal] = field(default_factory=set)
    durations: set[tuple[str, Decimal]] = field(default_factory=set)
    lists: list[list[tuple[Decimal, ...]]] = field(default_factory=list)
    totals: set[Decimal] = field(default_factory=set)
    recent: list[frozenset[Decimal]] = field(default_factory=list)

    def add(self, text: str, *, operands: bool = True) -> None:
        """Take in a text that the agent could read, or that it has already been judged for.

        Its numbers may be added and subtracted for some turns, unless ``operands`` says no.
        """
        if not text:
            return
        found = numbers(text)
        self.texts.append(text.casefold())
        self.numbers |= found
        if _SMALL_UNITS.search(text):
            self.numbers |= {value / 100 for value in found}
        if operands and len(found) <= _MANY:
            self.recent.append(found)
        self._add_fields(text)
        for figure in figures(text):
            self._add_figure(figure)

    def _add_fields(self, text: str) -> None:
        """Fields of JSON text: the values of one key are a list that can be totalled, and a key may name a unit."""
        lists: dict[str, list[Decimal]] = {}
        fields = [(key, decimal(written)) for key, written in _FIELD.findall(text) if len(written) < _LONG]
        for key, value in fields:
            lists.setdefault(key, []).append(value)
            if unit := _UNIT_IN_KEY.search(key):
                self.durations.add((unit.group().lower(), value))
        self.durations.update((_SHORT_UNITS[unit], decimal(count)) for count, unit in _PERIOD_KEY.findall(text))
        if kept := [tuple(values) for values in lists.values() if len(values) > 1 and any(map(_weighs, values))]:
            self.lists.append(kept)
            self.totals.update(sum(values, Decimal(0)) for values in kept)

    def _add_figure(self, figure: Figure) -> None:
        if figure.kind == "date":
            self.dates.update(figure.values)
        elif figure.kind == "time":
            self.times.update(figure.values)
        elif figure.kind == "duration":
            self.durations.update((figure.unit, value) for value in figure.values)
        elif figure.kind == "percentage":
            self.rates.update(figure.values)

    def knows(self, figure: Figure, beside: tuple[Figure, ...] = ()) -> bool:
        """Whether the figure is known or follows from what is; ``beside`` are the figures of the same reply."""
        if figure.kind == "code":
            return self._holds(figure.text.casefold().lstrip("#"))
        if figure.kind == "date":
            return any(value in self.dates or self._follows_from_dates(value) for value in figure.values)
        if figure.kind == "time":
            return any(value in self.times or (value + 720) % 1440 in self.times for value in figure.values)
        if figure.kind == "duration":
            return all(self._knows_duration(figure.unit, value) for value in figure.values)
        return all(self._knows_number(figure, value, beside) for value in figure.values)

    def take(self, figure: Figure) -> None:
        """Take in a figure that was found to follow, so that the next ones of the reply may follow from it."""
        if figure.kind in ("amount", "number"):
            self.numbers.update(figure.values)

    def _holds(self, words: str) -> bool:
        return any(words in text for text in self.texts)

    def _follows_from_dates(self, value: Decimal) -> bool:
        """The day before or after a known date, or as many days from it as a known duration has."""
        days = {1} | {int(_IN_DAYS[unit] * count) for unit, count in self.durations if unit in _IN_DAYS and count < 400}
        wanted = _as_date(value)
        return wanted is not None and any(
            known is not None and wanted in (known + timedelta(days=step), known - timedelta(days=step))
            for known in map(_as_date, self.dates)
            for step in days
        )

    def _knows_duration(self, unit: str, value: Decimal) -> bool:
        if value == 0 or unit.startswith("min") or (value > _SMALL and value in self.numbers):
            return True
        if unit == "hour":
            return ("hour", value) in self.durations or ("day", value / 24) in self.durations or len(self.times) > 1
        if unit not in _IN_DAYS:
            return (unit, value) in self.durations or value in self.numbers
        days = value * _IN_DAYS[unit]
        same = {count * _IN_DAYS[other] for other, count in self.durations if other in _IN_DAYS}
        return (
            days in same
            or (days == 360 and 365 in same)
            or self._between_dates(days)
            or ("hour", days * 24) in self.durations
        )

    def _between_dates(self, days: Decimal) -> bool:
        known = sorted(each for each in map(_as_date, self.dates) if each)
        return any((later - earlier).days == days for earlier in known for later in known)

    def _knows_number(self, figure: Figure, value: Decimal, beside: tuple[Figure, ...]) -> bool:
        if value in self.numbers or (figure.kind == "number" and self._holds(figure.text)):
            return True
        if figure.kind == "percentage":
            return self._follows_as_percentage(value, beside)
        return self._follows(figure.kind, value, beside)

    def _follows_as_percentage(self, value: Decimal, beside: tuple[Figure, ...]) -> bool:
        parts = [each for other in beside if other.kind == "percentage" for each in other.values]
        operands = set().union(*self.recent[-_RECENT:])
        return (
            value / 100 in self.numbers
            or value == 100
            or 100 - value in self.rates
            or arithmetic.is_part_of_whole(value, parts, {Decimal(100)})
            or arithmetic.is_ratio(value, operands)
        )

    def _follows(self, kind: str, value: Decimal, beside: tuple[Figure, ...]) -> bool:
        stated = [each for other in beside if other.kind not in ("date", "time") for each in other.values]
        alike = [each for other in beside if other.kind == kind for each in other.values]
        grounded = [each for each in stated if each in self.numbers and _weighs(each)]
        counts = {each for each in stated if each <= _SMALL and each > 1 and each == int(each)}
        operands = {each for each in set(grounded).union(*self.recent[-_RECENT:]) if _weighs(each)}
        lists = [tuple(grounded), *(each for group in self.lists[-_RECENT_LISTS:] for each in group)]
        return (
            arithmetic.is_multiple_or_share(value, self.numbers, counts | _USUAL_COUNTS)
            or arithmetic.is_sum_or_difference(value, operands, counts)
            or any(value / count in self.totals for count in counts | {Decimal(1)})
            or arithmetic.is_total(value, lists, counts)
            or arithmetic.is_part_of_whole(value, alike, self.numbers)
            or arithmetic.is_rate_of(value, operands, self.rates)
        )


def _weighs(number: Decimal) -> bool:
    """Whether a number is worth adding: small whole ones are counts, not amounts."""
    return number > _SMALL or bool(number % 1)


def _as_date(value: Decimal) -> date | None:
    """A date in one leap year, since a figure may not name its year; None for a day that never was."""
    try:
        return date(_LEAP_YEAR, int(value) // 100, int(value) % 100)
    except ValueError:
        return None
