"""Words that stand in no message but in what an agent passed to a tool.

Evidence. A call is not content and has no spans, so this grounds nothing; it says where words are that were not found.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

from core.evidence.contract import Span
from core.evidence.layers import Layers
from core.evidence.quote import Piece
from core.evidence.search import found
from core.transcripts.message import Message


class Calls:
    """The arguments of every call in a transcript; made ready when they are first asked about."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._arguments = [
            (turn, call.arguments) for turn, message in enumerate(messages) for call in message.tool_calls
        ]

    def turn_holding(self, readings: Iterable[Piece]) -> int | None:
        """The first turn whose call holds the words; None where none does."""
        if not self._arguments:
            return None
        places = found(readings, self._layers, _first_will_do).places
        return self._arguments[places[0].span.turn][0] if places else None

    @cached_property
    def _layers(self) -> Layers:
        return Layers([arguments for _, arguments in self._arguments])


def _first_will_do(span: Span) -> bool:
    return True
