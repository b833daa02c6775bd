"""What other numbers would have changed: pure and fast, so that moving a slider answers at once. Reads nothing.

The numbers in force and those that are tried are both applied to the same past; what differs is counted, and shown.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache

from core.briefing.compose import about_tokens, base_block, lessons_block, notes_block
from core.memory import notes as note_rule
from core.memory import procedures as procedure_rule
from core.memory.chosen import Choice, Taken
from core.memory.confidence import Path, fold
from core.memory.lessons import LessonCandidate
from core.memory.notes import NoteCandidate, choose_notes
from core.memory.procedures import ProcedureCandidate, choose_procedures
from core.screening.likeness import Alike
from core.service.thresholds.happened import Judged, Past, PastBriefing, ProcedureNow
from core.service.thresholds.queue_now import flipped
from core.settings import Settings
from core.vocabulary import Kind, Severity

FEWEST = 10
"""Verdicts below which nothing is said about precision and recall."""


@dataclass(frozen=True)
class ProcedureFlip:
    """An active procedure: its confidence now and with the other numbers, and whether it is read."""

    procedure: ProcedureNow
    now: Decimal
    then: Decimal
    read_now: bool
    read_then: bool
    path: Path
    """Its whole path with the other steps."""


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


@dataclass(frozen=True)
class Read:
    """What one briefing takes by some numbers, as item ids in their order."""

    procedures: tuple[int, ...]
    notes: tuple[int, ...]
    lessons: tuple[int, ...]


class Different:
    """The numbers in force and others, applied to one past."""

    def __init__(self, past: Past, now: Settings, draft: Settings) -> None:
        self.past, self.now, self.draft = past, now, draft
        self._confidence_now, self.before = _applied(past, now)
        self._confidence_draft, self.after = _applied(past, draft)
        self.differing = [
            place for place, pair in enumerate(zip(self.before, self.after, strict=True)) if pair[0] != pair[1]
        ]

    @cached_property
    def procedures(self) -> tuple[ProcedureFlip, ...]:
        """Every active procedure, the most confident first."""
        now, then = self._read_now(self.now, self._confidence_now), self._read_now(self.draft, self._confidence_draft)
        found = [
            ProcedureFlip(
                procedure=one,
                now=_exact(self._confidence_now[one.number][-1]),
                then=_exact(self._confidence_draft[one.number][-1]),
                read_now=one.item in now,
                read_then=one.item in then,
                path=self._path(one.path),
            )
            for one in self.past.procedures
        ]
        return tuple(sorted(found, key=lambda one: (-one.now, one.procedure.number)))

    @property
    def procedures_read(self) -> tuple[int, int]:
        """How many active procedures are read, now and with the other numbers."""
        return sum(one.read_now for one in self.procedures), sum(one.read_then for one in self.procedures)

    def _path(self, path: Path) -> Path:
        start, *events = path.steps
        return fold(start.held, start.happened.at, (step.happened for step in events), self.draft)

    def _read_now(self, numbers: Settings, known: dict[int, list[int]]) -> set[int]:
        """The active procedures that are read now, agent by agent."""
        found: set[int] = set()
        for agent in {one.agent for one in self.past.procedures}:
            rows = [one for one in self.past.procedures if one.agent == agent]
            places = procedure_rule.in_order([known[one.number][-1] for one in rows], _hundredths(numbers))
            found |= {rows[place].item for place in places[: numbers.procedures_in_briefing]}
        return found

    @property
    def briefings(self) -> int:
        """How many past briefings were looked at."""
        return len(self.past.briefings)

    @cached_property
    def upcoming(self) -> tuple[BriefingFlip, ...]:
        """The next briefings that would be others."""
        pairs = (
            (one, read(one, self.now, self._confidence_now), read(one, self.draft, self._confidence_draft))
            for one in self.past.upcoming
        )
        return tuple(self.shown(one) for one, before, after in pairs if before != after)

    @cached_property
    def enters_and_leaves(self) -> tuple[tuple[str, str, int, int], ...]:
        """Notes and lessons by reference, with a line of theirs, and how many next briefings they enter and leave."""
        enters, leaves, texts = Counter[str](), Counter[str](), dict[str, str]()
        for one in self.upcoming:
            for line in one.lines:
                if not line.key.startswith("P-"):
                    (enters if line.enters else leaves)[line.key] += 1
                    texts[line.key] = line.text
        return tuple((key, texts[key], enters[key], leaves[key]) for key in sorted(texts))

    def mean_notes(self) -> tuple[Decimal, Decimal] | None:
        """How many notes a briefing for a user had on average, now and with the other numbers."""
        places = [place for place, one in enumerate(self.past.briefings) if one.user is not None]
        if not places:
            return None
        means = (sum(len(reads[place].notes) for place in places) for reads in (self.before, self.after))
        now, then = ((Decimal(total) / len(places)).quantize(Decimal("0.1")) for total in means)
        return now, then

    def flips(self, most: int) -> tuple[BriefingFlip, ...]:
        """The newest briefings that differ, with their lines."""
        return tuple(self.shown(self.past.briefings[place]) for place in self.differing[:most])

    def shown(self, one: PastBriefing) -> BriefingFlip:
        """What differs in one briefing, line by line."""
        before = _Text(one, self.now, self._confidence_now)
        after = _Text(one, self.draft, self._confidence_draft)
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
            ChangedLine(key, text, True, "another place among the others", 0)
            for key, text in (after.lines.items() if moved else ())
            if before.lines[key] != text or list(before.lines).index(key) != list(after.lines).index(key)
        ]
        return BriefingFlip(one, (*leaving, *entering, *again))

    def queue(self) -> int:
        """How many items of the queue would stand elsewhere in it, or be overdue otherwise."""
        return flipped(self.past.queue, self.past.at, self.now, self.draft)

    def against(self, numbers: Settings, kind: Kind) -> Against:
        """The gate of a kind, by some numbers, beside what people decided."""
        known = self._confidence_now if numbers is self.now else self._confidence_draft
        counts = Counter((_keeps(one, numbers, known), one.kept) for one in self.past.judged if one.kind is kind)
        pairs = ((True, True), (True, False), (False, True), (False, False))
        return Against(kind, *(counts[pair] for pair in pairs))


def different(past: Past, now: Settings, draft: Settings) -> Different:
    """What would have been different."""
    return Different(past, now, draft)


@lru_cache(maxsize=8)
def _applied(past: Past, numbers: Settings) -> tuple[dict[int, list[int]], list[Read]]:
    """Confidences and what each briefing takes by some numbers; those in force are asked for again and again."""
    known = past.confidences(numbers)
    return known, [read(one, numbers, known) for one in past.briefings]


def read(one: PastBriefing, numbers: Settings, known: dict[int, list[int]]) -> Read:
    """What a briefing takes: the same choice as ``core.memory`` makes, without its reasons."""
    confidences = [known[each.number][each.state] for each in one.procedures]
    places = procedure_rule.in_order(confidences, _hundredths(numbers))[: numbers.procedures_in_briefing]
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


def _exact(hundredths: int) -> Decimal:
    """A confidence with its two places."""
    return Decimal(hundredths).scaleb(-2)


def _hundredths(numbers: Settings) -> int:
    return int(numbers.procedure_threshold * 100)


def _keeps(one: Judged, numbers: Settings, known: dict[int, list[int]]) -> bool:
    if one.kind is Kind.PROCEDURE:
        return known[one.number][-1] >= _hundredths(numbers)
    if one.kind is Kind.NOTE:
        return one.grounded and Severity(one.severity).rank <= numbers.notes_read_from.rank
    alike = Alike.by(numbers)
    return not (one.is_twin or one.run >= alike.share or one.cosine > alike.cosine)


def _candidate(words: ProcedureCandidate, hundredths: int) -> ProcedureCandidate:
    """The same procedure with a confidence; written out, since it is done for every line of every shown briefing."""
    return ProcedureCandidate(
        words.key, _exact(hundredths), words.status, words.title, words.trigger, words.instruction, item=words.item
    )


class _Text:
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
        taken: Iterable[Taken[ProcedureCandidate] | Taken[NoteCandidate] | Taken[LessonCandidate]]
        taken = (*self.procedures.taken, *self.notes.taken, *self.lessons)
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
