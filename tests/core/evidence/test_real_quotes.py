"""Quotes that real models wrote, and labelled retypings of real transcripts."""

import os

import pytest

from bench.evidence.accuracy import answered, tallied
from bench.evidence.classes import FALSE_CLASSES, TRUE_CLASSES
from bench.evidence.corpus import transcripts
from bench.evidence.quotes import judged
from core.evidence.graphemes import on_border

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif("TUTELAGE_CORPUS" not in os.environ, reason="TUTELAGE_CORPUS names no folder of transcripts"),
]


def test_every_span_of_a_real_quote_lies_on_character_borders_of_its_message() -> None:
    for number, answer in enumerate(judged("quotes-spiral")):
        for span in answer.grounding.spans:
            content = answer.transcript.messages[span.turn].content
            assert 0 <= span.start < span.end <= len(content)
            assert on_border(content, span.start)
            assert on_border(content, span.end)
        if number > 1_500:
            break


def test_true_quotes_are_found_where_they_stand_and_false_ones_are_not() -> None:
    chosen = [transcript for transcript in transcripts() if transcript.characters < 60_000]
    tallies = tallied(answered(chosen, each=12))
    for name in TRUE_CLASSES:
        assert tallies[name].accepted == tallies[name].span_right == tallies[name].asked, tallies[name].wrong
    for name in FALSE_CLASSES:
        assert tallies[name].accepted == 0, tallies[name].wrong
