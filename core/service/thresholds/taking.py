"""What a past briefing takes by some numbers: the choice of ``core.memory``, without its reasons, over hundredths."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.briefing.budget import within
from core.briefing.chosen import Chosen
from core.governance.stop_words import stop_words
from core.memory import notes as note_rule
from core.memory import procedures as procedure_rule
from core.memory.beliefs import BeliefCandidate, choose_beliefs
from core.memory.buffer import ReflectionCandidate, choose_reflections
from core.memory.chosen import Choice, Left, Taken
from core.memory.notes import NoteCandidate, choose_notes
from core.memory.procedures import ProcedureCandidate, choose_procedures
from core.service.thresholds.happened import PastBriefing
from core.settings import Settings


@dataclass(frozen=True)
class Read:
    """What one briefing takes by some numbers, as item ids in their order."""

    procedures: tuple[int, ...]
    notes: tuple[int, ...]
    lessons: tuple[int, ...]
    reflections: tuple[int, ...] = ()
    beliefs: tuple[int, ...] = ()

    @property
    def items(self) -> set[int]:
        """All of them."""
        return {*self.procedures, *self.notes, *self.lessons, *self.reflections, *self.beliefs}


def read(one: PastBriefing, numbers: Settings, known: dict[int, list[int]]) -> Read:
    """What a briefing takes: the same choice as ``core.memory`` makes, without its reasons.

    What might be beyond the budget of tokens is worked out in full, as a briefing is.
    """
    confidences = [known[each.number][each.state] for each in one.procedures]
    places = procedure_rule.in_order(confidences, threshold(numbers))[: numbers.procedures_in_briefing]
    procedures = [one.procedures[place].words for place in places]
    notes = note_rule.in_order(looked_at(one.notes, numbers), numbers)[: numbers.notes_in_briefing]
    lessons = one.lessons[: numbers.lessons_in_briefing]
    reflections = _reflections(one, numbers)
    beliefs = _beliefs(one, numbers)
    most = len(one.base_prompt) + HEADINGS
    most += sum(len(each.title) + len(each.trigger) + len(each.instruction) + AROUND for each in procedures)
    most += sum(len(each.observation) + len(each.improvement) + AROUND for each in notes)
    texts = [*(each.text for each in lessons), *(each.text for each in reflections), *(each.text for each in beliefs)]
    most += sum(len(text) + AROUND for text in texts)
    if most > numbers.briefing_tokens * 4:
        return _in_full(one, numbers, known)
    return Read(
        procedures=tuple(each.item for each in procedures),
        notes=tuple(each.item for each in notes),
        lessons=tuple(each.item for each in lessons),
        reflections=tuple(each.item for each in reflections),
        beliefs=tuple(each.item for each in beliefs),
    )


HEADINGS, AROUND = 1_000, 60
"""Characters, at most, of all headings with the line that sums up reflections, and beside the texts of one item."""


def chosen(one: PastBriefing, numbers: Settings, known: dict[int, list[int]]) -> Chosen:
    """What a past briefing takes by some numbers, with the reasons, within the budget of tokens."""
    candidates = [_candidate(each.words, known[each.number][each.state]) for each in one.procedures]
    lessons = tuple(Taken(lesson, "shares words with the task") for lesson in one.lessons)
    most = numbers.lessons_in_briefing
    over = f"more than {most} lessons fit; those that share the most words go first"
    made = Chosen(
        base_prompt=one.base_prompt,
        procedures=choose_procedures(candidates, numbers),
        notes=choose_notes(looked_at(one.notes, numbers), numbers),
        lessons=Choice(lessons[:most], tuple(Left(each.item, over, near=True) for each in lessons[most:])),
        reflections=choose_reflections([each.by(numbers) for each in one.reflections], numbers),
        beliefs=choose_beliefs(list(one.beliefs), one.task, numbers, stop_words(one.agent)),
    )
    return within(made, numbers)[0]


def _in_full(one: PastBriefing, numbers: Settings, known: dict[int, list[int]]) -> Read:
    made = chosen(one, numbers, known)
    return Read(*(tuple(taken.item.item for taken in choice.taken) for _, choice in made.parts()))


def _reflections(one: PastBriefing, numbers: Settings) -> list[ReflectionCandidate]:
    if not one.reflections:
        return []
    made = choose_reflections([each.by(numbers) for each in one.reflections], numbers)
    return [taken.item for taken in made.taken]


def _beliefs(one: PastBriefing, numbers: Settings) -> list[BeliefCandidate]:
    if not one.beliefs:
        return []
    return [taken.item for taken in choose_beliefs(list(one.beliefs), one.task, numbers, stop_words(one.agent)).taken]


def _candidate(words: ProcedureCandidate, hundredths: int) -> ProcedureCandidate:
    """The same procedure with a confidence; written out, since it is done for every line of every shown briefing."""
    return ProcedureCandidate(
        words.key, exact(hundredths), words.status, words.title, words.trigger, words.instruction, item=words.item
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
