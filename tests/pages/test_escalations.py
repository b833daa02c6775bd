"""The Escalations page: what waits, each draft beside what was found in it, and one answer from a lead."""

import csv
import io
import json
from datetime import timedelta

import pytest

from core.errors import ModelNotConfigured
from core.governance.people import current_person, set_person
from core.service.export import csv_text, jsonl_text
from core.service.self_review import review
from core.service.self_review.asked import ToolResult, asked
from core.service.self_review.escalations import answer_escalation
from core.service.self_review.lists import review_list, review_view, waiting_escalations
from core.vocabulary import Duty, ReviewState
from tests.pages.reading import all_words, button, drawn, words
from tests.pages.stock import AGENT, LATER
from ui import escalations_desk
from ui.self_review import review_tree
from ui.tree import elements, text_of

TASK = "Can I send the light back? It cost $25, and <b>I</b> am *not* happy."
DRAFTS = (
    "I have refunded $29 for you.",
    "I have refunded $29 for you, <i>ann</i>.",
    "I have sent $92 to your :red[card].",
)
REFUSED = ToolResult(name="refund", arguments='{"order": 1}', content='{"status": "rejected"}', failed=True)


def nobody(database, **_):
    raise ModelNotConfigured("no model is named", "Set OPENAI_MODEL.")


def escalate(db, task=TASK, drafts=DRAFTS, at=LATER):
    """A self-review whose last revision was not good; its reference."""
    ref = None
    for number, draft in enumerate(drafts):
        first = {"task": task, "user": "ann", "tool_results": (REFUSED,)} if ref is None else {"review": ref}
        told = review(db, asked(agent=AGENT, draft=draft, **first), ask=nobody, at=at + timedelta(minutes=number))
        ref = told.review_id
    assert told.state is ReviewState.ESCALATED
    return ref


def rows(page):
    return [text_of(one[2]) for one in elements(drawn(page, "escalations-table"), "row")]


def answer(page, ref, text):
    page.text_area(key=f"draft-answer-{ref}").set_value(text).run()
    button(page, f"answer-{ref}").click().run()


def test_what_waits_longest_stands_first_and_what_was_answered_is_a_choice_away(db, open_page):
    refs = [escalate(db, f"Task {number}", at=LATER + timedelta(hours=number)) for number in range(3)]
    answer_escalation(db, refs[0], current_person(db).name, "No.")
    page = open_page("escalations")
    assert rows(page) == refs[1:]
    assert "2 wait for an answer" in all_words(page)
    assert rows(open_page("escalations", which="answered")) == refs[:1]
    assert rows(open_page("escalations", which="all")) == [*refs[1:], refs[0]]


def test_an_empty_list_says_what_to_do_next(db, open_page):
    said = all_words(open_page("escalations"))
    assert "No escalation waits for an answer." in said
    assert "python -m core self-review check" in said


def test_a_list_of_more_than_a_page_is_turned(db, open_page):
    for number in range(3):
        escalate(db, f"Task {number}")
    assert review_list(db, page=2, size=2).number == 2
    assert len(rows(open_page("escalations", escalations_page="9"))) == 3


def test_every_draft_stands_beside_its_problems_word_for_word(db, open_page):
    ref = escalate(db)
    tree = drawn(open_page("escalations", review=ref), "review-words")
    assert [text_of(one) for one in elements(tree, "draft")] == list(DRAFTS)
    assert [text_of(one) for one in elements(tree, "asked")] == [TASK]
    said = text_of(tree)
    assert 'refund({"order": 1})' in said
    assert "reported an error" in said
    assert "What changed since the first draft" in said
    assert "Not read by the model. The critic cannot be asked: no model is named" in said
    problems = [text_of(one) for one in elements(tree, "problems")]
    assert len(problems) == len(DRAFTS)
    assert all("check · " in one for one in problems)
    assert all(text_of(mark) in DRAFTS for mark in elements(tree, "ev"))


def test_what_changed_between_two_drafts_is_marked_word_by_word(db):
    ref = escalate(db)
    tree = review_tree(review_view(db, ref))
    tags = [one[0] for one in _all(tree) if one[0] in ("ins", "del")]
    assert {"ins", "del"} <= set(tags)


def _all(tree):
    if isinstance(tree, list):
        yield tree
        for child in tree[2:]:
            yield from _all(child)


def test_a_lead_answers_and_the_answer_stands_there_with_name_and_time(db, open_page):
    ref = escalate(db)
    page = open_page("escalations", review=ref)
    answer(page, ref, "Say that the refund was refused, and offer a repair.")
    assert f"{ref} answered just now" in words(page, "answer-line")
    assert waiting_escalations(db) == 0
    page = open_page("escalations", review=ref)
    said = words(page, "review-answer")
    assert "Say that the refund was refused, and offer a repair." in said
    assert current_person(db).name in said
    assert not [one for one in page.button if str(one.key).startswith("answer-")]


def test_an_answer_needs_words(db, open_page):
    ref = escalate(db)
    page = open_page("escalations", review=ref)
    button(page, f"answer-{ref}").click().run()
    assert "An answer needs words" in words(page, "answer-line")
    assert review_view(db, ref).row.state is ReviewState.ESCALATED


def test_whoever_comes_second_is_told_who_answered_and_keeps_the_words(db, open_page):
    ref = escalate(db)
    page = open_page("escalations", review=ref)
    page.text_area(key=f"draft-answer-{ref}").set_value("My own answer.").run()
    answer_escalation(db, ref, current_person(db).name, "I was first.")
    button(page, f"answer-{ref}").click().run()
    assert "was answered by" in words(page, "answer-line")
    assert "I was first." in words(page, "review-answer")


def test_an_auditor_reads_and_cannot_answer(db, open_page):
    ref = escalate(db)
    set_person(db, current_person(db).name, {Duty.AUDITOR})
    page = open_page("escalations", review=ref)
    assert "an escalation is answered by a lead" in words(page, "reads-only")
    assert not [one for one in page.button if str(one.key).startswith("answer-")]


@pytest.mark.parametrize("ref", ["SR-0000000000", "<b>", "x" * 3000])
def test_an_unknown_self_review_in_the_address_is_named(db, open_page, ref):
    assert "There is no self-review" in all_words(open_page("escalations", review=ref))


def test_the_export_holds_every_row_with_its_answer(db, open_page):
    ref = escalate(db, "=1+1")
    answer_escalation(db, ref, current_person(db).name, "No.")
    desk = type("Desk", (), {"db": db})()
    table = escalations_desk._all_rows(desk, "all", None)
    (row,) = csv.DictReader(io.StringIO(csv_text(*table)))
    assert (row["self_review"], row["task"], row["answer"]) == (ref, "'=1+1", "No.")
    assert json.loads(jsonl_text(*table))["drafts"] == 3
