"""Reader for ChatGPT exports: a tree of messages in ``mapping``.

First station of the flow. The session is the branch that ends in ``current_node``; edits and retries on other
branches are not part of it, and a remark counts them.
"""

from core.transcripts.chat_message import ROLES, content_text, role_and_name, says_error
from core.transcripts.fields import Flaw, Record, inside, kind_of, object_of, quoted, text_of
from core.transcripts.formats import Format
from core.transcripts.intake import Intake
from core.transcripts.message import Message, ToolCall, Transcript
from core.transcripts.own_fields import first_time
from core.transcripts.reader import JsonShape, first_sign, items_of, json_reader
from core.transcripts.session import SessionDraft
from core.vocabulary import Role

_TO_EVERYBODY = (None, "", "all")


def _sign(value: object) -> str | None:
    return first_sign(value, _object_sign)


def _object_sign(record: dict[str, object]) -> str | None:
    mapping = record.get("mapping")
    if isinstance(mapping, dict) and any(isinstance(node, dict) and "message" in node for node in mapping.values()):
        return "“mapping” holds a tree of messages"
    return None


def _session(value: object, intake: Intake) -> SessionDraft:
    record = object_of(value, "a record")
    mapping = object_of(record.get("mapping"), "“mapping”")
    branch = _branch(mapping, _last_node(record, mapping))
    messages = tuple(message for key in branch if (message := _message(mapping[key], key, intake)))
    if not messages:
        raise Flaw("it holds no messages")
    _remark_on_branches(mapping, branch, intake)
    return SessionDraft(
        transcript=Transcript(messages=messages),
        place=intake.place,
        external_id=text_of(record, "conversation_id") or text_of(record, "id"),
        task=text_of(record, "title"),
        started_at=intake.time(record.get("create_time")) or first_time(messages),
    )


def _last_node(record: Record, mapping: Record) -> str:
    """The end of the current branch; without ``current_node`` the leaf that was written last."""
    current = text_of(record, "current_node")
    if current is not None:
        return current
    parents = {inside(node, "parent") for node in mapping.values() if isinstance(inside(node, "parent"), str)}
    leaves = [key for key in mapping if key not in parents]
    if not leaves:
        raise Flaw("“current_node” is missing and no message is the last one")
    return max(leaves, key=lambda key: _written(mapping[key]))


def _written(node: object) -> float:
    time = inside(node, "message", "create_time")
    return float(time) if isinstance(time, int | float) else float("-inf")


def _branch(mapping: Record, last: str) -> list[str]:
    """The nodes from the root to ``last``. Raises ``Flaw`` where the way up is broken or runs in a circle."""
    branch: dict[str, None] = {}
    key: object = last
    while key is not None:
        if not isinstance(key, str) or key not in mapping:
            shown = quoted(key) if isinstance(key, str) else kind_of(key)
            raise Flaw(f"the tree of messages names {shown}, which is not in the file")
        if key in branch:
            raise Flaw(f"the tree of messages runs in a circle at {quoted(key)}")
        branch[key] = None
        key = inside(mapping[key], "parent")
    return list(reversed(branch))


def _message(node: object, key: str, intake: Intake) -> Message | None:
    """The turn of a node; None for the empty root and for a system message without words."""
    message = inside(node, "message")
    if message is None:
        return None
    said = object_of(message, f"the message of {quoted(key)}")
    speaker = inside(said, "author", "role")
    if not isinstance(speaker, str):
        raise Flaw(f"the message of {quoted(key)} does not say whose it is")
    role, name = role_and_name(speaker, text_of(object_of(said["author"], "“author”"), "name"), ROLES)
    text = _text(said.get("content"), intake)
    if role is Role.SYSTEM and not text.strip():
        return None
    return _turn(said, role, name, text, intake)


def _turn(said: Record, role: Role, name: str | None, text: str, intake: Intake) -> Message:
    recipient = text_of(said, "recipient")
    time = intake.time(said.get("create_time"))
    if role is Role.ASSISTANT and recipient not in _TO_EVERYBODY:
        call = ToolCall(name=recipient or "", arguments=text)
        return Message(role=role, name=name, tool_calls=(call,), time=time)
    return Message(role=role, name=name, content=text, time=time, failed=role is Role.TOOL and says_error(text))


def _text(content: object, intake: Intake) -> str:
    """What a content says: its ``parts``, or its ``text`` where it is code or a tool's output."""
    if not isinstance(content, dict):
        return content_text(content, intake)
    if isinstance(content.get("parts"), list):
        return content_text(content["parts"], intake)
    if isinstance(content.get("text"), str):
        return str(content["text"])
    intake.remark(f"content of type {quoted(str(content.get('content_type')))} holds no text and is shown empty")
    return ""


def _remark_on_branches(mapping: Record, branch: list[str], intake: Intake) -> None:
    taken = set(branch)
    others = sum(1 for key, node in mapping.items() if key not in taken and inside(node, "message") is not None)
    if others:
        messages = "1 message" if others == 1 else f"{others} messages"
        intake.remark(f"{messages} on other branches of the conversation left out")


READER = json_reader(JsonShape(Format.CHATGPT_EXPORT, _sign, items_of, _session))
