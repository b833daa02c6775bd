"""The page for several at once: nothing is chosen by itself, the act is previewed, and each item has its answer."""

from core.governance.people import current_person, set_person
from core.governance.sign_ins import sign_in
from core.service import desk_views
from core.vocabulary import Duty
from tests.pages.reading import all_words, button, drawn, words
from tests.pages.test_review import decided
from ui.tree import elements, text_of


def rows(page):
    return [text_of(row) for row in elements(drawn(page, "bulk-table"), "row")]


def status(db, ref):
    return desk_views.card(db, desk_views.item_id_of(db, ref), person=current_person(db).name).status


def chosen_all(open_page, **query):
    page = open_page("bulk", **query)
    button(page, "bulk-all").click().run()
    return page


def test_nothing_is_chosen_by_itself_and_what_is_decided_alone_says_why(db, open_page):
    page = open_page("bulk", several_act="approve")
    assert button(page, "bulk-act").disabled
    table = words(page, "bulk-table")
    assert "not in bulk: it is critical" in table
    assert "not in bulk: 1 of 1 quotes not found" in table
    assert "would be approved" in table
    assert not any("not in bulk" in row for row in rows(page))
    assert 'aria-checked": "true' not in str(drawn(page, "bulk-table")).replace("'", '"')


def test_several_are_approved_after_a_step_that_repeats_the_counts_and_each_has_its_answer(db, open_page):
    page = chosen_all(open_page, several_act="approve", several_kind="lesson")
    many = len(rows(page))
    assert many == 3
    button(page, "bulk-act").click().run()
    assert words(page, "bulk-counts") == f"{many} would be approved"
    before = decided(db)
    button(page, "bulk-do").click().run()
    assert len(decided(db)) == len(before) + many
    batch = str(page.query_params["batch"])
    batch = batch.strip("[']")
    assert batch.startswith("B-")
    assert words(page, "batch-table").count("approved just now") == many
    assert words(open_page("bulk", batch=batch), "batch-table").count("approved by") == many
    button(page, "undo-batch").click().run()
    assert words(page, "batch-table").count("put back just now") == many
    assert status(db, "L-0002") == "proposed"


def test_going_back_decides_nothing_and_keeps_what_is_chosen(db, open_page):
    page = chosen_all(open_page, several_act="approve", several_kind="lesson")
    before = decided(db)
    button(page, "bulk-act").click().run()
    button(page, "bulk-back").click().run()
    assert decided(db) == before
    assert button(page, "bulk-act").label.startswith("Approve 3")


def test_a_rejection_of_several_asks_for_the_reason_first(db, open_page):
    page = chosen_all(open_page, several_act="reject", several_kind="lesson")
    button(page, "bulk-act").click().run()
    before = decided(db)
    button(page, "bulk-do").click().run()
    assert "one of the reasons must be named" in all_words(page)
    assert decided(db) == before
    next(one for one in page.selectbox if one.key == "bulk-reason").set_value("too_vague").run()
    button(page, "bulk-do").click().run()
    assert status(db, "L-0002") == "rejected"


def test_another_act_or_filter_begins_with_nothing_chosen(db, open_page):
    page = chosen_all(open_page, several_act="approve", several_kind="lesson")
    next(one for one in page.selectbox if one.key == "several_act").set_value("reject").run()
    assert button(page, "bulk-act").disabled


def test_what_moved_on_between_the_preview_and_the_press_is_refused_alone(db, open_page):
    page = chosen_all(open_page, several_act="approve", several_kind="lesson")
    button(page, "bulk-act").click().run()
    other = open_page("review", item="L-0002")
    button(other, "approve-L-0002").click().run()
    button(page, "bulk-do").click().run()
    shown = words(page, "batch-table")
    assert shown.count("approved just now") == 2
    assert "L-0002" in shown


def test_filters_come_from_the_address(db, open_page):
    page = open_page("bulk", several_kind="lesson", several_state="proposed")
    chosen = {one.key: one.value for one in page.selectbox}
    assert (chosen["several_kind"], chosen["several_state"]) == ("lesson", "proposed")


def test_whoever_only_keeps_settings_sees_nothing_of_it(db, open_page):
    set_person(db, "Ann", {Duty.LEAD, Duty.ADMIN})
    set_person(db, "Dev", {Duty.DEVELOPER})
    page = open_page("bulk", be=sign_in(db, "Dev"))
    assert "has no right to see Several at once" in all_words(page)
    assert not page.button or not any(str(one.key).startswith("bulk-") for one in page.button)
