"""What the gates of the rules keep and drop, beside what people decided."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from core.screening.likeness import Alike
from core.service.thresholds.happened import Judged
from core.service.thresholds.taking import threshold
from core.settings import Settings
from core.vocabulary import Kind, Severity

FEWEST = 10
"""Verdicts below which nothing is said about precision and recall."""


@dataclass(frozen=True)
class Against:
    """What a gate does beside what people decided: how many items it keeps and drops that they kept and refused."""

    kind: Kind
    kept_kept: int
    kept_refused: int
    dropped_kept: int
    dropped_refused: int

    @property
    def verdicts(self) -> int:
        """How many verdicts there are."""
        return self.kept_kept + self.kept_refused + self.dropped_kept + self.dropped_refused

    @property
    def precision(self) -> Decimal | None:
        """The share of what the gate keeps that people kept; None where there is too little to say."""
        return self._share(self.kept_kept + self.kept_refused)

    @property
    def recall(self) -> Decimal | None:
        """The share of what people kept that the gate keeps; None where there is too little to say."""
        return self._share(self.kept_kept + self.dropped_kept)

    def _share(self, of: int) -> Decimal | None:
        if self.verdicts < FEWEST or of == 0:
            return None
        return (Decimal(self.kept_kept) / of).quantize(Decimal("0.01"))


def against(judged: Iterable[Judged], kind: Kind, numbers: Settings, known: dict[int, list[int]]) -> Against:
    """The gate of a kind, by some numbers and the confidences that they give, beside what people decided."""
    counts = Counter((_keeps(one, numbers, known), one.kept) for one in judged if one.kind is kind)
    pairs = ((True, True), (True, False), (False, True), (False, False))
    return Against(kind, *(counts[pair] for pair in pairs))


def _keeps(one: Judged, numbers: Settings, known: dict[int, list[int]]) -> bool:
    if one.kind is Kind.PROCEDURE:
        return known[one.number][-1] >= threshold(numbers)
    if one.kind is Kind.NOTE:
        return one.grounded and Severity(one.severity).rank <= numbers.notes_read_from.rank
    alike = Alike.by(numbers)
    return not (one.is_twin or one.run >= alike.share or one.cosine > alike.cosine)
