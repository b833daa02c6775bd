"""The text of a briefing: messages to put before the agent's task, and why each line stands there.

First system message: base prompt and procedures. Second: notes. Third: lessons, the buffer of reflections, beliefs. A
part with nothing in it is left out; with no procedures the base prompt stands alone. Sources: Procedural memory;
Self-reflection memory; Using Feedback and Reflection in Agent Workflows; Reflexion buffer; Reflection: From Experiences
to Beliefs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from core.briefing.as_data import as_data
from core.briefing.chosen import Chosen, Part
from core.memory.buffer import older_ones, overflow_line
from core.memory.chosen import Taken
from core.memory.notes import NoteCandidate
from core.memory.procedures import ProcedureCandidate
from core.settings import Settings
from core.vocabulary import (
    BELIEFS_HEADING,
    LESSONS_HEADING,
    NOTES_CLOSING,
    NOTES_HEADING,
    PROCEDURES_HEADING,
    REFLECTIONS_HEADING,
    Severity,
)

MESSAGES = (
    (Part.BASE, Part.PROCEDURES),
    (Part.NOTES,),
    (Part.LESSONS, Part.REFLECTIONS, Part.BELIEFS),
)
"""The parts of each system message."""


@dataclass(frozen=True)
class Line:
    """Some lines of the text that belong together; ``key`` and ``item`` name the item behind them, if there is one."""

    text: str
    why: str
    key: str | None = None
    heading: bool = False
    item: int | None = None


@dataclass(frozen=True)
class Section:
    """One part of a message."""

    part: Part
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """Its lines, one below the other."""
        return "\n".join(line.text for line in self.lines)

    @property
    def tokens(self) -> int:
        """Roughly, its tokens."""
        return sum(about_tokens(line.text) for line in self.lines)


@dataclass(frozen=True)
class Block:
    """One system message: its sections, with an empty line between them."""

    sections: tuple[Section, ...]

    @property
    def text(self) -> str:
        """The content of the message."""
        return "\n\n".join(section.text for section in self.sections)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of all its sections."""
        return tuple(line for section in self.sections for line in section.lines)


def blocks(chosen: Chosen, settings: Settings) -> tuple[Block, ...]:
    """The messages of a briefing, those without anything in them left out."""
    known = {section.part: section for section in sections(chosen, settings)}
    found = (Block(tuple(known[part] for part in parts if part in known)) for parts in MESSAGES)
    return tuple(block for block in found if block.sections)


def sections(chosen: Chosen, settings: Settings) -> tuple[Section, ...]:
    """Every part that has something in it, in order."""
    made = (
        (Part.BASE, _base(chosen)),
        (Part.PROCEDURES, _procedures(chosen)),
        (Part.NOTES, _notes(chosen, settings.notes_read_from)),
        (Part.LESSONS, _lessons(chosen)),
        (Part.REFLECTIONS, _reflections(chosen)),
        (Part.BELIEFS, _beliefs(chosen)),
    )
    return tuple(Section(part, tuple(lines)) for part, lines in ((part, list(lines)) for part, lines in made) if lines)


def tokens_of(chosen: Chosen, settings: Settings) -> int:
    """Roughly, the tokens of all of it."""
    return sum(section.tokens for section in sections(chosen, settings))


def about_tokens(text: str) -> int:
    """A rough count of tokens, four characters each; exact counts depend on the model that reads."""
    return -(-len(text) // 4)


def _base(chosen: Chosen) -> Iterable[Line]:
    if chosen.base_prompt:
        yield Line(chosen.base_prompt, "the agent's base prompt, always")


def _procedures(chosen: Chosen) -> Iterable[Line]:
    if chosen.procedures.taken:
        yield Line(PROCEDURES_HEADING, "approved, most confident first", heading=True)
        for number, taken in enumerate(chosen.procedures.taken, 1):
            yield _line(_procedure(number, taken.item), taken)


def _notes(chosen: Chosen, read_from: Severity) -> Iterable[Line]:
    """The open notes of this agent and user."""
    if chosen.notes.taken:
        worse = "" if read_from is Severity.CRITICAL else " or worse"
        why = f"open, quote found, {read_from}{worse}, this agent and this user"
        yield Line(NOTES_HEADING, why, heading=True)
        yield from (_line(_note(taken.item), taken) for taken in chosen.notes.taken)
        yield Line(NOTES_CLOSING, "closing line", heading=True)


def _lessons(chosen: Chosen) -> Iterable[Line]:
    """The lessons that fit the task."""
    if chosen.lessons.taken:
        yield Line(LESSONS_HEADING, "approved, those that share most words with the task", heading=True)
        for taken in chosen.lessons.taken:
            yield _line(f"- {as_data(taken.item.text)}", taken)


def _reflections(chosen: Chosen) -> Iterable[Line]:
    """The reflections of this task class, and one line about those for which there is no room."""
    if not chosen.reflections.taken:
        return
    yield Line(REFLECTIONS_HEADING, "approved, newest first, of this task class and user", heading=True)
    for taken in chosen.reflections.taken:
        yield _line(f"- {as_data(taken.item.text)}", taken)
    summed_up = overflow_line(older_ones(chosen.reflections))
    if summed_up is not None:
        yield Line(as_data(summed_up), "sums up those for which there is no room", heading=True)


def _beliefs(chosen: Chosen) -> Iterable[Line]:
    """What was drawn from earlier sessions of this agent and user."""
    if chosen.beliefs.taken:
        yield Line(BELIEFS_HEADING, "approved, by relevance times importance, this agent and this user", heading=True)
        for taken in chosen.beliefs.taken:
            yield _line(f"- {as_data(taken.item.text)}", taken)


def _line(text: str, taken: Taken[Any]) -> Line:
    return Line(text, taken.why, taken.item.key, item=taken.item.item)


def _procedure(number: int, one: ProcedureCandidate) -> str:
    title, trigger, instruction = map(as_data, (one.title, one.trigger, one.instruction))
    return f"{number}. {title}\n   Trigger: {trigger}\n   {instruction}"


def _note(note: NoteCandidate) -> str:
    return f"- {note.severity.capitalize()}: {as_data(note.observation)} Next time: {as_data(note.improvement)}"
