"""Reader for OpenAI chat messages.

First station of the flow. Takes an object with ``messages``, a bare list of messages, a list of such objects or of such
lists, and JSONL of any of these. Beside ``messages`` an object may carry the fields of ``own_fields``.
"""

from core.transcripts.chat_message import chat_messages
from core.transcripts.fields import Flaw, kind_of
from core.transcripts.formats import Format
from core.transcripts.intake import Intake
from core.transcripts.own_fields import session_with_own_fields
from core.transcripts.reader import LOOKED_AT, JsonShape, first_sign, json_reader
from core.transcripts.session import SessionDraft

_SAYS = ("content", "tool_calls", "function_call", "refusal")


def _sign(value: object) -> str | None:
    if _is_message_list(value) or (isinstance(value, list) and any(map(_is_message_list, value[:LOOKED_AT]))):
        return "it is a list of messages with “role” and “content”"
    return first_sign(value, _object_sign)


def _object_sign(record: dict[str, object]) -> str | None:
    messages = record.get("messages")
    if messages == [] or _is_message_list(messages):
        return "“messages” holds messages with “role” and “content”"
    return None


def _is_message_list(value: object) -> bool:
    return isinstance(value, list) and any(map(_is_message, value[:LOOKED_AT]))


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and "role" in value and any(key in value for key in _SAYS)


def _records(value: object) -> list[object]:
    return list(value) if isinstance(value, list) and not _is_message_list(value) else [value]


def _session(record: object, intake: Intake) -> SessionDraft:
    if isinstance(record, list):
        record = {"messages": record}
    if not isinstance(record, dict):
        raise Flaw(f"a record must be an object with “messages” or a list of messages; it is {kind_of(record)}")
    if "messages" not in record:
        raise Flaw("“messages” is missing")
    return session_with_own_fields(record, chat_messages(record["messages"], intake), intake, ("messages",))


READER = json_reader(JsonShape(Format.OPENAI_CHAT, _sign, _records, _session))
