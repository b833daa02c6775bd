"""The text of a briefing: messages to put before the agent's task, and why each line stands there.

First system message: base prompt and procedures. Second: notes. Third: lessons. A part with nothing in it is left out;
with no procedures the base prompt stands alone. Sources: Procedural memory; Self-reflection memory; Using Feedback and
Reflection in Agent Workflows.
"""

from dataclasses import dataclass

from core.memory.chosen import Taken
from core.memory.lessons import LessonCandidate
from core.memory.notes import NoteCandidate
from core.memory.procedures import ProcedureCandidate
from core.vocabulary import LESSONS_HEADING, NOTES_CLOSING, NOTES_HEADING, PROCEDURES_HEADING, Severity


@dataclass(frozen=True)
class Line:
    """Some lines of the text that belong together; ``key`` names the item behind them, None for headings."""

    text: str
    why: str
    key: str | None = None
    heading: bool = False


@dataclass(frozen=True)
class Block:
    """One system message: the separator between its lines, and the lines."""

    lines: tuple[Line, ...]
    first_gap: str = "\n"

    @property
    def text(self) -> str:
        """The content of the message."""
        first, *rest = [line.text for line in self.lines]
        return self.first_gap.join([first, "\n".join(rest)]) if rest else first


def base_block(base_prompt: str, procedures: tuple[Taken[ProcedureCandidate], ...]) -> Block | None:
    """The base prompt, and the procedures appended to it."""
    base = (Line(base_prompt, "the agent's base prompt, always"),) if base_prompt else ()
    if not procedures:
        return Block(base) if base else None
    heading = Line(PROCEDURES_HEADING, "approved, most confident first", heading=True)
    numbered = (_procedure(number, taken) for number, taken in enumerate(procedures, 1))
    return Block((*base, heading, *numbered), first_gap="\n\n" if base else "\n")


def notes_block(notes: tuple[Taken[NoteCandidate], ...], read_from: Severity) -> Block | None:
    """The open notes of this agent and user."""
    if not notes:
        return None
    worse = "" if read_from is Severity.CRITICAL else " or worse"
    why = f"open, quote found, {read_from}{worse}, this agent and this user"
    heading = Line(NOTES_HEADING, why, heading=True)
    lines = (Line(_note(taken.item), taken.why, taken.item.key) for taken in notes)
    return Block((heading, *lines, Line(NOTES_CLOSING, "closing line", heading=True)))


def lessons_block(lessons: tuple[Taken[LessonCandidate], ...]) -> Block | None:
    """The lessons that fit the task."""
    if not lessons:
        return None
    heading = Line(LESSONS_HEADING, "approved, those that share most words with the task", heading=True)
    return Block((heading, *(Line(f"- {taken.item.text}", taken.why, taken.item.key) for taken in lessons)))


def about_tokens(text: str) -> int:
    """A rough count of tokens, four characters each; exact counts depend on the model that reads."""
    return -(-len(text) // 4)


def _procedure(number: int, taken: Taken[ProcedureCandidate]) -> Line:
    one = taken.item
    return Line(f"{number}. {one.title}\n   Trigger: {one.trigger}\n   {one.instruction}", taken.why, one.key)


def _note(note: NoteCandidate) -> str:
    return f"- {note.severity.capitalize()}: {note.observation} Next time: {note.improvement}"
