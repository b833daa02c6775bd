"""The tables. Rows only store: drafts were validated at the door, and CHECKs and foreign keys hold what must be true.

An ``Item`` is one *version* of a note, lesson or procedure: versions of the same thing share ``kind`` and ``number``,
and each has a status of its own, so that an approved version can be read while its successor waits.
"""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, BigInteger, Boolean, CheckConstraint, Column, Index, Integer, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from core.store.columns import chosen, hold_checks, listed, points_to, share, when
from core.vocabulary import (
    Action,
    Cause,
    Dimension,
    Form,
    Kind,
    Outcome,
    ProcedureKind,
    Role,
    Scope,
    Severity,
    Source,
    Status,
    Verdict,
)

QUEUE_CONDITION = "queued_at IS NOT NULL AND status <> 'open'"
"""What waits on the Review page. Queries name it in these very words, so that the index of just these rows serves."""

WAITS_CONDITION = "queued_at IS NOT NULL"
"""What waits on any page: the same, and critical notes that are open."""

ASIDE_CONDITION = "queued_at IS NOT NULL AND cause IS NOT NULL"
"""What a rule, or a person, put aside and waits."""

BLIND_CONDITION = "queued_at IS NOT NULL AND blind"
"""What waits for two people who decide blind."""

NOTES_CONDITION = "queued_at IS NOT NULL AND kind = 'note'"
"""The notes that wait on any page."""


class Agent(SQLModel, table=True):
    """The record of an agent."""

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True, max_length=120)
    base_prompt: str = ""
    policies: list[str] = Field(default_factory=list, sa_column=listed("policies"))
    evaluator_threshold: Decimal | None = Field(default=None, sa_column=share("evaluator_threshold", nullable=True))
    owner: str = ""
    updated_at: datetime = Field(sa_column=when("updated_at"))


class TaskClass(SQLModel, table=True):
    """A kind of task that an agent does, and whether it comes back."""

    __tablename__ = "task_class"
    __table_args__ = (UniqueConstraint("agent_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    agent_id: int = Field(sa_column=points_to("agent_id", "agent.id"))
    name: str = Field(max_length=120)
    recurs: bool = True
    trials: int = Field(default=0, sa_column=Column("trials", Integer, nullable=False, server_default="0"))
    """Sessions of this class that have come in; reflections live by this count, never by the clock."""


class UserFact(SQLModel, table=True):
    """What is known of one user of an agent, with its source."""

    __tablename__ = "user_fact"
    __table_args__ = (UniqueConstraint("agent_id", "user", "text"),)

    id: int | None = Field(default=None, primary_key=True)
    agent_id: int = Field(sa_column=points_to("agent_id", "agent.id"))
    user: str = Field(max_length=200)
    text: str
    source: str
    at: datetime = Field(sa_column=when("at"))


class Import(SQLModel, table=True):
    """One file that was brought in."""

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_column=when("at"))
    file_name: str
    format: str
    sha256: str = Field(max_length=64, index=True)
    report: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class AgentSession(SQLModel, table=True):
    """One finished run of an agent. ``ref`` is how people name it; ``place`` is its position in the import."""

    __tablename__ = "agent_session"
    __table_args__ = (
        UniqueConstraint("agent_id", "external_id"),
        Index("ix_agent_session_order", "started_at", "place", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    ref: str = Field(unique=True, max_length=80)
    external_id: str = Field(max_length=200)
    nameless: bool = False
    """Whether the file had no id for it, so that ``external_id`` is the hash of its words."""
    agent_id: int = Field(sa_column=points_to("agent_id", "agent.id"))
    import_id: int = Field(sa_column=points_to("import_id", "import.id"))
    user: str | None = Field(default=None, max_length=200, index=True)
    task_class: str = Field(max_length=120)
    trial: int = Field(default=0, sa_column=Column("trial", Integer, nullable=False, server_default="0"))
    """The how manieth trial of its task class it was, in the order in which they came in, from 1."""
    task: str = ""
    started_at: datetime = Field(sa_column=when("started_at"))
    place: int = 0
    turns: int = 0
    sha256: str = Field(max_length=64)
    external_failure: str | None = None
    remarks: list[str] = Field(default_factory=list, sa_column=listed("remarks"))
    debriefed_sha256: str | None = Field(default=None, max_length=64)


class SessionMessage(SQLModel, table=True):
    """One turn of an agent session, verbatim."""

    __tablename__ = "message"

    session_id: int = Field(sa_column=points_to("session_id", "agent_session.id", primary_key=True))
    turn: int = Field(primary_key=True)
    role: str = Field(sa_column=chosen("role", Role))
    name: str | None = None
    content: str = ""
    tool_calls: list[Any] = Field(default_factory=list, sa_column=listed("tool_calls"))
    tool_call_id: str | None = None
    time: datetime | None = Field(default=None, sa_column=when("time", nullable=True))
    failed: bool = False


class Correction(SQLModel, table=True):
    """Other words were put in the place of a known transcript's; ``turn`` is the first that differs, from 0.

    ``followed`` and ``lost`` count the quotes whose words stand elsewhere now, and those that stand no longer.
    """

    id: int | None = Field(default=None, primary_key=True)
    session_id: int = Field(sa_column=points_to("session_id", "agent_session.id"))
    import_id: int = Field(sa_column=points_to("import_id", "import.id"))
    at: datetime = Field(sa_column=when("at"))
    by: str = Field(max_length=120)
    turn: int
    before_sha256: str = Field(max_length=64)
    after_sha256: str = Field(max_length=64)
    followed: int = 0
    lost: int = 0


class Feedback(SQLModel, table=True):
    """A signal about a session from a source of known reliability."""

    __table_args__ = (UniqueConstraint("session_id", "source", "text"),)

    id: int | None = Field(default=None, primary_key=True)
    session_id: int = Field(sa_column=points_to("session_id", "agent_session.id"))
    source: str = Field(sa_column=chosen("source", Source))
    good: bool
    score: Decimal | None = Field(default=None, sa_column=share("score", nullable=True))
    text: str
    by: str
    at: datetime = Field(sa_column=when("at"))


class Item(SQLModel, table=True):
    """One version of a note, lesson or procedure, and where it stands.

    ``weight`` is the severity's rank (0 is critical), kept for the order of queues. ``fault`` is the merge key of what
    checks found. ``revision`` grows by one with every change of status; a decision names the revision that was seen.
    """

    __table_args__ = (
        UniqueConstraint("kind", "number", "version"),
        CheckConstraint("version >= 1 AND revision >= 1 AND weight BETWEEN 0 AND 4", name="counts"),
        Index(
            "ix_item_queue",
            "rank",
            "id",
            sqlite_where=text(QUEUE_CONDITION),
            postgresql_where=text(QUEUE_CONDITION),
        ),
        Index(
            "ix_item_overdue",
            "weight",
            "queued_at",
            sqlite_where=text(WAITS_CONDITION),
            postgresql_where=text(WAITS_CONDITION),
        ),
        Index(
            "ix_item_assignee",
            "assignee",
            "rank",
            "id",
            sqlite_where=text(WAITS_CONDITION),
            postgresql_where=text(WAITS_CONDITION),
        ),
        Index(
            "ix_item_notes",
            "weight",
            "rank",
            "queued_at",
            sqlite_where=text(NOTES_CONDITION),
            postgresql_where=text(NOTES_CONDITION),
        ),
        Index(
            "ix_item_aside",
            "cause",
            "id",
            sqlite_where=text(ASIDE_CONDITION),
            postgresql_where=text(ASIDE_CONDITION),
        ),
        Index(
            "ix_item_blind",
            "rank",
            "id",
            sqlite_where=text(BLIND_CONDITION),
            postgresql_where=text(BLIND_CONDITION),
        ),
        Index(
            "ix_item_one_active",
            "kind",
            "number",
            unique=True,
            sqlite_where=text("status = 'active'"),
            postgresql_where=text("status = 'active'"),
        ),
        Index("ix_item_briefing", "agent_id", "kind", "status"),
        Index("ix_item_fault", "agent_id", "kind", "fault", "task_class"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(sa_column=chosen("kind", Kind))
    number: int
    version: int = 1
    revision: int = 1
    status: str = Field(sa_column=chosen("status", Status))
    severity: str = Field(sa_column=chosen("severity", Severity))
    weight: int
    headline: str
    agent_id: int = Field(sa_column=points_to("agent_id", "agent.id"))
    user: str | None = Field(default=None, max_length=200)
    task_class: str = Field(max_length=120)
    session_id: int | None = Field(default=None, sa_column=points_to("session_id", "agent_session.id", nullable=True))
    fault: str = Field(default="", max_length=200)
    origin: str
    proposer: str
    owner: str | None = None
    content_hash: str = Field(max_length=64)
    settings: str = Field(max_length=12)
    quotes: int = 0
    not_found: int = 0
    sessions: int = 0
    returns: int = 0
    """How often the same text or fault came again after this version had left the queue."""
    created_at: datetime = Field(sa_column=when("created_at"))
    active_at: datetime | None = Field(default=None, sa_column=when("active_at", nullable=True))
    queued_at: datetime | None = Field(default=None, sa_column=when("queued_at", nullable=True))
    """Since when it waits for somebody; None while it does not."""
    rank: int = Field(default=0, sa_column=Column("rank", BigInteger, nullable=False, server_default="0"))
    """Its place in the queue, smallest first (``core.governance.queueing``), while it waits."""
    cause: str | None = Field(default=None, sa_column=chosen("cause", Cause, nullable=True))
    """Why it is suspended or held, where it is."""
    assignee: str | None = Field(default=None, max_length=120)
    """Who is to decide about it; None where anybody may."""
    blind: bool = Field(default=False, sa_column=Column("blind", Boolean, nullable=False, server_default="0"))
    """Whether two people decide about it, neither of whom sees what the other said."""


class NoteBody(SQLModel, table=True):
    """What a note says."""

    __tablename__ = "note"

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    dimension: str = Field(sa_column=chosen("dimension", Dimension))
    about: str = Field(sa_column=chosen("about", Role))
    observation: str
    improvement: str


class LessonBody(SQLModel, table=True):
    """What a lesson says. ``folded`` is the text after case and white space are folded, for exact twins.

    ``from_trial`` counts the trials of its task class before it was activated; None for what was never in force.
    """

    __tablename__ = "lesson"

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    form: str = Field(sa_column=chosen("form", Form))
    scope: str = Field(sa_column=chosen("scope", Scope))
    text: str
    folded: str = Field(index=True)
    tags: list[str] = Field(default_factory=list, sa_column=listed("tags"))
    from_trial: int | None = None


class ProcedureBody(SQLModel, table=True):
    """What a procedure says. ``confidence`` is where it starts, never where it stands: that follows from outcomes."""

    __tablename__ = "procedure"

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    title: str
    trigger: str
    instruction: str
    kind: str = Field(sa_column=chosen("kind", ProcedureKind))
    confidence: Decimal = Field(sa_column=share("confidence"))


class Evidence(SQLModel, table=True):
    """Quoted words of a session, and what became of them when they were looked for.

    ``grounding`` holds spans, gaps and reasons as JSON, ``anchors`` the words of each span with their context;
    ``sha256`` is the transcript that they were found in.
    """

    __table_args__ = (UniqueConstraint("item_id", "session_id", "quote"), Index("ix_evidence_item", "item_id", "id"))

    id: int | None = Field(default=None, primary_key=True)
    item_id: int = Field(sa_column=points_to("item_id", "item.id"))
    session_id: int = Field(sa_column=points_to("session_id", "agent_session.id"))
    quote: str
    speaker: str = Field(sa_column=chosen("speaker", Role))
    turn: int | None = None
    verdict: str = Field(sa_column=chosen("verdict", Verdict))
    grounding: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    anchors: list[Any] = Field(default_factory=list, sa_column=listed("anchors"))
    stale: str | None = None
    """Why the words no longer stand as they did, after the transcript was corrected; None while they do.

    ``anchors`` then still say what stood there, ``grounding`` what comes nearest now.
    """
    sha256: str = Field(max_length=64)


class Screening(SQLModel, table=True):
    """What the screens remarked about one version before it was stored: findings, and the version of every screen."""

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    at: datetime = Field(sa_column=when("at"))
    source: str = Field(sa_column=chosen("source", Source))
    follows: str = Field(max_length=20)
    findings: list[Any] = Field(default_factory=list, sa_column=listed("findings"))
    versions: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class ReadMark(SQLModel, table=True):
    """A person has looked at an item."""

    __tablename__ = "read_mark"

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    person: str = Field(primary_key=True, max_length=120)
    at: datetime = Field(sa_column=when("at"))
    opened: list[int] = Field(default_factory=list, sa_column=listed("opened", empty=True))
    """The quotes that this person has looked at in their transcript, by id."""


class Person(SQLModel, table=True):
    """Somebody who may decide. ``issuer`` and ``subject`` are who a login says they are, once there is one."""

    __table_args__ = (Index("ix_person_login", "issuer", "subject", unique=True),)

    name: str = Field(primary_key=True, max_length=120)
    duties: list[str] = Field(default_factory=list, sa_column=listed("duties"))
    at: datetime = Field(sa_column=when("at"))
    issuer: str | None = Field(default=None, max_length=300)
    subject: str | None = Field(default=None, max_length=300)


class Decision(SQLModel, table=True):
    """One act of a person, or of a named automatic rule. Rows are only ever added; the database refuses all else.

    ``revision`` is the item's revision after the act; one act makes one revision. ``cause`` points to the decision that
    brought this one about, ``undoes`` to the one that it takes back. ``confidence`` is stated by a reinstatement.
    ``content_hash`` and ``severity`` are the item's after the act, ``screen_hash`` is what whoever decided had on the
    screen. ``toward`` names the act that an endorsement is the first half of, ``placed`` is the hash of
    where the item belongs (``core.governance.references.placed``), ``hash_before`` is the content
    that an edit was made from. ``batch`` names what was decided together; ``looked_ms`` is for how long the item had
    been on the screen, ``opened`` how many of its quotes had been looked at in their transcript.
    """

    __table_args__ = (UniqueConstraint("item_id", "revision"), Index("ix_decision_by", "by", "id"))

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_column=when("at", index=True))
    item_id: int = Field(sa_column=points_to("item_id", "item.id"))
    action: str = Field(sa_column=chosen("action", Action))
    before: str = Field(max_length=40)
    after: str = Field(sa_column=chosen("after", Status))
    revision: int
    by: str = Field(max_length=120)
    rule: str | None = Field(default=None, max_length=120)
    reason: str | None = Field(default=None, max_length=40)
    text: str = ""
    content_hash: str = Field(max_length=64)
    self_approved: bool = Field(default=False, sa_column=Column("self_approved", Boolean, nullable=False))
    confidence: Decimal | None = Field(default=None, sa_column=share("confidence", nullable=True))
    cause: int | None = Field(default=None, sa_column=points_to("cause", "decision.id", nullable=True))
    undoes: int | None = Field(default=None, sa_column=points_to("undoes", "decision.id", nullable=True))
    screen_hash: str | None = Field(default=None, max_length=64)
    severity: str | None = Field(default=None, sa_column=chosen("severity", Severity, nullable=True))
    toward: str | None = Field(default=None, sa_column=chosen("toward", Action, nullable=True))
    hash_before: str | None = Field(default=None, max_length=64)
    placed: str | None = Field(default=None, max_length=64)
    batch: str | None = Field(default=None, max_length=20)
    looked_ms: int | None = None
    opened: int | None = None


class Refusal(SQLModel, table=True):
    """An act that a rule refused, with the reason it gave. Rows are only ever added.

    ``action`` is an act upon an item or, without one, what else was tried, such as ``make a token``.
    """

    __table_args__ = (CheckConstraint("action <> ''", name="action_said"),)

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_column=when("at"))
    item_id: int | None = Field(default=None, sa_column=points_to("item_id", "item.id", nullable=True))
    action: str = Field(max_length=40)
    by: str = Field(max_length=120)
    code: str = Field(max_length=60)
    text: str


class Receipt(SQLModel, table=True):
    """What one agent read at its start."""

    id: str = Field(primary_key=True, max_length=20)
    agent_id: int = Field(sa_column=points_to("agent_id", "agent.id"))
    user: str | None = None
    task_class: str | None = None
    task: str = ""
    at: datetime = Field(sa_column=when("at", index=True))
    sha256: str = Field(max_length=64)
    settings: str = Field(max_length=12)


class ReceiptItem(SQLModel, table=True):
    """One item, at one version, that stands on a receipt."""

    __tablename__ = "receipt_item"

    receipt_id: str = Field(sa_column=points_to("receipt_id", "receipt.id", primary_key=True))
    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    position: int = Field(sa_column=Column(Integer, nullable=False))


class ReportedOutcome(SQLModel, table=True):
    """How the session that read a receipt went; one a receipt, and one a session."""

    __tablename__ = "outcome"

    receipt_id: str = Field(sa_column=points_to("receipt_id", "receipt.id", primary_key=True))
    session_id: int | None = Field(default=None, sa_column=points_to("session_id", "agent_session.id", nullable=True))
    result: str = Field(sa_column=chosen("result", Outcome))
    source: str
    at: datetime = Field(sa_column=when("at"))
    started_at: datetime = Field(sa_column=when("started_at"))
    place: int = 0


hold_checks(SQLModel.metadata)
