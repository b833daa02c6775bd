"""The sample sessions: what the desk shows on its first start."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.checks import Case, Fact, Finding, Policy, run
from core.checks.policies import load_policies
from core.transcripts.message import Message, ToolCall, Transcript
from core.vocabulary import Severity, Source

DATA = Path(__file__).parents[3] / "data"
FAULTS = {
    "CD-2231": ["claimed_not_done:send"],
    "CD-2265": ["ungrounded_figures:date"],
    "CD-2278": ["claimed_not_done:send"],
    "CD-2284": ["ungrounded_figures:code"],
    "CD-2291": ["claimed_not_done:refund"],
    "CD-2302": ["claimed_not_done:refund"],
    "CD-2310": ["claimed_not_done:send"],
    "FC-0109": ["policy_words:fincoach-no-promised-returns"],
    "FC-0112": ["policy_words:user_constraint"],
    "FC-0115": ["claimed_not_done:change"],
    "FC-0118": ["policy_words:user_constraint"],
    "FC-0124": ["ungrounded_figures:percentage"],
    "FC-0126": ["policy_words:fincoach-no-promised-returns"],
    "FC-0136": ["ungrounded_figures:percentage"],
    "NL-7702": ["claimed_not_done:book"],
    "NL-7709": ["claimed_not_done:cancel"],
    "NL-7719": ["claimed_not_done:book"],
    "NL-7725": ["policy_words:northline-no-speed-promises"],
    "NL-7731": ["claimed_not_done:cancel"],
    "NL-7744": ["ungrounded_figures:amount"],
}
"""Every fault that was written into the samples, by session; all others are without fault."""


@pytest.fixture(scope="module")
def records() -> list[dict]:
    files = sorted((DATA / "samples").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def policies() -> dict[str, Policy]:
    return {policy.id: policy for policy in load_policies(DATA / "policies")}


@pytest.fixture(scope="module")
def found(records, policies) -> dict[str, list[Finding]]:
    return {record["id"]: run(_case(record, policies)) for record in records}


def _case(record: dict, policies: dict[str, Policy]) -> Case:
    return Case(
        Transcript(messages=tuple(_message(each) for each in record["messages"])),
        record["base_prompt"],
        tuple(policies[each] for each in record["policies"]),
        tuple(Fact(**each) for each in record["facts"]),
    )


def _message(fields: dict) -> Message:
    calls = tuple(ToolCall(id=each["id"], **each["function"]) for each in fields.get("tool_calls", ()))
    plain = {name: value for name, value in fields.items() if name != "tool_calls"}
    return Message(**plain, tool_calls=calls)


def test_the_checks_find_exactly_the_faults_that_were_written_in(found):
    assert {session: [each.fault for each in findings] for session, findings in found.items() if findings} == FAULTS


def test_four_findings_or_more_are_critical_and_faults_recur(found):
    findings = [each for group in found.values() for each in group]

    assert sum(each.severity is Severity.CRITICAL for each in findings) >= 4
    assert sum(count > 1 for count in Counter(each.fault for each in findings).values()) >= 5


def test_three_agents_have_sessions_of_a_desks_length_over_four_weeks(records):
    times = [datetime.fromisoformat(record["started_at"]) for record in records]

    assert {record["agent"] for record in records} == {"FinCoach", "Campus Desk", "Northline Care"}
    assert all(6 <= len(record["messages"]) <= 20 for record in records)
    assert datetime(2026, 10, 31, tzinfo=UTC) < min(times) < max(times) < datetime(2026, 11, 28, tzinfo=UTC)
    assert len({record["id"] for record in records}) == len(records)


def test_feedback_comes_from_sources_that_the_desk_knows(records):
    signals = [each for record in records for each in record["feedback"]]

    assert {each["source"] for each in signals} <= set(Source)
    assert all(isinstance(each["good"], bool) and each["text"] for each in signals)


def test_every_tool_answer_belongs_to_a_call(records):
    for record in records:
        calls = [each["id"] for message in record["messages"] for each in message.get("tool_calls", ())]
        answers = [message["tool_call_id"] for message in record["messages"] if message["role"] == "tool"]
        assert calls == answers, record["id"]
