"""A case as pages show it: both ways, in words and in time, and closed together with its recurrences."""

from datetime import timedelta

import pytest

from core.governance.desk import undo
from core.governance.people import set_person
from core.service.case_views import CaseNote, case_view, resolve_too
from core.service.session_views import notes
from core.service.views import NotesAsked
from core.store.clock import now
from core.store.database import Database
from core.vocabulary import Action, DismissReason, Duty
from tests.core.governance.at_the_desk import refusals
from tests.core.governance.test_cases import WORDS, breach, resolved_once
from tests.desk import OPERATOR, act, item

pytestmark = pytest.mark.databases("sqlite", "postgresql")


def test_the_recurrence_shows_what_was_resolved_then_and_the_case_shows_its_recurrences(database: Database) -> None:
    first = resolved_once(database)
    again = breach(database, "CD-2")
    seen, case = case_view(database, again.item_id), case_view(database, first)
    assert seen.first is not None
    assert (seen.first.id, seen.first.session_ref, seen.first.status) == (first, "CD-1", "open")
    assert seen.then is not None
    assert (seen.then.status, seen.then.by, seen.then.words) == ("resolved", OPERATOR, WORDS)
    assert [(one.ref, one.session_ref, one.status) for one in case.recurrences] == [(again.ref, "CD-2", "open")]
    assert (case.first, case.then) == (None, None)


def test_what_was_open_when_the_breach_returned_was_not_resolved_then(database: Database) -> None:
    first = breach(database, "CD-1").item_id
    again = breach(database, "CD-2").item_id
    act(database, first, Action.RESOLVE, text=WORDS)
    assert case_view(database, again).then is None


def test_a_later_return_still_names_how_the_case_was_closed_before_it_opened_again(database: Database) -> None:
    resolved_once(database)
    second, third = breach(database, "CD-2").item_id, breach(database, "CD-3").item_id
    told = [case_view(database, one).then for one in (second, third)]
    assert [(one.words, one.stood) for one in told if one] == [(WORDS, True), (WORDS, False)]


def test_a_dismissed_case_says_so_on_the_recurrence(database: Database) -> None:
    first = breach(database, "CD-1").item_id
    act(database, first, Action.DISMISS, reason=DismissReason.NOT_TRUE, text="It was allowed.")
    seen = case_view(database, breach(database, "CD-2").item_id)
    assert seen.then is not None
    assert (seen.then.status, seen.then.words) == ("dismissed", "not true: It was allowed.")


def test_a_case_says_its_way_in_words(database: Database) -> None:
    first = resolved_once(database)
    again = breach(database, "CD-2")
    case = case_view(database, first, at=now() + timedelta(days=3))
    assert [step.what.split(" after ")[0] for step in case.steps] == [
        "first seen, in CD-1",
        "opened",
        "resolved",
        "the breach returned",
        "opened again",
    ]
    assert case.steps[3].note == again.ref
    assert case.steps[4].words == f"{again.ref} is of the same breach, in CD-2."
    assert case.summary.startswith("first seen 2 Nov 2026 · resolved after ")
    assert "opened again once · open for " in case.summary


def test_a_held_note_that_was_released_was_never_opened_again(database: Database) -> None:
    held = breach(database, "CD-1", found=False).item_id
    act(database, held, Action.RELEASE, text="It was said so.")
    case = case_view(database, held)
    assert [step.what for step in case.steps[1:]] == ["began held", "released"]
    assert "again" not in case.summary
    act(database, held, Action.RESOLVE, text=WORDS)
    act(database, held, Action.REOPEN, text="It came back.")
    assert "opened again once · open for " in case_view(database, held).summary


def test_what_was_taken_back_is_said_to_be_put_back_and_not_opened_again(database: Database) -> None:
    found = breach(database, "CD-1").item_id
    made = act(database, found, Action.RESOLVE, text=WORDS)
    undo(database, decision_id=made.decision_id, person=OPERATOR)
    case = case_view(database, found)
    assert case.steps[-1].what == "put back to open"
    assert "opened again" not in case.summary
    assert "put back once · open for " in case.summary


def test_the_list_says_which_notes_belong_together(database: Database) -> None:
    first = resolved_once(database)
    again, third = breach(database, "CD-2"), breach(database, "CD-3")
    rows = {row.ref: row for row in notes(database, NotesAsked(state="all")).rows}
    case = next(row for row in rows.values() if row.id == first)
    assert (case.case, case.state) == ("2 recurrences", "open again")
    assert (rows[again.ref].case, rows[again.ref].state) == (f"again; first case {case.ref}", "open")
    assert rows[third.ref].case == f"again; first case {case.ref}"


def open_recurrences(database: Database, case: int) -> tuple[CaseNote, ...]:
    return case_view(database, case).open_recurrences


def test_recurrences_are_resolved_with_the_same_words_one_decision_each(database: Database) -> None:
    first = breach(database, "CD-1").item_id
    later = [breach(database, "CD-2"), breach(database, "CD-3")]
    shown = open_recurrences(database, first)
    act(database, first, Action.RESOLVE, text=WORDS)
    said = resolve_too(database, shown, OPERATOR, WORDS)
    assert said == tuple(f"{one.ref} resolved just now" for one in later)
    assert [item(database, one.item_id).status for one in later] == ["resolved", "resolved"]


def test_a_recurrence_that_moved_on_or_is_anothers_is_refused_and_said(database: Database) -> None:
    set_person(database, "Ada", {Duty.AUDITOR, Duty.ADMIN})
    set_person(database, "Ben", {Duty.LEAD})
    first = breach(database, "CD-1").item_id
    again = breach(database, "CD-2")
    shown = open_recurrences(database, first)
    (said,) = resolve_too(database, shown, "Ben", WORDS)
    assert said == f"Only a person with the duty auditor may resolve {again.ref}."
    act(database, again.item_id, Action.RESOLVE, person="Ada", text="Mine.")
    before = item(database, again.item_id).revision
    (said,) = resolve_too(database, shown, "Ada", "Other words.")
    assert "was already" in said or "resolved" in said
    assert item(database, again.item_id).revision == before
    assert refusals(database)[0] == ("role", "Ben")
