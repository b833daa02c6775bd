"""The Agreement page, and what two people see of an item that they decide blind."""

import pytest
from sqlmodel import col, select

from core.governance.desk_settings import desk_settings, save_desk_settings
from core.governance.drafts import LessonContent
from core.governance.leases import release
from core.governance.people import set_person
from core.governance.sign_ins import sign_in
from core.service import desk_views
from core.store.database import Database
from core.store.oversight_records import BlindVerdict
from core.store.records import ReadMark
from core.vocabulary import Action, Duty, RejectReason, Role, Severity, Status
from tests.desk import act, item
from tests.pages.reading import all_words, button, drawn, words
from tests.pages.stock import FOUND, TOOL, add, note
from ui.tree import elements

TEXT = "Read the date of the order aloud before you speak of a window."
NAMES = ("Ann", "Ben", "Cleo")


@pytest.fixture(name="team")
def _team(db: Database) -> Database:
    """Three leads, one of whom keeps the settings and the people, and an auditor; every new item is decided blind."""
    for name in NAMES:
        set_person(db, name, {Duty.LEAD})
    set_person(db, "Ann", {Duty.LEAD, Duty.ADMIN, Duty.DEVELOPER})
    set_person(db, "Ida", {Duty.AUDITOR})
    chosen = desk_settings(db)[0].model_dump(mode="json") | {"blind_share": "1.00"}
    save_desk_settings(db, chosen, by="Ann", reason="to see whether we agree")
    return db


def blind_lesson(db: Database) -> tuple[int, str]:
    made = add(db, LessonContent(text=TEXT), Severity.CRITICAL, 1, [(FOUND, Role.ASSISTANT), (TOOL, Role.TOOL)])
    return made, desk_views.card(db, made, person="Ann").ref


def says(db: Database, found: int, name: str, action: Action) -> None:
    code = RejectReason.NOT_TRUE if action is Action.REJECT else None
    act(db, found, action, person=name, reason=code, text="so it is")


def test_before_anything_is_decided_blind_the_page_says_what_to_do(empty_db, open_page):
    page = open_page("agreement")
    assert "Nothing is decided blind yet" in all_words(page)
    assert "A developer sets the share" in all_words(page)


def test_the_first_to_say_is_told_so_and_the_item_leaves_their_queue_and_no_others(team, open_page):
    found, ref = blind_lesson(team)
    page = open_page("review", be=sign_in(team, "Ben"), item=ref)
    assert "Decided blind" in words(page, "card-tree")
    button(page, f"approve-{ref}").click().run()
    assert f"You said to approve {ref}; one more person must say" in words(page, "answer-line")
    assert item(team, found).status == Status.PROPOSED
    assert TEXT not in words(page, "queue-list")
    page = open_page("review", be=sign_in(team, "Cleo"))
    assert TEXT in words(page, "queue-list")


def test_the_second_person_sees_nothing_of_what_the_first_said(team, open_page):
    found, ref = blind_lesson(team)
    second = sign_in(team, "Cleo")
    before = open_page("review", be=second, item=ref)
    release(team, found, "Cleo")
    says(team, found, "Ben", Action.REJECT)
    page = open_page("review", be=second, item=ref)
    assert words(page, "card-tree") == words(before, "card-tree")
    assert [one.key for one in page.button] == [one.key for one in before.button]
    assert not [name for name in ("Ben", "so it is") if name in all_words(page)]
    log = open_page("decisions", be=second, view="policies, assignments, verdicts, episodes")
    assert "Ben" not in all_words(log)


def test_one_takes_back_what_one_said_while_it_is_sealed(team, open_page):
    found, ref = blind_lesson(team)
    me = sign_in(team, "Ben")
    says(team, found, "Ben", Action.APPROVE)
    page = open_page("review", be=me, item=ref)
    assert "You said: approve" in words(page, "card-tree")
    assert all(button(page, f"{verdict}-{ref}").disabled for verdict in ("approve", "reject"))
    button(page, f"take-back-{ref}").click().run()
    assert "is taken back" in words(page, "answer-line")
    assert not button(page, f"approve-{ref}").disabled


def test_a_third_sees_both_verdicts_with_their_reasons_and_decides(team, open_page):
    set_person(team, "Dan", {Duty.LEAD})
    found, ref = blind_lesson(team)
    says(team, found, "Ben", Action.APPROVE)
    says(team, found, "Cleo", Action.REJECT)
    page = open_page("review", be=sign_in(team, "Dan"), item=ref)
    told = words(page, "card-tree")
    assert [part in told for part in ("Ben said: approve so it is", "Cleo said: reject not true: so it is")] == [
        True,
        True,
    ]
    page = open_page("review", be=sign_in(team, "Ben"), item=ref)
    assert button(page, f"approve-{ref}").disabled
    page = open_page("review", be=sign_in(team, "Dan"), item=ref)
    button(page, f"approve-{ref}").click().run()
    assert item(team, found).status == Status.ACTIVE


def test_an_admin_lifts_the_blindness_with_a_reason_and_nobody_else_can(team, open_page):
    found, ref = blind_lesson(team)
    page = open_page("review", be=sign_in(team, "Ben"), item=ref)
    assert not [one for one in page.button if str(one.key).startswith("lift-")]
    page = open_page("review", be=sign_in(team, "Ann"), item=ref)
    button(page, f"lift-{ref}").click().run()
    button(page, "say-lift").click().run()
    assert "a reason must be written" in words(page, "answer-line")
    assert item(team, found).blind
    next(one for one in page.text_input if str(one.key).startswith("draft-words")).input("Two are away.").run()
    button(page, "say-lift").click().run()
    assert not item(team, found).blind


def test_critical_notes_are_said_blind_and_taken_back_on_their_page(team, open_page):
    set_person(team, "Eve", {Duty.AUDITOR})
    found = add(team, note(5, Severity.CRITICAL), Severity.CRITICAL, 5, [(FOUND, Role.ASSISTANT)])
    ref = desk_views.card(team, found, person="Ida").ref
    page = open_page("critical_notes", be=sign_in(team, "Ida"), note=ref)
    page.text_area[0].input("The customer was called.").run()
    button(page, f"resolve-{ref}").click().run()
    assert item(team, found).status == Status.OPEN
    page = open_page("critical_notes", be=sign_in(team, "Ida"), note=ref)
    assert button(page, f"resolve-{ref}").disabled
    button(page, f"take-back-{ref}").click().run()
    with team.reading() as db:
        assert [row.action for row in db.exec(select(BlindVerdict).order_by(col(BlindVerdict.id))).all()] == [
            "resolve",
            "undo",
        ]


def test_the_page_shows_rounds_parts_pairs_and_where_two_differed(team, open_page):
    found, ref = blind_lesson(team)
    says(team, found, "Ben", Action.APPROVE)
    says(team, found, "Cleo", Action.REJECT)
    page = open_page("agreement", be=sign_in(team, "Ida"))
    assert "κ: too few to say, 10 items are needed" in words(page, "agreement-whole")
    assert "Ben and Cleo" in words(page, "agreement-pairs")
    told = words(page, "agreement-differ")
    assert [part in told for part in (ref, "Ben: approve", "Cleo: reject")] == [True] * 3
    assert "1 decided blind" in all_words(page)
    assert "nan" not in all_words(page)


def test_signs_show_everybody_to_an_auditor_and_to_a_lead_only_their_own(team, open_page):
    for name, ref in (("Ben", "L-0002"), ("Cleo", "L-0003")):
        says(team, desk_views.item_id_of(team, ref), name, Action.APPROVE)
    signs = [words(open_page("agreement", be=sign_in(team, name)), "signs") for name in ("Ida", "Ben")]
    assert [("Ben" in one, "Cleo" in one) for one in signs] == [(True, True), (True, False)]


def test_a_quote_that_the_page_puts_into_the_light_counts_as_looked_at(team, open_page):
    found, ref = blind_lesson(team)
    page = open_page("review", be=sign_in(team, "Ben"), item=ref)
    card = desk_views.card(team, found, person="Ben")
    with team.reading() as db:
        assert db.get_one(ReadMark, (found, "Ben")).opened == [card.quotes[0].id]
    assert list(elements(drawn(page, "words-tree"), "ev"))
