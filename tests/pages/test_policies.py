"""The Policies page and the policies on a card: proposing, what a change would suspend, and looking again."""

from pathlib import Path

import pytest
from sqlmodel import select

from core.checks.policies import read_policy
from core.governance.people import set_person
from core.governance.policies import policies_now
from core.governance.policy_drafts import approve_policy, propose_policy
from core.governance.sign_ins import sign_in
from core.service.agents import agent_record, save_agent
from core.service.policy_views import drafts_that_wait
from core.store.records import Item
from core.vocabulary import Action, Cause, Duty, Kind, Status
from tests.desk import act
from tests.pages.reading import all_words, button, words
from tests.pages.stock import AGENT
from tests.policies import ID, folder, operator, put_file

__all__ = ["folder"]

OTHER = "A light is refunded within 30 days of the purchase."
CHANGE = {"title": "Refund window", "owner": "Tomas Berg", "text": OTHER, "severity": "high"}


@pytest.fixture(name="policy")
def _policy(db, folder: Path) -> Path:
    """The agent of the desk has a policy, and reads a lesson that was looked at under it."""
    file = put_file(folder, text="A light is refunded within 14 days of the purchase.")
    record = agent_record(db, AGENT)
    save_agent(db, type(record)(**{**record.__dict__, "policies": (ID,)}))
    act(db, lesson_of(db), Action.APPROVE, person=operator(db))
    return file


def lesson_of(db) -> int:
    with db.reading() as reading:
        waiting = select(Item.id).where(Item.kind == Kind.LESSON, Item.not_found == 0).order_by(Item.id)
        return reading.exec(waiting).first() or 0


def in_force(db) -> dict[str, int]:
    return {one.id: one.version for one in policies_now(db)}


def status(db, item_id: int) -> str:
    with db.reading() as reading:
        return reading.get_one(Item, item_id).status


def changed(db) -> None:
    """Somebody has changed the policy."""
    me = operator(db)
    approve_policy(db, propose_policy(db, ID, CHANGE, base=1, by=me, reason="The law changed"), by=me)


def test_a_change_is_proposed_and_approved_with_what_it_suspends_said_before(db, policy, open_page):
    page = open_page("policies", policy=ID)
    assert "A light is refunded within 14 days" in words(page, "policy-text")
    page.text_area(key=f"draft-policy-{ID}-1-text").set_value(OTHER)
    page.text_input(key=f"draft-policy-{ID}-1-why").set_value("The law changed")
    button(page, "propose-policy").click().run()
    assert "waits for a second person" in words(page, "answer-line")
    assert "It would suspend" in words(page, "draft-1-leaves")
    assert "1 lesson" in words(page, "draft-1-leaves")
    assert status(db, lesson_of(db)) == Status.ACTIVE
    button(page, "approve-draft-1").click().run()
    assert f"{ID} v2 is in force" in words(page, "answer-line")
    assert status(db, lesson_of(db)) == Status.SUSPENDED
    assert read_policy(policy).text == OTHER
    assert "Suspended by its change" in words(page, "policy-text")
    assert "The law changed" in words(page, "policy-text")


def keys(page) -> list[str]:
    """The keys of the page from top to bottom, as far as they have any."""
    found: list[str] = []

    def walk(block) -> None:
        for one in block.children.values():
            found.append(str(getattr(one, "key", None) or ""))
            if hasattr(one, "children"):
                walk(one)

    walk(page.main)
    return found


def test_what_waits_stands_first_its_buttons_above_what_it_suspends_and_the_form_is_closed(db, policy, open_page):
    propose_policy(db, ID, CHANGE, base=1, by=operator(db), reason="The law changed")
    page = open_page("policies")
    order = [one for one in keys(page) if one]
    places = [
        next(place for place, key in enumerate(order) if name in key)
        for name in ("draft-1-tree", "approve-draft-1", "draft-1-leaves", "policies-table", "draft-policy-new-id")
    ]
    assert places == sorted(places)
    assert "It would suspend" in words(page, "draft-1-leaves")
    assert "Press a row to open its policy." in words(page, "policies-table")
    assert [one.proto.expanded for one in page.expander] == [False]
    button(page, "turn-down-1").click().run()
    order = [one for one in keys(page) if one]
    answer = next(place for place, key in enumerate(order) if "answer-line" in key)
    assert "turn-down-1" in order[answer - 1]


def test_a_change_without_a_reason_is_refused_in_words(db, policy, open_page):
    page = open_page("policies", policy=ID)
    button(page, "propose-policy").click().run()
    assert "needs a reason" in words(page, "answer-line")
    assert drafts_that_wait(db) == ()


def test_whoever_proposed_a_change_has_no_button_for_it_and_another_lead_has(db, policy, open_page):
    for name, duties in (("Ada", {Duty.LEAD, Duty.ADMIN}), ("Ben", {Duty.LEAD}), ("Dev", {Duty.DEVELOPER})):
        set_person(db, name, duties)
    propose_policy(db, ID, CHANGE, base=1, by="Ada", reason="The law changed")
    mine = open_page("policies", be=sign_in(db, "Ada"))
    assert [one.key for one in mine.button if str(one.key).startswith("approve-draft")] == []
    assert button(mine, "turn-down-1").label == "Take it back"
    reads = open_page("policies", be=sign_in(db, "Dev"))
    assert [one.key for one in reads.button if str(one.key).startswith(("approve-draft", "turn-down"))] == []
    other = open_page("policies", be=sign_in(db, "Ben"))
    button(other, "approve-draft-1").click().run()
    assert in_force(db)[ID] == 2


def test_a_draft_is_turned_down_with_words(db, policy, open_page):
    propose_policy(db, ID, CHANGE, base=1, by=operator(db), reason="The law changed")
    page = open_page("policies")
    button(page, "turn-down-1").click().run()
    assert "a reason must be written" in words(page, "answer-line")
    page.text_input(key="draft-why-1").set_value("Too early")
    button(page, "turn-down-1").click().run()
    assert drafts_that_wait(db) == ()
    assert in_force(db)[ID] == 1


def test_a_new_policy_is_made_and_what_is_wrong_with_the_folder_is_said(db, policy, folder, open_page):
    (folder / "broken.yaml").write_text("id: [")
    page = open_page("policies")
    assert "“broken.yaml” is not YAML" in all_words(page)
    for field, said in (("id", "no-promises"), ("title", "No promises"), ("owner", "Ada"), ("why", "Nobody wrote it")):
        page.text_input(key=f"draft-policy-new-{field}").set_value(said)
    page.text_area(key="draft-policy-new-text").set_value("No result is promised.")
    button(page, "propose-policy").click().run()
    button(page, "approve-draft-1").click().run()
    assert in_force(db)["no-promises"] == 1
    assert read_policy(folder / "no-promises.yaml").text == "No result is promised."


def test_a_folder_that_cannot_be_written_leaves_the_version_in_force_and_offers_the_file(db, policy, folder, open_page):
    propose_policy(db, ID, CHANGE, base=1, by=operator(db), reason="The law changed")
    page = open_page("policies")
    policy.unlink()
    folder.rmdir()
    button(page, "approve-draft-1").click().run()
    assert "v2 is in force all the same" in words(page, "answer-line")
    assert [one.label for one in page.get("download_button")] == [f"Download {ID}.yaml"]
    assert in_force(db)[ID] == 2


def test_what_a_change_suspended_waits_on_review_with_the_diff_and_comes_back_with_words(db, policy, open_page):
    changed(db)
    page = open_page("review", state="suspended")
    assert f"policy {ID} v1 → v2" in words(page, "card-tree")
    shown = words(page, "card-tree")
    changed_words = shown.index("changed from v1 to v2 since this was looked at")
    assert changed_words < shown.index("Suspended by the rule “policy change”, after ") < shown.index("Proof in")
    button(page, "reinstate-").click().run()
    page.text_input(key=next(one.key for one in page.text_input if str(one.key).startswith("draft-words"))).set_value(
        "It names no days."
    )
    button(page, "say-reinstate-").click().run()
    assert status(db, lesson_of(db)) == Status.ACTIVE


def test_a_suspended_procedure_comes_back_at_the_confidence_that_it_had(db, folder, open_page):
    with db.reading() as reading:
        active = select(Item).where(Item.kind == Kind.PROCEDURE, Item.status == Status.ACTIVE).order_by(Item.id)
        first = reading.exec(active).first()
    put_file(folder, text="A light is refunded within 14 days of the purchase.")
    record = agent_record(db, AGENT)
    save_agent(db, type(record)(**{**record.__dict__, "policies": (ID,)}))
    assert status(db, first.id) == Status.SUSPENDED
    page = open_page("review", item=f"P-{first.number:04}")
    assert f"policy {ID} v1 is new" in words(page, "card-tree")
    button(page, "reinstate-").click().run()
    (field,) = page.number_input
    assert 0 < field.value <= 1
    page.text_input(key=next(one.key for one in page.text_input if str(one.key).startswith("draft-words"))).set_value(
        "It names no days."
    )
    button(page, "say-reinstate-").click().run()
    assert status(db, first.id) == Status.ACTIVE


def test_each_policy_stands_on_the_card_with_the_sentence_that_may_clash(db, policy, open_page):
    shown = words(open_page("review"), "card-tree")
    assert "Refund window v1" in shown or "1 policy looked at, none speaks of this" in shown


def test_home_says_that_a_change_waits_and_that_a_file_does_not_fit(db, policy, folder, open_page):
    propose_policy(db, ID, CHANGE, base=1, by=operator(db), reason="The law changed")
    (folder / "broken.yaml").write_text("id: [")
    shown = all_words(open_page("home"))
    assert "change of a policy waits" in shown
    assert "policy files do not fit" in shown


def test_a_note_that_a_policy_holds_says_so_where_critical_notes_are_closed(db, policy, open_page):
    changed(db)
    with db.reading() as reading:
        held = select(Item).where(Item.kind == Kind.NOTE, Item.cause == Cause.POLICY, Item.severity == "critical")
        note = reading.exec(held.order_by(Item.id)).first()
    shown = words(open_page("critical_notes", note=f"N-{note.number:04}", state="all"), "note-tree")
    assert f"policy {ID} v2 is new" in shown, "it had been screened when the agent had no such policy"
    assert OTHER in shown
    log = words(open_page("decisions", search=f"N-{note.number:04}"), "decisions-table")
    assert f"the rule “policy change”, after {operator(db)}" in log


def test_an_agent_that_gets_a_policy_is_told_what_waits_again(db, folder, open_page):
    put_file(folder)
    page = open_page("agents", name=AGENT)
    page.multiselect(key=f"agent-{AGENT}-policies").set_value([ID])
    button(page, f"agent-{AGENT}-save").click().run()
    assert "To be looked at again under its policies: N-0001" in words(page, "answer-line")
