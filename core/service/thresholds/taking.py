"""What a past briefing takes by some numbers: the choice of ``core.memory``, without its reasons, over hundredths."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.memory import notes as note_rule
from core.memory import procedures as procedure_rule
from core.memory.notes import NoteCandidate
from core.service.thresholds.happened import PastBriefing
from core.settings import Settings


@dataclass(frozen=True)
class Read:
    """What one briefing takes by some numbers, as item ids in their order."""

    procedures: tuple[int, ...]
    notes: tuple[int, ...]
    lessons: tuple[int, ...]

    @property
    def items(self) -> set[int]:
        """All of them."""
        return {*self.procedures, *self.notes, *self.lessons}


def read(one: PastBriefing, numbers: Settings, known: dict[int, list[int]]) -> Read:
    """What a briefing takes: the same choice as ``core.memory`` makes, without its reasons."""
    confidences = [known[each.number][each.state] for each in one.procedures]
    places = procedure_rule.in_order(confidences, threshold(numbers))[: numbers.procedures_in_briefing]
    notes = note_rule.in_order(looked_at(one.notes, numbers), numbers)[: numbers.notes_in_briefing]
    return Read(
        procedures=tuple(one.procedures[place].words.item for place in places),
        notes=tuple(note.item for note in notes),
        lessons=tuple(lesson.item for lesson in one.lessons[: numbers.lessons_in_briefing]),
    )


def looked_at(notes: Sequence[NoteCandidate], numbers: Settings) -> list[NoteCandidate]:
    """The notes among which a briefing chooses by some numbers."""
    worst = numbers.notes_read_from.rank
    return [note for note in notes if note.severity.rank <= worst][: numbers.notes_looked_at]


def exact(hundredths: int) -> Decimal:
    """A confidence with its two places."""
    return Decimal(hundredths).scaleb(-2)


def threshold(numbers: Settings) -> int:
    return int(numbers.procedure_threshold * 100)
