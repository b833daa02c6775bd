"""The Review page: what is on the screen is what is decided, and whatever the desk answers is shown."""

from core.governance.acts import Request
from core.governance.desk import decide
from core.governance.desk_settings import save_desk_settings
from core.governance.drafts import LessonContent
from core.governance.leases import release
from core.governance.people import current_person, set_person
from core.governance.saving_numbers import save_numbers
from core.governance.sign_ins import sign_in
from core.service import desk_views
from core.service.room_views import over_cap
from core.vocabulary import Action, Duty, RejectReason, Severity
from tests.desk import unchecked
from tests.pages.reading import all_words, button, drawn, words
from tests.pages.stock import AGENT, LATER, add, approve
from ui import deciding
from ui.tree import elements, text_of


def me(db):
    return current_person(db).name


def waiting(db):
    return [row.ref for row in desk_views.review_queue(db, person=me(db)).rows]


def decided(db):
    rows = desk_views.decisions(db, size=500).rows
    return [(row.action, row.ref) for row in rows if row.action != "propose"]


def test_the_worst_item_is_up_with_its_proof_and_the_words_that_prove_it(db, open_page):
    page = open_page("review")
    assert "Before you confirm a refund" in words(page, "card-tree")
    lit = [text_of(one) for one in elements(drawn(page, "words-tree"), "ev") if one[0] == "mark"]
    assert "I have arranged the full refund of $29." in lit
    assert page.query_params["item"] == "L-0001"


def test_approving_decides_the_item_on_the_screen_and_brings_up_the_next(db, open_page):
    page = open_page("review")
    button(page, "approve-L-0001").click().run()
    assert decided(db)[0] == ("approve", "L-0001")
    assert "L-0001 approved" in words(page, "answer-line")
    assert "L-0001" not in waiting(db)
    assert page.query_params["item"] == waiting(db)[0]


def test_the_list_changed_meanwhile_and_the_press_still_means_the_item_it_stood_beside(db, open_page):
    page = open_page("review", item="L-0002")
    first = desk_views.card(db, desk_views.item_id_of(db, "L-0001"), person=me(db))
    decide(db, Request(first.id, Action.REJECT, me(db), first.revision, first.screen_hash, RejectReason.TOO_VAGUE))
    button(page, "approve-L-0002").click().run()
    assert decided(db)[:2] == [("approve", "L-0002"), ("reject", "L-0001")]


def test_an_item_that_somebody_decided_first_is_refused_with_who_and_when(db, open_page):
    set_person(db, "Meera", {Duty.LEAD})
    set_person(db, "Ben", {Duty.LEAD})
    page = open_page("review", be=sign_in(db, "Ben"))
    card = desk_views.card(db, desk_views.item_id_of(db, "L-0001"), person="Meera")
    release(db, card.id, "Ben")
    decide(db, Request(card.id, Action.REJECT, "Meera", card.revision, card.screen_hash, RejectReason.NOT_TRUE))
    before = decided(db)
    button(page, "approve-L-0001").click().run()
    assert decided(db) == before
    answer = words(page, "answer-line")
    assert "rejected" in answer
    assert "by Meera on" in answer


def test_pressing_twice_decides_once_and_says_so(db, open_page):
    page = open_page("review")
    what = deciding.seen(desk_views.card(db, desk_views.item_id_of(db, "L-0001"), person=me(db)))
    button(page, "approve-L-0001").click().run()
    count = len(decided(db))
    request = Request(what.item_id, Action.APPROVE, me(db), what.revision, what.screen_hash)
    assert decide(db, request).already
    assert len(decided(db)) == count


def test_a_press_right_after_the_item_appeared_is_answered_and_decides_nothing(db, open_page):
    save_desk_settings(db, {"decide_after": "10"}, by=me(db), reason="a test of the wait")
    page = open_page("review")
    before = decided(db)
    button(page, "approve-L-0001").click().run()
    assert decided(db) == before
    assert "nothing was decided" in words(page, "answer-line")
    assert page.query_params["item"] == "L-0001"


def test_rejecting_asks_for_one_of_six_reasons_and_keeps_the_words(db, open_page):
    page = open_page("review")
    button(page, "reject-L-0001").click().run()
    reasons = [one.label for one in page.button if str(one.key).startswith("reject-")]
    assert reasons == ["not true", "not general", "too vague", "a twin", "against policy", "from an unsafe source"]
    page.text_input(key="draft-words-L-0001-1-1").set_value("says nothing").run()
    button(page, "reject-too_vague-L-0001").click().run()
    row = desk_views.decisions(db).rows[0]
    assert (row.ref, row.action, row.reason) == ("L-0001", "reject", "too vague: says nothing")


def test_words_for_a_rejection_survive_going_back(db, open_page):
    page = open_page("review")
    button(page, "reject-L-0001").click().run()
    page.text_input(key="draft-words-L-0001-1-1").set_value("half a reason").run()
    button(page, "back").click().run()
    button(page, "reject-L-0001").click().run()
    assert page.text_input(key="draft-words-L-0001-1-1").value == "half a reason"


def test_a_quote_that_was_not_found_turns_approving_off_and_says_why(db, open_page):
    page = open_page("review", item="L-0005")
    assert button(page, "approve-L-0005").disabled
    assert "Altered: edit the evidence, or reject." in words(page, "answer-line")
    assert "altered: a number differs" in words(page, "card-tree")


def test_a_held_note_is_released_only_with_a_reason(db, open_page):
    page = open_page("review", item="N-0004")
    before = decided(db)
    button(page, "release-N-0004").click().run()
    button(page, "say-release").click().run()
    assert decided(db) == before
    assert "reason" in words(page, "answer-line")


def test_undo_brings_the_item_back_into_the_queue_and_onto_the_screen(db, open_page):
    page = open_page("review")
    button(page, "approve-L-0001").click().run()
    button(page, "undo-").click().run()
    assert waiting(db)[0] == "L-0001"
    assert page.query_params["item"] == "L-0001"


def test_an_edit_is_a_new_version_that_waits(db, open_page):
    page = open_page("review", item="L-0002")
    button(page, "edit-L-0002").click().run()
    field = next(one for one in page.text_area if str(one.key).startswith("draft-text-L-0002"))
    field.set_value("Say that a refund is arranged only after the tool has answered with success.").run()
    button(page, "save-L-0002").click().run()
    card = desk_views.card(db, desk_views.item_id_of(db, "L-0002"), person=me(db))
    assert (card.version, card.status) == (2, "proposed")
    assert card.text.startswith("Say that a refund is arranged")


def test_an_edit_without_words_is_refused_and_stores_nothing(db, open_page):
    page = open_page("review", item="L-0002")
    button(page, "edit-L-0002").click().run()
    next(one for one in page.text_area if str(one.key).startswith("draft-text-L-0002")).set_value("  ").run()
    button(page, "save-L-0002").click().run()
    assert "Nothing was changed" in words(page, "answer-line")
    assert desk_views.card(db, desk_views.item_id_of(db, "L-0002"), person=me(db)).version == 1


def test_skipping_goes_on_and_the_item_still_waits(db, open_page):
    page = open_page("review")
    before = waiting(db)
    button(page, "skip-L-0001").click().run()
    assert waiting(db) == before
    assert page.query_params["item"] == before[1]


def test_after_a_decision_the_next_item_is_one_of_the_filter(db, open_page):
    page = open_page("review", kind="lesson", item="L-0001")
    button(page, "approve-L-0001").click().run()
    assert page.query_params["item"].startswith("L-")
    assert page.query_params["kind"] == "lesson"


def test_an_unknown_item_in_the_address_is_named_and_the_queue_is_shown(db, open_page):
    page = open_page("review", item="L-9999")
    assert "There is no item L-9999" in words(page, "answer-line")
    assert page.query_params["item"] == "L-0001"


def test_an_item_of_a_status_and_a_weight_that_are_unknown_here_is_shown_and_nothing_is_offered(db, open_page):
    unchecked(db, "item", "status", {desk_views.item_id_of(db, "L-0001"): "archived"})
    unchecked(db, "item", "severity", {desk_views.item_id_of(db, "L-0001"): "grim"})
    page = open_page("review", item="L-0001")
    assert "grim" in words(page, "card-tree")
    assert "L-0001 is archived; nothing is left to decide." in words(page, "answer-line")
    assert not [one for one in page.button if one.key and one.key.startswith(("approve", "reject"))]


def test_looking_at_an_item_makes_it_read(db, open_page):
    before = desk_views.queue_counts(db, current_person(db)).unread.number
    open_page("review")
    assert desk_views.queue_counts(db, current_person(db)).unread.number == before - 1


def test_the_badge_says_found_and_the_decision_stays_with_a_person(db, open_page):
    page = open_page("review")
    badges = [text_of(one) for one in elements(drawn(page, "card-tree"), "badge")]
    assert "quote found" in badges
    assert "verified" not in all_words(page).lower()
    assert waiting(db)[0] == "L-0001"


def test_somebody_without_the_duty_reads_and_cannot_decide(db, open_page):
    set_person(db, me(db), {Duty.AUDITOR})
    page = open_page("review", item="L-0002")
    assert button(page, "approve-L-0002").disabled
    assert button(page, "reject-L-0002").disabled


def test_nothing_waits_on_an_empty_desk_and_the_page_says_so(empty_db, open_page):
    page = open_page("review")
    assert "Nothing waits for a decision." in all_words(page)


def test_a_quote_that_was_not_found_is_corrected_by_an_edit_and_can_be_approved_then(db, open_page):
    page = open_page("review", item="L-0005")
    button(page, "edit-L-0005").click().run()
    (field,) = [one for one in page.text_area if "quote-" in one.key]
    assert field.value == "I have arranged the full refund of $92."
    said = "I have arranged the full refund"
    field.set_value(said).run()
    button(page, "save-L-0005").click().run()
    card = desk_views.card(db, desk_views.item_id_of(db, "L-0005"), person=me(db))
    assert (card.version, card.why_off, card.quotes[0].text) == (2, None, said)


def contrary(db):
    """A lesson in force, and the reference of one that says the contrary."""
    in_force = add(db, LessonContent(text="Always offer a refund within 14 days of the purchase."), Severity.LOW, 1, [])
    approve(db, in_force, LATER)
    other = add(db, LessonContent(text="Never offer a refund within 14 days of the purchase."), Severity.LOW, 2, [])
    return tuple(desk_views.card(db, one, person=me(db)).ref for one in (in_force, other))


def test_a_conflict_shows_both_sentences_and_asks_which_gives_way(db, open_page):
    old, new = contrary(db)
    page = open_page("review", item=new)
    shown = words(page, "card-tree")
    assert f"It contradicts {old}" in shown
    assert "This: Never offer a refund within 14 days of the purchase." in shown
    assert f"{old}: Always offer a refund within 14 days of the purchase." in shown
    button(page, f"approve-{new}").click().run()
    assert words(page, "conflict-head") == f"{new} contradicts {old}, in force"
    button(page, "gives-way-the_other").click().run()
    assert decided(db)[:2] == [("supersede", old), ("approve", new)]


def test_keeping_both_sides_of_a_conflict_needs_a_reason(db, open_page):
    _, new = contrary(db)
    page = open_page("review", item=new)
    button(page, f"approve-{new}").click().run()
    button(page, "gives-way-neither").click().run()
    assert "a reason must be written" in words(page, "answer-line")
    next(one for one in page.text_input if str(one.key).startswith(f"draft-words-{new}")).set_value("Two shops.").run()
    button(page, "gives-way-neither").click().run()
    assert decided(db)[0] == ("approve", new)


def test_hidden_characters_are_written_out_on_the_card(db, open_page):
    made = add(db, LessonContent(text="Quote the refund\u200b rule by its number of days."), Severity.LOW, 1, [])
    page = open_page("review", item=desk_views.card(db, made, person=me(db)).ref)
    assert "refund⟨ZERO WIDTH SPACE⟩ rule" in words(page, "card-tree")
    assert "hidden characters" in words(page, "card-tree")


def test_a_near_twin_in_force_stands_in_the_pane_and_gives_way_by_its_key(db, open_page):
    old, new = twins(db)
    page = open_page("review", item=new)
    shown = words(page, "card-tree")
    assert f"{old} says nearly the same and is active" in shown
    assert "in force since" in shown
    assert f"owner {me(db)}" in shown
    button(page, "gives-way-").click().run()
    assert decided(db)[:2] == [("supersede", old), ("approve", new)]


def test_a_plain_approval_keeps_a_near_twin(db, open_page):
    old, new = twins(db)
    page = open_page("review", item=new)
    button(page, f"approve-{new}").click().run()
    assert decided(db)[0] == ("approve", new)
    assert card_of(db, old).status == "active"


def test_merging_shows_both_texts_begins_with_the_longer_one_and_leaves_a_version_that_cites_both(db, open_page):
    old, new = twins(db)
    page = open_page("review", item=new)
    button(page, f"merge-{new}").click().run()
    assert words(page, "merge-head") == f"Merge {new} into {old}"
    assert "and its date" in words(page, "merge-both")
    field = next(one for one in page.text_area if "draft-merge-text" in str(one.key))
    assert field.value == LONGER
    field.set_value("Look the rule of the lamp up, and its date, before a lamp is sent back.").run()
    button(page, "save-merge").click().run()
    assert "waits for a decision" in words(page, "answer-line")
    assert [card_of(db, one).status for one in (f"{old} v2", new)] == ["proposed", "merged"]
    page = open_page("review", item=f"{old} v2")
    assert f"Merges {old} (active) and {new} (merged)" in words(page, "card-tree")
    assert f"Merged into {old} v2" in words(open_page("review", item=new), "card-tree")


def test_of_several_contraries_those_chosen_give_way(db, open_page):
    old, new = contrary(db)
    text = "Always offer a refund within 14 days of the purchase of a lamp."
    also = add(db, LessonContent(text=text), Severity.LOW, 3, [])
    approve(db, also, LATER)
    other = desk_views.card(db, also, person=me(db)).ref
    page = open_page("review", item=new)
    assert card_of(db, new).contradicts == (old, other)
    button(page, f"approve-{new}").click().run()
    assert button(page, "gives-way-chosen").disabled
    page.button_group[0].set_value([other]).run()
    next(one for one in page.text_input if str(one.key).startswith(f"draft-words-{new}")).set_value("Two shops.").run()
    button(page, "gives-way-chosen").click().run()
    assert decided(db)[:2] == [("supersede", other), ("approve", new)]
    assert card_of(db, old).status == "active"


LONGER = "Look the rule of the lamp up before you promise that a lamp is sent back, and its date."


def twins(db):
    """A lesson in force, and the reference of one that says nearly the same and a little more."""
    in_force = add(db, LessonContent(text=LONGER.removesuffix(", and its date.") + "."), Severity.LOW, 1, [])
    approve(db, in_force, LATER)
    other = add(db, LessonContent(text=LONGER), Severity.LOW, 2, [])
    return tuple(desk_views.card(db, one, person=me(db)).ref for one in (in_force, other))


def card_of(db, ref):
    return desk_views.card(db, desk_views.item_id_of(db, ref), person=me(db))


def no_room(db):
    """Two lessons in force of two, and the reference of one that waits."""
    texts = (
        "Name the postage that is not given back.",
        "Read the seat map aloud.",
        "Compare the invoice with the order.",
    )
    made = [add(db, LessonContent(text=text), Severity.LOW, 1, []) for text in texts]
    for one in made[:2]:
        approve(db, one, LATER)
    active = sum(one.active for one in over_cap(db, AGENT))
    save_numbers(db, {"active_lessons": active}, by=me(db), reason="a short prompt")
    return tuple(desk_views.card(db, one, person=me(db)).ref for one in made)


def test_where_there_is_no_room_the_card_says_what_could_leave_and_one_is_retired_with_the_approval(db, open_page):
    old, other, new = no_room(db)
    page = open_page("review", item=new)
    shown = words(page, "card-tree")
    assert "No room" in shown
    assert "are in force" in shown
    assert f"{old}: Name the postage that is not given back." in shown
    button(page, f"approve-{new}").click().run()
    assert f"which one leaves for {new}?" in words(page, "room-head")
    next(one for one in page.button if one.label == old).click().run()
    assert decided(db)[:2] == [("retire", old), ("approve", new)]
    button(page, "undo").click().run()
    assert [card_of(db, one).status for one in (old, other, new)] == ["active", "active", "proposed"]
