"""A turn of a transcript as the critic is shown it.

Critic, before the door to the model. Turns are counted from 1 in the whole transcript, whatever part of it is sent.
"""

from typing import Any

from core.critic.plain_json import one_line
from core.critic.tokens import estimate
from core.transcripts.message import Message
from core.vocabulary import TOLD


def turn_data(message: Message, turn: int, ends: int | None = None) -> dict[str, Any]:
    """The turn at index ``turn`` as fields.

    With ``ends`` each text longer than twice that many characters is there with its beginning and its end only, and
    with the number of characters left out between them.
    """
    data: dict[str, Any] = {"turn": turn + 1, "speaker": message.role.value}
    if message.role in TOLD:
        data["told_to_agent"] = True
    if message.name is not None:
        data["name"] = message.name
    if message.tool_call_id is not None:
        data["answers_call"] = message.tool_call_id
    if message.failed:
        data["failed"] = True
    data |= ends_of("text", message.content, ends)
    if message.tool_calls:
        data["tool_calls"] = [
            {
                "name": call.name,
                **({} if call.id is None else {"id": call.id}),
                **ends_of("arguments", call.arguments, ends),
            }
            for call in message.tool_calls
        ]
    return data


def ends_of(name: str, text: str, ends: int | None) -> dict[str, Any]:
    """A text under a name; cut, if it is longer than twice ``ends``, to a beginning and an end."""
    if ends is None or len(text) <= 2 * ends:
        return {name: text}
    return {name: text[:ends], "left_out_characters": len(text) - 2 * ends, f"{name}_end": text[len(text) - ends :]}


def turn_tokens(message: Message, turn: int, ends: int | None = None) -> int:
    """Tokens of what is sent for a turn, roughly; rounded up, so that a sum is never less than the whole."""
    return estimate(one_line(turn_data(message, turn, ends))) + 2


def longest_text(message: Message) -> int:
    """Characters of the longest text in a turn, the arguments of its calls included."""
    return max(len(message.content), *(len(call.arguments) for call in message.tool_calls), 0)
