"""Which answer of a tool belongs to which call."""

from dataclasses import dataclass

from core.transcripts.message import Message, ToolCall, Transcript
from core.vocabulary import Role


@dataclass(frozen=True)
class Made:
    """A call, and the turn in which the agent made it."""

    turn: int
    call: ToolCall


@dataclass(frozen=True)
class Calls:
    """The calls of one transcript: ``made`` by the turn that answers, ``answers`` by turn and place of the call."""

    made: dict[int, Made]
    answers: dict[tuple[int, int], int]


def calls_of(transcript: Transcript) -> Calls:
    """Calls and answers paired by id, else by name and in the order of the calls."""
    waiting: list[tuple[int, int, ToolCall]] = []
    calls = Calls({}, {})
    for turn, message in enumerate(transcript.messages):
        waiting += [(turn, place, call) for place, call in enumerate(message.tool_calls)]
        at = _answered(waiting, message) if message.role is Role.TOOL else None
        if at is not None:
            calling, place, call = waiting.pop(at)
            calls.made[turn] = Made(calling, call)
            calls.answers[calling, place] = turn
    return calls


def _answered(waiting: list[tuple[int, int, ToolCall]], message: Message) -> int | None:
    for at, (_, _, call) in enumerate(waiting):
        if message.tool_call_id is not None and call.id is not None:
            if call.id == message.tool_call_id:
                return at
        elif message.name in (None, call.name):
            return at
    return None
