"""Two people at the Review page: who has an item, who said yes, what was decided before, and what a version changes."""

import pytest

from core.governance.kept_words import keep_words, kept_words
from core.governance.leases import claim, holder
from core.governance.people import set_person
from core.governance.sign_ins import sign_in
from core.governance.versions import edit
from core.service import desk_views
from core.store.clock import now
from core.store.database import Database
from core.store.records import LessonBody
from core.vocabulary import Action, Duty, Scope, Status
from tests.desk import act, item
from tests.pages.reading import all_words, button, drawn, words
from ui.tree import elements, text_of

FIRST, OTHER = "L-0001", "Meera"


@pytest.fixture(name="ann")
def _ann(db: Database) -> str:
    """A desk of several people, at which Ann has signed in: the secret of her browser."""
    for name, duties in (("Ann", {Duty.LEAD, Duty.ADMIN}), (OTHER, {Duty.LEAD}), ("Ida", {Duty.AUDITOR})):
        set_person(db, name, duties)
    return sign_in(db, "Ann")


def first(db: Database) -> int:
    return desk_views.item_id_of(db, FIRST)


def off(page, start: str) -> bool:
    return bool(button(page, start).disabled)


def test_who_opens_an_item_has_it_and_it_is_given_back_with_the_decision(db, ann, open_page):
    page = open_page("review", be=ann)
    with db.reading() as read:
        held = holder(read, first(db), now())
    assert held
    assert held.person == "Ann"
    assert "you, 10 min" in words(page, "card-tree")
    button(page, f"approve-{FIRST}").click().run()
    with db.reading() as read:
        assert holder(read, first(db), now()) is None


def test_what_another_has_is_named_and_cannot_be_decided_and_the_next_free_item_comes_up(db, ann, open_page):
    claim(db, first(db), OTHER)
    page = open_page("review", be=ann)
    assert page.query_params["item"] != FIRST
    rows = [text_of(row) for row in elements(drawn(page, "queue-list"), "item")]
    assert [row for row in rows if OTHER in row] == [next(row for row in rows if "confirm a refund" in row)]
    page = open_page("review", be=ann, item=FIRST)
    assert all(off(page, f"{act}-{FIRST}") for act in ("approve", "reject", "edit"))
    assert f"{OTHER}, 10 min" in words(page, "card-tree")
    assert f"{OTHER} has it before them" in words(page, "answer-line")
    with db.reading() as read:
        held = holder(read, first(db), now())
    assert held
    assert held.person == OTHER


def test_alone_at_the_desk_nothing_is_leased(db, open_page):
    page = open_page("review")
    with db.reading() as read:
        assert holder(read, first(db), now()) is None
    assert "you, " not in words(page, "card-tree")


def test_a_lesson_for_every_task_says_that_two_must_say_yes_and_who_said_it(db, ann, open_page):
    with db.writing() as write:
        write.get_one(LessonBody, first(db)).scope = Scope.AGENT
    page = open_page("review", be=ann)
    assert "two people must say yes" in words(page, "answer-line")
    button(page, f"approve-{FIRST}").click().run()
    assert item(db, first(db)).status == Status.PROPOSED
    assert "one more person" in words(page, "answer-line")
    page = open_page("review", be=ann, item=FIRST)
    assert "1 of 2: Ann" in words(page, "card-tree")
    assert off(page, f"approve-{FIRST}")
    page = open_page("review", be=sign_in(db, OTHER), item=FIRST)
    assert "Ann said yes" in words(page, "answer-line") or off(page, f"approve-{FIRST}")


def test_a_second_person_approves_what_the_first_endorsed(db, ann, open_page):
    with db.writing() as write:
        write.get_one(LessonBody, first(db)).scope = Scope.AGENT
    act(db, first(db), Action.APPROVE, person="Ann")
    page = open_page("review", be=sign_in(db, OTHER), item=FIRST)
    assert "Ann said yes; it holds for every task of the agent" in words(page, "answer-line")
    button(page, f"approve-{FIRST}").click().run()
    assert item(db, first(db)).status == Status.ACTIVE


def test_an_appeal_is_shown_with_what_was_decided_and_another_decides_it(db, ann, open_page):
    act(db, first(db), Action.REJECT, person="Ann", reason="too_vague", text="Which rule?")
    page = open_page("review", be=sign_in(db, "Ida"), item=FIRST)
    button(page, f"appeal-{FIRST}").click().run()
    next(one for one in page.text_input if "draft-words" in str(one.key)).set_value("The first one.").run()
    button(page, f"say-appeal-{FIRST}").click().run()
    assert item(db, first(db)).status == Status.APPEALED
    page = open_page("review", be=ann, item=FIRST)
    shown = words(page, "card-tree")
    assert "Ida appeals: The first one." in shown
    assert "rejected by Ann" in shown
    assert "too vague: Which rule?" in shown
    assert off(page, f"grant-{FIRST}")
    page = open_page("review", be=sign_in(db, OTHER), item=FIRST)
    button(page, f"grant-{FIRST}").click().run()
    assert item(db, first(db)).status == Status.PROPOSED


def test_the_queue_finds_appeals_and_what_was_rejected(db, ann, open_page):
    act(db, first(db), Action.REJECT, person="Ann", reason="too_vague")
    page = open_page("review", be=ann, state="rejected")
    assert next(text_of(row) for row in elements(drawn(page, "queue-list"), "item")).count("confirm a refund") == 1
    assert page.query_params["item"] == FIRST
    act(db, first(db), Action.APPEAL, person="Ida", text="Once more.")
    page = open_page("review", be=ann, state="appeals")
    assert page.query_params["item"] == FIRST


def test_a_new_version_shows_what_it_changes_and_leads_to_the_others(db, ann, open_page):
    edit(
        db,
        item_id=first(db),
        person="Ann",
        revision_seen=1,
        changes={"text": item(db, first(db)).headline.replace("confirm", "promise")},
    )
    page = open_page("review", be=sign_in(db, OTHER), item=FIRST)
    shown = drawn(page, "card-tree")
    versions = next(elements(shown, "versions"))
    assert text_of(versions).startswith("Against v1, superseded")
    marks = {one[0]: text_of(one).strip() for one in elements_of(versions, ("del", "ins"))}
    assert marks == {"del": "confirm", "ins": "promise"}
    page = open_page("review", be=sign_in(db, OTHER), item=f"{FIRST} v1")
    assert "L-0001 v1" in words(page, "card-tree")
    assert "Against v2, proposed" in words(page, "card-tree")


def elements_of(tree, tags):
    """The elements of these tags, in reading order."""
    if isinstance(tree, str):
        return
    if tree[0] in tags:
        yield tree
    for child in tree[2:]:
        yield from elements_of(child, tags)


def test_rolling_back_is_a_decision_with_words(db, ann, open_page):
    old = first(db)
    act(db, old, Action.APPROVE, person="Ann")
    edit(db, item_id=old, person="Ann", revision_seen=2, changes={"text": "Name the rule that decides a refund."})
    act(db, desk_views.item_id_of(db, FIRST), Action.APPROVE, person=OTHER)
    page = open_page("review", be=ann, item=f"{FIRST} v1")
    button(page, f"roll_back-{FIRST}").click().run()
    button(page, f"say-roll_back-{FIRST}").click().run()
    assert item(db, old).status == Status.SUPERSEDED
    assert "a reason must be written" in words(page, "answer-line")
    next(one for one in page.text_input if "draft-words" in str(one.key)).set_value("v2 helped nobody.").run()
    button(page, f"say-roll_back-{FIRST}").click().run()
    assert item(db, old).status == Status.ACTIVE


def test_words_that_were_kept_stand_in_their_field_and_the_question_is_open(db, ann, open_page):
    keep_words(db, first(db), "Ann", {"words": "half a reason", "bar": "reject"})
    page = open_page("review", be=ann)
    assert page.text_input(key=f"draft-words-{FIRST}-{first(db)}-1").value == "half a reason"
    assert "Reject because it is" in all_words(page)


def test_words_of_somebody_else_are_nobodys_business(db, ann, open_page):
    keep_words(db, first(db), OTHER, {"words": "my own half reason", "bar": "reject"})
    assert "half reason" not in all_words(open_page("review", be=ann))
    assert kept_words(db, first(db), "Ann") == {}


def test_a_critical_note_is_dismissed_by_two_auditors_each_with_a_reason_and_words(db, ann, open_page):
    set_person(db, "Tom", {Duty.AUDITOR})
    found = desk_views.item_id_of(db, "N-0001")
    page = open_page("critical_notes", be=sign_in(db, "Ida"), note="N-0001")
    assert "two people must say yes" in words(page, "note-hint")
    button(page, "dismiss-N-0001").click().run()
    button(page, "dismiss-not_true-N-0001").click().run()
    assert "a reason must be written" in words(page, "answer-line")
    next(one for one in page.text_area if "draft-words" in str(one.key)).set_value("It was another order.").run()
    button(page, "dismiss-not_true-N-0001").click().run()
    assert item(db, found).status == Status.OPEN
    act(db, found, Action.DISMISS, person="Tom", reason="not_true", text="I looked it up, too.")
    assert item(db, found).status == Status.DISMISSED


def test_an_edit_says_for_whom_a_lesson_holds_and_every_task_asks_for_two_people(db, ann, open_page):
    page = open_page("review", be=ann, item=FIRST)
    button(page, f"edit-{FIRST}").click().run()
    next(one for one in page.selectbox if str(one.key).startswith("scope-")).set_value(Scope.AGENT).run()
    button(page, f"save-{FIRST}").click().run()
    page = open_page("review", be=sign_in(db, OTHER), item=FIRST)
    assert "For every task of the agent" in words(page, "card-tree")
    assert "two people must say yes" in words(page, "answer-line")


def test_after_an_undone_edit_the_version_that_waits_is_up_again(db, ann, open_page):
    page = open_page("review", be=ann, item=FIRST)
    button(page, f"edit-{FIRST}").click().run()
    field = next(one for one in page.text_area if str(one.key).startswith("draft-text-"))
    field.set_value("Name the rule that decides a refund.").run()
    button(page, f"save-{FIRST}").click().run()
    button(page, "undo-").click().run()
    assert page.query_params["item"] == FIRST
    shown = words(page, "card-tree")
    assert "L-0001 v1" in shown
    assert "Name the rule that decides a refund." not in shown
    assert "L-0001 v2 taken back just now" in words(page, "answer-line")
    page = open_page("review", be=ann, item=f"{FIRST} v2")
    assert not [one for one in page.button if str(one.key).startswith("roll_back-")]


def test_what_was_turned_down_says_by_whom_and_why(db, ann, open_page):
    act(db, first(db), Action.REJECT, person="Ann", reason="too_vague", text="Which rule?")
    assert "Rejected by Ann on" in words(open_page("review", be=ann, item=FIRST), "card-tree")
    assert "too vague: Which rule?" in words(open_page("review", be=ann, item=FIRST), "card-tree")
