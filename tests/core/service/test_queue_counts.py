"""What stands on every page: what waits, is unread, overdue and whose; and since when somebody was here."""

from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import update
from sqlmodel import col

from core.governance.assignments import assign
from core.governance.people import Person
from core.service import counting, queue_counts
from core.service.counting import Count
from core.service.desk_views import bring_up, review_queue
from core.service.queue_counts import QueueCounts
from core.service.views import Narrowed, Whose
from core.service.visits import away_since, note_visit
from core.settings import DEFAULTS
from core.store.oversight_records import Visit
from core.store.records import Item
from core.vocabulary import Action, Duty, RejectReason, Severity
from tests.core.governed import team
from tests.desk import START, act, lesson, note, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

TEXTS = (
    "Check the refund policy before you promise a refund.",
    "Name the costs that are not given back, such as postage.",
    "Ask for the serial number of a lamp that flickers.",
)
BEN, DORA = Person("Ben", frozenset({Duty.LEAD})), Person("Dora", frozenset({Duty.AUDITOR}))
LATE = START + timedelta(days=DEFAULTS.overdue_high)


@pytest.fixture(name="three")
def _three(database):
    """Three lessons of high severity that wait since the start, and a critical note that is open."""
    team(database)
    found = [lesson(database, text).item_id for text in TEXTS]
    note(database, session(database), severity=Severity.CRITICAL)
    return found


def counts(database, person=BEN, at=LATE):
    return queue_counts.queue_counts(database, person, at=at)


def test_what_waits_is_counted_for_whoever_looks(database, three):
    bring_up(database, three[0], "Ben")
    assign(database, three[1:], "Cleo", by="Ben")
    found = counts(database)
    assert (found.waiting, found.unread, found.mine, found.critical) == (Count(3), Count(2), Count(0), Count(1))
    assert counts(database, Person("Cleo", frozenset({Duty.LEAD}))).mine == Count(2)
    given = Counter(row.assignee for row in review_queue(database, person="Cleo").rows if row.assignee)
    assert given == {"Cleo": 2}


def test_an_item_is_overdue_from_the_very_moment_that_its_severity_allows(database, three):
    assert counts(database, at=LATE - timedelta(seconds=1)).overdue == Count(0)
    assert counts(database, at=LATE).overdue == Count(3)
    assert counts(database, at=LATE).critical_overdue == Count(1)


def test_what_was_decided_waits_for_nobody(database, three):
    act(database, three[0], Action.REJECT, person="Ben", reason=RejectReason.TOO_VAGUE)
    found = counts(database)
    assert (found.waiting, found.overdue) == (Count(2), Count(2))


def test_a_person_without_a_duty_is_told_no_count(database, three):
    assert counts(database, Person("Eve", frozenset())) == QueueCounts()


def test_the_title_speaks_of_review_to_a_lead_and_of_critical_notes_to_an_auditor(database, three):
    bring_up(database, three[0], "Ben")
    assert counts(database).in_title == "2 · 3 overdue"
    assert counts(database, DORA).in_title == "1 · 1 overdue"
    assert counts(database, at=START).in_title == "2"
    assert QueueCounts().in_title == ""


def test_beyond_its_most_a_count_says_that_there_are_more(database, three, monkeypatch):
    monkeypatch.setattr(counting.count, "__defaults__", (2,))
    assert str(counts(database).waiting) == "2+"
    assert str(Count(1_000, True)) == "1,000+"


def test_the_unread_of_a_long_queue_are_counted_at_its_head(database, three, monkeypatch):
    monkeypatch.setattr(queue_counts, "LOOKED_THROUGH", 1)
    bring_up(database, three[0], "Ben")
    assert counts(database).unread == Count(1, True)


def test_the_list_is_narrowed_by_whose_turn_it_is_and_by_what_is_unread_or_overdue(database, three):
    assign(database, three[:1], "Ben", by="Ben")
    bring_up(database, three[2], "Ben")
    with database.writing() as db:
        db.connection().execute(
            update(Item).where(col(Item.id) == three[1]).values(queued_at=START + timedelta(days=36_500))
        )

    def listed(**narrowed):
        return [row.id for row in review_queue(database, person="Ben", narrowed=Narrowed(**narrowed)).rows]

    assert listed(whose=Whose.MINE) == three[:1]
    assert sorted(listed(whose=Whose.NOBODYS)) == three[1:]
    assert sorted(listed(unread=True)) == three[:2]
    assert sorted(listed(overdue=True)) == [three[0], three[2]]


def test_a_row_says_why_it_stands_where_it_stands(database, three):
    assign(database, three[:1], "Ben", by="Ben")
    row = next(row for row in review_queue(database, person="Ben").rows if row.id == three[0])
    assert (row.severity, row.scope, row.sessions, row.queued_at) == ("high", "task_class", 0, START)
    assert (row.due_at, row.assignee) == (LATE, "Ben")


def test_a_visit_is_written_once_a_minute_and_begins_anew_after_hours(database):
    team(database)
    assert away_since(database, "Ben") is None
    note_visit(database, BEN, START)
    note_visit(database, BEN, START + timedelta(seconds=59))
    with database.reading() as db:
        assert db.get_one(Visit, "Ben").here_at == START
    note_visit(database, BEN, START + timedelta(hours=4))
    assert away_since(database, "Ben") is None
    back = START + timedelta(hours=8, seconds=1)
    note_visit(database, BEN, back)
    assert away_since(database, "Ben") == START + timedelta(hours=4)
    note_visit(database, BEN, back + timedelta(hours=1))
    assert away_since(database, "Ben") == START + timedelta(hours=4)


def test_whoever_has_no_duty_leaves_no_visit(database):
    note_visit(database, Person("Eve", frozenset()), START)
    with database.reading() as db:
        assert db.get(Visit, "Eve") is None
