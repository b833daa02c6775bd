"""A transcript as text, for a model that reviews it and for a terminal.

First station of the flow. Every turn begins in the first column with its number in brackets; everything that was said
stands after it or indented below it, so that no message can pretend to be another turn.
"""

from core.transcripts.message import Message, Transcript

_INDENT = "    "


def as_text(transcript: Transcript) -> str:
    """All turns, one below the other: ``[1] assistant: tool call find_order({"id": 17})``.

    A turn's words come first and its calls below them. A tool's turn names the tool, and says where it failed.
    """
    return "\n".join(_turn(index, message) for index, message in enumerate(transcript.messages))


def _turn(index: int, message: Message) -> str:
    said = [message.content] if message.content else []
    said += [f"tool call {call.shown}" for call in message.tool_calls]
    lines = "\n".join(said).splitlines()
    return f"[{index}] {_who(message)}: " + f"\n{_INDENT}".join(lines)


def _who(message: Message) -> str:
    name = message.name if message.name and message.speaker == message.role else None
    who = " ".join(f"{message.speaker} {name or ''}".split())
    return f"{who} (failed)" if message.failed else who
