from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from core.memory.chosen import Choice, Taken
from core.settings import Settings


@dataclass(frozen=True)
class BeliefCandidate:
    key: str
    text: str
    importance: Decimal
    status: str
    at: datetime
    order: int = 0
    item: int = 0
    rests_on: int = 0


def choose_beliefs(
    candidates: Sequence[BeliefCandidate], task: str, settings: Settings, stop_words: frozenset[str]
) -> Choice[BeliefCandidate]:
    return Choice(tuple(Taken(c, "approved") for c in candidates))
