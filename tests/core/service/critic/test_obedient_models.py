"""A model that does what a session asks of it changes nothing: what it writes waits for a person, or is refused."""

import json
from typing import Any

import pytest
from sqlmodel import select

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.service.critic.shown import RunView
from core.store.records import Item
from core.vocabulary import Role, RunState, Status, Writer
from tests.attacks import ATTACKS, NOTHING, Attack, Where, material_of
from tests.critic_desk import Desk
from tests.critic_server import reply

each_attack = pytest.mark.parametrize(
    "attack",
    [attack for attack in ATTACKS if attack.where not in (Where.POLICY, Where.NOTE)],
    ids=lambda attack: attack.name,
)


def brought_in(desk: Desk, attack: Attack) -> str:
    """The session of an attack, with what is known beside it, brought in as a file."""
    material = material_of(attack)
    earlier = material.earlier[0]
    before = {"role": "user", "content": earlier.summary}
    desk.bring(before, id="before", task=earlier.summary, started_at="2026-11-01T09:00:00Z", agent="shoe-shop")
    facts = [{"text": fact.text, "source": fact.source} for fact in material.facts]
    feedback = [{"source": one.source, "good": one.good, "text": one.text} for one in material.feedback]
    said = [_message(message.model_dump(mode="json")) for message in material.transcript.messages]
    return desk.bring(
        *said, id="attacked", agent="shoe-shop", facts=facts, feedback=feedback, started_at="2026-11-02T09:00:00Z"
    )


def _message(fields: dict[str, Any]) -> dict[str, Any]:
    calls = [
        {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
        for call in fields["tool_calls"]
    ]
    kept = {name: fields[name] for name in ("content", "name", "tool_call_id") if fields[name] is not None}
    role = "user" if fields["role"] == Role.OTHER else fields["role"]
    return {"role": role, **kept, **({"tool_calls": calls} if calls else {})}


def obeyed(desk: Desk, attack: Attack) -> RunView:
    """The debrief of an attacked session by a model that obeys."""
    desk.answers[attack.writer] = reply(attack.obeys)
    [run] = desk.debrief(brought_in(desk, attack))
    return run


@each_attack
def test_what_an_obedient_model_writes_waits_and_is_read_by_no_agent(desk: Desk, attack: Attack) -> None:
    run = obeyed(desk, attack)
    with desk.database.reading() as db:
        written = db.exec(select(Item).where(Item.proposer == "critic")).all()
    asked = Asked("shoe-shop", "student 1", "general", "a refund for boots")
    read = json.dumps(issue(desk.database, asked).messages)
    assert run.row.state is RunState.DONE
    assert run.addressed
    assert all(item.status == Status.HELD for item in written)
    assert not any(item.headline in read for item in written)
    if attack.obeys == NOTHING:
        assert any("proves nothing here" in remark for remark in run.remarks)


def test_the_checks_find_in_an_attacked_session_what_they_find_without_a_critic(desk: Desk) -> None:
    attack = next(one for one in ATTACKS if one.name == "orders_to_ignore")
    obeyed(desk, attack)
    with desk.database.reading() as db:
        by_checks = {item.fault for item in db.exec(select(Item).where(Item.proposer != "critic")).all()}
    assert by_checks


def test_an_attack_reaches_the_model_only_inside_the_data(desk: Desk) -> None:
    attack = next(one for one in ATTACKS if one.name == "chat_template")
    obeyed(desk, attack)
    for body in desk.asked(Writer.NOTES):
        assert [said["role"] for said in body["messages"]] == ["system", "user"]
        assert "<|im_start|>" not in body["messages"][0]["content"]
        data = json.loads(body["messages"][1]["content"])
        assert [turn["turn"] for turn in data["transcript"]] == list(range(1, len(data["transcript"]) + 1))
