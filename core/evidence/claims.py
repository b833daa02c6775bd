"""Whose words a quote claims to be, and which words of a transcript count as said by whom.

Evidence. What an agent was told (its system prompt, a briefing put before it) is not what it said.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.evidence.blocks import told_stretches
from core.evidence.contract import Span
from core.transcripts.message import Message
from core.vocabulary import TOLD, Role


class Voices:
    """Who said what in the messages of one transcript; a message is looked at when it is first asked about."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages = messages
        self._told: dict[int, list[tuple[int, int]]] = {}

    def told(self, span: Span) -> bool:
        """Whether these words were told to the agent: a system prompt, or a briefing block in another's message."""
        if span.turn not in self._told:
            self._told[span.turn] = _told_in(self.messages[span.turn])
        return any(span.start < end and start < span.end for start, end in self._told[span.turn])

    def said_by(self, speaker: Role | str | None, span: Span) -> bool:
        """Whether these words were said by ``speaker``, a role or a name such as ``other:critic``; None is anyone."""
        if speaker is None:
            return not self.told(span)
        message = self.messages[span.turn]
        if str(speaker) not in (str(message.role), message.speaker):
            return False
        return message.role in TOLD or not self.told(span)


@dataclass(frozen=True)
class Claim:
    """The speaker, and the turn, that a quote is said to come from; None where nothing is claimed."""

    voices: Voices
    speaker: Role | str | None
    turn: int | None

    def holds(self, span: Span) -> bool:
        """Whether the claimed speaker said these words."""
        return self.voices.said_by(self.speaker, span)

    def settled_by(self, span: Span) -> bool:
        """Whether nothing better than this span need be looked for."""
        return self.holds(span) and self.turn in (None, span.turn)


def _told_in(message: Message) -> list[tuple[int, int]]:
    """The stretches of a message that the agent was told; none where it is all its speaker's own."""
    if message.role in TOLD:
        return [(0, len(message.content))]
    return [] if message.role is Role.ASSISTANT else told_stretches(message.content)
