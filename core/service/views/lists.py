"""Lists that are shown page by page: what is asked of them, and their rows."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from core.vocabulary import (
    Dimension,
    Kind,
    Scope,
)

Row = TypeVar("Row")


class Whose(StrEnum):
    """Whose turn it is: of the person who looks, or of nobody in particular."""

    MINE = "mine"
    NOBODYS = "nobody's"


@dataclass(frozen=True)
class Narrowed:
    """What the Review queue is narrowed to; None narrows nothing. ``evidence`` is a verdict in words.

    ``status`` is one that waits, or ``rejected`` for what was rejected.
    """

    kind: str | None = None
    agent: str | None = None
    evidence: str | None = None
    status: str | None = None
    whose: Whose | None = None
    overdue: bool = False
    unread: bool = False


@dataclass(frozen=True)
class QueueRow:
    """One line of the Review queue. ``headline`` is the text; ``evidence`` says what became of its quotes.

    ``severity``, ``scope``, ``sessions`` and ``queued_at`` are why it stands where it stands.
    """

    id: int
    ref: str
    version: int
    kind: Kind
    status: str
    severity: str
    headline: str
    agent: str
    task_class: str
    quotes: int
    evidence: str
    unread: bool
    created_at: datetime
    with_whom: str | None = None
    """Who has it before them; None while it is free."""
    queued_at: datetime | None = None
    due_at: datetime | None = None
    """From when on it is overdue."""
    assignee: str | None = None
    owner: str | None = None
    """Who answers for it, where somebody does already."""
    scope: Scope = Scope.TASK_CLASS
    sessions: int = 0


@dataclass(frozen=True)
class Page(Generic[Row]):
    """One page of a list: its rows, the number of all rows, and which page it is, from 1."""

    rows: tuple[Row, ...]
    total: int
    number: int
    size: int

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return pages_of(self.total, self.size)


def pages_of(total: int, size: int) -> int:
    """How many pages so many rows fill, at least one."""
    return max(1, -(-total // size))


def page_within(wanted: int, total: int, size: int) -> int:
    """The page that is asked for, or the nearest one that there is."""
    return min(max(wanted, 1), pages_of(total, size))


@dataclass(frozen=True)
class NotesAsked:
    """Which notes: ``state`` is ``open`` (and held), ``closed`` or ``all``, ``evidence`` a verdict in words."""

    severity: str | None = None
    state: str = "open"
    agent: str | None = None
    evidence: str | None = None


@dataclass(frozen=True)
class NoteRow:
    """One line of the list of notes."""

    id: int
    ref: str
    status: str
    severity: str
    dimension: Dimension
    when: datetime
    agent: str
    user: str | None
    observation: str
    session: int
    session_ref: str
    evidence: str
    closed_by: str | None
    case: str = ""
    """What it has to do with other notes of the same breach, in words; empty for one that stands alone."""
    state: str = ""
    """Its status in words: ``open again`` where a breach that returned opened it."""


@dataclass(frozen=True)
class HistoryRow:
    """One thing that happened to an item."""

    at: datetime
    who: str
    what: str
    detail: str = ""


@dataclass(frozen=True)
class LogRow:
    """One link of the log with what it names: a decision, a refusal, or a change of rights or settings.

    ``item_id`` is 0 and ``version`` 0 where it is about no item; ``about`` then says what it is about. ``reason`` is
    the code's words and what was written, ``code`` and ``text`` the two apart. ``masked`` says that this link records
    that secrets were taken out of its row, ``sealed`` that nobody may read yet what it says.
    """

    seq: int
    at: datetime
    logged: str
    row_id: int
    who: str
    action: str
    ref: str = ""
    version: int = 0
    item_id: int = 0
    about: str = ""
    rule: str | None = None
    self_approved: bool = False
    before: str = ""
    after: str = ""
    code: str = ""
    text: str = ""
    reason: str = ""
    screen_hash: str = ""
    content_hash: str = ""
    link: str = ""
    masked: bool = False
    batch: str = ""
    """The name of what it was decided together with; empty for a decision of its own."""
    sealed: bool = False
    second: str = ""
    """Who agreed, where two people did it; empty where one did."""


@dataclass(frozen=True)
class LastDecision:
    """What the desk did last for this person, and whether it can still be undone."""

    id: int
    ref: str
    text: str
    at: datetime
    can_undo: bool
