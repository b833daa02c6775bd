"""A briefing keeps to its budget of tokens; what gives way first is a rule, and is said."""

from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.briefing.budget import GIVES_WAY, within
from core.briefing.chosen import Chosen, Part
from core.briefing.compose import blocks, sections, tokens_of
from core.memory.beliefs import BeliefCandidate
from core.memory.buffer import ReflectionCandidate
from core.memory.chosen import Choice, Taken
from core.memory.lessons import LessonCandidate
from core.memory.notes import NoteCandidate
from core.memory.procedures import ProcedureCandidate
from core.settings import DEFAULTS, Settings
from core.vocabulary import Reliability, Severity, Status
from tests.desk import START

WORDS = "Check the refund policy in the order record before you promise anything to a student"


def full(
    base_prompt: str = "You are Campus Desk.", severities: tuple[Severity, ...] = (Severity.HIGH, Severity.MEDIUM)
) -> Chosen:
    """Two items in every part."""
    active = Status.ACTIVE
    later = [START + timedelta(days=days) for days in (1, 0)]
    return Chosen(
        base_prompt,
        Choice(
            tuple(Taken(ProcedureCandidate(f"P-{n}", Decimal("0.60"), active, WORDS, WORDS, WORDS), "") for n in (1, 2))
        ),
        Choice(
            tuple(
                Taken(NoteCandidate(f"N-{n}", one, "open", True, START, observation=WORDS, improvement=WORDS), "")
                for n, one in enumerate(severities, 1)
            )
        ),
        Choice(tuple(Taken(LessonCandidate(f"L-{n}", WORDS, (), active, Reliability.HIGH, START), "") for n in (1, 2))),
        Choice(
            tuple(Taken(ReflectionCandidate(f"L-{n}", WORDS, ("refund",), active, 5, later[n - 3]), "") for n in (3, 4))
        ),
        Choice(tuple(Taken(BeliefCandidate(f"B-{n}", WORDS, Decimal("0.85"), active, START), "") for n in (1, 2))),
    )


def by(tokens: int) -> Settings:
    return DEFAULTS.model_copy(update={"briefing_tokens": tokens})


def read(chosen: Chosen) -> list[str]:
    return [one.item.key for _, choice in chosen.parts() for one in choice.taken]


def test_what_fits_is_read_whole() -> None:
    chosen, remarks = within(full(), DEFAULTS)
    assert (chosen, remarks) == (full(), ())


def test_beliefs_give_way_first_then_reflections_lessons_procedures_and_notes_each_from_its_end() -> None:
    order: list[str] = []
    chosen = full()
    while read(chosen):
        fewer, _ = within(chosen, by(tokens_of(chosen, DEFAULTS) - 1))
        order += [key for key in read(chosen) if key not in read(fewer)]
        chosen = fewer
    assert order == ["B-2", "B-1", "L-4", "L-3", "L-2", "L-1", "P-2", "P-1", "N-2", "N-1"]
    assert GIVES_WAY == (Part.BELIEFS, Part.REFLECTIONS, Part.LESSONS, Part.PROCEDURES, Part.NOTES)


def test_what_gave_way_just_missed_and_says_of_how_much() -> None:
    whole = tokens_of(full(), DEFAULTS)
    chosen, _ = within(full(), by(whole - 1))
    (left,) = chosen.beliefs.left
    assert (left.item.key, left.near) == ("B-2", True)
    assert left.why == f"gave way: all of it would be {whole} tokens, {whole - 1} at most"


def test_a_reflection_that_gives_way_is_counted_in_the_line_that_sums_up() -> None:
    chosen = full().with_choice(Part.BELIEFS, Choice())
    fewer, _ = within(chosen, by(tokens_of(chosen, DEFAULTS) - 5))
    assert [one.item.key for one in fewer.reflections.taken] == ["L-3"]
    assert "1 older reflection" in blocks(fewer, DEFAULTS)[-1].text


def test_the_base_prompt_and_critical_notes_never_give_way_and_that_is_said() -> None:
    chosen, (remark,) = within(full("Be brief. " * 100, (Severity.CRITICAL, Severity.HIGH)), by(100))
    assert read(chosen) == ["N-1"]
    assert [section.part for section in sections(chosen, DEFAULTS)] == [Part.BASE, Part.NOTES]
    assert remark == f"The base prompt and critical notes alone have {tokens_of(chosen, DEFAULTS)} tokens; 100 at most."


@given(st.integers(100, 700))
def test_whatever_the_budget_it_is_kept_or_it_is_said_and_nothing_is_lost(most: int) -> None:
    chosen, remarks = within(full(), by(most))
    assert bool(remarks) != (tokens_of(chosen, DEFAULTS) <= most)
    every = {one.item.key for _, choice in chosen.parts() for one in (*choice.taken, *choice.left)}
    assert every == set(read(full()))


def test_the_parts_come_in_order_and_the_third_message_holds_lessons_reflections_and_beliefs() -> None:
    made = blocks(full(), DEFAULTS)
    assert [[section.part for section in block.sections] for block in made] == [
        [Part.BASE, Part.PROCEDURES],
        [Part.NOTES],
        [Part.LESSONS, Part.REFLECTIONS, Part.BELIEFS],
    ]
    assert made[2].text.count("\n\n") == 2


@pytest.mark.parametrize("part", [part for part in Part if part is not Part.BASE])
def test_a_part_with_nothing_in_it_is_left_out_with_its_heading(part: Part) -> None:
    without = full().with_choice(part, Choice())
    assert part not in [section.part for section in sections(without, DEFAULTS)]
