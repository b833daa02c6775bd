"""Reader for ShareGPT files: ``conversations`` with ``from`` and ``value``.

First station of the flow. The format has no agreed list of speakers; one that is not in the table below stays itself
and never becomes the assistant.
"""

from core.transcripts.chat_message import ROLES, content_text, linked, role_and_name, says_error, tool_call
from core.transcripts.fields import Flaw, Record, list_of, object_of, required_text, text_of
from core.transcripts.formats import Format
from core.transcripts.intake import Intake
from core.transcripts.json_text import flaw_in, mended, parsed
from core.transcripts.message import Message, ToolCall
from core.transcripts.own_fields import session_with_own_fields
from core.transcripts.reader import LOOKED_AT, JsonShape, first_sign, items_of, json_reader
from core.transcripts.session import SessionDraft
from core.vocabulary import Role

_ROLES = {
    **ROLES,
    "human": Role.USER,
    "gpt": Role.ASSISTANT,
    "chatgpt": Role.ASSISTANT,
    "observation": Role.TOOL,
    "function_response": Role.TOOL,
}
_CALL = "function_call"


def _sign(value: object) -> str | None:
    return first_sign(value, _object_sign)


def _object_sign(record: dict[str, object]) -> str | None:
    turns = record.get("conversations")
    if isinstance(turns, list) and any(isinstance(turn, dict) and _speaker_key(turn) for turn in turns[:LOOKED_AT]):
        return "“conversations” holds turns with “from” and “value”"
    return None


def _speaker_key(turn: Record) -> str | None:
    return next((key for key in ("from", "role") if key in turn), None)


def _session(value: object, intake: Intake) -> SessionDraft:
    record = object_of(value, "a record")
    turns = [_numbered(*pair, intake) for pair in enumerate(list_of(record.get("conversations"), "“conversations”"), 1)]
    system = text_of(record, "system")
    if system:
        turns.insert(0, Message(role=Role.SYSTEM, content=system))
    return session_with_own_fields(record, linked(turns), intake, ("conversations", "system"))


def _numbered(number: int, value: object, intake: Intake) -> Message:
    try:
        return _turn(object_of(value, "a turn"), intake)
    except Flaw as flaw:
        raise Flaw(f"message {number}: {flaw}") from flaw


def _turn(turn: Record, intake: Intake) -> Message:
    said_by = required_text(turn, _speaker_key(turn) or "from", "")
    text = content_text(turn.get("value", turn.get("content")), intake)
    call = _call(text) if said_by.strip() == _CALL else None
    if call:
        return Message(role=Role.ASSISTANT, tool_calls=(call,))
    role, name = role_and_name(said_by, text_of(turn, "name"), _ROLES)
    return Message(role=role, name=name, content=text, failed=role is Role.TOOL and says_error(text))


def _call(text: str) -> ToolCall | None:
    """The call that a ``function_call`` turn holds as JSON, None where it is something else."""
    try:
        value = parsed(text)
        return None if flaw_in(value) else tool_call(mended(value))
    except ValueError:
        return None


READER = json_reader(JsonShape(Format.SHAREGPT, _sign, items_of, _session))
