"""The confidence of a procedure, folded from what happened, never stored as truth.

Because it is folded in session order, an outcome that arrives late, one that is withdrawn, or other settings give the
path that would have been. Numbers are exact hundredths. Source: Procedural memory, "Confidence that follows outcomes".
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from core.settings import Settings

ZERO, ONE, CENT = Decimal("0.00"), Decimal("1.00"), Decimal("0.01")


class Event(StrEnum):
    """What can stand on a confidence path."""

    START = "start"
    SUCCESS = "success"
    FAILURE = "failure"
    NO_OUTCOME = "no outcome"
    REINSTATED = "reinstated"


@dataclass(frozen=True, order=True)
class Happened:
    """One event: when the session started, its place among those of the same moment, and what it was."""

    at: datetime
    place: int
    event: Event
    stated: Decimal | None = None
    """The confidence that a reinstatement names."""
    session: int | None = None
    session_ref: str = ""


@dataclass(frozen=True)
class Step:
    """A point of the path. ``value`` is None where the procedure was read and nothing is known of the outcome."""

    happened: Happened
    value: Decimal | None
    held: Decimal
    """The confidence in force after this point."""


@dataclass(frozen=True)
class Path:
    """A confidence path, oldest step first; its first step is the start."""

    steps: tuple[Step, ...]

    @property
    def now(self) -> Decimal:
        """The confidence after the last step."""
        return self.steps[-1].held

    @property
    def successes(self) -> int:
        """Outcomes that went well."""
        return sum(step.happened.event is Event.SUCCESS for step in self.steps)

    @property
    def failures(self) -> int:
        """Outcomes that went badly."""
        return sum(step.happened.event is Event.FAILURE for step in self.steps)


def fold(start: Decimal, begun: datetime, events: Iterable[Happened], settings: Settings) -> Path:
    """The path from ``start`` over ``events``, which are put in session order first."""
    value = bounded(start)
    steps = [Step(Happened(begun, -1, Event.START), value, value)]
    for happened in sorted(events, key=lambda one: (one.at, one.place)):
        value = _after(value, happened, settings)
        steps.append(Step(happened, None if happened.event is Event.NO_OUTCOME else value, value))
    return Path(tuple(steps))


def _after(value: Decimal, happened: Happened, settings: Settings) -> Decimal:
    if happened.event is Event.SUCCESS:
        return bounded(value + settings.success_step)
    if happened.event is Event.FAILURE:
        return bounded(value - settings.failure_step)
    if happened.event is Event.REINSTATED and happened.stated is not None:
        return bounded(happened.stated)
    return value


def bounded(value: Decimal) -> Decimal:
    """The value kept within 0 and 1, in hundredths."""
    return min(ONE, max(ZERO, value)).quantize(CENT)
