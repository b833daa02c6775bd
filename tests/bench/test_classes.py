"""Every class of labelled quotes can be made, says where its words stand, and is answered as it is labelled."""

import random
from itertools import islice

import pytest

from bench.evidence.classes import FALSE_CLASSES, OPEN_CLASSES, TRUE_CLASSES
from bench.evidence.samples import Labelled, in_order, passage, stands_anyway
from core.evidence import prepare
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role

SAID = (
    "You asked about the order of May 12, and the team has looked it up for you. The fee of $1,250.50 is waived, "
    "because the long-term plan covers 45 days. The agent's offer isn't open to all, but the office is not closed; "
    "the well-known fine is 3.5 % of 1840 items and would be due to first-time buyers who have paid it. Please "
    "wait while the desk is sending “the final letter” to your house—the one that was flagged—and does not reply, "
    "so that the difference of 120 pieces, sent with the shipment of 2500 cups, can never be lost by the people here."
)
TRANSCRIPT = Transcript(
    messages=(
        Message(role=Role.SYSTEM, content="Greet every customer by the first name and keep answers short and plain."),
        Message(role=Role.USER, content="Could somebody look at my parcel and tell me when the money comes back?"),
        Message(role=Role.ASSISTANT, content="Certainly; let us begin with the street and number of the house."),
        Message(role=Role.TOOL, content="status open, carrier unknown, weight seven kilos, label printed twice today"),
        Message(role=Role.ASSISTANT, content=SAID),
        Message(role=Role.USER, content="Thank you, and what happens when nobody opens the door on that morning?"),
        Message(role=Role.ASSISTANT, content="Then the driver rings twice and leaves a card in the mailbox there."),
    )
)
TRIES = 3_000


def samples(name: str, of: int = 5) -> list[Labelled]:
    """Some quotes of one class."""
    chance = random.Random(name)
    make = (TRUE_CLASSES | FALSE_CLASSES | OPEN_CLASSES)[name]
    found = (passage(TRANSCRIPT, chance) for _ in range(TRIES))
    made = (make(place, chance) for place in found if place is not None)
    return list(islice((sample for sample in made if sample is not None), of))


@pytest.mark.parametrize("name", TRUE_CLASSES)
def test_a_true_class_is_found_where_it_was_labelled(name: str) -> None:
    made = samples(name)
    assert made
    for sample in made:
        grounding = prepare(sample.transcript).ground(sample.quote, speaker=sample.speaker)
        assert grounding.grounded, (grounding.verdict, sample.quote)
        assert {span.turn for span in grounding.spans} == {span.turn for span in sample.spans or ()}


@pytest.mark.parametrize("name", FALSE_CLASSES)
def test_a_false_class_is_not_found(name: str) -> None:
    made = samples(name)
    assert made
    for sample in made:
        assert sample.spans is None
        grounding = prepare(sample.transcript).ground(sample.quote, speaker=sample.speaker)
        assert not grounding.grounded, sample.quote


@pytest.mark.parametrize("name", OPEN_CLASSES)
def test_an_open_class_says_where_its_words_stand(name: str) -> None:
    made = samples(name)
    assert made
    for sample in made:
        [span] = sample.spans or ()
        content = sample.transcript.messages[span.turn].content
        assert content[span.start : span.end].split()[0] == sample.quote.split()[0]
        assert content[span.start : span.end].split()[-1] == sample.quote.split()[-1]


def test_words_stand_with_and_without_the_numbers_of_a_list_and_across_escaped_breaks() -> None:
    content = "Do this:\n1. open the door\n2. ring the bell\\nand wait for us"
    transcript = Transcript(messages=(Message(role=Role.ASSISTANT, content=content),))
    assert stands_anyway("open the door ring the bell and wait", transcript)
    assert stands_anyway("1. open the door 2. ring", transcript)
    assert in_order("Do this: open", "the bell and wait", content)
    assert not in_order("ring the bell", "open the door", content)
