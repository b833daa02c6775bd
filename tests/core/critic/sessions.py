"""Sessions that the tests of the critic's requests are made from, and requests read back."""

import json
from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from core.critic.answer import Request
from core.critic.material import (
    AgentRecord,
    EarlierNote,
    EarlierSession,
    FeedbackSignal,
    KnownFact,
    Material,
    MaterialPolicy,
)
from core.transcripts import Message, ToolCall, Transcript
from core.vocabulary import Dimension, Role, Severity, Source

CALL = ToolCall(name="find_order", arguments='{"id": 17}', id="c1")
SHORT = Transcript(
    messages=(
        Message(role=Role.SYSTEM, content="You help with orders."),
        Message(role=Role.USER, content="Where is my order?\nIt is late."),
        Message(role=Role.ASSISTANT, content="I will look it up.", tool_calls=(CALL,)),
        Message(role=Role.TOOL, content='{"status": "lost"}', name="find_order", tool_call_id="c1", failed=True),
        Message(role=Role.ASSISTANT, content="It arrives tomorrow."),
        Message(role=Role.OTHER, name="courier", content="It is lost."),
    )
)


def earlier(number: int, *, day: int = 1, summary: str = "A late order.") -> EarlierSession:
    """An earlier session, of a day in May."""
    note = EarlierNote(severity=Severity.HIGH, dimension=Dimension.COMPLIANCE, observation="It named a date.")
    at = datetime(2026, 5, day, 12, number, tzinfo=UTC)
    return EarlierSession(ref=f"S-{number:04d}", started_at=at, summary=summary, notes=(note,))


def material(transcript: Transcript = SHORT, **given: Any) -> Material:
    """All that a writer may be given; parts can be given by name."""
    known: dict[str, Any] = {
        "agent": AgentRecord(
            name="orders",
            base_prompt="You help with orders.",
            task_class="late order",
            policies=(MaterialPolicy(id="dates", title="Dates", version=2, text="Name no date that no tool gave."),),
        ),
        "facts": (KnownFact(text="Wants short answers.", source="S-0001"),),
        "earlier": (earlier(1),),
        "task": "Find the order",
        "feedback": (FeedbackSignal(source=Source.PERSON, good=False, score=0.0, text="No tool said so.", by="Mia"),),
    }
    return Material(transcript=transcript, **known | given)


def data_of(request: Request) -> dict[str, Any]:
    """The data of a request, which are its second message and nothing else."""
    assert [said.role for said in request.messages] == ["system", "user"]
    data = json.loads(request.messages[1].content)
    assert isinstance(data, dict)
    return data


def transcript_in(request: Request) -> Transcript:
    """The turns of a request as a transcript, if none of them was cut."""
    return Transcript(messages=tuple(message_of(turn) for turn in data_of(request)["transcript"]))


def message_of(turn: dict[str, Any]) -> Message:
    """A turn of a request as a message."""
    return Message(
        role=turn["speaker"],
        content=turn["text"],
        name=turn.get("name"),
        tool_call_id=turn.get("answers_call"),
        failed=turn.get("failed", False),
        tool_calls=tuple(ToolCall(**call) for call in turn.get("tool_calls", [])),
    )


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.text(
    st.sampled_from('a \n\r\t\x0b\x0c\x1c\x85\u2028\u2029\u200b\u200d\u202e\ufeff\ufe0f👩é<|>[]INST"\\{},:'),
    max_size=60,
)
CALLS = st.builds(ToolCall, name=st.sampled_from(["find", "send"]), arguments=TEXTS, id=st.none() | st.just("c1"))
MESSAGES = st.builds(
    Message,
    role=st.sampled_from(Role),
    content=TEXTS | st.integers(0, 4_000).map(lambda length: "word " * (length // 5)),
    name=st.none() | TEXTS,
    tool_calls=st.lists(CALLS, max_size=2).map(tuple),
    tool_call_id=st.none() | st.just("c1"),
    failed=st.booleans(),
)
TRANSCRIPTS = st.lists(MESSAGES, max_size=14).map(lambda messages: Transcript(messages=tuple(messages)))
