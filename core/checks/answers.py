"""What the tools answered, and whether an answer is a success.

Part of the checks, second station of the flow. Promise: an answer carries the name and the arguments of its call where
the transcript holds them, and is a failure where the message says so or its text reports one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.transcripts.message import NOT_RECORDED, Message, ToolCall, Transcript
from core.vocabulary import Role

_FAILED_TEXT = re.compile(
    r"^[\s*_#\[(<]*(?:error|failed|failure|exception|traceback|refused|rejected|denied|timed? ?out|cannot|unable)\b"
    r"|\b[45]\d\d (?:error|bad|unauthori|forbidden|not found|internal|service|gateway)",
    re.I,
)
_FAILED_FIELD = re.compile(
    r"\"error(?:_message|_code)?\"\s*:(?!\s*(?:null|\"\"|false|\[\]|\{\}|0\b))"
    r"|\"(?:success|ok)\"\s*:\s*false"
    r"|^\s*\{[^{}\[\]]*?\"(?:status|result|outcome)\"\s*:\s*\"(?:error|fail|reject|refus|den|declin|invalid|"
    r"timeout|blocked)",
    re.I,
)


@dataclass(frozen=True)
class ToolAnswer:
    """One answer of a tool. ``name`` is None where the transcript does not say which tool it was."""

    turn: int
    name: str | None
    arguments: str
    text: str
    failed: bool


def tool_answers(transcript: Transcript) -> tuple[ToolAnswer, ...]:
    """Every tool answer of a transcript, in order."""
    answers: list[ToolAnswer] = []
    waiting: list[ToolCall] = []
    for turn, message in enumerate(transcript.messages):
        waiting.extend(message.tool_calls)
        if message.role is Role.TOOL:
            call = _taken(waiting, message)
            name = message.name or (call.name if call else None)
            known = None if name == NOT_RECORDED else name
            arguments = call.arguments if call else ""
            answers.append(ToolAnswer(turn, known, arguments, message.content, reports_failure(message)))
    return tuple(answers)


def unanswered_calls(transcript: Transcript) -> tuple[tuple[int, ToolCall], ...]:
    """Calls of a transcript that holds no answer to them, with the turn that made them."""
    answered = {message.tool_call_id for message in transcript.messages if message.role is Role.TOOL}
    if any(message.role is Role.TOOL and not message.tool_call_id for message in transcript.messages):
        return ()
    calls = ((turn, call) for turn, message in enumerate(transcript.messages) for call in message.tool_calls)
    return tuple((turn, call) for turn, call in calls if call.id is None or call.id not in answered)


def reports_failure(message: Message) -> bool:
    """Whether a tool's turn says that the call did not do its work."""
    text = message.content
    return message.failed or bool(_FAILED_TEXT.search(text[:200]) or _FAILED_FIELD.search(text))


def _taken(waiting: list[ToolCall], message: Message) -> ToolCall | None:
    """The call that this message answers, taken out of the waiting ones: by its id, else the oldest."""
    index = _index_of(waiting, message.tool_call_id)
    if index is None and message.tool_call_id is None and waiting:
        index = 0
    return None if index is None else waiting.pop(index)


def _index_of(waiting: Iterable[ToolCall], call_id: str | None) -> int | None:
    return next((index for index, call in enumerate(waiting) if call_id is not None and call.id == call_id), None)
