"""Passages of a session that speak to whoever reviews it. Nothing is looked for yet."""

from dataclasses import dataclass

from core.transcripts import Transcript


@dataclass(frozen=True)
class Addressed:
    """A passage: turn from 0, code points, half-open, and why it is one."""

    turn: int
    start: int
    end: int
    why: str


def speaks_to_reviewer(transcript: Transcript) -> tuple[Addressed, ...]:
    """The passages of a transcript."""
    return ()
