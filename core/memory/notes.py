"""Which notes an agent reads. Source: Self-reflection memory, "Injecting the notes into the next session"."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from core.memory.chosen import Choice, Left, Taken
from core.settings import Settings
from core.vocabulary import GroundedNotes, Severity, Status


@dataclass(frozen=True)
class NoteCandidate:
    """What the rule looks at. ``order`` breaks ties of time: the larger is the newer.

    ``evidence`` says what became of its quotes, in words.
    """

    key: str
    severity: Severity
    status: str
    grounded: bool
    at: datetime
    evidence: str = ""
    order: int = 0
    looked_at: bool = True
    """Whether a person has looked at it."""
    observation: str = ""
    improvement: str = ""
    item: int = 0
    """The row behind it, for the receipt."""


def choose_notes(candidates: list[NoteCandidate], settings: Settings) -> Choice[NoteCandidate]:
    """Open, grounded notes of a severity that is read; most severe first, ties newest first, a few at most."""
    kept = in_order(candidates, settings)
    limit = settings.notes_in_briefing
    over = f"more than {limit} notes; the most severe and newest go first"
    taken = tuple(Taken(note, f"open, {note.evidence or 'quote found'}, {note.severity}") for note in kept[:limit])
    left = [Left(note, why) for note in candidates if (why := _why_not(note, settings)) is not None]
    return Choice(taken, (*left, *(Left(note, over, near=True) for note in kept[limit:])))


def in_order(candidates: Iterable[NoteCandidate], settings: Settings) -> list[NoteCandidate]:
    """The notes that may be read, however many they are; most severe first, ties newest first."""
    kept = [note for note in candidates if _why_not(note, settings) is None]
    kept.sort(key=lambda note: (-note.severity.rank, note.at, note.order), reverse=True)
    return kept


def _why_not(note: NoteCandidate, settings: Settings) -> str | None:
    if note.status != Status.OPEN:
        return note.status
    if not note.grounded:
        return note.evidence or "its quote was not found"
    if note.severity.rank > settings.notes_read_from.rank:
        return f"{note.severity}, below {settings.notes_read_from}"
    unseen = settings.grounded_notes is GroundedNotes.LOOKED_AT and not note.looked_at
    return "nobody has looked at it yet" if unseen else None
