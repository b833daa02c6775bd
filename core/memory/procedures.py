"""Which procedures an agent reads. Source: Procedural memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from core.memory.chosen import Choice, Left, Taken
from core.settings import Settings
from core.vocabulary import Status

Exact = TypeVar("Exact", Decimal, int)
"""A confidence as a decimal, or in whole hundredths."""


@dataclass(frozen=True)
class ProcedureCandidate:
    """What the rule looks at; ``confidence`` is that of now."""

    key: str
    confidence: Decimal
    status: str
    title: str = ""
    trigger: str = ""
    instruction: str = ""
    successes: int = 0
    failures: int = 0
    item: int = 0
    """The row behind it, for the receipt."""


def choose_procedures(candidates: list[ProcedureCandidate], settings: Settings) -> Choice[ProcedureCandidate]:
    """Approved procedures at or above the threshold, most confident first, a few at most; ties keep their order."""
    threshold, limit = settings.procedure_threshold, settings.procedures_in_briefing
    active = [one for one in candidates if one.status == Status.ACTIVE]
    kept = [active[place] for place in in_order([one.confidence for one in active], threshold)]
    one_more = threshold - settings.success_step
    left = [
        Left(one, why, near=one.status == Status.ACTIVE and one.confidence >= one_more)
        for one in candidates
        if (why := _why_not(one, threshold)) is not None
    ]
    over = f"more than {limit} procedures; the most confident go first"
    taken = tuple(Taken(one, _why(one)) for one in kept[:limit])
    return Choice(taken, (*left, *(Left(one, over, near=True) for one in kept[limit:])))


def in_order(confidences: Sequence[Exact], threshold: Exact) -> list[int]:
    """The places of the confidences at or above the threshold, the highest first; ties keep their order."""
    kept = [place for place, value in enumerate(confidences) if value >= threshold]
    return sorted(kept, key=lambda place: confidences[place], reverse=True)


def _why(one: ProcedureCandidate) -> str:
    return f"approved, confidence {one.confidence}; {one.successes} successes, {one.failures} failures"


def _why_not(one: ProcedureCandidate, threshold: Decimal) -> str | None:
    if one.status != Status.ACTIVE:
        return one.status
    return f"{one.confidence}, below {threshold}" if one.confidence < threshold else None
