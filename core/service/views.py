"""What pages and the command line show, as plain values.

Nothing here is a database row: a page can keep a view as long as it likes. Times are aware and in UTC.
"""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Generic, TypeVar

from core.evidence.contract import Grounding
from core.screening.contract import ScreenFinding
from core.screening.policy_check import PolicyLook
from core.service.blind_views import BlindShown
from core.service.governed import Governed
from core.transcripts.message import Transcript
from core.vocabulary import (
    Dimension,
    Form,
    Kind,
    ProcedureKind,
    Reliability,
    Role,
    Scope,
    Source,
    Status,
    Support,
    Writer,
)

Row = TypeVar("Row")


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
class ReadLine:
    """One line of what an agent reads, and why it is there. ``new`` marks text that would be added."""

    text: str
    why: str
    tokens: int
    item: str | None = None
    new: bool = False
    heading: bool = False


@dataclass(frozen=True)
class Trail:
    """Where an item was written: run, request, place in its reply, prompt and model."""

    run_id: int
    call_id: int
    place: int
    writer: Writer
    prompt_sha256: str
    model: str
    at: datetime | None


@dataclass(frozen=True)
class OpinionView:
    """A second opinion on one quote."""

    evidence_id: int
    supports: Support
    why: str
    model: str
    at: datetime


@dataclass(frozen=True)
class Neighbour:
    """Another item beside the one of a card: nearly the same, or the contrary, with what the screens say of the two.

    ``since`` is when it came into force, None for one that waits.
    """

    id: int
    ref: str
    revision: int
    kind: Kind
    status: str
    contrary: bool
    finding: ScreenFinding
    text: str
    owner: str | None
    since: datetime | None


@dataclass(frozen=True)
class Kin:
    """A version that was merged into another one, or that one."""

    id: int
    ref: str
    status: str


@dataclass(frozen=True)
class PolicyChange:
    """A policy of which another version is in force than the one an item was screened against.

    ``before`` is None, and its text empty, where the item was never screened against this policy.
    """

    policy: str
    title: str
    before: int | None
    after: int
    text_before: str
    text_after: str


@dataclass(frozen=True)
class Card:
    """One item with all that a decision needs. ``why_off`` says why approving is not possible, None when it is."""

    id: int
    ref: str
    version: int
    revision: int
    kind: Kind
    status: str
    severity: str
    gravest: str
    """The severity by which the table reads it: a note of which a version was critical stays a critical one."""
    text: str
    agent: str
    user: str | None
    task_class: str
    created_at: datetime
    proposer: str
    origin: str
    content_hash: str
    screen_hash: str
    """The hash of all that this card shows; a decision sends it along."""
    sessions: int
    quotes: tuple[Quote, ...]
    signals: tuple[Signal, ...]
    warnings: tuple[str, ...]
    reads: tuple[ReadLine, ...]
    findings: tuple[ScreenFinding, ...] = ()
    beside: tuple[Neighbour, ...] = ()
    """What is in force as of now and says nearly the same, or the contrary."""
    twins_waiting: tuple[Neighbour, ...] = ()
    """What says nearly the same, was remarked when the item came, and waits still."""
    parents: tuple[Kin, ...] = ()
    """The versions that were merged into it."""
    merged_into: tuple[Kin, ...] = ()
    why_off: str | None = None
    owner: str | None = None
    form: Form | None = None
    scope: Scope | None = None
    tags: tuple[str, ...] = ()
    title: str = ""
    trigger: str = ""
    procedure_kind: ProcedureKind | None = None
    confidence: Decimal | None = None
    confidence_now: Decimal | None = None
    """Of a procedure that is suspended: what its outcomes have made of it."""
    dimension: Dimension | None = None
    about: Role | None = None
    observation: str = ""
    improvement: str = ""
    trail: tuple[Trail, ...] = ()
    """The requests to the critic in whose replies it was written or found again, oldest first."""
    opinions: tuple[OpinionView, ...] = ()
    """What second requests say of its quotes."""
    was_in_force: bool = False
    """Whether this version was active once, so that one can roll back to it."""
    policy_looks: tuple[PolicyLook, ...] = ()
    """Each policy in force for its agent, with the sentence that may clash."""
    policy_changes: tuple[PolicyChange, ...] = ()
    """What changed since it was screened, where it waits because of that."""
    governed: Governed = field(default_factory=Governed)
    """Who has it, who said yes, its versions, returns and appeal."""
    blind: BlindShown | None = None
    """What is to be seen of an item that two people decide without seeing what the other said."""

    @property
    def contradicts(self) -> tuple[str, ...]:
        """References of what is in force and would have to give way, or be kept with a reason."""
        return tuple(dict.fromkeys(one.ref for one in self.beside if one.contrary))

    @property
    def can_be_merged_into(self) -> tuple[Neighbour, ...]:
        """The twins of its kind, in force or waiting, into which a person may merge it."""
        if self.status != Status.PROPOSED:
            return ()
        twins = (one for one in (*self.beside, *self.twins_waiting) if not one.contrary and one.kind is self.kind)
        return tuple(one for one in twins if one.status != Status.HELD)


@dataclass(frozen=True)
class HistoryRow:
    """One thing that happened to an item."""

    at: datetime
    who: str
    what: str
    detail: str = ""


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
class PathPoint:
    """One point of a confidence path.

    ``value`` is the confidence after the event, None where the procedure was read and no outcome came.
    ``what`` is ``start``, ``success``, ``failure``, ``no outcome`` or ``reinstated``.
    """

    at: datetime
    what: str
    value: Decimal | None
    in_briefing: bool
    session: int | None = None
    session_ref: str = ""


@dataclass(frozen=True)
class Mark:
    """A decision on a procedure, to be drawn beside its path."""

    at: datetime
    text: str


@dataclass(frozen=True)
class ProcedureRow:
    """One procedure with its confidence path, oldest point first."""

    id: int
    ref: str
    version: int
    revision: int
    status: str
    title: str
    trigger: str
    instruction: str
    kind: ProcedureKind
    agent: str
    confidence: Decimal
    in_briefing: bool
    successes: int
    failures: int
    path: tuple[PathPoint, ...]
    marks: tuple[Mark, ...]


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


@dataclass(frozen=True)
class LastDecision:
    """What the desk did last for this person, and whether it can still be undone."""

    id: int
    ref: str
    text: str
    at: datetime
    can_undo: bool


@dataclass(frozen=True)
class BriefingView:
    """Exactly what an agent would read, line by line, and what was left out with the reason.

    ``remarks`` say what is not known any more of an earlier moment.
    """

    messages: tuple[dict[str, str], ...]
    lines: tuple[ReadLine, ...]
    tokens: int
    left_out: tuple[str, ...]
    remarks: tuple[str, ...] = ()
