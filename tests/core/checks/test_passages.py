"""Sentences and clauses are offsets into the verbatim text."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.checks import CHECKS, Case, Fact, run
from core.checks.passages import clauses, passage_at, proof_at, quoted, sentences, shortened
from core.transcripts.message import Message, Transcript

TALK = st.text(
    alphabet=st.sampled_from('aI 1,.5%₹$-–—:;?!…\n\\"“”{}[]*é😀ß') | st.characters(codec="utf-8"), max_size=200
)
PHRASES = st.lists(
    st.sampled_from(
        ["I have cancelled it", "equity", "I suggest", "₹5,000", "7%", "not", "3 pm", "12 May", "CMP-48213", ". ", ", "]
    )
    | TALK,
    max_size=12,
).map(" ".join)


def texts(text: str) -> list[str]:
    return [sentence.of(text) for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four…", ["One.", "Two!", "Three?", "Four…"]),
        ("It costs 1.50 euros. Fine.", ["It costs 1.50 euros.", "Fine."]),
        ("Ask Dr. Rao, e.g. on Monday. Yes.", ["Ask Dr. Rao, e.g. on Monday.", "Yes."]),
        ("Pay Rs. 500 at 9 a.m. today.", ["Pay Rs. 500 at 9 a.m. today."]),
        ("- first\n- second\r\n3) third", ["first", "second", "third"]),
        ("**Bold.** Then", ["Bold.", "Then"]),
        ('{"message": "I did it.\\n\\nAll of it."}', ["I did it.", "All of it."]),
        ('{"ok": true}', ['ok": true']),
        ("一つ。二つ！", ["一つ。", "二つ！"]),
        ("नमस्ते। ठीक है।", ["नमस्ते।", "ठीक है।"]),
        (" \n ", []),
    ],
)
def test_a_text_is_cut_into_sentences(text, expected):
    assert texts(text) == expected


def test_clauses_are_cut_at_marks_but_never_inside_a_number():
    text = "I would split it: ₹20,000 in debt, and ₹1,000.50 at 10:30 – but not more."
    [sentence] = sentences(text)

    assert [clause.of(text) for clause in clauses(text, sentence)] == [
        "I would split it",
        "₹20,000 in debt",
        "₹1,000.50 at 10:30",
        "but not more.",
    ]


def test_the_proof_is_the_sentence_and_in_a_very_long_one_the_clause():
    short, long = "I did it, as you asked.", "well, " * 80 + "I did it, as you asked."

    assert [proof.of(text) for text in (short, long) if (proof := proof_at(text, text.index("did")))] == [
        short,
        "I did it",
    ]


def test_words_in_an_observation_are_cut_after_a_word():
    assert shortened("one\n two") == "one two"
    assert shortened("word " * 40) == "word " * 23 + "word …"


def test_a_position_between_sentences_belongs_to_none():
    text = "One.   Two."
    found = sentences(text)

    assert [passage_at(found, position) for position in (0, 3, 5, 7, 99)] == [found[0], found[0], None, found[1], None]


@pytest.mark.parametrize(
    ("text", "is_quoted"),
    [
        ("You said “no equity” before", True),
        ('You said "no equity" before', True),
        ("You said “yes”, so no equity then", False),
        ('5" of snow, no equity', False),
        ("“Yes”\nno equity”", False),
    ],
)
def test_quotation_marks_on_the_line_tell_whose_words_they_are(text, is_quoted):
    start = text.index("equity")

    assert quoted(text, start, start + 6) is is_quoted


@given(PHRASES)
@settings(max_examples=60, deadline=None)
def test_every_passage_lies_in_its_text_in_order_and_holds_words(text):
    found = sentences(text)
    inner = [clause for sentence in found for clause in clauses(text, sentence)]

    assert all(0 <= each.start < each.end <= len(text) for each in (*found, *inner))
    assert all(first.end <= second.start for first, second in itertools.pairwise(found))
    assert all(any(character.isalnum() for character in each.of(text)) for each in (*found, *inner))


@given(PHRASES, PHRASES, PHRASES)
@settings(max_examples=60, deadline=None)
def test_every_finding_of_any_talk_has_spans_with_words(user, tool, agent):
    messages = (
        Message(role="user", content=user),
        Message(role="tool", content=tool, name="get_account"),
        Message(role="assistant", content=agent),
    )
    case = Case(Transcript(messages=messages), "You help.", facts=(Fact("Never recommend equity.", "form"),))

    for finding in run(case):
        assert finding.check in CHECKS
        assert finding.spans
        for span in finding.spans:
            assert 0 <= span.start < span.end <= len(messages[span.turn].content)
