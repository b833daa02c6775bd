"""What a transcript that comes in again is to the one that is known.

First station of the flow. A longer export of the same session extends it; the known turns keep their places, so spans
into them stay true.
"""

from dataclasses import dataclass

from core.transcripts.message import Message, Transcript


@dataclass(frozen=True)
class Same:
    """Nothing new."""


@dataclass(frozen=True)
class Longer:
    """The known turns are the beginning of the new ones; ``turns`` are those that came after, never none."""

    turns: tuple[Message, ...]


@dataclass(frozen=True)
class Shorter:
    """The new turns are the beginning of the known ones, of which ``missing`` are not there, at least 1."""

    missing: int


@dataclass(frozen=True)
class Differs:
    """The turn at index ``turn`` is another, the first that is."""

    turn: int


Comparison = Same | Longer | Shorter | Differs


def compare(known: Transcript, new: Transcript) -> Comparison:
    """How ``new`` continues ``known``. What counts is what counts in a transcript's hash, so times do not."""
    pairs = zip(known.messages, new.messages, strict=False)
    other = next((turn for turn, (old, now) in enumerate(pairs) if _said(old) != _said(now)), None)
    if other is not None:
        return Differs(other)
    extra = len(new.messages) - len(known.messages)
    if extra > 0:
        return Longer(new.messages[len(known.messages) :])
    return Shorter(-extra) if extra else Same()


def _said(message: Message) -> tuple[object, ...]:
    calls = tuple((call.id, call.name, call.arguments) for call in message.tool_calls)
    return message.role, message.name, message.content, message.tool_call_id, calls
