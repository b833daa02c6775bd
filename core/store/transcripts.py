"""Transcripts as rows, and back."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.store.records import SessionMessage
from core.transcripts.message import Message, ToolCall, Transcript
from core.vocabulary import Role

_COLUMNS = tuple(
    col(column)
    for column in (
        SessionMessage.role,
        SessionMessage.content,
        SessionMessage.name,
        SessionMessage.tool_calls,
        SessionMessage.tool_call_id,
        SessionMessage.time,
        SessionMessage.failed,
    )
)
"""What a message is made of. Read as columns: nobody changes a message, so none is tracked for changes."""


def transcript_of(db: DatabaseSession, session_id: int) -> Transcript:
    """The transcript of an agent session, verbatim."""
    return transcripts_of(db, [session_id])[session_id]


def transcripts_of(db: DatabaseSession, session_ids: Sequence[int]) -> dict[int, Transcript]:
    """The same for several sessions by id, in one statement."""
    query = select(col(SessionMessage.session_id), *_COLUMNS).where(col(SessionMessage.session_id).in_(session_ids))
    said: dict[int, list[Message]] = {one: [] for one in session_ids}
    for row in db.execute(query.order_by(col(SessionMessage.session_id), col(SessionMessage.turn))):
        said[row.session_id].append(_message(row))
    return {one: Transcript(messages=tuple(messages)) for one, messages in said.items()}


def as_rows(session_id: int, transcript: Transcript, start: int = 0) -> list[dict[str, Any]]:
    """The messages from turn ``start`` on, as values for one insert."""
    return [
        {
            "session_id": session_id,
            "turn": turn,
            "role": message.role.value,
            "name": message.name,
            "content": message.content,
            "tool_calls": [[call.name, call.arguments, call.id] for call in message.tool_calls],
            "tool_call_id": message.tool_call_id,
            "time": message.time,
            "failed": message.failed,
        }
        for turn, message in enumerate(transcript.messages)
        if turn >= start
    ]


def _message(row: Any) -> Message:
    """Rows were validated when they came in, so they are not validated again."""
    calls = tuple(ToolCall.model_construct(name=name, arguments=text, id=own) for name, text, own in row.tool_calls)
    return Message.model_construct(
        role=Role(row.role),
        content=row.content,
        name=row.name,
        tool_calls=calls,
        tool_call_id=row.tool_call_id,
        time=row.time,
        failed=row.failed,
    )
