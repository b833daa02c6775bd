"""What an evidence bundle holds, as plain values: all that the page shows, in the very form that was hashed."""

from dataclasses import dataclass
from datetime import datetime

from core.service.case_views import CaseView
from core.service.views import OpinionView, Quote
from core.transcripts.message import Transcript

FORM = "tutelage evidence bundle 2"
MOST = 200
"""Notes that one bundle holds."""

MASKED = "masked"
SEALED = "sealed"


@dataclass(frozen=True)
class Link:
    """A link of the log with the row that it names. ``row`` is the row's canonical form, None where it is kept back.

    ``kept_back`` then says why: ``masked`` (secrets were taken out of it after this link) or ``sealed`` (the verdict of
    one of two people, while the other one is out). ``item`` is the id of the version that it is about, 0 for none.
    """

    seq: int
    at: str
    before: str
    logged: str
    row_id: int
    row_sha256: str
    sha256: str
    row: str | None
    kept_back: str | None
    item: int


@dataclass(frozen=True)
class Version:
    """One version of a note; ``said`` is its content in the form that was hashed."""

    item: int
    name: str
    status: str
    revision: int
    said: str
    sha256: str
    masked: bool


@dataclass(frozen=True)
class CardKept:
    """What the page shows of a note itself."""

    id: int
    ref: str
    version: int
    status: str
    severity: str
    dimension: str | None
    agent: str
    user: str | None
    task_class: str
    observation: str
    improvement: str
    opinions: tuple[OpinionView, ...]


@dataclass(frozen=True)
class NoteKept:
    """One note of a bundle. ``links`` are the numbers of the links about it."""

    card: CardKept
    number: int
    versions: tuple[Version, ...]
    quotes: tuple[Quote, ...]
    case: CaseView
    links: tuple[int, ...]
    policies: tuple[int, ...]
    """The numbers of the links of the versions of its agent's policies."""


@dataclass(frozen=True)
class SessionKept:
    """The transcript of an agent session, whole."""

    id: int
    ref: str
    agent: str
    user: str | None
    task: str
    started_at: datetime
    transcript: Transcript
    sha256: str
    corrections: tuple[str, ...]


@dataclass(frozen=True)
class Made:
    """Who made a bundle of what, when, with which version of the program, and the log's head at that moment."""

    by: str
    at: datetime
    program: str
    head: tuple[int, str]
    about: str
    left_out: int


@dataclass(frozen=True)
class Contents:
    """All that a bundle holds. ``quotes`` stand in the order of their rings, from 1."""

    made: Made
    notes: tuple[NoteKept, ...]
    sessions: tuple[SessionKept, ...]
    links: tuple[Link, ...]

    @property
    def quotes(self) -> tuple[tuple[str, Quote], ...]:
        """Each quote with the name of its note, in the order of the notes."""
        return tuple((note.card.ref, quote) for note in self.notes for quote in note.quotes)
