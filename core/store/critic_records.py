"""The tables of the critic: what it was asked, what it replied, what that cost, and what was written from it.

A ``CriticRun`` is one debrief of one session by the model; its ``CriticCall`` rows are the requests. Money is in whole
millionths of the currency of the prices that the settings name.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, text
from sqlmodel import Field, SQLModel

from core.store.columns import chosen, hold_checks, listed, points_to, when
from core.vocabulary import CallState, RunState, Support, Writer

UNDER_WAY = "state IN ('queued', 'running')"
"""The runs that are not over. Queries name it in these very words, so that the index of just these rows serves."""


def _mapping(name: str) -> "Column[Any]":
    return Column(name, JSON, nullable=False)


def _money(name: str) -> "Column[Any]":
    return Column(name, BigInteger, nullable=True)


class CriticPrompt(SQLModel, table=True):
    """A prompt as it was sent, under the SHA-256 of its text, so that it can be read when its file has changed."""

    __tablename__ = "critic_prompt"

    sha256: str = Field(primary_key=True, max_length=64)
    writer: str = Field(sa_column=chosen("writer", Writer))
    text: str
    at: datetime = Field(sa_column=when("at"))


class CriticSettingsVersion(SQLModel, table=True):
    """The critic's settings as somebody saved them, of the desk or of one agent. Rows are only ever added."""

    __tablename__ = "critic_settings"

    id: int | None = Field(default=None, primary_key=True)
    agent_id: int | None = Field(default=None, sa_column=points_to("agent_id", "agent.id", nullable=True))
    chosen: dict[str, Any] = Field(default_factory=dict, sa_column=_mapping("chosen"))
    by: str = Field(max_length=120)
    reason: str = ""
    at: datetime = Field(sa_column=when("at"))


class CriticRun(SQLModel, table=True):
    """One debrief of one session.

    ``recipe`` is the SHA-256 of everything but the material: prompts, model, address, parameters and writers.
    ``attempt`` grows with each "try again"; ``answered_from`` names the run whose replies were used again.
    """

    __tablename__ = "critic_run"
    __table_args__ = (
        Index(
            "ix_critic_run_under_way",
            "session_id",
            "transcript_sha256",
            "recipe",
            unique=True,
            sqlite_where=text(UNDER_WAY),
            postgresql_where=text(UNDER_WAY),
        ),
        Index("ix_critic_run_state", "state", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    session_id: int = Field(sa_column=points_to("session_id", "agent_session.id"))
    transcript_sha256: str = Field(max_length=64)
    recipe: str = Field(max_length=64)
    settings: dict[str, Any] = Field(default_factory=dict, sa_column=_mapping("settings"))
    """The critic's settings as they were when it was queued, without any key."""
    server: str
    """The address that is asked, without what is secret in it."""
    state: str = Field(sa_column=chosen("state", RunState))
    reason: str | None = Field(default=None, max_length=60)
    """A code: the status of a request, the code of an error, ``spending_cap``, ``nothing_suspicious``."""
    detail: str = ""
    attempt: int = 1
    by: str = Field(max_length=120)
    queued_at: datetime = Field(sa_column=when("queued_at"))
    started_at: datetime | None = Field(default=None, sa_column=when("started_at", nullable=True))
    ended_at: datetime | None = Field(default=None, sa_column=when("ended_at", nullable=True))
    answered_from: int | None = Field(
        default=None, sa_column=points_to("answered_from", "critic_run.id", nullable=True)
    )
    addressed: list[Any] = Field(default_factory=list, sa_column=listed("addressed"))
    """Passages of the session that speak to whoever reviews it: turn, start, end, why."""
    covered: list[Any] = Field(default_factory=list, sa_column=listed("covered"))
    """Turns that were read, from 1, as first, last and whether whole."""
    remarks: list[Any] = Field(default_factory=list, sa_column=listed("remarks"))


class CriticCall(SQLModel, table=True):
    """One request to the model, and what became of it.

    ``key`` is the SHA-256 of address, model, parameters and messages: the same key has the same answer. ``reserved``
    is the most that it may cost, counted against the spending cap until ``cost`` is known.
    """

    __tablename__ = "critic_call"
    __table_args__ = (Index("ix_critic_call_key", "key", "state"), Index("ix_critic_call_run", "run_id", "place"))

    id: int | None = Field(default=None, primary_key=True)
    run_id: int | None = Field(default=None, sa_column=points_to("run_id", "critic_run.id", nullable=True))
    consolidation_id: int | None = Field(
        default=None, sa_column=points_to("consolidation_id", "consolidation.id", nullable=True)
    )
    """What it is part of where no session is debriefed: beliefs drawn from episodes, or a buffer made smaller."""
    attempt: int = 1
    """The attempt of its run in which it was planned."""
    place: int = 0
    writer: str = Field(sa_column=chosen("writer", Writer))
    about: str = Field(default="", max_length=200)
    """What it is asked about beside the session: the item of an opinion, the feedback of a lesson."""
    after: int | None = Field(default=None, sa_column=points_to("after", "critic_call.id", nullable=True))
    """The call whose reply was not good enough, so that this one asks once more."""
    first_turn: int = 0
    """The first turn that was sent, from 1; 0 where no turns are."""
    last_turn: int = 0
    cut_to: int | None = None
    """Characters sent of the beginning, and of the end, of a turn too long for the model; None for whole turns."""
    key: str = Field(max_length=64)
    prompt_sha256: str = Field(sa_column=points_to("prompt_sha256", "critic_prompt.sha256"))
    messages: list[Any] = Field(default_factory=list, sa_column=listed("messages"))
    """The messages after the prompt, as they were sent."""
    parameters: dict[str, Any] = Field(default_factory=dict, sa_column=_mapping("parameters"))
    state: str = Field(sa_column=chosen("state", CallState))
    status: str = Field(default="", max_length=60)
    detail: str = ""
    model: str = ""
    sent: dict[str, Any] = Field(default_factory=dict, sa_column=_mapping("sent"))
    reply: str = ""
    tokens_estimated: int = 0
    tokens_reserved: int = 0
    """Tokens that the prompt has at most."""
    tokens_prompt: int | None = None
    tokens_cached: int | None = None
    tokens_completion: int | None = None
    tokens_reasoning: int | None = None
    reserved: int | None = Field(default=None, sa_column=_money("reserved"))
    cost: int | None = Field(default=None, sa_column=_money("cost"))
    seconds: float | None = None
    request_id: str | None = None
    attempts: list[Any] = Field(default_factory=list, sa_column=listed("attempts"))
    read: dict[str, Any] = Field(default_factory=dict, sa_column=_mapping("read"))
    """What was made of the reply: drafts, what was unreadable or cut, and what a gate refused."""
    asked_at: datetime | None = Field(default=None, sa_column=when("asked_at", nullable=True, index=True))
    answered_at: datetime | None = Field(default=None, sa_column=when("answered_at", nullable=True))
    answered_from: int | None = Field(
        default=None, sa_column=points_to("answered_from", "critic_call.id", nullable=True)
    )


class Written(SQLModel, table=True):
    """An item was written, or found again, in the reply of a call; ``place`` is its place there, from 1."""

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    call_id: int = Field(sa_column=points_to("call_id", "critic_call.id", primary_key=True))
    place: int = 1


class Opinion(SQLModel, table=True):
    """What a second request says of a quote and an observation, without having seen the first answer."""

    __table_args__ = (Index("ix_opinion_item_evidence", "item_id", "evidence_id"),)

    id: int | None = Field(default=None, primary_key=True)
    item_id: int = Field(sa_column=points_to("item_id", "item.id"))
    evidence_id: int = Field(sa_column=points_to("evidence_id", "evidence.id"))
    call_id: int = Field(sa_column=points_to("call_id", "critic_call.id"))
    supports: str = Field(sa_column=chosen("supports", Support))
    why: str = ""
    model: str = ""
    at: datetime = Field(sa_column=when("at"))


hold_checks(SQLModel.metadata)
