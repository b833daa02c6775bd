"""Procedures with their confidence paths."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from core.vocabulary import (
    ProcedureKind,
)


@dataclass(frozen=True)
class PathPoint:
    """One point of a confidence path.

    ``value`` is the confidence after the event, None where the procedure was read and no outcome came.
    ``what`` is ``start``, ``success``, ``failure``, ``no outcome`` or ``reinstated``.
    """

    at: datetime
    what: str
    value: Decimal | None
    in_briefing: bool
    session: int | None = None
    session_ref: str = ""
    place: int = 0
    """Its place in the path, which decides between events of one moment."""


@dataclass(frozen=True)
class Mark:
    """A decision on a procedure, to be drawn beside its path."""

    at: datetime
    text: str


@dataclass(frozen=True)
class ProcedureRow:
    """One procedure with its confidence path, oldest point first."""

    id: int
    ref: str
    version: int
    revision: int
    status: str
    title: str
    trigger: str
    instruction: str
    kind: ProcedureKind
    agent: str
    user: str | None
    """The one user that it stays with; None for everybody."""
    confidence: Decimal
    in_briefing: bool
    successes: int
    failures: int
    path: tuple[PathPoint, ...]
    marks: tuple[Mark, ...]
