"""One item with all that a decision needs, and what an agent would read."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from core.screening.contract import ScreenFinding
from core.screening.policy_check import PolicyLook
from core.service.blind_views import BlindShown
from core.service.governed import Governed
from core.service.views.briefings import ReadLine
from core.service.views.quotes import Quote, Signal
from core.vocabulary import (
    Dimension,
    Form,
    Kind,
    ProcedureKind,
    Role,
    Scope,
    Status,
    Support,
    Writer,
)


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
    for_the_same: bool
    """Whether it holds for the same tasks, so that the two could be one text."""
    finding: ScreenFinding
    text: str
    owner: str | None
    since: datetime | None


@dataclass(frozen=True)
class CouldLeave:
    """An instruction in force that could make room for another one, and why it would be missed least."""

    id: int
    ref: str
    text: str
    why: str
    owner: str | None
    since: datetime


@dataclass(frozen=True)
class NoRoom:
    """An agent has as many instructions in force as it may; ``leaving`` are all of them, ranked."""

    active: int
    most: int
    leaving: tuple[CouldLeave, ...]

    @property
    def told(self) -> str:
        """``50 of 50 are in force``."""
        return f"{self.active} of {self.most} are in force"


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
class RestsOn:
    """An episode that a belief cites, or another belief (``belief``); ``why_not`` says why it stands no longer."""

    episode: int
    text: str
    at: datetime
    importance: Decimal | None
    session: int | None
    session_ref: str
    belief: str = ""
    belief_id: int | None = None
    why_not: str | None = None


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
    no_room: NoRoom | None = None
    """What could leave, where the agent has as many instructions as it may; None where there is room."""
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
    rests_on: tuple[RestsOn, ...] = ()
    """What a belief was drawn from, oldest first."""
    question: str = ""
    """The question that a belief answers."""
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
        return tuple(one for one in twins if one.status != Status.HELD and one.for_the_same)
