"""Faults of other desks that people reported in public: what a transcript says, and what a reviewer is shown of it."""

import json
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from core.evidence import ground
from core.memory.confidence import Event, Happened, fold
from core.service.views import PathPoint
from core.settings import DEFAULTS
from core.transcripts.message import Message, Transcript
from tests.ui import samples
from ui.badges import verdict_badge
from ui.chart import confidence_figure, series, tried_figure
from ui.transcript import transcript_tree
from ui.tree import elements, text_of

pytestmark = pytest.mark.corpus


@pytest.fixture
def case(corpus, request):
    """One reported case, by its id."""
    lines = (corpus / "cases/public-reports.jsonl").read_text(encoding="utf-8").split("\n")
    return next(found for found in map(json.loads, filter(None, lines)) if found["id"] == request.param)


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


@pytest.mark.parametrize("case", ["C-06"], indirect=True)
def test_a_path_is_charted_in_the_order_of_time_and_never_across_a_step_without_an_outcome(case):
    given, wanted = case["input"], case["expected"]
    days = [(day, Event(result)) for day, result in given["points_in_db_order"]]
    days += [(day, Event.NO_OUTCOME) for day in given["applied_without_outcome"]]
    events = [Happened(datetime.fromisoformat(day).replace(tzinfo=UTC), 0, event) for day, event in days]
    begun = min(one.at for one in events)
    path = fold(Decimal(str(given["start"])), begun, events, DEFAULTS)
    points = tuple(
        PathPoint(one.happened.at, one.happened.event, one.value, one.held >= DEFAULTS.procedure_threshold)
        for one in path.steps
    )
    row = type(samples.procedure())(**{**samples.procedure().__dict__, "path": points[::-1]})
    line = series(row)
    shown = ["start" if what == "start" else f"{at:%Y-%m-%d}" for at, what in zip(line.x, line.what, strict=True)]
    assert (shown, list(line.y), list(line.active)) == (wanted["x"], wanted["y"], wanted["active"])
    threshold = DEFAULTS.procedure_threshold
    figures = (
        confidence_figure([row], threshold, dark=False),
        tried_figure([(row, row)], threshold, threshold, dark=True),
    )
    lines = [trace for figure in figures for trace in figure.data if trace.mode == "lines"]
    assert len(lines) == 3
    for drawn in lines:
        assert drawn.connectgaps is wanted["connectgaps"]
        assert list(drawn.y) == wanted["y"]
        assert list(drawn.x) == sorted(drawn.x)
