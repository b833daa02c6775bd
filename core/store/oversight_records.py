"""The tables of oversight: policies and numbers as versions, who is to decide what, blind verdicts, cases, visits.

``PolicyVersion``, ``PolicyDraft``, ``PolicyTurnedDown``, ``NumbersVersion``, ``Assignment`` and ``BlindVerdict`` are
only ever added to, and each of their rows stands in the log.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Boolean, CheckConstraint, Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from core.store.columns import chosen, counted, day, hold_checks, listed, points_to, when
from core.vocabulary import Action, DigestWay, PolicyOrigin, Severity


class PolicyVersion(SQLModel, table=True):
    """One version of a policy, from the moment at which it came into force.

    ``by`` made it and ``second`` agreed, where two people did. ``withdrawn`` says
    that from then on there is no such policy. ``sha256`` is that of its content. The newest version of a policy counts.
    """

    __tablename__ = "policy_version"
    __table_args__ = (UniqueConstraint("policy", "version", "withdrawn"),)

    id: int | None = Field(default=None, primary_key=True)
    policy: str = Field(max_length=120)
    version: int = Field(sa_column=counted("version", 1))
    title: str
    owner: str
    date: str = Field(sa_column=day("date"))
    text: str
    words: list[str] = Field(default_factory=list, sa_column=listed("words"))
    severity: str = Field(sa_column=chosen("severity", Severity))
    improvement: str = ""
    trigger: str = ""
    tags: list[str] = Field(default_factory=list, sa_column=listed("tags"))
    sha256: str = Field(max_length=64)
    origin: str = Field(sa_column=chosen("origin", PolicyOrigin))
    withdrawn: bool = Field(default=False, sa_column=Column("withdrawn", Boolean, nullable=False))
    draft_id: int | None = Field(default=None, sa_column=points_to("draft_id", "policy_draft.id", nullable=True))
    by: str = Field(max_length=120)
    second: str | None = Field(default=None, max_length=120)
    reason: str = ""
    at: datetime = Field(sa_column=when("at"))


class PolicyDraft(SQLModel, table=True):
    """A change of a policy that one person asks for; ``base`` is the version that they saw, 0 for a new policy."""

    __tablename__ = "policy_draft"

    id: int | None = Field(default=None, primary_key=True)
    policy: str = Field(max_length=120, index=True)
    base: int = Field(sa_column=counted("base", 0))
    body: dict[str, Any] = Field(default_factory=dict, sa_column=Column("body", JSON, nullable=False))
    by: str = Field(max_length=120)
    reason: str = ""
    at: datetime = Field(sa_column=when("at"))


class PolicyTurnedDown(SQLModel, table=True):
    """A draft of a policy that was turned down, or taken back by whoever had asked for it."""

    __tablename__ = "policy_turned_down"

    id: int | None = Field(default=None, primary_key=True)
    draft_id: int = Field(sa_column=points_to("draft_id", "policy_draft.id"))
    by: str = Field(max_length=120)
    reason: str = ""
    at: datetime = Field(sa_column=when("at"))


class NumbersVersion(SQLModel, table=True):
    """The numbers of the rules (``core.settings.Settings``) as somebody saved them; the newest counts."""

    __tablename__ = "numbers"

    id: int | None = Field(default=None, primary_key=True)
    chosen: dict[str, Any] = Field(default_factory=dict, sa_column=Column("chosen", JSON, nullable=False))
    by: str = Field(max_length=120)
    reason: str = ""
    at: datetime = Field(sa_column=when("at"))


class Assignment(SQLModel, table=True):
    """An item was given to somebody to decide about, or to nobody in particular."""

    id: int | None = Field(default=None, primary_key=True)
    item_id: int = Field(sa_column=points_to("item_id", "item.id"))
    person: str | None = Field(default=None, max_length=120)
    by: str = Field(max_length=120)
    reason: str = ""
    at: datetime = Field(sa_column=when("at"))


class BlindVerdict(SQLModel, table=True):
    """What one of two people said about an item while neither saw what the other said.

    ``action`` is what they said; ``undo`` takes back what the same person had said before, and ``release`` is not a
    verdict but ends the blindness of the item, for the reason in ``text``. ``screen_hash`` is what was on their screen;
    ``looked_ms`` and ``opened`` are as on a decision. ``salt`` is chance: with it, the hash in the chain tells nobody
    what was said while it is sealed.
    """

    __tablename__ = "blind_verdict"

    id: int | None = Field(default=None, primary_key=True)
    item_id: int = Field(sa_column=points_to("item_id", "item.id"))
    revision: int
    action: str = Field(sa_column=chosen("action", Action))
    by: str = Field(max_length=120)
    reason: str | None = Field(default=None, max_length=40)
    text: str = ""
    screen_hash: str = Field(max_length=64)
    looked_ms: int | None = None
    opened: int | None = None
    salt: str = Field(default="", max_length=32)
    at: datetime = Field(sa_column=when("at"))


class Parent(SQLModel, table=True):
    """A version whose words and proof went into another one."""

    __tablename__ = "parent"
    __table_args__ = (CheckConstraint("item_id <> parent_id", name="another"),)

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    parent_id: int = Field(sa_column=points_to("parent_id", "item.id", primary_key=True))


class Recurrence(SQLModel, table=True):
    """A note of a breach that had happened before; ``case_id`` is the first note of it."""

    __tablename__ = "recurrence"
    __table_args__ = (CheckConstraint("item_id <> case_id", name="another"),)

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    case_id: int = Field(sa_column=points_to("case_id", "item.id"))
    at: datetime = Field(sa_column=when("at"))


class Visit(SQLModel, table=True):
    """When somebody was last at the desk, and when their visit before this one ended."""

    __tablename__ = "visit"

    person: str = Field(primary_key=True, max_length=120)
    here_at: datetime = Field(sa_column=when("here_at"))
    before_at: datetime | None = Field(default=None, sa_column=when("before_at", nullable=True))


class Digest(SQLModel, table=True):
    """A digest of what waits, for one day: where it went, what it counted, and what went wrong, if anything did."""

    __tablename__ = "digest"

    day: str = Field(sa_column=day("day", primary_key=True))
    at: datetime = Field(sa_column=when("at"))
    way: str = Field(sa_column=chosen("way", DigestWay))
    counts: dict[str, Any] = Field(default_factory=dict, sa_column=Column("counts", JSON, nullable=False))
    problem: str | None = None


hold_checks(SQLModel.metadata)
