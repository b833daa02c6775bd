"""The lines in which a briefing by other numbers differs, each with the reason."""

from collections.abc import Iterable
from dataclasses import dataclass

from core.briefing.compose import about_tokens, base_block, lessons_block, notes_block
from core.memory.chosen import Choice, Taken
from core.memory.lessons import LessonCandidate
from core.memory.notes import NoteCandidate, choose_notes
from core.memory.procedures import ProcedureCandidate, choose_procedures
from core.service.thresholds.happened import PastBriefing
from core.service.thresholds.taking import exact, looked_at
from core.settings import Settings


@dataclass(frozen=True)
class ChangedLine:
    """Lines of a briefing that leave it or enter it, with the reason and the tokens."""

    key: str
    text: str
    enters: bool
    why: str
    tokens: int


@dataclass(frozen=True)
class BriefingFlip:
    """A briefing that would have been another one."""

    briefing: PastBriefing
    lines: tuple[ChangedLine, ...]

    @property
    def tokens(self) -> int:
        """By how many tokens it would have been longer; below zero where it would have been shorter."""
        return sum(line.tokens if line.enters else -line.tokens for line in self.lines)


def _candidate(words: ProcedureCandidate, hundredths: int) -> ProcedureCandidate:
    """The same procedure with a confidence; written out, since it is done for every line of every shown briefing."""
    return ProcedureCandidate(
        words.key, exact(hundredths), words.status, words.title, words.trigger, words.instruction, item=words.item
    )


class Text:
    """One briefing by some numbers, as lines by the item behind them."""

    def __init__(self, one: PastBriefing, numbers: Settings, known: dict[int, list[int]]) -> None:
        candidates = [_candidate(each.words, known[each.number][each.state]) for each in one.procedures]
        self.procedures = choose_procedures(candidates, numbers)
        self.notes = choose_notes(looked_at(one.notes, numbers), numbers)
        taken = tuple(Taken(lesson, "shares words with the task") for lesson in one.lessons)
        self.lessons = taken[: numbers.lessons_in_briefing]
        self.numbers, self.briefing = numbers, one
        blocks = (
            base_block("", self.procedures.taken),
            notes_block(self.notes.taken, numbers.notes_read_from),
            lessons_block(self.lessons),
        )
        self.lines = {line.key: line.text for block in blocks if block for line in block.lines if line.key}

    def why(self, key: str) -> str:
        """Why an item is read."""
        confidence = next((one.item.confidence for one in self.procedures.taken if one.item.key == key), None)
        if confidence is not None:
            return f"confidence {confidence}, read from {self.numbers.procedure_threshold} up"
        taken: Iterable[Taken[NoteCandidate] | Taken[LessonCandidate]]
        taken = (*self.notes.taken, *self.lessons)
        return next((one.why for one in taken if one.item.key == key), "")

    def why_not(self, key: str) -> str:
        """Why an item is not read."""
        choices: tuple[Choice[ProcedureCandidate] | Choice[NoteCandidate], ...] = (self.procedures, self.notes)
        found = next((one.why for choice in choices for one in choice.left if one.item.key == key), None)
        if found is not None:
            return found
        note = next((note for note in self.briefing.notes if note.key == key), None)
        if note is not None:
            return f"{note.severity}, below {self.numbers.notes_read_from}"
        return f"more than {self.numbers.lessons_in_briefing} lessons fit; those that share the most words go first"


def flip(one: PastBriefing, before: Text, after: Text) -> BriefingFlip:
    """What leaves and enters; where nothing does, what stands in another place."""
    leaving = [
        ChangedLine(key, text, False, after.why_not(key), about_tokens(text))
        for key, text in before.lines.items()
        if key not in after.lines
    ]
    entering = [
        ChangedLine(key, text, True, after.why(key), about_tokens(text))
        for key, text in after.lines.items()
        if key not in before.lines
    ]
    moved = list(before.lines) != list(after.lines) and not leaving and not entering
    again = [
        ChangedLine(key, text.partition("\n")[0], True, "another place among the others", 0)
        for key, text in (after.lines.items() if moved else ())
        if before.lines[key] != text or list(before.lines).index(key) != list(after.lines).index(key)
    ]
    return BriefingFlip(one, (*leaving, *entering, *again))
