"""Agent sessions, their words, and what was found in them."""

from dataclasses import dataclass
from datetime import datetime

from core.service.views.quotes import Quote, Signal
from core.transcripts.message import Transcript
from core.vocabulary import (
    Kind,
)


@dataclass(frozen=True)
class SessionRow:
    """One line of the list of agent sessions."""

    id: int
    ref: str
    agent: str
    user: str | None
    task_class: str
    started_at: datetime
    turns: int
    outcome: str
    notes: int
    task: str


@dataclass(frozen=True)
class CorrectionRow:
    """Other words were put in the place of a session's; ``turn`` is the first that differed, from 0."""

    at: datetime
    by: str
    file: str
    turn: int
    before_sha256: str
    followed: int
    lost: int


@dataclass(frozen=True)
class FoundItem:
    """An item that quotes a session, as the transcript shows it beside its words."""

    ref: str
    kind: Kind
    status: str
    severity: str
    headline: str


@dataclass(frozen=True)
class SessionWords:
    """One agent session and what was said in it."""

    row: SessionRow
    transcript: Transcript


@dataclass(frozen=True)
class SessionView(SessionWords):
    """One agent session with its transcript and all the evidence that stands in it."""

    sha256: str
    source_file: str
    signals: tuple[Signal, ...]
    facts: tuple[tuple[str, str], ...]
    quotes: tuple[tuple[str, Quote], ...]
    """Pairs of an item's reference and one of its quotes."""
    found: tuple[FoundItem, ...] = ()
    """The items of these quotes, most severe first."""
    corrections: tuple[CorrectionRow, ...] = ()
    remarks: tuple[str, ...] = ()
    """What a person should know about how it came in, such as what was masked."""
