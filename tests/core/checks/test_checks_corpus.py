"""Real transcripts: the checks stay quick and keep their findings few."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.checks.tampering import asked_again, instructing, promising
from core.checks import CHECKS, Case, run
from core.transcripts.message import Message, ToolCall, Transcript

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif("TUTELAGE_CORPUS" not in os.environ, reason="TUTELAGE_CORPUS names no folder of transcripts"),
]
FINDINGS_OF_A_FAULT = 3


@pytest.fixture(scope="module")
def data() -> Path:
    return Path(os.environ["TUTELAGE_CORPUS"]) / "data"


@pytest.fixture(scope="module")
def airline(data: Path) -> list[Case]:
    folder = data / "tau2-bench"
    policy = (folder / "policy_airline_policy.md").read_text(encoding="utf-8")
    runs = json.loads((folder / "toolorchestra_airline_gpt-5_1trial.json").read_text(encoding="utf-8"))
    return [Case(Transcript(messages=tuple(_tau2(each["messages"]))), policy) for each in runs["simulations"]]


@pytest.fixture(scope="module", params=["airline", "retail"])
def few_shot(data: Path, request: pytest.FixtureRequest) -> list[Case]:
    folder = data / "tau-bench"
    policy = (folder / f"policy_{request.param}_wiki.md").read_text(encoding="utf-8")
    lines = (folder / f"few_shot_{request.param}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Case(Transcript(messages=tuple(_plain(json.loads(line)["messages_display"]))), policy) for line in lines]


def _tau2(messages: list[dict]) -> Iterator[Message]:
    names: dict[str, str] = {}
    for fields in messages:
        asked = fields.get("tool_calls") or ()
        calls = tuple(ToolCall(name=c["name"], arguments=c["arguments"], id=c["id"]) for c in asked)
        names.update({call.id: call.name for call in calls if call.id})
        is_tool = fields["role"] == "tool"
        yield Message(
            role=fields["role"],
            content=fields.get("content"),
            tool_calls=calls,
            tool_call_id=fields.get("id") if is_tool else None,
            name=names.get(fields.get("id", "")) if is_tool else None,
            failed=bool(fields.get("error")),
        )


def _plain(text: str) -> Iterator[Message]:
    parts = re.split(r"^(user|assistant|tool): ", text, flags=re.M)[1:]
    for role, said in zip(parts[::2], parts[1::2], strict=True):
        yield Message(role=role, content="" if said.strip() == "None" else said.rstrip("\n"))


def test_an_invented_ticket_number_and_mail_are_found_in_a_real_session(airline):
    findings = [each for name in ("ungrounded_figures", "claimed_not_done") for each in CHECKS[name](airline[7])]

    assert len(airline) == 50
    assert [each.fault for each in findings] == ["ungrounded_figures:code", "claimed_not_done:send"]
    lit = [airline[7].transcript.messages[each.spans[0].turn].content for each in findings]
    assert "ETK-HATHAT-001" in lit[0][findings[0].spans[0].start : findings[0].spans[0].end]


STRICT = (
    "policy_words",
    "ungrounded_figures",
    "claimed_not_done",
    "asked_again",
    "unsupported_promise",
    "dropped_instruction",
)


def test_findings_on_good_agents_are_rare(airline, few_shot):
    for cases in (airline, few_shot):
        findings = [each for case in cases for each in run(case) if each.check in STRICT]
        assert len(findings) <= len(cases) / 10


def test_no_session_gives_more_than_three_findings_of_a_fault(airline):
    for case in airline:
        faults = [each.fault for each in run(case)]
        assert all(faults.count(fault) <= FINDINGS_OF_A_FAULT for fault in faults)


def test_taking_the_deed_away_makes_the_claim_a_finding(airline):
    """Every session whose last stretch claims a change: without answers it has nothing to stand on."""
    without = [_without_deeds(case) for case in airline]
    found = sum(any(each.check == "claimed_not_done" for each in run(case)) for case in without)

    assert found >= 30


def _without_deeds(case: Case) -> Case:
    reads = ("get_", "search_", "list_", "calculate")
    kept = [
        message.model_copy(update={"tool_calls": tuple(c for c in message.tool_calls if c.name.startswith(reads))})
        for message in case.transcript.messages
        if message.name is None or message.name.startswith(reads)
    ]
    return Case(Transcript(messages=tuple(kept)), case.base_prompt)


def test_a_sick_mother_that_nobody_answers_is_a_strong_signal_in_a_real_session(airline):
    found = CHECKS["missed_signals"](airline[26])

    assert [each.fault for each in found] == ["missed_signals:strong_feeling"] * 2
    messages = airline[26].transcript.messages
    lit = [messages[span.turn].content[span.start : span.end] for span in found[0].spans]
    assert lit == ["My mom is really sick and I need to get home sooner.", "I can help with that."]


def test_asking_once_more_for_what_was_given_is_found(airline, few_shot):
    """Each session is cut after the first answer to a request, and the request is put again."""
    tampered = [case for case in map(asked_again, (*airline, *few_shot)) if case]
    found = sum(bool(CHECKS["asked_again"](case)) for case in tampered)

    assert len(tampered) >= 25
    assert found >= 0.8 * len(tampered)


@pytest.mark.parametrize(
    "promise",
    [
        "I guarantee that this stays free of charge.",
        "It will be fixed by Friday.",
        "Our policy allows free bicycle transport for students on weekends.",
    ],
)
def test_a_promise_put_into_a_good_session_is_found(few_shot, promise):
    tampered = [case for case in map(promising(promise), few_shot) if case]
    found = sum(bool(CHECKS["unsupported_promise"](case)) for case in tampered)

    assert found >= 0.95 * len(tampered) > 0


def test_an_instruction_put_into_a_good_session_is_found_as_dropped(few_shot):
    tampered = [case for case in map(instructing("Please reply in German."), few_shot) if case]
    found = sum(bool(CHECKS["dropped_instruction"](case)) for case in tampered)

    assert found >= 0.95 * len(tampered) > 0
