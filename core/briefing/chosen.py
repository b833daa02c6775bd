"""All that one briefing is made of: what each memory's rule chose, before and after the budget of tokens."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from core.memory.beliefs import BeliefCandidate
from core.memory.buffer import ReflectionCandidate
from core.memory.chosen import Choice
from core.memory.lessons import LessonCandidate
from core.memory.notes import NoteCandidate
from core.memory.procedures import ProcedureCandidate


class Part(StrEnum):
    """A part of a briefing, in the order in which an agent reads them."""

    BASE = "base"
    PROCEDURES = "procedures"
    NOTES = "notes"
    LESSONS = "lessons"
    REFLECTIONS = "reflections"
    BELIEFS = "beliefs"


@dataclass(frozen=True)
class Chosen:
    """The base prompt, and what the rules chose; every candidate stands in its choice, taken or left."""

    base_prompt: str = ""
    procedures: Choice[ProcedureCandidate] = field(default_factory=Choice)
    notes: Choice[NoteCandidate] = field(default_factory=Choice)
    lessons: Choice[LessonCandidate] = field(default_factory=Choice)
    reflections: Choice[ReflectionCandidate] = field(default_factory=Choice)
    beliefs: Choice[BeliefCandidate] = field(default_factory=Choice)

    def of(self, part: Part) -> Choice[Any]:
        """What was chosen for a part that has items."""
        choice: Choice[Any] = getattr(self, part)
        return choice

    def with_choice(self, part: Part, choice: Choice[Any]) -> "Chosen":
        """The same with another choice for a part."""
        changed: dict[str, Any] = {part.value: choice}
        return replace(self, **changed)

    def parts(self) -> Iterator[tuple[Part, Choice[Any]]]:
        """Every part that has items, in order."""
        yield from ((part, self.of(part)) for part in Part if part is not Part.BASE)

    @property
    def item_ids(self) -> tuple[int, ...]:
        """The rows of all that is read, in the order in which it is read."""
        return tuple(one.item.item for _, choice in self.parts() for one in choice.taken)
