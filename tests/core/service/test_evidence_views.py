"""A verdict reads the same in lists, filters, exports and the briefing, and is checked anew whenever it is shown."""

import pytest
from sqlalchemy import update
from sqlmodel import col

from core.briefing.asked import Asked
from core.evidence.contract import Grounding, Span
from core.evidence.in_words import STALE, VERDICTS
from core.governance.drafts import quoted
from core.service import desk_views
from core.service.views import Narrowed, NotesAsked
from core.store.database import Database
from core.store.records import Evidence, Item, SessionMessage
from core.vocabulary import Role, Status, Verdict
from tests.desk import OPERATOR, SAID, lesson, note, quote, session
from ui.evidence_export import COLUMNS, evidence_table


def proof(session_id: int, verdict: Verdict):
    spans = (Span(1, 5, 33),) if verdict.grounded else ()
    found = Grounding(verdict, spans=spans)
    return quoted(session_id, SAID, f"words of {verdict}", found, speaker=Role.ASSISTANT)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_the_queue_is_narrowed_to_a_verdict_and_says_it_in_the_same_words(database: Database, verdict: Verdict) -> None:
    here = session(database)
    for one in Verdict:
        lesson(database, f"Check the refund rule before you say {one}.", quotes=(proof(here, one),))
    rows = desk_views.review_queue(database, person=OPERATOR, narrowed=Narrowed(evidence=VERDICTS[verdict])).rows
    assert [(row.headline, row.evidence) for row in rows] == [
        (f"Check the refund rule before you say {verdict}.", VERDICTS[verdict])
    ]


def test_every_verdict_can_be_filtered_by_and_staleness_too() -> None:
    assert set(desk_views.verdict_filters) == {*VERDICTS.values(), STALE}
    assert len(set(VERDICTS.values())) == len(Verdict)


def test_unknown_words_match_nothing(database: Database) -> None:
    lesson(database, quotes=(quote(session(database)),))
    assert desk_views.review_queue(database, person=OPERATOR, narrowed=Narrowed(evidence="nonsense")).total == 0


def test_what_was_not_found_comes_first_where_an_item_has_many_quotes(database: Database) -> None:
    first, second = session(database, "CD-1"), session(database, "CD-2")
    lesson(database, quotes=(quote(first), quote(second), proof(first, Verdict.ALTERED)))
    (row,) = desk_views.review_queue(database, person=OPERATOR).rows
    assert row.evidence == "1 × altered, 2 × quote found"


def test_notes_say_their_evidence_and_are_filtered_by_it(database: Database) -> None:
    here = session(database)
    note(database, here)
    note(database, here, found=False, fault="g")
    both = desk_views.notes(database)
    assert sorted(row.evidence for row in both.rows) == ["quote found", "quote not found"]
    lost = desk_views.notes(database, NotesAsked(evidence="quote not found"))
    assert [row.status for row in lost.rows] == [Status.HELD]


def test_the_briefing_leaves_a_note_out_in_the_words_of_its_verdict(database: Database) -> None:
    made = note(database, session(database), found=False)
    with database.writing() as db:
        db.connection().execute(update(Item).where(col(Item.id) == made.item_id).values(status="open"))
    asked = Asked("Campus Desk", "student 1", "refunds", "A refund")
    view = desk_views.briefing_view(database, Asked(asked.agent, asked.user, "refunds", asked.task))
    assert view.left_out == ("N-0001: quote not found",)


def test_an_export_has_a_line_for_each_quote_with_its_places_and_reasons(database: Database) -> None:
    here = session(database)
    lesson(database, quotes=(quote(here), proof(here, Verdict.NOT_FOUND)))
    columns, rows = evidence_table(desk_views.waiting_evidence(database))
    found, lost = (dict(zip(columns, row, strict=True)) for row in rows)
    assert columns == COLUMNS
    assert (found["item"], found["session"], found["in_words"]) == ("L-0001", "CD-1", "quote found")
    assert found["places"] == [[2, 5, 33]]
    assert (lost["verdict"], lost["in_words"], lost["places"]) == ("not_found", "quote not found", [])


def test_words_that_were_changed_behind_the_desks_back_are_said_to_stand_no_longer(database: Database) -> None:
    here = session(database)
    made = lesson(database, quotes=(proof(here, Verdict.EXACT),))
    with database.writing() as db:
        of_turn = (col(SessionMessage.session_id) == here, col(SessionMessage.turn) == 1)
        db.connection().execute(update(SessionMessage).where(*of_turn).values(content="Nothing of the kind."))
    (shown,) = desk_views.card(database, made.item_id, person=OPERATOR).quotes
    assert not shown.found
    assert shown.stale == "The words “the refund has been arranged” no longer stand where they were found."
    assert shown.grounding.spans == (), "nothing is lit where nobody knows the place"
    ((_, on_session),) = desk_views.session_view(database, here).quotes
    assert on_session.stale == shown.stale


def test_a_stale_quote_is_exported_as_such(database: Database) -> None:
    lesson(database, quotes=(quote(session(database)),))
    with database.writing() as db:
        db.connection().execute(update(Evidence).values(stale="The words are gone."))
    columns, (row,) = evidence_table(desk_views.waiting_evidence(database, Narrowed(evidence=STALE)))
    said = dict(zip(columns, row, strict=True))
    assert (said["verdict"], said["in_words"], said["reasons"]) == ("stale", STALE, ["The words are gone."])
