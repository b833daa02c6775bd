"""The one place that asks what time it is, and that says a time in words."""

from datetime import UTC, datetime

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def now() -> datetime:
    """The present moment, aware, in UTC."""
    return datetime.now(UTC)


def day_in_words(at: datetime, *, year: bool = True) -> str:
    """``27 Nov 2026``, the day in UTC. ``at`` must be aware."""
    utc = at.astimezone(UTC)
    return f"{utc.day} {_MONTHS[utc.month - 1]}" + (f" {utc.year}" if year else "")


def time_in_words(at: datetime, *, seconds: bool = False) -> str:
    """``27 Nov 2026, 14:08 UTC``, whatever zone ``at`` is in. ``at`` must be aware."""
    return f"{day_in_words(at)}, {at.astimezone(UTC):{'%H:%M:%S' if seconds else '%H:%M'}} UTC"
