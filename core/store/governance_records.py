"""The tables of governance beside decisions: the chain over the log, rights, tokens, leases, words that are kept.

``LogEntry``, ``RightsChange``, ``DeskSettingsVersion`` and, in ``records``, ``Decision`` and ``Refusal`` are only ever
added to: triggers in the database refuse to change or remove a row.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from core.store.columns import hold_checks, listed, points_to, when


class LogEntry(SQLModel, table=True):
    """One link of the chain: the hash of a logged row, and of the link before. ``seq`` counts from 1 without a gap.

    ``logged`` names the table and ``row_id`` the row; ``row_sha256`` is the hash of its canonical form, ``sha256`` that
    of this link with ``before``, the hash of the link before it.
    """

    __tablename__ = "log_entry"
    __table_args__ = (Index("ix_log_entry_row", "logged", "row_id"),)

    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: datetime = Field(sa_column=when("at", index=True))
    logged: str = Field(max_length=40)
    row_id: int
    row_sha256: str = Field(max_length=64)
    before: str = Field(max_length=64)
    sha256: str = Field(max_length=64)


class RightsChange(SQLModel, table=True):
    """Somebody's duties, their login, or what a token may do, were changed: by whom, from what, to what.

    Rows are only ever added. ``what`` is ``person``, ``login`` or ``token``, ``name`` is whose. It is ``bundle`` where
    evidence was taken along: ``name`` says of what, ``after`` which notes, ``text`` the hash of the file.
    """

    __tablename__ = "rights_change"
    __table_args__ = (Index("ix_rights_change_name", "what", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_column=when("at"))
    by: str = Field(max_length=120)
    what: str = Field(max_length=20)
    name: str = Field(max_length=200)
    before: list[str] = Field(default_factory=list, sa_column=listed("before"))
    after: list[str] = Field(default_factory=list, sa_column=listed("after"))
    text: str = ""


class AgentToken(SQLModel, table=True):
    """What an agent shows at its door. Only the hash is kept; ``hint`` are the last characters, to know it by."""

    __tablename__ = "agent_token"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True, max_length=120)
    agent_id: int = Field(sa_column=points_to("agent_id", "agent.id"))
    verbs: list[str] = Field(default_factory=list, sa_column=listed("verbs"))
    sha256: str = Field(unique=True, max_length=64)
    hint: str = Field(max_length=8)
    by: str = Field(max_length=120)
    at: datetime = Field(sa_column=when("at"))
    expires_at: datetime | None = Field(default=None, sa_column=when("expires_at", nullable=True))
    revoked_at: datetime | None = Field(default=None, sa_column=when("revoked_at", nullable=True))
    used_at: datetime | None = Field(default=None, sa_column=when("used_at", nullable=True))


class SignIn(SQLModel, table=True):
    """Somebody is at the desk in one browser. ``id`` is the hash of what the browser keeps; ``way`` says how they came.

    It ends when they leave, whatever a copy of the cookie says.
    """

    __tablename__ = "sign_in"

    id: str = Field(primary_key=True, max_length=64)
    person: str = Field(max_length=120, index=True)
    way: str = Field(max_length=20)
    at: datetime = Field(sa_column=when("at"))
    ended_at: datetime | None = Field(default=None, sa_column=when("ended_at", nullable=True))


class Lease(SQLModel, table=True):
    """Somebody has an item before them. It ends at ``until``, or soon after ``beat_at`` stands still."""

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    person: str = Field(max_length=120)
    since: datetime = Field(sa_column=when("since"))
    until: datetime = Field(sa_column=when("until"))
    beat_at: datetime = Field(sa_column=when("beat_at"))


class KeptWords(SQLModel, table=True):
    """What a person has typed about an item and not yet sent; it outlives a refresh, a crash and a lost race."""

    __tablename__ = "kept_words"

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    person: str = Field(primary_key=True, max_length=120)
    field: str = Field(primary_key=True, max_length=60)
    text: str
    at: datetime = Field(sa_column=when("at"))


class DeskSettingsVersion(SQLModel, table=True):
    """The desk's own settings as somebody saved them. Rows are only ever added; the newest counts."""

    __tablename__ = "desk_settings"

    id: int | None = Field(default=None, primary_key=True)
    chosen: dict[str, Any] = Field(default_factory=dict, sa_column=Column("chosen", JSON, nullable=False))
    by: str = Field(max_length=120)
    reason: str = ""
    at: datetime = Field(sa_column=when("at"))


class Return(SQLModel, table=True):
    """A text that had been decided was proposed again, itself or a twin of it: what was said, and by whom."""

    __tablename__ = "returned"
    __table_args__ = (UniqueConstraint("item_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    item_id: int = Field(sa_column=points_to("item_id", "item.id"))
    number: int
    at: datetime = Field(sa_column=when("at"))
    proposer: str = Field(max_length=120)
    text: str
    is_twin: bool = False
    session_id: int | None = Field(default=None, sa_column=points_to("session_id", "agent_session.id", nullable=True))


hold_checks(SQLModel.metadata)
