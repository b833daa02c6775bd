"""Settings and people: who may change what, what is said before it happens, tokens shown once, versions."""

import pytest

from core.governance.desk_settings import desk_settings, saved_desk_settings
from core.governance.log import log
from core.governance.people import current_person, people, rights_changes, set_person
from core.governance.sign_ins import sign_in
from core.governance.tokens import identify, tokens
from core.store.clock import now
from core.store.governance_records import DeskSettingsVersion
from core.vocabulary import Duty, Verb
from tests.pages.reading import all_words, button, drawn, words
from tests.pages.stock import AGENT
from ui import signing_in
from ui.desk_settings_form import NUMBERS, reasons_of
from ui.tree import elements


def known(db):
    with db.reading() as reading:
        return {person.name: sorted(person.duties) for person in people(reading)}


def fill(page, person, *duties, name=None, why=""):
    """Fill the form of a person in."""
    if name is not None:
        page.text_input(key=f"draft-duties-{person}-name").set_value(name)
    for duty in duties:
        page.checkbox(key=f"duties-{person}-{duty}").check()
    page.text_input(key=f"draft-duties-{person}-why").set_value(why)
    return page


NEW = "somebody new"


def test_the_first_person_is_told_whose_place_they_take_and_keeps_admin(db, open_page):
    page = open_page("people")
    assert "has every duty. The first person takes its place" in words(page, "before-it-happens")
    fill(page, NEW, Duty.LEAD, name="Meera")
    button(page, "add-person").click().run()
    assert "Somebody must keep the duty admin" in words(page, "answer-line")
    assert known(db) == {}
    fill(page, NEW, Duty.ADMIN, name="Meera", why="runs the desk")
    button(page, "add-person").click().run()
    assert known(db) == {"Meera": ["admin", "lead"]}
    assert rights_changes(db)[0].text == "runs the desk"
    assert "Single operator: Meera" in words(page, "who-line")


def test_the_second_person_ends_single_operator_mode_and_the_page_says_so_before(db, open_page):
    set_person(db, "Meera", {Duty.LEAD, Duty.ADMIN})
    page = open_page("people")
    assert "This ends single-operator mode" in words(page, "before-it-happens")
    assert "Meera cannot approve what Meera proposed" in words(page, "before-it-happens")
    fill(page, NEW, Duty.AUDITOR, name="Ana")
    button(page, "add-person").click().run()
    assert known(db) == {"Ana": ["auditor"], "Meera": ["admin", "lead"]}
    assert "Meera · admin, lead" in words(page, "who-line")
    assert "2 people with a duty" in words(page, "people-table")


def test_a_name_that_is_known_is_not_added_over(db, open_page):
    set_person(db, "Meera", {Duty.LEAD, Duty.ADMIN})
    page = open_page("people")
    fill(page, NEW, Duty.AUDITOR, Duty.ADMIN, name="Meera")
    button(page, "add-person").click().run()
    assert "There is a person “Meera” already" in words(page, "answer-line")
    assert known(db) == {"Meera": ["admin", "lead"]}


def test_an_admin_changes_duties_and_the_history_says_from_what_to_what(db, open_page):
    set_person(db, "Meera", {Duty.LEAD, Duty.ADMIN})
    set_person(db, "Ana", {Duty.AUDITOR})
    page = open_page("people", be=sign_in(db, "Meera"), person="Ana")
    fill(page, "Ana", Duty.LEAD, why="helps out")
    button(page, "save-person").click().run()
    assert known(db)["Ana"] == ["auditor", "lead"]
    assert "auditor → auditor, lead" in words(page, "history-table")
    assert "helps out" in words(page, "history-table")


@pytest.mark.parametrize("part", ["People", "Tokens", "Settings"])
def test_who_may_not_change_something_sees_it_and_reads_why_not(db, open_page, part):
    set_person(db, "Meera", {Duty.DEVELOPER, Duty.ADMIN})
    set_person(db, "Ana", {Duty.AUDITOR})
    page = open_page("people", be=sign_in(db, "Ana"), part=part)
    assert "Ana reads here" in words(page, "reads-only")
    assert not page.button
    assert not [one for one in page.text_area if not one.disabled]
    assert "Revoke" not in all_words(page)


def make(page, name="nightly"):
    page.text_input(key="draft-token-name").set_value(name)
    button(page, "save-token").click().run()
    return page


def test_a_token_is_shown_when_it_is_made_and_never_again(db, open_page):
    page = make(open_page("people", part="Tokens"))
    (shown,) = [one.value for one in page.code]
    assert identify(db, shown, Verb.BRIEFING).agent == AGENT
    assert shown not in all_words(page)
    assert "never" in words(page, "tokens-table")
    button(page, "token-taken").click().run()
    assert not page.code
    assert not open_page("people", part="Tokens").code


def test_a_token_without_a_name_is_not_made_and_the_page_says_why(db, open_page):
    page = make(open_page("people", part="Tokens"), " ")
    assert "needs a name" in words(page, "answer-line")
    assert not page.code
    assert tokens(db) == ()


def test_the_first_press_on_revoke_only_asks(db, open_page):
    make(open_page("people", part="Tokens"))
    page = open_page("people", part="Tokens")
    asks = [one[1]["data-press"] for one in elements(drawn(page, "tokens-table"), "link")]
    assert asks == ["ask:nightly"]
    page.session_state["revoking-token"] = "nightly"
    page.run()
    asks = [one[1]["data-press"] for one in elements(drawn(page, "tokens-table"), "link")]
    assert asks == ["revoke:nightly", "ask:"]
    assert tokens(db)[0].state == "valid"


def draft(db, field):
    """The key of a field of the settings, which names the version that it was drawn for."""
    return f"draft-{field}-{desk_settings(db)[1]}"


def test_a_reason_is_added_with_its_key_and_stands_under_a_version(db, open_page):
    page = open_page("people", part="Settings")
    field = page.text_area(key=draft(db, "reject_reasons"))
    field.set_value(f"{field.value}\nbreaks our tone")
    page.text_input(key="draft-settings-why").set_value("asked for by the leads")
    button(page, "save-settings").click().run()
    settings, version = desk_settings(db)
    assert (settings.reject_reasons[-1].code, settings.reject_reasons[-1].words) == (
        "breaks_our_tone",
        "breaks our tone",
    )
    assert version == len(saved_desk_settings(db)) == 2
    said = words(page, "settings-versions")
    assert "reasons to reject: breaks our tone" in said
    assert current_person(db).name in said


@pytest.mark.parametrize(
    ("text", "why", "told"),
    [
        ("not_true: not true", "", "needs a reason"),
        ("", "none needed", "reject reasons cannot be saved: there are one to nine"),
        ("\n".join(f"reason {n}" for n in range(10)), "more", "there are one to nine"),
        ("a_code: one\na_code: two", "twice", "each code can stand in the list once"),
        ("Ä!: one", "odd", "a code is 2 to 40 small letters"),
    ],
)
def test_settings_that_cannot_be_saved_are_not_and_what_was_typed_stays(db, open_page, text, why, told):
    page = open_page("people", part="Settings")
    page.text_area(key=draft(db, "reject_reasons")).set_value(text)
    page.text_input(key="draft-settings-why").set_value(why)
    button(page, "save-settings").click().run()
    assert told in words(page, "answer-line")
    assert len(saved_desk_settings(db)) == 1
    assert page.text_area(key=draft(db, "reject_reasons")).value == text


def test_each_number_says_below_it_what_it_does(db, open_page):
    page = open_page("people", part="Settings")
    said = {field: words(page, f"about-{field}") for field, *_ in NUMBERS}
    assert all(len(one) > 20 for one in said.values())
    assert said["blind_share"].startswith("Of new items only")


def test_settings_that_somebody_saved_since_are_not_overwritten(db, open_page):
    version = desk_settings(db)[1]
    first, second = open_page("people", part="Settings"), open_page("people", part="Settings")
    for page, minutes in ((first, 20), (second, 30)):
        page.number_input(key=f"draft-lease_minutes-{version}").set_value(minutes)
        page.text_input(key="draft-settings-why").set_value("a test")
        button(page, "save-settings").click().run()
    assert "saved other settings on" in words(second, "answer-line")
    assert desk_settings(db)[0].lease_minutes == 20


def test_settings_that_a_newer_version_saved_are_shown_and_brought_back_as_far_as_they_are_known(db, open_page):
    with db.writing() as writing:
        newer = {"lease_minutes": 25, "digest_hour": 99, "of_tomorrow": 1}
        log(writing, DeskSettingsVersion(chosen=newer, by="Meera", reason="saved elsewhere", at=now()))
    version = desk_settings(db)[1]
    page = open_page("people", part="Settings")
    assert page.number_input(key=f"draft-lease_minutes-{version}").value == 25
    assert "saved elsewhere" in words(page, "settings-versions")
    page.text_input(key="draft-settings-why").set_value("to have it whole")
    page.number_input(key=f"draft-lease_minutes-{version}").set_value(26)
    button(page, "save-settings").click().run()
    assert desk_settings(db)[0].lease_minutes == 26
    assert "of_tomorrow" not in saved_desk_settings(db)[0].chosen


def test_reasons_are_read_one_a_line_with_or_without_a_code():
    assert reasons_of(" not_true: not true \n\nBreaks our tone\n") == [
        {"code": "not_true", "words": "not true"},
        {"code": "breaks_our_tone", "words": "Breaks our tone"},
    ]


def test_whoever_has_left_changes_nothing(db, open_page):
    set_person(db, "Meera", {Duty.DEVELOPER, Duty.ADMIN})
    set_person(db, "Ana", {Duty.AUDITOR})
    secret = sign_in(db, "Meera")
    page = open_page("people", be=secret, part="Tokens")
    signing_in.sign_out(db, secret)
    make(page)
    assert tokens(db) == ()
    assert "not signed in here any more" in words(page, "picker")
