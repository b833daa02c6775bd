"""Faults of other desks that people reported in public: what a transcript says, and what a reviewer is shown of it."""

import json

import pytest

from core.evidence import ground
from core.transcripts.message import Message, Transcript
from tests.ui import samples
from ui.badges import verdict_badge
from ui.transcript import transcript_tree
from ui.tree import elements, text_of

pytestmark = pytest.mark.corpus


@pytest.fixture
def case(corpus, request):
    """One reported case, by its id."""
    lines = (corpus / "cases/public-reports.jsonl").read_text(encoding="utf-8").splitlines()
    return next(found for found in map(json.loads, lines) if found["id"] == request.param)


def shown(transcript, quotes=()):
    """The transcript as a tree."""
    return transcript_tree(samples.SESSION, transcript, quotes)


def grounded(transcript, words, role="assistant"):
    """A quote that was looked for in a transcript."""
    return samples.quote(1, words, ground(words, transcript, speaker=role))


@pytest.mark.parametrize("case", ["U-05"], indirect=True)
def test_amounts_of_money_and_markdown_are_shown_as_they_were_written(case):
    message = case["input"]["message"]
    tree = shown(Transcript(messages=(Message(role="user", content=message),)))
    (speech,) = elements(tree, "speech")
    assert speech[2:] == [message]


@pytest.mark.parametrize("case", ["U-06"], indirect=True)
def test_markup_in_a_transcript_stays_text_and_its_words_are_found(case):
    transcript = Transcript.model_validate({"messages": case["input"]["messages"]})
    quote = grounded(transcript, case["input"]["evidence"])
    assert quote.grounding.grounded is case["expected"]["grounded"]
    tree = shown(transcript, (quote,))
    assert [text_of(one) for one in elements(tree, "speech")] == [one.content for one in transcript.messages]
    assert [text_of(one) for one in elements(tree, "ev")] == [case["input"]["evidence"]]


@pytest.mark.parametrize("case", ["Q-16"], indirect=True)
def test_a_quote_that_stands_is_called_found_and_nothing_more(case):
    transcript = Transcript.model_validate({"messages": case["input"]["messages"]})
    badge = text_of(verdict_badge(grounded(transcript, case["input"]["note"]["evidence"]), transcript))
    assert badge.startswith(case["expected"]["badge"])
    assert not [word for word in case["expected"]["badge_not"] if word in badge]
