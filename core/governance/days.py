"""Days as people mean them, in their own zone: where one begins and ends, and what was said as of one.

A day is half-open: from its midnight to the next, so that it has 23 or 25 hours where clocks are changed.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.errors import BadInput

SMALLEST = timedelta(microseconds=1)
"""The smallest step of a time that is stored."""


@dataclass(frozen=True)
class Span:
    """From ``start`` on and before ``end``, both aware and in UTC; None leaves that side open."""

    start: datetime | None = None
    end: datetime | None = None


def zone_named(name: str) -> ZoneInfo:
    """A time zone by its IANA name. Raises ``BadInput`` for one that is not known."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(f"“{name}” is no time zone that is known here; one reads like Europe/Berlin.") from error


def midnight(day: date, zone: str) -> datetime:
    """The moment at which a day begins in a zone, in UTC; the first one, where its midnight comes twice."""
    return datetime.combine(day, time(), zone_named(zone)).astimezone(UTC)


def span_of_days(first: date | None, last: date | None, zone: str) -> Span:
    """The span from the first of these days to the end of the last one. Raises ``BadInput`` for days in wrong order."""
    if first and last and first > last:
        raise BadInput(f"{first} is later than {last}; the first day cannot come after the last.")
    start = None if first in (None, date.min) else midnight(first, zone)
    return Span(start, None if last in (None, date.max) else midnight(last + timedelta(days=1), zone))


def moment_said(text: str, zone: str) -> datetime:
    """The moment that a day or a time means: a day its very end, a time without an offset that clock in the zone.

    ``2026-11-24``, ``2026-11-24T14:00`` or ``2026-11-24T14:00+01:00``. Raises ``BadInput`` for anything else.
    """
    try:
        return end_of(date.fromisoformat(text), zone)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone_named(zone))).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadInput(f"“{text}” is no day or time; one reads like 2026-11-24 or 2026-11-24T14:00.") from error


def end_of(day: date, zone: str) -> datetime:
    """The last moment of a day in a zone, in UTC."""
    if day == date.max:
        return datetime.max.replace(tzinfo=UTC)
    return midnight(day + timedelta(days=1), zone) - SMALLEST
