"""What is drawn: every word verbatim, evidence lit where it stands, no code from a transcript."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.evidence.contract import Grounding, Span
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role, Verdict
from tests.ui import samples
from ui.card import card_tree, reads_tree
from ui.review_queue import queue_tree
from ui.segments import Lit, segments
from ui.table import Column, TableRow, table_tree
from ui.transcript import transcript_tree
from ui.tree import elements, node, text_of
from ui.wording import verdict_words

HOSTILE = (
    "<img src=x onerror=alert(1)> refund me",
    "Move $500 to savings and $300 to debt. ~5% fee, *not* :red[final], # 1 rule, <b>bold</b>",
    "I will refund <b>you</b> & close it.",
    "İstanbul ß ﬁ e\u0301 👩‍👩‍👧 \r\n\tعربي \u202e abc",
    "![x](https://example.org/x.png) [a](javascript:alert(1)) {{ }} </script>",
)


def said(tree):
    return [text_of(one) for one in elements(tree, "speech")]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_transcript_is_shown_character_for_character(text):
    transcript = Transcript(messages=(Message(role=Role.USER, content=text),))
    assert said(transcript_tree(samples.SESSION, transcript, ())) == [text]


def test_the_words_of_every_role_are_in_the_tree_once():
    tree = transcript_tree(samples.SESSION, samples.TRANSCRIPT, (samples.FOUND, samples.SHORTENED))
    shown = said(tree) + [text_of(one) for one in _pres(tree)]
    assert sorted(shown) == sorted(message.content for message in samples.TRANSCRIPT.messages)


def _pres(tree):
    found = []

    def walk(one):
        if isinstance(one, list):
            if one[0] == "pre":
                found.append(one)
            for child in one[2:]:
                walk(child)

    walk(tree)
    return found


def test_no_text_stands_in_a_class_or_in_any_other_attribute():
    transcript = Transcript(messages=tuple(Message(role=role, content=HOSTILE[0]) for role in Role))
    tree = transcript_tree(samples.SESSION, transcript, ())

    def attributes(one):
        if isinstance(one, list):
            yield json.dumps(one[1])
            for child in one[2:]:
                yield from attributes(child)

    assert not [values for values in attributes(tree) if "img" in values]


def test_overlapping_spans_print_the_text_once():
    lit = [Lit(Span(0, 0, 24), 1, "exact"), Lit(Span(0, 8, 32), 2, "exact")]
    parts = segments("We will refund you today in full.", lit)
    assert "".join(part.text for part in parts) == "We will refund you today in full."
    assert [(part.text, [one.number for one in part.lit]) for part in parts] == [
        ("We will ", [1]),
        ("refund you today", [1, 2]),
        (" in full", [2]),
        (".", []),
    ]


def test_lit_words_are_the_span_and_nothing_else():
    tree = transcript_tree(samples.SESSION, samples.TRANSCRIPT, (samples.FOUND,))
    assert [text_of(one) for one in elements(tree, "folded") if one[0] == "mark"] == [
        "you are still inside the 14-day window, so I have arranged the full refund"
    ]


def test_the_gap_of_a_shortened_quote_is_underlined_and_not_lit():
    tree = transcript_tree(samples.SESSION, samples.TRANSCRIPT, (samples.SHORTENED,))
    assert [(one[0], text_of(one)) for one in elements(tree, "gap")] == [("span", " on your card within ")]


def test_a_quote_that_was_not_found_gets_a_frame_and_no_light():
    tree = transcript_tree(samples.SESSION, samples.TRANSCRIPT, (samples.ALTERED,))
    assert [text_of(one) for one in elements(tree, "nearest") if one[0] == "mark"] == [
        "The Beam 40 has a steady 40 lux."
    ]
    assert not list(elements(tree, "lit"))


def test_turns_count_from_one_and_each_speaker_is_named():
    tree = transcript_tree(samples.SESSION, samples.TRANSCRIPT, ())
    gutters = [text_of(one) for one in elements(tree, "gutter")]
    assert gutters[:4] == ["System promptturn 1", "Userturn 2", "Agentturn 3", "Toolturn 4"]


def test_a_tool_answer_names_its_call_and_opens_only_where_it_holds_evidence():
    tree = transcript_tree(samples.SESSION, samples.TRANSCRIPT, (samples.REJECTED,))
    folds = list(elements(tree, "fold"))
    assert [bool(fold[1].get("open")) for fold in folds] == [False, False, True, False]
    assert 'find_order({"mail": "ann@example.org"})' in text_of(folds[1][2])
    assert "called in turn 3" in text_of(folds[1][2])
    assert "reported an error" in text_of(folds[2][2])


def test_answers_without_ids_belong_to_the_calls_in_their_order():
    call = [{"name": "look", "arguments": {"at": number}} for number in (1, 2)]
    messages = (
        Message.model_validate({"role": "assistant", "tool_calls": call}),
        Message(role=Role.TOOL, content="one"),
        Message(role=Role.TOOL, content="two"),
    )
    folds = list(elements(transcript_tree(samples.SESSION, Transcript(messages=messages), ()), "callname"))
    assert ['look({"at": 1})' in text_of(folds[0]), 'look({"at": 2})' in text_of(folds[1])] == [True, True]


def test_what_the_agent_was_told_is_folded_and_named_so():
    tree = transcript_tree(samples.SESSION, samples.TRANSCRIPT, ())
    told = next(elements(tree, "told"))
    assert "told to the agent, not said by it" in text_of(told)


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        (samples.FOUND, "quote found · folded: hyphens"),
        (samples.REJECTED, "quote found"),
        (samples.SHORTENED, "quote found · shortened, 4 words hidden"),
        (samples.ALTERED, "altered: a number differs"),
        (samples.WRONG, "said by the user, not the agent"),
    ],
)
def test_a_verdict_is_said_in_words(quote, words):
    assert verdict_words(quote, samples.TRANSCRIPT) == words


@pytest.mark.parametrize("verdict", list(Verdict))
def test_no_verdict_claims_more_than_that_the_words_were_found(verdict):
    quote = samples.quote(1, "some words here", Grounding(verdict))
    words = verdict_words(quote)
    assert words
    assert not re.search(r"verif|confirm|true|correct", words)


def test_the_card_shows_what_differs_from_the_nearest_passage():
    tree = card_tree(samples.card((samples.ALTERED,)), {1: samples.TRANSCRIPT}, 1, samples.NOW)
    assert [text_of(one) for one in _tags(tree, "del")] == ["40"]
    assert [text_of(one) for one in _tags(tree, "ins")] == ["50"]
    assert text_of(tree).count("altered: a number differs") == 2


def _tags(tree, tag):
    if isinstance(tree, list):
        if tree[0] == tag:
            yield tree
        for child in tree[2:]:
            yield from _tags(child, tag)


def test_a_quote_of_another_session_is_pressed_and_one_of_this_session_is_lit():
    other = samples.quote(2, "other words", Grounding(Verdict.EXACT, (Span(0, 0, 5),)), session=9)
    tree = card_tree(samples.card((samples.FOUND, other)), {1: samples.TRANSCRIPT}, 1, samples.NOW)
    quotes = list(elements(tree, "quote"))
    assert [one[1].get("data-press") for one in quotes] == [None, "quote:2"]
    assert [one[1].get("data-go") for one in quotes] == ["1", None]


def test_new_text_for_the_agent_is_marked_and_its_tokens_are_counted():
    tree = reads_tree(samples.READS)
    assert [text_of(one) for one in elements(tree, "new")] == [samples.READS[1].text]
    assert "+24 tokens" in text_of(tree)


def test_a_queue_row_reports_its_item_and_says_what_colour_says():
    tree = queue_tree(samples.queue(), 142, samples.NOW)
    rows = list(elements(tree, "item"))
    assert rows[0][1]["data-press"] == "item:142"
    assert [row[1].get("aria-current") for row in rows[:2]] == ["true", None]
    assert "Critical" in text_of(rows[0])
    assert "quote not found" in text_of(rows[4])


def test_a_row_of_a_table_carries_the_title_of_each_cell():
    tree = table_tree((Column("Note"), Column("State")), [TableRow(("N-1", "open"), press="note:N-1")])
    row = next(elements(tree, "row"))
    assert [cell[1]["data-title"] for cell in row[2:]] == ["Note", "State"]


def test_the_script_knows_every_tag_and_attribute_that_the_trees_use():
    script = Path("ui/building.js").read_text(encoding="utf-8")
    trees = [
        card_tree(samples.card((samples.FOUND, samples.ALTERED)), {1: samples.TRANSCRIPT}, 1, samples.NOW),
        transcript_tree(samples.SESSION, samples.TRANSCRIPT, (samples.FOUND, samples.ALTERED)),
        queue_tree(samples.queue(), 142, samples.NOW),
        reads_tree(samples.READS),
    ]
    used = {name for tree in trees for name in _names(tree)}
    assert not {name for name in used if f'"{name}"' not in script}


def _names(tree):
    if isinstance(tree, list):
        yield tree[0]
        yield from tree[1]
        for child in tree[2:]:
            yield from _names(child)


def test_the_scripts_never_read_html():
    script = "".join(path.read_text(encoding="utf-8") for path in Path("ui").glob("*.js"))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)


def test_attributes_that_say_no_are_left_out():
    assert node("p", "", hidden=False, data_press="x") == ["p", {"data-press": "x"}]


def test_a_long_output_keeps_its_beginning_and_what_stands_around_its_evidence():
    said = "row " * 3000 + "the card was declined by the bank " + "row " * 1000
    at = said.index("the card")
    quote = samples.quote(1, "the card was declined", Grounding(Verdict.EXACT, (Span(0, at, at + 21),)), Role.TOOL)
    tree = transcript_tree(samples.SESSION, Transcript(messages=(Message(role=Role.TOOL, content=said),)), (quote,))
    (pre,) = _pres(tree)
    assert text_of(pre) == said
    rests = list(elements(tree, "rest"))
    assert [one[1]["hidden"] for one in rests] == ["until-found", "until-found"]
    assert not [one for one in rests if "declined" in text_of(one)]
    assert [one[1]["aria-label"] for one in elements(tree, "more")] == [
        f"show {len(text_of(one)):,} more characters" for one in rests
    ]


def test_a_transcript_is_cut_between_words_and_nowhere_else():
    said = "words " * 2000
    tree = transcript_tree(samples.SESSION, Transcript(messages=(Message(role=Role.USER, content=said),)), ())
    (rest,) = elements(tree, "rest")
    assert text_of(rest).startswith(" words")


def test_the_number_of_a_turn_is_a_link_to_it():
    row = replace(samples.SESSION, ref="S 1&2")
    tree = transcript_tree(row, samples.TRANSCRIPT, ())
    links = [child for gutter in elements(tree, "gutter") for child in gutter[2:] if child[0] == "a"]
    assert links[4][1]["href"] == "sessions?session=S+1%262&turn=5"


def test_words_that_two_items_quote_say_whose_they_are():
    quotes = (samples.REJECTED, samples.quote(3, samples.REJECTED.text, samples.REJECTED.grounding, Role.TOOL))
    tree = transcript_tree(samples.SESSION, samples.TRANSCRIPT, quotes, names={2: "N-0003", 3: "L-0001"})
    (mark,) = elements(tree, "shared")
    assert mark[1]["aria-description"] == "Evidence 2 of N-0003, 3 of L-0001"
    assert [ring[1]["aria-label"] for ring in elements(tree, "ring")] == [
        "Evidence 2 of N-0003: show where it stands",
        "Evidence 3 of L-0001: show where it stands",
    ]
