"""No words in a session, in its facts or beside it become anything else than data, and those in it are recognised."""

import json

import pytest

from core.critic.answer import Said
from core.critic.parsing import parse_lessons, parse_notes
from core.critic.prompts import prompt
from core.critic.writing import DEBRIEFING, request_for
from core.screening.addressed import passages_to_reviewer, speaks_to_reviewer
from core.vocabulary import Writer
from tests.attacks import ATTACKS, IN_TRANSCRIPT, Attack, Where, material_of
from tests.core.critic.sessions import data_of, transcript_in

each_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)


def test_there_are_attacks_of_every_kind_in_every_place() -> None:
    assert len(ATTACKS) >= 30
    assert {attack.where for attack in ATTACKS} == set(Where)
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


@each_attack
@pytest.mark.parametrize("writer", DEBRIEFING)
def test_an_attack_stays_data(attack: Attack, writer: Writer) -> None:
    material = material_of(attack)
    request = request_for(writer, material)
    assert request.messages[0] == Said(role="system", content=prompt(writer).text)
    assert transcript_in(request) == material.transcript
    data = data_of(request)
    assert [turn["turn"] for turn in data["transcript"]] == [*range(1, len(material.transcript.messages) + 1)]
    assert data["policies"] == [policy.model_dump() for policy in material.agent.policies]
    assert [signal["text"] for signal in data["feedback"]] == [signal.text for signal in material.feedback]
    assert data["agent"] == {"name": material.agent.name, "base_prompt": material.agent.base_prompt}


@each_attack
def test_an_attack_beside_the_transcript_stays_where_it_is(attack: Attack) -> None:
    material = material_of(attack)
    data = data_of(request_for(Writer.NOTES, material))
    assert data["user_facts"] == [fact.model_dump() for fact in material.facts]
    (sent,), (earlier,) = data["earlier_sessions"], material.earlier
    assert (sent["summary"], sent["notes"]) == (earlier.summary, [note.model_dump() for note in earlier.notes])


@each_attack
def test_an_attack_makes_no_line_that_is_read_as_a_turn(attack: Attack) -> None:
    material = material_of(attack)
    lines = request_for(Writer.NOTES, material).messages[1].content.splitlines()
    turns = [json.loads(line.rstrip(",")) for line in lines if line.startswith('{"turn"')]
    assert [turn["speaker"] for turn in turns] == [message.role for message in material.transcript.messages]


@pytest.mark.parametrize(
    "attack", [each for each in ATTACKS if each.where in IN_TRANSCRIPT], ids=lambda each: each.name
)
def test_an_attack_in_the_transcript_is_recognised_where_it_stands(attack: Attack) -> None:
    transcript = material_of(attack).transcript
    found = speaks_to_reviewer(transcript)
    assert found
    for each in found:
        message = transcript.messages[each.turn]
        parts = {"text": message.content, "name": message.name or ""}
        parts |= {f"call {place}": call.arguments for place, call in enumerate(message.tool_calls, start=1)}
        assert attack.words in parts[each.part]
        assert parts[each.part][each.start : each.end].strip()


@pytest.mark.parametrize(
    "attack", [each for each in ATTACKS if each.where not in IN_TRANSCRIPT], ids=lambda each: each.name
)
def test_an_attack_beside_the_transcript_is_recognised(attack: Attack) -> None:
    assert speaks_to_reviewer(material_of(attack).transcript) == ()
    assert passages_to_reviewer(attack.words)


@each_attack
def test_a_model_that_obeys_gives_a_reply_that_can_be_read(attack: Attack) -> None:
    read = parse_lessons(attack.obeys) if attack.writer is Writer.LESSON else parse_notes(attack.obeys)
    assert not read.error
    assert not read.unreadable
