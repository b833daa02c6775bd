"""The Critical notes page shows a note as a case, closes it with its recurrences, and gives its evidence along."""

import pytest

from core.governance.people import current_person, duties_of, set_person
from core.service import desk_views
from core.service.bundle import bundle, check_bundle
from core.service.governed import governed
from core.service.views import NotesAsked
from core.store.database import Database
from core.store.records import Item
from core.vocabulary import Action, Duty, Severity
from tests.desk import act, item, note, session
from tests.pages.reading import all_words, button, drawn, words
from ui.tree import elements, text_of


@pytest.fixture(name="case")
def _case(db: Database) -> tuple[int, int]:
    """A case that was resolved and came back."""
    me = current_person(db).name
    first = note(db, session(db, "ZZ-1"), severity=Severity.CRITICAL, fault="policy_words:z").item_id
    act(db, first, Action.RESOLVE, person=me, text="The student was called.")
    again = note(db, session(db, "ZZ-2"), severity=Severity.CRITICAL, fault="policy_words:z").item_id
    return first, again


def ref_of(db: Database, item_id: int) -> str:
    return desk_views.card(db, item_id, person="x").ref


def test_both_ways_stand_on_the_page_and_lead_to_each_other(db, open_page, case):
    first, again = (ref_of(db, one) for one in case)
    page = open_page("critical_notes", note=again)
    shown = words(page, "note-tree")
    assert f"Again. First case {first}" in shown
    assert "The student was called." in shown
    assert {one[1]["data-press"] for one in elements(drawn(page, "note-tree"), "link")} >= {f"item:{first}"}
    page = open_page("critical_notes", note=first)
    assert "The breach returned once" in words(page, "note-tree")
    assert f"item:{again}" in {one[1]["data-press"] for one in elements(drawn(page, "note-tree"), "link")}


def test_an_address_that_names_a_closed_note_shows_that_note(db, open_page, case):
    first = case[0]
    for one in case:
        act(db, one, Action.RESOLVE, person=current_person(db).name, text="Done.")
    page = open_page("critical_notes", note=ref_of(db, first))
    assert f"Case {ref_of(db, first)}" in all_words(page)
    assert page.session_state["chosen-note"] == ref_of(db, first)


def test_the_list_and_the_timeline_say_where_a_case_stands(db, open_page, case):
    first, again = (ref_of(db, one) for one in case)
    page = open_page("critical_notes", note=first)
    rows = {text_of(row[2]): text_of(row) for row in elements(drawn(page, "notes-table"), "row")}
    assert "open again" in rows[first]
    assert "1 recurrence" in rows[first]
    assert f"again; first case {first}" in rows[again]
    timeline = words(page, "notes-timeline")
    assert "opened again once" in timeline
    assert f"{again} is of the same breach, in ZZ-2." in timeline


def test_resolving_a_case_offers_its_open_recurrences_and_does_not_force_them(db, open_page, case):
    first, again = case
    page = open_page("critical_notes", note=ref_of(db, first))
    page.text_area[0].input("Called again.")
    button(page, "resolve-").click().run()
    assert [item(db, one).status for one in case] == ["resolved", "open"]
    assert not page.exception
    act(db, first, Action.REOPEN, person=current_person(db).name, text="Not yet.")
    page = open_page("critical_notes", note=ref_of(db, first))
    page.text_area[0].input("Called again.")
    page.checkbox[0].check()
    button(page, "resolve-").click().run()
    assert not page.exception
    assert [item(db, one).status for one in case] == ["resolved", "resolved"]
    assert f"{ref_of(db, again)} resolved just now" in all_words(page)


def test_a_note_that_is_alone_offers_nothing_to_close_with_it(db, open_page, case):
    page = open_page("critical_notes", note=ref_of(db, case[1]))
    assert [box.label for box in page.checkbox] == []


def test_the_exports_offer_a_bundle_to_an_auditor_and_none_to_a_lead(db, open_page, case):
    page = open_page("critical_notes")
    assert [one.proto.label for one in page.get("download_button")].count("Evidence bundle") == 2
    set_person(db, current_person(db).name, {Duty.LEAD})
    page = open_page("critical_notes")
    assert [one.proto.label for one in page.get("download_button")].count("Evidence bundle") == 0


def test_a_bundle_of_the_samples_of_the_desk_fits(db):
    me = current_person(db).name
    found = check_bundle(bundle(db, NotesAsked(None, "all"), by=me).decode())
    assert found.broken is None
    assert found.transcripts > 1


def test_four_eyes_are_set_on_the_page_and_named_on_the_note(db, open_page, case):
    me = current_person(db).name
    page = open_page("people", part="Settings")
    (box,) = [one for one in page.checkbox if str(one.key).startswith("draft-four_eyes")]
    assert (box.label, box.value) == ("Two people resolve a critical note (four eyes)", False)
    box.check()
    next(one for one in page.text_input if one.key == "draft-settings-why").input("Two look at what is grave.")
    button(page, "save-settings").click().run()
    assert not page.exception
    assert "four eyes on critical notes: on" in all_words(page)
    set_person(db, me, set(Duty))
    set_person(db, "Ada", {Duty.AUDITOR})
    with db.reading() as reading:
        found = governed(reading, reading.get_one(Item, case[1]), duties_of(reading, me), "")
    assert [(one.action, one.people) for one in found.yes] == [(Action.RESOLVE, 2), (Action.DISMISS, 2)]
    assert found.yes[0].because == ("is critical, where the desk's settings ask for four eyes",)
