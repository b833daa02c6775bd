"""Beliefs down to the words that they rest on, the episodes among them, and the runs that draw them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from core.vocabulary import EpisodeSource, Role, RunState


@dataclass(frozen=True)
class BeliefsAsked:
    """What a list of beliefs is narrowed to; None narrows nothing.

    ``user`` is exactly that user, and empty for what is about nobody in particular. ``stale`` keeps those that left the
    briefing because of a source.
    """

    agent: str | None = None
    user: str | None = None
    status: str | None = None
    stale: bool = False
    words: str | None = None
    """What stands in its text, in any case."""
    true_at: datetime | None = None
    """Only what was true by then: the first episode that it rests on had happened."""
    known_at: datetime | None = None
    """Only what was in force then, by the log, whatever became of it since."""


@dataclass(frozen=True)
class BeliefRow:
    """One version of a belief. It is true from the first episode that it rests on, and known since it was written.

    ``standing`` counts those of the ``cites`` episodes that stand now.
    """

    id: int
    ref: str
    version: int
    revision: int
    status: str
    text: str
    agent: str
    user: str | None
    depth: int
    importance: Decimal
    question: str
    cites: int
    standing: int
    true_from: datetime
    known_from: datetime
    known_until: datetime | None
    """When it left its force; None while it is active, and where it never was."""
    stale: tuple[str, ...] = ()
    """Which of its sources do not stand, and why, in words; empty where all do."""
    is_stale: bool = False
    """Whether it left the briefing, or waits, because of a source; a source that stands again does not change that."""

    @property
    def rests_on_enough(self) -> bool:
        """Whether every episode that it cites stands."""
        return self.standing == self.cites


@dataclass(frozen=True)
class SourceQuote:
    """Words that prove an episode. ``turn`` counts from 1; start and end are code points in its text, half-open."""

    text: str
    speaker: Role
    found: bool
    verdict: str
    session: int
    session_ref: str
    turn: int | None
    start: int | None
    end: int | None


@dataclass(frozen=True)
class SourceNode:
    """What a belief cites: an episode with its words, or another belief with its own sources (``belief``).

    ``why_not`` says why it stands no longer, or counts for nothing yet; empty while it stands.
    """

    id: int
    ref: str
    text: str
    source: EpisodeSource
    importance: Decimal | None
    true_from: datetime
    known_from: datetime
    known_until: datetime | None
    stands: bool
    why_not: str
    session: int | None
    session_ref: str | None
    note_ref: str | None
    quotes: tuple[SourceQuote, ...] = ()
    belief: "BeliefTree | None" = None


@dataclass(frozen=True)
class RestsOnIt:
    """A belief that rests on this one."""

    id: int
    ref: str
    status: str
    text: str


@dataclass(frozen=True)
class BeliefTree:
    """A belief, what it cites down to the words, and what rests on it."""

    row: BeliefRow
    sources: tuple[SourceNode, ...]
    above: tuple[RestsOnIt, ...] = ()
    again: bool = False
    """Whether it stands higher up in the tree already, so that its sources are not repeated."""


@dataclass(frozen=True)
class EpisodeRow:
    """An episode in a list. ``cited_by`` names the beliefs that rest on it."""

    id: int
    ref: str
    text: str
    agent: str
    user: str | None
    source: EpisodeSource
    importance: Decimal | None
    true_from: datetime
    known_from: datetime
    known_until: datetime | None
    held: str | None
    withdrawn: str | None
    session_ref: str | None
    cited_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class SumRow:
    """How far an agent and user are from their next run.

    ``high`` counts the episodes that count towards the ``floor``; ``waits`` says why no run is queued although the sum
    has reached the ``threshold``, empty while it has not.
    """

    agent: str
    user: str | None
    total: Decimal
    threshold: Decimal
    high: int
    floor: int
    runs: int
    last_run_at: datetime | None
    under_way: int | None
    waits: str = ""


@dataclass(frozen=True)
class BeliefRunRow:
    """One run that drew beliefs. ``cost`` is in millionths of the currency, None where a price is not known."""

    id: int
    agent: str
    user: str | None
    state: RunState
    reason: str | None
    detail: str
    by: str
    attempt: int
    importance: Decimal
    """What had come together when it was queued."""
    queued_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    questions: int
    skipped: int
    beliefs: int
    known: int
    dropped: Mapping[str, int]
    beyond: int
    tokens: int
    cost: int | None


@dataclass(frozen=True)
class BeliefRunView:
    """A run down to its questions: each with the episodes that were shown, their factors, and what became of it."""

    row: BeliefRunRow
    questions: tuple[Mapping[str, Any], ...]
    """``question``, ``skipped`` (why, or empty), ``episodes`` (id, ref, text and each factor), ``became`` (each belief
    with ``what``, ``why``, ``ref``, ``item`` and ``cites``), ``status`` and ``detail`` of its request."""
