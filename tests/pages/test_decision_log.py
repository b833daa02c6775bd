"""The Decision log page: three views, filters in the address, whether it is whole; and a briefing of an earlier day."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from core.errors import Refused
from core.governance.acts import Request
from core.governance.desk import decide
from core.governance.log import head
from core.governance.people import Duty, current_person, set_person
from core.governance.sign_ins import sign_in
from core.service import desk_views
from core.store.append_only import TABLES, guard, unguard
from core.vocabulary import Action
from tests.pages.reading import all_words, button, drawn, words
from ui.tree import elements, text_of


def cells(page):
    """The texts of each row of the table."""
    table = drawn(page, "decisions-table")
    body = next(child for child in table[2][2][2:] if child[0] == "tbody")
    return [[text_of(cell) for cell in row[2:]] for row in body[2:]]


def test_the_log_says_that_it_is_whole_how_long_it_is_and_its_head(db, open_page):
    page = open_page("decisions")
    rows, sha256 = head(db)
    assert words(page, "log-state-words") == f"log whole, {rows} rows, checked just now"
    assert page.code[0].value == f"{rows}:{sha256}"


def test_a_changed_row_is_named_when_somebody_verifies(db, open_page):
    page = open_page("decisions")
    with db.writing() as writing:
        unguard(writing.connection(), TABLES)
        writing.connection().execute(text("update decision set text = 'other' where id = 1"))
        guard(writing.connection(), TABLES)
    button(page, "verify").click().run()
    said = words(page, "log-state-words")
    assert "log broken: link 1, decision 1, L-0001 proposed by check claimed_not_done" in said
    assert "its row was changed" in said


def test_the_newest_decision_is_first_with_its_number_and_short_hashes(db, open_page):
    first, *_ = cells(open_page("decisions"))
    newest = desk_views.decisions(db).rows[0]
    assert (first[0], first[-1]) == (str(newest.seq), newest.link[:8])
    assert "self-approved" in first[2]
    assert first[1].endswith("+00:00")


def test_filters_stand_in_the_address_and_narrow_the_table(db, open_page):
    page = open_page("decisions", log_kind="procedure", did="approve")
    assert {(row[3], row[4][:2]) for row in cells(page)} == {("approve", "P-")}
    page.selectbox(key="did").set_value("propose").run()
    assert {row[3] for row in cells(page)} == {"propose"}
    page = open_page("decisions", by="nobody of this name")
    assert cells(page)


def test_days_are_filtered_in_the_address_and_the_zone_is_named(db, open_page):
    page = open_page("decisions", first="2025-03-02", last="2025-03-02")
    assert "days in UTC" in words(page, "log-zone")
    assert {row[1][:10] for row in cells(page)} == {"2025-03-02"}
    page = open_page("decisions", first="2025-03-03", last="2025-03-02")
    assert "cannot come after the last" in all_words(page)
    page = open_page("decisions", first="1999-01-01", last="1999-01-01")
    assert "Nothing fits these filters." in all_words(page)


def test_refusals_and_rights_have_views_of_their_own(db, open_page):
    set_person(db, current_person(db).name, set(Duty))
    set_person(db, "Meera", {Duty.LEAD})
    page = open_page("decisions", be=sign_in(db, "Meera"), view="people, tokens and settings")
    assert [row[3] for row in cells(page)][:2] == ["person Meera", f"person {current_person(db).name}"]
    assert cells(page)[0][4:6] == ["–", "lead"]
    waiting = desk_views.review_queue(db, person="Meera").rows[0]
    with pytest.raises(Refused, match="changed since"):
        decide(db, Request(waiting.id, Action.REJECT, "Meera", 1, "not what is shown"))
    page = open_page("decisions", be=sign_in(db, "Meera"), view="refusals")
    (row,) = cells(page)
    assert (row[2], row[3], row[4], row[6]) == ("Meera", "reject", f"{waiting.ref} v1", "content_changed")


def test_a_row_leads_to_its_item(db, open_page):
    page = open_page("decisions")
    pressed = [row[1]["data-press"] for row in elements(drawn(page, "decisions-table"), "row")]
    assert f"item:{desk_views.decisions(db).rows[0].ref}" == pressed[0]


def test_a_view_without_a_row_says_what_comes_next(db, open_page):
    assert "Nothing has been refused yet." in all_words(open_page("decisions", view="refusals"))


def test_the_briefing_of_an_earlier_day_is_that_of_the_log(db, open_page):
    before = words(open_page("briefing", as_of="2025-02-27"), "briefing-lines")
    assert "Tool before promise" not in before
    page = open_page("briefing", as_of="2025-03-02")
    assert "Tool before promise" in words(page, "briefing-lines")
    side = words(page, "briefing-side")
    assert "As of 2025-03-02 23:59 +00:00, by the log" in side
    assert "its base prompt of then is not known" in side
    assert not [one for one in page.selectbox if one.key == "with_item"]


def test_the_hour_that_happens_twice_is_told_apart_by_number_and_offset(db, open_page, monkeypatch):
    me = current_person(db).name
    waiting = desk_views.review_queue(db, person=me).rows
    found = next(row.id for row in waiting if row.kind == "lesson" and row.ref == "L-0004")
    for at, action in ((datetime(2026, 10, 25, 0, 30, tzinfo=UTC), Action.APPROVE), (None, Action.SUSPEND)):
        card = desk_views.card(db, found, person=me)
        moment = at or datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
        decide(db, Request(found, action, me, card.revision, card.screen_hash, text="So it is."), at=moment)
    monkeypatch.setattr("ui.decisions_desk.zone_of_reader", lambda _: "Europe/Berlin")
    page = open_page("decisions", first="2026-10-25", last="2026-10-25")
    assert "days in Europe/Berlin" in words(page, "log-zone")
    assert [(row[1], row[3]) for row in cells(page)] == [
        ("2026-10-25 02:30 +01:00", "suspend"),
        ("2026-10-25 02:30 +02:00", "approve"),
    ]
