"""Quotes, the signals behind an item, and lines of an export of evidence."""

from dataclasses import dataclass

from core.evidence.contract import Grounding
from core.vocabulary import (
    Reliability,
    Role,
    Source,
)


@dataclass(frozen=True)
class Quote:
    """One quote of an item. ``number`` is its ring on card and transcript, from 1."""

    id: int
    number: int
    session: int
    session_ref: str
    text: str
    speaker: Role
    grounding: Grounding
    stale: str | None = None
    """Why the words no longer stand as they did when they were found; None while they do."""

    @property
    def found(self) -> bool:
        """Whether the words stand in the transcript as it is now."""
        return self.grounding.grounded and self.stale is None


@dataclass(frozen=True)
class EvidenceRow:
    """One line of an export of evidence: a quote, the item that it proves, and the hash of the transcript."""

    ref: str
    version: int
    status: str
    quote: Quote
    sha256: str


@dataclass(frozen=True)
class Signal:
    """The feedback that an item rests on."""

    source: Source
    reliability: Reliability
    text: str
    good: bool = False
