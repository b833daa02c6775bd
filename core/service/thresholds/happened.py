"""What happened, as values: briefings with all that they chose from, confidences by any steps, verdicts, the queue."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from core.memory.beliefs import BeliefCandidate
from core.memory.buffer import ReflectionCandidate
from core.memory.confidence import Path, bounded
from core.memory.lessons import LessonCandidate
from core.memory.notes import NoteCandidate
from core.memory.procedures import ProcedureCandidate
from core.settings import Settings
from core.vocabulary import Kind, Scope


@dataclass(frozen=True)
class Steps:
    """Events that became known together: ``after`` which earlier state they follow, None from the start.

    ``moves`` are in session order: 1 a success, -1 a failure; ``(hundredths,)`` a confidence that a person stated.
    """

    after: int | None
    moves: tuple[int | tuple[int], ...]


@dataclass(frozen=True)
class Course:
    """The confidence of one procedure in every state of what was known of it, for whatever steps; hundredths."""

    start: int
    states: tuple[Steps, ...]

    def values(self, up: int, down: int) -> list[int]:
        """The confidence in each state, with these steps up and down."""
        values: list[int] = []
        for state in self.states:
            value = self.start if state.after is None else values[state.after]
            for move in state.moves:
                if isinstance(move, tuple):
                    value = move[0]
                else:
                    value = min(100, value + up) if move > 0 else max(0, value - down)
            values.append(value)
        return values


@dataclass(frozen=True)
class PastProcedure:
    """A procedure that a briefing chose from, and the state of its confidence at that moment."""

    number: int
    state: int
    words: ProcedureCandidate


@dataclass(frozen=True)
class PastReflection:
    """A reflection that a briefing chose from, and how many trials of its task class it had lived for."""

    words: ReflectionCandidate
    lived: int

    def by(self, numbers: Settings) -> ReflectionCandidate:
        """The same with the trials that it would have had left by some numbers."""
        return replace(self.words, remaining=max(0, numbers.reflection_trials - self.lived))


@dataclass(frozen=True)
class PastBriefing:
    """What one briefing chose from. ``receipt`` is empty for the next one, which nobody has read yet.

    Procedures are by number, notes most severe and newest first, lessons by relevance, those without any left out;
    reflections with the trials that had come in since each was activated, beliefs as they stood.
    """

    receipt: str
    agent: str
    user: str | None
    task_class: str | None
    task: str
    at: datetime
    procedures: tuple[PastProcedure, ...]
    notes: tuple[NoteCandidate, ...]
    lessons: tuple[LessonCandidate, ...]
    reflections: tuple[PastReflection, ...] = ()
    beliefs: tuple[BeliefCandidate, ...] = ()
    base_prompt: str = ""


@dataclass(frozen=True)
class ProcedureNow:
    """An active procedure as it stands now, with its whole path by the numbers in force."""

    number: int
    ref: str
    title: str
    agent: str
    item: int
    path: Path
    verdict: str = ""
    """Who decided about it last, in words."""


@dataclass(frozen=True)
class Judged:
    """What people decided about an item last, and what its gate looks at.

    For a procedure that is its confidence (``number``), for a note severity and ``grounded``, for a lesson what is like
    it: ``is_twin`` by its words alone, else ``shares`` of common runs (hundredths) and ``cosines``, which count only
    where the numbers say so.
    """

    kind: Kind
    ref: str
    kept: bool
    in_words: str
    number: int = 0
    severity: str = ""
    grounded: bool = False
    is_twin: bool = False
    run: int = 0
    cosine: float = 0.0


@dataclass(frozen=True)
class Waiting:
    """An item of the queue."""

    item: int
    severity: str
    scope: Scope
    sessions: int
    since: datetime


@dataclass(frozen=True, eq=False)
class Past:
    """All that is needed to say what other numbers would change. ``at`` is the moment of the look.

    Two looks at what was gathered once are equal whatever their moments, so that what briefings would have taken is
    worked out once for both.
    """

    at: datetime
    briefings: tuple[PastBriefing, ...]
    upcoming: tuple[PastBriefing, ...]
    """The next briefing of every agent and user that has been here lately, on the task that they had last."""
    courses: Mapping[int, Course]
    procedures: tuple[ProcedureNow, ...]
    judged: tuple[Judged, ...]
    queue: tuple[Waiting, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Past) and self.briefings is other.briefings and self.courses is other.courses

    def __hash__(self) -> int:
        return hash((id(self.briefings), id(self.courses)))

    def confidences(self, numbers: Settings) -> dict[int, list[int]]:
        """The confidence of every procedure in every state, by its number, in hundredths."""
        up, down = (int(bounded(step) * 100) for step in (numbers.success_step, numbers.failure_step))
        return {number: course.values(up, down) for number, course in self.courses.items()}
