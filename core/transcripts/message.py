"""What a transcript is: messages in order, verbatim.

First station of the flow. Nothing here changes a character of what was said, so that offsets into ``content`` stay
true.
"""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from pydantic import BaseModel, ConfigDict, Field, field_validator

from core.vocabulary import Role

NOT_RECORDED = "call_not_recorded"
"""The name of a call of which a file only says that it was made."""


class ToolCall(BaseModel):
    """One call that the agent made: the tool's name and its arguments as JSON text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    arguments: str = "{}"
    id: str | None = None

    @field_validator("arguments", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    @property
    def shown(self) -> str:
        """The call as a person reads it: ``find_order({"id": 17})``."""
        return f"{self.name}({self.arguments})"


class Message(BaseModel):
    """One turn of a transcript.

    ``content`` is the text as it was said; spans count code points into it. ``tool_calls`` are the calls that an
    assistant's turn makes; ``tool_call_id`` links a tool's turn to the call that it answers. ``name`` names a tool,
    or a speaker whose role is ``other``. ``failed`` says that a tool reported an error.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Role
    content: str = ""
    name: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    time: datetime | None = None
    failed: bool = False

    @field_validator("content", mode="before")
    @classmethod
    def _none_is_empty(cls, value: object) -> object:
        return "" if value is None else value

    @property
    def speaker(self) -> str:
        """Role, with the name where the role alone says too little: ``other:critic``."""
        return f"{self.role}:{self.name}" if self.role is Role.OTHER and self.name else str(self.role)


class Transcript(BaseModel):
    """The messages of one agent session, oldest first. A turn is the index of a message, from 0."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    messages: tuple[Message, ...] = Field(default=())

    @cached_property
    def sha256(self) -> str:
        """Hash of roles, names, contents and calls; 64 hexadecimal digits. Times do not count."""
        return self.prefix_sha256(len(self.messages))

    def prefix_sha256(self, turns: int) -> str:
        """Hash of the first ``turns`` messages, equal to the ``sha256`` of a transcript of just those."""
        return _hash(self.messages[:turns])

    @property
    def characters(self) -> int:
        """Code points in all contents."""
        return sum(len(message.content) for message in self.messages)


def _hash(messages: Sequence[Message]) -> str:
    digest = hashlib.sha256()
    for message in messages:
        digest.update(canonical(message).encode())
    return digest.hexdigest()


def canonical(message: Message) -> str:
    """A message as it is hashed: JSON in ASCII of role, name, content, the call it answers, and its calls."""
    calls = [[call.id, call.name, call.arguments] for call in message.tool_calls]
    row = [message.role, message.name, message.content, message.tool_call_id, calls]
    return json.dumps(row, ensure_ascii=True)
