"""Home as a page: the columns with their links, the key to the next decision, and what stands on every page."""

import pytest

from core.governance.assignments import assign
from core.governance.people import duties_of, set_person
from core.governance.sign_ins import sign_in
from core.service import desk_views
from core.store.oversight_records import Assignment
from core.vocabulary import Duty
from tests.desk import item
from tests.pages.reading import all_words, button, drawn, words
from ui.tree import elements, text_of
from ui.waiting import MINE, OVERDUE


@pytest.fixture(name="ann")
def _ann(db):
    """A desk of several people, at which Ann has signed in: the secret of her browser."""
    for name, duties in (("Ann", {Duty.LEAD, Duty.ADMIN}), ("Meera", {Duty.LEAD}), ("Ida", {Duty.AUDITOR})):
        set_person(db, name, duties)
    return sign_in(db, "Ann")


def facts(page):
    return [text_of(one) for one in elements(drawn(page, "home-columns"), "fact")]


def links(page, key):
    tree = drawn(page, key)
    return [one[1]["href"] for one in elements(tree, "link") if "href" in one[1]]


def item_id(db, ref):
    return desk_views.item_id_of(db, ref)


def test_home_greets_and_says_what_waits_with_links(db, open_page):
    page = open_page("home")
    assert "Waits for you" in words(page, "home-columns")
    assert any("critical notes are open" in one for one in facts(page))
    assert any(link.startswith("review?") for link in links(page, "home-columns"))
    assert "Approved by people" in words(page, "home-figures")


def test_what_somebody_does_is_one_sentence_whatever_duties_they_have(db, ann, open_page):
    set_person(db, "Dev", {Duty.DEVELOPER, Duty.ADMIN})
    page = open_page("home", be=sign_in(db, "Dev"))
    assert "you set the numbers, the critic and the tokens, and say who may do what" in all_words(page)


def test_an_empty_desk_says_what_to_do_first(empty_db, open_page):
    page = open_page("home")
    assert "No session has come in yet. Bring in a file" in words(page, "home-columns")
    assert not [one for one in page.button if one.key == "next"]


def test_an_auditor_is_told_of_critical_notes_and_not_of_review(db, ann, open_page):
    page = open_page("home", be=sign_in(db, "Ida"))
    assert [one for one in facts(page) if "critical notes are open" in one]
    assert not [one for one in facts(page) if "in all" in one]
    assert words(page, "who-line").startswith("3 critical notes · 3 overdue")


def test_the_counts_stand_on_every_page_with_their_links(db, ann, open_page):
    assign(db, [item_id(db, "L-0002")], "Ann", by="Ann")
    page = open_page("sessions", be=ann)
    with db.reading() as read:
        counts = desk_views.queue_counts(db, duties_of(read, "Ann"))
    said = words(page, "who-line")
    assert said.startswith(f"{counts.waiting} wait · {counts.waiting} unread · {counts.overdue} overdue · 1 yours")
    assert {OVERDUE, MINE} <= set(links(page, "who-line"))


def test_my_queue_shows_what_was_given_to_me(db, ann, open_page):
    assign(db, [item_id(db, "L-0002")], "Ann", by="Ann")
    page = open_page("review", be=ann, whose="mine")
    rows = [text_of(row) for row in elements(drawn(page, "queue-list"), "item")]
    assert len(rows) == 1
    assert "yours · Lesson" in rows[0]
    assert page.query_params["item"] == "L-0002"
    assert "yours to decide" in words(page, "card-tree")


def test_a_row_says_that_it_is_overdue_in_words_and_shape_and_why_it_stands_there(db, ann, open_page):
    page = open_page("review", be=ann)
    row = next(elements(drawn(page, "queue-list"), "item"))
    assert "overdue" in text_of(row)
    assert next(elements(row, "late"))[2][1]["class"] == "shape"
    assert row[1]["title"].startswith("critical × one task class × 1 session, waits ")


def test_a_lead_assigns_the_item_on_the_screen_and_the_row_says_so(db, ann, open_page):
    page = open_page("review", be=ann, item="L-0001")
    key = f"assign-queue-{item_id(db, 'L-0001')}"
    page.session_state[key] = True
    page.run()
    page.selectbox(key=f"{key}-who").set_value("Meera").run()
    page.text_input(key=f"draft-{key}-why").set_value("She knows refunds").run()
    button(page, f"{key}-go").click().run()
    assert item(db, item_id(db, "L-0001")).assignee == "Meera"
    with db.reading() as read:
        row = read.get_one(Assignment, 1)
    assert (row.person, row.by, row.reason) == ("Meera", "Ann", "She knows refunds")
    assert "L-0001 is for Meera to decide." in all_words(page)


def test_an_item_that_is_anothers_is_not_handed_out_and_its_card_says_whose_it_is(db, ann, open_page):
    assign(db, [item_id(db, "L-0001")], "Meera", by="Ann")
    page = open_page("review", be=ann)
    assert page.query_params["item"] != "L-0001"
    page = open_page("review", be=ann, item="L-0001")
    assert "given to Meera" in words(page, "card-tree")
    assert not button(page, "approve-L-0001").disabled


def test_alone_at_the_desk_nothing_is_assigned(db, open_page):
    page = open_page("review")
    assert f"assign-queue-{item_id(db, 'L-0001')}" not in page.session_state
