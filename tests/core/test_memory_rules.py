"""Which notes, procedures and lessons an agent reads."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from core.governance.stop_words import stop_words
from core.memory.lessons import LessonCandidate, choose_lessons
from core.memory.notes import NoteCandidate, choose_notes
from core.memory.procedures import ProcedureCandidate, choose_procedures
from core.settings import DEFAULTS
from core.vocabulary import Reliability, Severity

DAY = datetime(2026, 3, 1, tzinfo=UTC)
NOTES = [
    ("n1", "low", "open"),
    ("n2", "medium", "open"),
    ("n3", "critical", "resolved"),
    ("n4", "high", "open"),
    ("n5", "positive", "open"),
    ("n6", "critical", "open"),
    ("n7", "medium", "open"),
    ("n8", "high", "open"),
    ("n9", "medium", "open"),
]


def noted(*rows: tuple[str, str, str], grounded: bool = True) -> list[NoteCandidate]:
    return [
        NoteCandidate(key, Severity(severity), status, grounded, DAY + timedelta(hours=n))
        for n, (key, severity, status) in enumerate(rows)
    ]


def test_four_open_notes_of_medium_or_worse_are_read_most_severe_then_newest_first() -> None:
    choice = choose_notes(noted(*NOTES), DEFAULTS)
    assert [taken.item.key for taken in choice.taken] == ["n6", "n8", "n4", "n9"]
    assert len(choice.taken) + len(choice.left) == len(NOTES)


def test_a_note_whose_quote_was_not_found_is_never_read() -> None:
    choice = choose_notes(noted(("n1", "critical", "open"), grounded=False), DEFAULTS)
    assert not choice.taken
    assert choice.left[0].why == "its quote was not found"


def test_a_status_that_nobody_knows_is_not_read() -> None:
    assert not choose_notes(noted(("n1", "critical", "some future state")), DEFAULTS).taken


def proc(key: str, confidence: str, status: str = "active") -> ProcedureCandidate:
    return ProcedureCandidate(key, Decimal(confidence), status)


def test_six_approved_procedures_at_or_above_the_threshold_are_read_most_confident_first() -> None:
    rows = [("worst", "0.77"), ("push", "0.30"), ("a", "0.55"), ("b", "0.56"), ("c", "0.57")]
    rows += [("d", "0.58"), ("e", "0.59"), ("f", "0.54"), ("g", "0.95")]
    choice = choose_procedures([proc(*row) for row in rows], DEFAULTS)
    assert [taken.item.key for taken in choice.taken] == ["g", "worst", "e", "d", "c", "b"]
    assert {left.item.key: left.why for left in choice.left}["push"] == "0.30, below 0.55"


@pytest.mark.parametrize("status", ["proposed", "held", "rejected", "suspended", "retired", "archived"])
def test_only_an_approved_procedure_is_read(status: str) -> None:
    assert not choose_procedures([proc("p", "0.90", status)], DEFAULTS).taken


def lessoned(*rows: tuple[str, tuple[str, ...]]) -> list[LessonCandidate]:
    return [
        LessonCandidate(f"L{n}", text, tags, "active", Reliability.HIGH, DAY + timedelta(hours=n))
        for n, (text, tags) in enumerate(rows)
    ]


LESSONS = lessoned(
    ("Check the refund policy before telling a student they are eligible.", ("refund", "policy")),
    ("Ask for the registered email before looking up an enrollment.", ("enrollment", "email")),
    ("Certificates need the final project; check project status first.", ("certificate", "project")),
)
SCHOOL = stop_words("Campus Desk")


@pytest.mark.parametrize(
    ("task", "keys"),
    [
        ("Student asks whether they can get a refund for the Django course", ["L0"]),
        ("Student wants their certificate", ["L2"]),
        ("What time is the live class?", []),
    ],
)
def test_only_lessons_that_share_a_word_with_the_task_are_read(task: str, keys: list[str]) -> None:
    assert [taken.item.key for taken in choose_lessons(LESSONS, task, DEFAULTS, SCHOOL).taken] == keys


def test_of_equally_relevant_lessons_the_more_reliable_goes_first_then_the_newer() -> None:
    three = lessoned(("refund one", ()), ("refund two", ()), ("refund three", ()))
    rumour = LessonCandidate("L9", "refund nine", (), "active", Reliability.MEDIUM, DAY + timedelta(days=9))
    choice = choose_lessons([rumour, *three], "a refund", DEFAULTS, frozenset())
    assert [taken.item.key for taken in choice.taken] == ["L2", "L1"]
