"""How long to wait before a busy server is asked again.

Critic. What the server asks for is a floor: chance only adds to it, so that many workers do not come back at once. A
server that asks for more than the cap is left alone, never asked too early.
"""

import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST = 0.5
"""Seconds before the first repetition where the server says nothing; doubled each time."""

_SPREAD = 0.25
"""How much chance adds at most, as a share of the wait."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Clock:
    """Time and chance as the critic needs them, to be replaced in tests."""

    now: Callable[[], datetime] = _now
    seconds: Callable[[], float] = time.perf_counter
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
    """A number from 0 to 1."""


def told_wait(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that a server asks to wait: ``retry-after-ms``, else ``Retry-After`` as seconds or as a date.

    None where it asks nothing that can be read; 0 for a moment that has passed.
    """
    thousandths = _number(headers.get("retry-after-ms"))
    if thousandths is not None:
        return thousandths / 1000
    told = headers.get("retry-after")
    seconds = _number(told)
    return seconds if seconds is not None else _until(told, now)


def wait_before(repetition: int, told: float | None, longest: float, chance: float) -> float | None:
    """Seconds to wait before a repetition, counted from 1; None where the server asks for longer than ``longest``.

    ``chance`` is from 0 to 1.
    """
    if told is None:
        return min(longest, FIRST * 2.0 ** min(repetition - 1, 30) * (1 + _SPREAD * chance))
    if told > longest:
        return None
    return min(longest, told * (1 + _SPREAD * chance))


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _until(text: str | None, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(text or "")
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (aware - now).total_seconds())
    except (TypeError, ValueError, OverflowError):
        return None
