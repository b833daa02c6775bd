"""Times as people read them: the zone is always shown, and an age stands only in lists."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.store.clock import day_in_words
from core.store.clock import time_in_words as moment

__all__ = ["age", "duration", "moment", "short_moment", "stamp", "zone_of_reader"]


def short_moment(at: datetime, now: datetime) -> str:
    """``27 Nov 14:08``, with its year when that is another; for a column whose head names the zone as UTC."""
    utc = at.astimezone(UTC)
    return f"{day_in_words(at, year=utc.year != now.astimezone(UTC).year)} {utc:%H:%M}"


def stamp(at: datetime, zone: str | None = None) -> str:
    """``2026-10-25 02:30 +02:00`` in the reader's zone; UTC where the zone is unknown.

    The offset stands beside the clock because one clock time occurs twice when summer time ends.
    """
    local = at.astimezone(_zone(zone))
    offset = local.strftime("%z")
    return f"{local:%Y-%m-%d %H:%M} {offset[:3]}:{offset[3:5]}"


def zone_of_reader(name: str | None) -> str:
    """The name of the reader's time zone; UTC where it is not known."""
    return _zone(name).key


def age(at: datetime, now: datetime) -> str:
    """How long ago, in one unit: ``now``, ``12 min``, ``3 h``, ``4 d``, ``3 mo``."""
    passed = max(now - at, timedelta())
    minutes = int(passed.total_seconds() // 60)
    if minutes < 1:
        return "now"
    if minutes < 60:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h"
    return f"{passed.days} d" if passed.days < 90 else f"{passed.days // 30} mo"


def duration(seconds: float) -> str:
    """How long, in one or two units: ``8 s``, ``4 min``, ``2 h 10 min``."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if rest and hours < 10 else f"{hours} h"


def _zone(name: str | None) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
