"""Other numbers on the past: what is said to have been read is what would have been read, and nothing is written."""

import json
import random
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import event, inspect, text
from sqlmodel import select

from core.briefing.asked import Asked
from core.briefing.read import agent_named, brief, issue
from core.effects.outcomes import report_outcome
from core.governance.numbers import numbers
from core.service.governed import bring_up
from core.service.overdue import due_at
from core.service.thresholds import Different, different, past
from core.service.thresholds.queue_now import flipped, waiting
from core.service.thresholds.taking import read
from core.settings import DEFAULTS, Settings
from core.store.clock import now
from core.store.database import Database
from core.store.records import Item, LessonBody
from core.vocabulary import Action, DismissReason, GroundedNotes, Kind, Outcome, RejectReason, Severity
from tests.core.test_as_of import Replay
from tests.desk import OPERATOR, START, act, lesson, note, procedure, quote, session, unchecked_statuses

both = pytest.mark.databases("sqlite", "postgresql")
ASKED = Asked("Campus Desk", "student 1", "refunds", "A student wants a refund for a course")


def draft(**changes: object) -> Settings:
    return Settings.model_validate({**DEFAULTS.model_dump(), **changes})


def any_numbers(dice: random.Random) -> Settings:
    """Numbers of briefings and confidences, anywhere within their bounds and mostly near."""
    share = {name: Decimal(dice.randint(0, 100)) / 100 for name in ("success_step", "failure_step")}
    return draft(
        **share,
        procedure_threshold=Decimal(dice.randint(30, 90)) / 100,
        procedures_in_briefing=dice.randint(0, 4),
        notes_in_briefing=dice.randint(0, 4),
        notes_looked_at=dice.randint(1, 5),
        notes_read_from=dice.choice(list(Severity)),
        grounded_notes=dice.choice(list(GroundedNotes)),
        lessons_in_briefing=dice.randint(0, 3),
    )


def whole(database: Database) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables."""
    with database.reading() as db:
        connection = db.connection()
        tables = inspect(connection).get_table_names()
        return {
            name: sorted(map(tuple, connection.execute(text(f"select * from {name}")).all()), key=repr)
            for name in tables
        }


@both
@pytest.mark.parametrize("seed", [3, 8])
def test_what_past_briefings_would_have_taken_is_what_a_briefing_as_of_then_takes(
    database: Database, seed: int
) -> None:
    replay, dice = Replay(database, seed), random.Random(seed)
    for day in range(16):
        at = replay.day(day)
        if dice.random() < 0.5:
            with database.reading() as db:
                ids = [one.item for one in waiting(db)]
            if ids:
                bring_up(database, dice.choice(ids), person="Ben", at=at)
        replay.receipts.append(issue(database, ASKED, at=at + timedelta(minutes=1)).receipt)
    gathered = past(database, at=now() + timedelta(days=40))
    assert len(gathered.briefings) >= 12
    taken = 0
    for chosen_by in (DEFAULTS, *(any_numbers(dice) for _ in range(4))):
        known = gathered.confidences(chosen_by)
        with database.reading() as db:
            for one in (*gathered.briefings, *gathered.upcoming):
                asked = Asked(one.agent, one.user, one.task_class, one.task)
                told = brief(db, agent_named(db, one.agent), asked, chosen_by, as_of=one.at)
                chosen = read(one, chosen_by, known)
                assert (*chosen.procedures, *chosen.notes, *chosen.lessons) == told.item_ids
                taken += len(told.item_ids)
    assert taken > 20


@pytest.fixture
def desk(database: Database) -> Database:
    """Two procedures with a past, notes and lessons, and briefings that read them."""
    sure, unsure = procedure(database, "Policy first").item_id, procedure(database, "Name the rule").item_id
    for found in (sure, unsure, lesson(database).item_id):
        act(database, found, Action.APPROVE)
    for number in range(6):
        note(database, session(database, f"CD-{number}"), fault=str(number), severity=list(Severity)[number % 3])
    for result in (Outcome.SUCCESS, Outcome.SUCCESS, Outcome.FAILURE):
        report_outcome(database, issue(database, ASKED).receipt, result)
    act(database, unsure, Action.REINSTATE, text="it did not help", confidence=Decimal("0.57"))
    issue(database, ASKED)
    return database


def tried(database: Database, **changes: object) -> Different:
    return different(past(database), DEFAULTS, draft(**changes))


@both
def test_a_higher_threshold_takes_a_procedure_out_of_briefings_and_says_why(desk: Database) -> None:
    other = tried(desk, procedure_threshold="0.60")
    flips = {one.procedure.title: (one.read_now, one.read_then) for one in other.procedures}
    assert flips == {"Policy first": (True, True), "Name the rule": (True, False)}
    assert (other.briefings, len(other.differing)) == (4, 1)
    (flip,) = other.flips(10)
    (line,) = flip.lines
    assert (line.key, line.enters, line.why) == ("P-0002", False, "0.57, below 0.60")
    assert line.text.startswith("2. Name the rule")
    assert flip.tokens == -line.tokens < 0
    assert [one.briefing.receipt for one in other.upcoming] == [""]


@both
def test_other_steps_draw_the_whole_path_anew_and_do_not_touch_the_stated_confidence(desk: Database) -> None:
    flips = {one.procedure.title: one for one in tried(desk, success_step="0.20", failure_step="0.01").procedures}
    sure, unsure = flips["Policy first"], flips["Name the rule"]
    assert [step.held for step in sure.procedure.path.steps] == [
        Decimal(value) for value in ("0.60", "0.68", "0.76", "0.61", "0.61")
    ]
    assert [step.held for step in sure.path.steps] == [
        Decimal(value) for value in ("0.60", "0.80", "1.00", "0.99", "0.99")
    ]
    assert (sure.now, sure.then) == (Decimal("0.61"), Decimal("0.99"))
    assert (unsure.now, unsure.then) == (Decimal("0.57"), Decimal("0.57"))


@both
def test_fewer_and_other_notes_are_counted_and_shown(desk: Database) -> None:
    other = tried(desk, notes_in_briefing=1)
    assert other.mean_notes() == (Decimal("4.0"), Decimal("1.0"))
    assert len(other.differing) == 4
    assert {line.enters for flip in other.flips(9) for line in flip.lines} == {False}
    worst = tried(desk, notes_read_from="critical")
    assert worst.mean_notes() == (Decimal("4.0"), Decimal("2.0"))
    whys = {line.why for flip in worst.flips(9) for line in flip.lines}
    assert whys == {"high, below critical"}
    assert {key: (enters, leaves) for key, _, enters, leaves in worst.enters_and_leaves} == {
        "N-0002": (0, 1),
        "N-0005": (0, 1),
    }


def test_the_same_numbers_change_nothing(desk: Database) -> None:
    same = tried(desk)
    assert (same.differing, same.upcoming, same.queue(), same.flips(9)) == ([], (), 0, ())
    assert all(one.path == one.procedure.path for one in same.procedures)


def test_other_weights_and_days_flip_places_of_the_queue(desk: Database) -> None:
    lesson(desk, "Ask for the order number before you look it up.")
    assert tried(desk, queue_high=1_000, queue_critical=1).queue() == 3
    tried(desk)
    later = past(desk, at=START + timedelta(days=2))
    critical = [one for one in later.queue if one.severity == Severity.CRITICAL]
    assert critical
    assert different(later, DEFAULTS, draft(overdue_critical=30)).queue() == len(critical)


def test_the_moment_of_a_look_is_its_own_though_what_happened_is_kept(desk: Database) -> None:
    first = past(desk, at=START)
    later = past(desk, at=START + timedelta(days=2))
    assert later.briefings is first.briefings
    assert (first.at, later.at) == (START, START + timedelta(days=2))
    assert past(desk).at > later.at
    assert tried(desk).before is tried(desk).before
    issue(desk, ASKED)
    assert past(desk) != later


@pytest.mark.parametrize("severity", [*Severity, "grave"])
def test_an_item_that_waits_is_overdue_here_from_the_moment_on_that_it_is_everywhere(
    desk: Database, severity: str
) -> None:
    one = replace(past(desk).queue[0], severity=severity)
    due, later = due_at(severity, one.since, DEFAULTS), draft(**{f"overdue_{each}": 300 for each in Severity})
    assert flipped((one,), due, DEFAULTS, later) == 1
    assert flipped((one,), due - timedelta(microseconds=1), DEFAULTS, later) == 0


def test_a_lesson_in_a_status_that_is_not_known_here_is_left_out(desk: Database) -> None:
    known = [one.ref for one in past(desk).judged]
    assert "L-0001" in known
    with desk.reading() as db:
        found = db.exec(select(Item.id).where(Item.kind == Kind.LESSON)).one()
    unchecked_statuses(desk, {found or 0: "archived"})
    issue(desk, ASKED)
    assert [one.ref for one in past(desk).judged] == [ref for ref in known if ref != "L-0001"]
    assert tried(desk, procedure_threshold="0.60").differing


@both
def test_gates_are_held_against_the_last_decision_of_people_and_rules_do_not_count(database: Database) -> None:
    kept = [procedure(database, title).item_id for title in ("Policy first", "Name the rule")]
    for found in kept:
        act(database, found, Action.APPROVE)
    refused = procedure(database, "Ask twice").item_id
    act(database, refused, Action.REJECT, reason=RejectReason.TOO_VAGUE)
    taken_back = procedure(database, "Say sorry").item_id
    from core.governance.desk import undo

    undo(database, decision_id=act(database, taken_back, Action.APPROVE).decision_id, person=OPERATOR)
    made = session(database)
    open_note = note(database, made, fault="a").item_id
    act(database, open_note, Action.RESOLVE, text="done")
    wrong = note(database, made, fault="b", severity=Severity.MEDIUM).item_id
    act(database, wrong, Action.DISMISS, reason=DismissReason.NOT_TRUE, text="no")
    other = tried(database, procedure_threshold="0.65", notes_read_from="high")
    now_, then = (other.against(by, Kind.PROCEDURE) for by in (other.now, other.draft))
    assert (now_.kept_kept, now_.kept_refused, now_.dropped_kept) == (2, 1, 0)
    assert (then.kept_kept, then.kept_refused, then.dropped_kept, then.dropped_refused) == (0, 0, 2, 1)
    notes = other.against(other.draft, Kind.NOTE)
    assert (notes.kept_kept, notes.kept_refused, notes.dropped_refused) == (1, 0, 1)
    assert (now_.precision, now_.recall) == (None, None)


def test_precision_and_recall_are_told_from_ten_verdicts_on(database: Database) -> None:
    for number in range(10):
        found = note(database, session(database, f"CD-{number}"), fault=str(number)).item_id
        if number % 5:
            act(database, found, Action.RESOLVE, text="done")
        else:
            act(database, found, Action.DISMISS, reason=DismissReason.NOT_TRUE)
    against = tried(database).against(DEFAULTS, Kind.NOTE)
    assert (against.verdicts, against.precision, against.recall) == (10, Decimal("0.80"), Decimal("1.00"))


def test_a_lesson_beside_a_near_twin_is_dropped_by_its_gate_where_the_share_says_so(database: Database) -> None:
    one = "Check the refund policy of the course before you promise a refund"
    other = one.replace("Check", "Check slowly") + " and the exam calendar"
    for words in (one, other):
        act(database, lesson(database, f"{words}.").item_id, Action.APPROVE)
    second = past(database).judged[1]
    assert (second.ref, second.is_twin, second.run) == ("L-0002", False, 92)
    kept = {
        share: (other.kept_kept, other.dropped_kept)
        for share in ("0.80", "0.95")
        if (other := tried(database, twin_share=share).against(draft(twin_share=share), Kind.LESSON))
    }
    assert kept == {"0.80": (1, 1), "0.95": (2, 0)}


@both
def test_trying_numbers_writes_nothing_and_changes_no_briefing(desk: Database) -> None:
    reads = issue(desk, ASKED).messages
    before = whole(desk)
    other = tried(desk, procedure_threshold="0.65", success_step="0.10", twin_share="0.90", queue_high=9)
    assert other.flips(50)
    assert other.procedures
    other.queue()
    other.against(other.draft, Kind.LESSON)
    assert whole(desk) == before
    assert issue(desk, ASKED).messages == reads


def test_the_past_is_gathered_again_when_something_happened_and_not_before(desk: Database) -> None:
    first = past(desk)
    assert past(desk).briefings is first.briefings
    issue(desk, ASKED)
    assert len(past(desk).briefings) == len(first.briefings) + 1
    second = past(desk)
    act(desk, procedure(desk, "Ask twice").item_id, Action.APPROVE)
    assert past(desk).briefings is not second.briefings


@pytest.mark.corpus
@both
def test_reported_case_a_03_a_previewed_threshold_changes_no_row_and_no_briefing(corpus: Path, desk: Database) -> None:
    lines = (corpus / "cases/public-reports.jsonl").read_text(encoding="utf-8").split("\n")
    case = next(found for found in map(json.loads, filter(None, lines)) if found["id"] == "A-03")
    previewed = case["input"]["do"].rpartition("preview threshold ")[2]
    reads, before = issue(desk, ASKED).messages, whole(desk)
    other = tried(desk, procedure_threshold=previewed)
    assert other.differing
    assert whole(desk) == before
    assert numbers(desk).procedure_threshold == Decimal(str(case["expected"]["after"]["threshold"]))
    assert issue(desk, ASKED).messages == reads


def test_only_the_versions_that_the_past_needs_are_read_with_their_words(database: Database) -> None:
    run = session(database)
    kept = lesson(database, "Look the refund page up before you promise a date.", quotes=(quote(run),)).item_id
    act(database, kept, Action.APPROVE)
    for number in range(8):
        lesson(database, f"Read page {number} of handbook {number} aloud to student {number}.", quotes=(quote(run),))
    issue(database, ASKED)
    loaded: list[int] = []

    def load(body: LessonBody, _: object) -> None:
        loaded.append(body.item_id)

    event.listen(LessonBody, "load", load)
    found = past(database)
    event.remove(LessonBody, "load", load)
    assert set(loaded) == {kept}
    assert [(one.kind, one.kept) for one in found.judged] == [(Kind.LESSON, True)]
    assert [[one.item for one in briefing.lessons] for briefing in found.briefings] == [[kept]]
