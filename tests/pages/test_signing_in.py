"""Who is here: no row before somebody said so, none for who lost every duty, nothing decided by who has left."""

import pytest
from sqlalchemy import event
from sqlmodel import select

from core.governance.people import set_person, take_duties
from core.governance.sign_ins import sign_in, sign_out
from core.service import desk_views
from core.service.agents import agent_record
from core.service.desk_views import review_queue
from core.store.database import ROOT, Database
from core.store.records import Decision, Refusal
from core.vocabulary import Duty, Kind
from tests.pages.conftest import PAGES
from tests.pages.reading import all_words, button, drawn, words
from tests.pages.stock import AGENT
from ui import signing_in
from ui.tree import elements

NAMES = sorted(path.stem for path in PAGES.glob("*.py"))
OF_PEOPLE = {"person", "sign_in", "alembic_version"}
"""The tables that may be asked before somebody said who they are."""
DECIDES = ("approve-", "release-", "reject-", "edit-", "suspend-", "reinstate-", "save", "add-", "revoke", "answer-")


@pytest.fixture(name="team")
def _team(db):
    """A desk of three."""
    set_person(db, "Meera", {Duty.LEAD, Duty.ADMIN})
    set_person(db, "Ana", {Duty.AUDITOR})
    set_person(db, "Ben", {Duty.LEAD})
    return db


def decisions(db):
    with db.reading() as reading:
        return len(reading.exec(select(Decision)).all())


def refusals(db):
    with db.reading() as reading:
        return [(row.code, row.by, row.text) for row in reading.exec(select(Refusal).order_by(Refusal.id)).all()]


def components(page):
    """What is drawn, by key; the code that all drawings share shows nothing."""
    return {str(one.key) for one in page.get("bidi_component")} - {"drawing-code"}


def only_asks(page):
    return components(page) == {"picker"} and not page.button and not page.title and not page.text_input


@pytest.mark.parametrize("secret", [None, "garbage", "\x00", "é" * 9000, "of another database"])
@pytest.mark.parametrize("name", NAMES)
def test_without_a_sign_in_a_page_asks_who_is_here_and_shows_nothing_else(name, secret, team, open_page):
    page = open_page(name, be=secret)
    assert only_asks(page)
    assert "Who are you?" in words(page, "picker")
    assert "on this machine only" in words(page, "picker")
    assert len(list(elements(drawn(page, "picker"), "pick"))) == 3


@pytest.mark.parametrize("name", NAMES)
def test_without_a_sign_in_no_table_but_that_of_people_is_asked(name, team, open_page, monkeypatch):
    asked = _asked(monkeypatch)
    open_page(name)
    assert asked
    assert not [words for words in asked if not _of_people(words)]


def test_the_navigation_counts_nothing_for_whoever_is_not_signed_in(team, open_page, monkeypatch):
    asked = _asked(monkeypatch)
    main = str(ROOT / "ui/main.py")
    page = type(open_page("people")).from_file(main, default_timeout=20).run()
    assert only_asks(page)
    assert not [words for words in asked if not _of_people(words)]


def _asked(monkeypatch):
    """Every statement that any database runs from now on."""
    asked: list[str] = []
    made = Database.__init__

    def listened(self, url=None):
        made(self, url)
        event.listen(self.engine, "before_cursor_execute", lambda *said: asked.append(said[2].lower()))

    monkeypatch.setattr(Database, "__init__", listened)
    monkeypatch.setattr(Database, "migrate", lambda self: None)
    return asked


def _of_people(statement):
    if not statement.startswith("select"):
        return statement.startswith(("begin", "pragma", "commit", "rollback"))
    tables = {part.split()[0].strip('"') for part in statement.split(" from ")[1:]}
    return tables <= OF_PEOPLE or ("agent_session" in tables and "limit" in statement)


@pytest.mark.parametrize("name", NAMES)
def test_who_lost_every_duty_is_still_who_they_are_and_sees_no_row(name, team, open_page):
    secret = sign_in(team, "Ben")
    take_duties(team, "Ben", by="Meera")
    page = open_page(name, be=secret)
    assert "Ben has no right to see" in all_words(page)
    assert {key for key in components(page) if not key.startswith(("problem", "unseen"))} == {"who-line"}
    assert not page.button


@pytest.mark.parametrize("name", [name for name in NAMES if name != "critical_notes"])
def test_an_auditor_reads_and_finds_no_button_that_decides(name, team, open_page):
    lesson = next(row.ref for row in review_queue(team, person="Ana").rows if row.kind is Kind.LESSON)
    named = {"item": lesson} if name == "review" else {}
    page = open_page(name, be=sign_in(team, "Ana"), **named)
    assert "Ana · auditor" in words(page, "who-line")
    assert not [one.key for one in page.button if str(one.key).startswith(DECIDES) and not one.disabled]


def test_whoever_picks_a_name_is_that_person_on_every_page(team, open_page):
    page = open_page("review")
    signing_in_as(page, team, "Ben")
    assert words(page, "who-line").endswith("Ben · leadSign out")
    secret = page.session_state[signing_in.KEPT]
    assert "Ben" in words(open_page("sessions", be=secret), "who-line")


def signing_in_as(page, db, name):
    """What the press of the picker leaves, for AppTest presses no component."""
    page.session_state[signing_in.KEPT] = sign_in(db, name)
    page.run()


def test_one_person_alone_is_not_asked_and_the_page_says_so(db, open_page):
    set_person(db, "Meera", {Duty.LEAD, Duty.ADMIN})
    said = words(open_page("review"), "who-line")
    assert "Single operator: Meera" in said
    assert "Sign out" not in said


def test_a_press_of_who_signed_out_in_another_window_decides_nothing(team, open_page):
    secret = sign_in(team, "Ben")
    page = open_page("review", be=secret)
    before = decisions(team)
    sign_out(team, secret)
    button(page, "approve-L-0001").click().run()
    assert only_asks(page)
    assert "Ben is not signed in here any more" in words(page, "picker")
    assert decisions(team) == before
    assert [(code, by) for code, by, _ in refusals(team)] == [("signed_out", "Ben")]


def test_a_right_taken_away_while_the_page_is_open_refuses_the_press_and_names_the_right(team, open_page):
    page = open_page("review", be=sign_in(team, "Ben"))
    before = decisions(team)
    set_person(team, "Ben", {Duty.DEVELOPER}, by="Meera")
    button(page, "approve-L-0001").click().run()
    assert decisions(team) == before
    assert desk_views.card(team, desk_views.item_id_of(team, "L-0001"), person="Meera").status == "proposed"
    ((code, by, text),) = refusals(team)
    assert (code, by) == ("role", "Ben")
    assert "Meera took the duty lead away" in text
    assert "Ben · developer" in words(page, "who-line")


def test_a_record_is_not_saved_by_who_lost_the_duty_for_it(team, open_page):
    page = open_page("agents", be=sign_in(team, "Ben"), name=AGENT)
    set_person(team, "Ben", {Duty.AUDITOR}, by="Meera")
    page.text_input(key=f"agent-{AGENT}-owner").set_value("Ben")
    button(page, f"agent-{AGENT}-save").click().run()
    assert agent_record(team, AGENT).owner == "Meera"
    assert refusals(team)[0][0] == "role"
