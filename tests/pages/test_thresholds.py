"""Thresholds: whoever moves a number sees what it would have changed; only a developer with a reason saves it."""

from decimal import Decimal

import pytest

from core.governance.numbers import numbers, saved_numbers
from core.governance.people import current_person, set_person
from core.governance.saving_numbers import save_numbers
from core.settings import DEFAULTS
from core.settings_told import settings_told
from core.vocabulary import Duty
from tests.pages.reading import all_words as shown


def test_every_number_is_asked_for_with_its_value_line_bounds_and_source(db, open_page):
    page = open_page("thresholds")
    labels = [one.label for kind in ("slider", "number_input", "selectbox") for one in page.get(kind)]
    lines = " ".join(one.value for one in page.markdown)
    for one in settings_told():
        if one.elsewhere is None:
            assert f"{one.label} (now {one.shown(one.default)})" in labels
            assert one.line in lines
            assert f"{one.bounds} · {one.source}" in lines


def test_a_moved_threshold_shows_at_once_what_leaves_and_saves_nothing(db, open_page):
    page = open_page("thresholds")
    assert "1 → 1" in shown(page)
    assert page.button(key="save-numbers").disabled
    page.slider(key="procedure_threshold").set_value(0.80).run()
    words = shown(page)
    assert "1 → 0" in words
    assert "leaves Name the rule" in words
    assert "P-0002: 0.78, below 0.80" in words
    assert "A reason must be written" in words
    assert page.button(key="save-numbers").disabled
    assert numbers(db) == DEFAULTS


def test_a_link_shares_a_try(db, open_page):
    assert "1 → 0" in shown(open_page("thresholds", procedure_threshold="0.95"))


def test_the_address_names_what_is_moved_and_nothing_else(db, open_page):
    page = open_page("thresholds", procedure_threshold="0.95", success_step="0.08")
    assert dict(page.query_params) == {"procedure_threshold": "0.95"}
    page.selectbox(key="grounded_notes").set_value("looked_at").run()
    assert dict(page.query_params) == {"procedure_threshold": "0.95", "grounded_notes": "looked_at"}
    page.button(key="back-numbers").click().run()
    assert dict(page.query_params) == {}


@pytest.mark.parametrize("value", ["7", "-1", "nan", "<b>", "0.5555555", "", "1e400"])
def test_a_value_that_is_none_in_an_address_is_passed_over(db, open_page, value):
    page = open_page("thresholds", procedure_threshold=value, notes_in_briefing=value, grounded_notes=value)
    assert 0 <= page.slider(key="procedure_threshold").value <= 1
    assert 0 <= page.slider(key="notes_in_briefing").value <= 50
    assert page.selectbox(key="grounded_notes").value == "all"


def test_a_reasoned_change_is_saved_as_the_next_version_and_is_in_force(db, open_page):
    page = open_page("thresholds")
    page.slider(key="procedure_threshold").set_value(0.62).run()
    page.text_input(key="draft-numbers-reason").set_value("fewer doubtful lines").run()
    page.button(key="save-numbers").click().run()
    assert not page.exception
    assert numbers(db).procedure_threshold == Decimal("0.62")
    assert saved_numbers(db)[0].reason == "fewer doubtful lines"
    assert page.slider(key="procedure_threshold").label == "Procedure is read from confidence (now 0.62)"
    assert page.button(key="save-numbers").label == "Save as v2"
    assert "Procedure is read from confidence 0.55 → 0.62" in shown(page)


def test_back_puts_the_numbers_in_force_on_the_page_again(db, open_page):
    save_numbers(db, {"procedure_threshold": "0.60"}, by=current_person(db).name, reason="try")
    page = open_page("thresholds")
    assert page.button(key="back-numbers").disabled
    page.slider(key="procedure_threshold").set_value(0.62).run()
    page.selectbox(key="grounded_notes").set_value("looked_at").run()
    back = page.button(key="back-numbers")
    assert (back.label, back.disabled) == ("Back to v1", False)
    back.click().run()
    assert page.slider(key="procedure_threshold").value == 0.60
    assert page.selectbox(key="grounded_notes").value == "all"
    assert "Nothing is moved yet." in shown(page)


def test_whoever_is_no_developer_tries_everything_and_is_told_why_saving_is_off(db, open_page):
    me = current_person(db).name
    set_person(db, me, {Duty.LEAD})
    page = open_page("thresholds")
    page.slider(key="procedure_threshold").set_value(0.80).run()
    page.text_input(key="draft-numbers-reason").set_value("I would").run()
    assert page.button(key="save-numbers").disabled
    assert "saving them needs the duty developer" in shown(page)
    assert "1 → 0" in shown(page)


def test_a_version_that_was_saved_meanwhile_is_named_and_nothing_is_saved(db, open_page):
    page = open_page("thresholds")
    page.slider(key="procedure_threshold").set_value(0.62).run()
    page.text_input(key="draft-numbers-reason").set_value("mine").run()
    save_numbers(db, {"success_step": "0.10"}, by=current_person(db).name, reason="theirs")
    page.button(key="save-numbers").click().run()
    assert "saved v1 on" in shown(page)
    assert len(saved_numbers(db)) == 1


def test_numbers_that_do_not_go_together_are_told_and_the_right_side_stays(db, open_page):
    page = open_page("thresholds")
    page.slider(key="first_confidence").set_value(0.95).run()
    assert "above “A procedure starts at most at confidence”" in shown(page)
    assert page.button(key="save-numbers").disabled


def test_an_empty_desk_says_what_there_is_not(empty_db, open_page):
    words = shown(open_page("thresholds"))
    assert "No briefing was read yet." in words
    assert "Nobody has decided about anything yet." in words
