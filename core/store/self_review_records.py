"""The tables of self-reviews inside a task: each round of a draft, and what a person answered when none was good.

Source: Using Feedback and Reflection in Agent Workflows, "Limit Self-Revision".
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Boolean, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from core.store.columns import chosen, hold_checks, listed, points_to, when
from core.vocabulary import ReviewState


class SelfReview(SQLModel, table=True):
    """One task in which an agent has its draft reviewed. ``id`` is how agent and people name it."""

    __tablename__ = "self_review"
    __table_args__ = (Index("ix_self_review_state", "state", "at"),)

    id: str = Field(primary_key=True, max_length=20)
    agent_id: int = Field(sa_column=points_to("agent_id", "agent.id"))
    user: str | None = Field(default=None, max_length=200)
    task_class: str | None = Field(default=None, max_length=120)
    task: str
    material: dict[str, Any] = Field(default_factory=dict, sa_column=Column("material", JSON, nullable=False))
    """What came along: tool results, and what was said before."""
    state: str = Field(sa_column=chosen("state", ReviewState))
    at: datetime = Field(sa_column=when("at"))
    escalated_at: datetime | None = Field(default=None, sa_column=when("escalated_at", nullable=True))
    answer: str | None = None
    answered_by: str | None = Field(default=None, max_length=120)
    answered_at: datetime | None = Field(default=None, sa_column=when("answered_at", nullable=True))


class SelfReviewRound(SQLModel, table=True):
    """One draft and what was found: ``number`` is 0 for the first draft, then the number of the revision."""

    __tablename__ = "self_review_round"
    __table_args__ = (UniqueConstraint("review_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    review_id: str = Field(sa_column=points_to("review_id", "self_review.id"))
    number: int
    draft: str
    ok: bool = Field(sa_column=Column("ok", Boolean, nullable=False))
    problems: list[Any] = Field(default_factory=list, sa_column=listed("problems"))
    """Each with its text and whether a check or the model found it."""
    fix: str = ""
    call_id: int | None = Field(default=None, sa_column=points_to("call_id", "critic_call.id", nullable=True))
    unreviewed: str | None = None
    """Why the model was not asked, or gave no answer that could be read; None where it was."""
    at: datetime = Field(sa_column=when("at"))


hold_checks(SQLModel.metadata)
