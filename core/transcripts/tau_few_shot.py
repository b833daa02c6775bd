"""Reader for the example files of τ-bench: JSONL in which ``messages_display`` holds a session as text.

First station of the flow. The files write a call of a tool as ``assistant: None``; what was called, and how, is lost.
Such a turn keeps its place as a call whose name says so.
"""

from core.transcripts.chat_message import says_error
from core.transcripts.fields import Record, object_of, required_text
from core.transcripts.formats import Format
from core.transcripts.intake import Intake
from core.transcripts.message import NOT_RECORDED, Message, ToolCall
from core.transcripts.own_fields import session_with_own_fields
from core.transcripts.reader import JsonShape, first_sign, items_of, json_reader
from core.transcripts.session import SessionDraft
from core.transcripts.spoken_lines import SpokenTurn, begins_with_speaker, spoken_turns
from core.vocabulary import Role

LOST_CALL = ToolCall(name=NOT_RECORDED)
"""Stands for a call that the file does not hold."""

_DISPLAY = "messages_display"


def _sign(value: object) -> str | None:
    return first_sign(value, _object_sign)


def _object_sign(record: Record) -> str | None:
    display = record.get(_DISPLAY)
    if isinstance(display, str) and begins_with_speaker(display):
        return "“messages_display” holds turns as text"
    return None


def _session(value: object, intake: Intake) -> SessionDraft:
    record = object_of(value, "a record")
    messages = tuple(_message(turn) for turn in spoken_turns(required_text(record, _DISPLAY, "")))
    lost = sum(1 for message in messages if message.tool_calls)
    if lost:
        calls = "1 tool call" if lost == 1 else f"{lost} tool calls"
        intake.remark(f"the file does not hold the name and the arguments of {calls}")
    return session_with_own_fields(record, messages, intake, (_DISPLAY,))


def _message(turn: SpokenTurn) -> Message:
    if turn.role is Role.ASSISTANT and turn.text.strip() == "None":
        return Message(role=turn.role, tool_calls=(LOST_CALL,))
    return Message(role=turn.role, content=turn.text, failed=turn.role is Role.TOOL and says_error(turn.text))


READER = json_reader(JsonShape(Format.TAU_FEW_SHOT, _sign, items_of, _session))
