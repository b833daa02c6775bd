"""Chat messages in the shape that OpenAI made common, as turns of a transcript.

First station of the flow. Text stays verbatim. A picture, a sound or a file becomes a mark in its place, so that no
encoded bytes are kept. No unknown speaker ever becomes the assistant.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from core.transcripts.fields import Flaw, Record, kind_of, list_of, object_of, quoted, required_text, text_of
from core.transcripts.intake import Intake
from core.transcripts.message import Message, ToolCall
from core.vocabulary import Role

ROLES: Mapping[str, Role] = {
    "system": Role.SYSTEM,
    "developer": Role.DEVELOPER,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}

_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})
_MARKS = {
    "image_url": "[image]",
    "image": "[image]",
    "input_image": "[image]",
    "image_asset_pointer": "[image]",
    "input_audio": "[audio]",
    "audio": "[audio]",
    "audio_asset_pointer": "[audio]",
    "video": "[video]",
    "video_url": "[video]",
    "file": "[file]",
    "input_file": "[file]",
}
_TIME_KEYS = ("time", "timestamp", "created_at", "create_time")
_SAYS_ERROR = re.compile(r"\s*error\b", re.IGNORECASE)
_ERROR_FIRST = re.compile(r'\s*\{\s*"error"\s*:')


def chat_messages(values: object, intake: Intake) -> tuple[Message, ...]:
    """All turns of a list of chat messages, results linked to their calls. Raises ``Flaw`` with the message, from 1."""
    turns = []
    for number, value in enumerate(list_of(values, "“messages”"), start=1):
        try:
            turns.append(chat_message(object_of(value, "a message"), intake))
        except Flaw as flaw:
            raise Flaw(f"message {number}: {flaw}") from flaw
    return linked(turns)


def chat_message(value: Record, intake: Intake) -> Message:
    """One turn. A tool's turn has failed where ``error`` or ``is_error`` says so; where neither does, by its words."""
    role, name = role_and_name(required_text(value, "role", ""), text_of(value, "name"))
    calls = _calls(value)
    content = _said(value, calls, intake)
    return Message(
        role=role,
        content=content,
        name=name,
        tool_calls=calls,
        tool_call_id=_answered(value) if role is Role.TOOL else None,
        time=intake.time(next((value[key] for key in _TIME_KEYS if value.get(key) is not None), None)),
        failed=role is Role.TOOL and _failed(value, content),
    )


def role_and_name(said: str, name: str | None = None, roles: Mapping[str, Role] = ROLES) -> tuple[Role, str | None]:
    """The role of a speaker by what the file calls it; case and white space around it do not count.

    A speaker that is not known has the role ``other`` and the file's word as its name.
    """
    role = roles.get(said.strip().lower())
    return (Role.OTHER, said.strip()) if role is None else (role, name)


def content_text(content: object, intake: Intake) -> str:
    """The text of a message's content: text as it is, the parts of a list joined, null as no text.

    Text parts that would run into each other are set on lines of their own, a mark such as ``[image]`` is set apart
    by a space.
    """
    if content is None or isinstance(content, str):
        return content or ""
    joined: list[str] = []
    after_mark = False
    for part in content if isinstance(content, list) else [content]:
        piece, is_mark = _piece(part, intake)
        if not piece:
            continue
        if joined and not joined[-1][-1].isspace() and not piece[0].isspace():
            joined.append(" " if is_mark or after_mark else "\n")
        joined.append(piece)
        after_mark = is_mark
    return "".join(joined)


def linked(turns: Iterable[Message]) -> tuple[Message, ...]:
    """The same turns; a tool's turn without a name gets that of the call it answers, the latest of that id."""
    names: dict[str, str] = {}
    out = []
    for turn in turns:
        names.update({call.id: call.name for call in turn.tool_calls if call.id})
        known = names.get(turn.tool_call_id or "") if turn.role is Role.TOOL and turn.name is None else None
        out.append(turn.model_copy(update={"name": known}) if known else turn)
    return tuple(out)


def says_error(content: str) -> bool:
    """Whether a tool's result reports an error by its own words.

    It does where it begins with the word "error", or is a JSON object whose first key is ``error`` with a value that is
    not empty.
    """
    if _SAYS_ERROR.match(content):
        return True
    if not _ERROR_FIRST.match(content):
        return False
    try:
        return bool(json.loads(content)["error"])
    except (ValueError, RecursionError):
        return False


def tool_call(value: object) -> ToolCall:
    """One call, flat (``name``, ``arguments``) or below ``function`` or ``custom``. Raises ``Flaw``."""
    call = object_of(value, "a tool call")
    inner = next((call[key] for key in ("function", "custom") if isinstance(call.get(key), dict)), call)
    name = required_text(inner, "name", "a tool call: ")
    return ToolCall(name=name, arguments=_arguments(inner), id=text_of(call, "id"))


def _arguments(call: Record) -> Any:
    arguments = call.get("arguments", call.get("input"))
    return {} if arguments is None else arguments


def _calls(value: Record) -> tuple[ToolCall, ...]:
    calls = [tool_call(call) for call in list_of(value.get("tool_calls") or [], "“tool_calls”")]
    if value.get("function_call"):
        calls.append(tool_call(value["function_call"]))
    return tuple(calls)


def _said(value: Record, calls: tuple[ToolCall, ...], intake: Intake) -> str:
    if value.get("content") is None and value.get("refusal"):
        return content_text(value["refusal"], intake)
    if "content" not in value and not calls:
        raise Flaw("neither “content” nor tool calls")
    return content_text(value.get("content"), intake)


def _answered(value: Record) -> str | None:
    return text_of(value, "tool_call_id") or text_of(value, "id")


def _failed(value: Record, content: str) -> bool:
    flag = next((value[key] for key in ("error", "is_error") if isinstance(value.get(key), bool)), None)
    return says_error(content) if flag is None else bool(flag)


def _piece(part: object, intake: Intake) -> tuple[str, bool]:
    if isinstance(part, str):
        return part, False
    if not isinstance(part, dict):
        raise Flaw(f"“content” must be text or a list of parts; it holds {kind_of(part)}")
    kind = part.get("type") or part.get("content_type") or "text"
    if not isinstance(kind, str):
        raise Flaw(f"the type of a part must be text; it is {kind_of(kind)}")
    if kind in _TEXT_PARTS or kind == "refusal":
        return text_of(part, "refusal" if kind == "refusal" else "text", "a part: ") or "", False
    if kind not in _MARKS:
        intake.remark(f"a part of type {quoted(kind)} is shown as a mark only")
    return _MARKS.get(kind) or f"[{' '.join(kind.split())[:40]}]", True
