"""The tables of what is remembered beyond one session: words of lessons, episodes, beliefs, and what draws them.

Episodes and beliefs share one address space: a belief stands among the episodes under an id of its own, so that others
may rest on it. Source: Reflection: From Experiences to Beliefs, "Persist as a memory".
"""

from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, Column, Index, Integer, text
from sqlmodel import Field, SQLModel

from core.store.columns import chosen, hold_checks, listed, points_to, share, when
from core.vocabulary import EpisodeAct, EpisodeSource, Memory, RunState

UNDER_WAY = "state IN ('queued', 'running')"
"""The consolidations that are not over. Queries name it in these very words, so that the index serves."""


class LessonWord(SQLModel, table=True):
    """A word by which one instruction in force is found: of its text or its tags. Rows stand while it is active.

    ``place`` says for whom it holds: ``agent``, ``class <name>`` or ``user <name>``. Of those that share as many words
    the smaller ``standing`` goes first: the more reliable source, then the newer. Source: Using Feedback and Reflection
    in Agent Workflows, "A Simple Lesson Memory".
    """

    __tablename__ = "lesson_word"
    __table_args__ = (Index("ix_lesson_word_found", "agent_id", "word", "place", "item_id", "standing"),)

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    word: str = Field(primary_key=True, max_length=600)
    agent_id: int = Field(sa_column=points_to("agent_id", "agent.id"))
    place: str = Field(max_length=220)
    standing: int = Field(sa_column=Column("standing", BigInteger, nullable=False))


class Episode(SQLModel, table=True):
    """One remembered unit of experience, or a belief among them (``belief_id``, ``depth`` from 1).

    ``true_from`` is when it happened, ``at`` since when it is known; ``withdrawn_at`` until when it was. ``held`` says
    why a person must look before anything rests on it, ``withdrawn`` why nothing may any more.
    """

    __table_args__ = (
        CheckConstraint("depth >= 0", name="depth_counts"),
        Index("ix_episode_of_user", "agent_id", "user", "true_from"),
    )

    id: int | None = Field(default=None, primary_key=True)
    agent_id: int = Field(sa_column=points_to("agent_id", "agent.id"))
    user: str | None = Field(default=None, max_length=200)
    source: str = Field(default=EpisodeSource.CRITIC, sa_column=chosen("source", EpisodeSource))
    session_id: int | None = Field(default=None, sa_column=points_to("session_id", "agent_session.id", nullable=True))
    call_id: int | None = Field(default=None, sa_column=points_to("call_id", "critic_call.id", nullable=True))
    note_id: int | None = Field(default=None, sa_column=points_to("note_id", "item.id", nullable=True))
    belief_id: int | None = Field(default=None, sa_column=points_to("belief_id", "item.id", nullable=True))
    external_id: str | None = Field(default=None, max_length=200)
    """Its id where it was brought in from."""
    depth: int = Field(default=0, sa_column=Column("depth", Integer, nullable=False, server_default="0"))
    text: str
    importance: Decimal | None = Field(default=None, sa_column=share("importance", nullable=True))
    quotes: list[Any] = Field(default_factory=list, sa_column=listed("quotes"))
    held: str | None = None
    true_from: datetime = Field(sa_column=when("true_from"))
    at: datetime = Field(sa_column=when("at"))
    withdrawn_at: datetime | None = Field(default=None, sa_column=when("withdrawn_at", nullable=True))
    withdrawn: str | None = None


class EpisodeDecision(SQLModel, table=True):
    """A person withdrew, restored or released an episode, and why. Rows are only ever added, and stand in the log."""

    __tablename__ = "episode_decision"

    id: int | None = Field(default=None, primary_key=True)
    episode_id: int = Field(sa_column=points_to("episode_id", "episode.id"))
    action: str = Field(sa_column=chosen("action", EpisodeAct))
    text: str
    by: str = Field(max_length=120)
    at: datetime = Field(sa_column=when("at"))


class BeliefBody(SQLModel, table=True):
    """What a belief says; what it rests on stands in ``citation``. ``question`` is the one that it answers."""

    __tablename__ = "belief"
    __table_args__ = (CheckConstraint("depth >= 1", name="depth_counts"),)

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    text: str
    depth: int = 1
    importance: Decimal = Field(sa_column=share("importance"))
    question: str = ""


class Citation(SQLModel, table=True):
    """A version of a belief rests on an episode, or on another belief by its id among the episodes."""

    item_id: int = Field(sa_column=points_to("item_id", "item.id", primary_key=True))
    episode_id: int = Field(primary_key=True, foreign_key="episode.id", index=True)


class Accumulator(SQLModel, table=True):
    """How much importance has come together for one agent and user since the last consolidation, in hundredths.

    ``user_key`` is the user, or empty for sessions of nobody in particular.
    """

    agent_id: int = Field(sa_column=points_to("agent_id", "agent.id", primary_key=True))
    user_key: str = Field(primary_key=True, max_length=200)
    hundredths: int = 0
    runs: int = 0
    last_run_at: datetime | None = Field(default=None, sa_column=when("last_run_at", nullable=True))


class Consolidation(SQLModel, table=True):
    """One run in the background that draws beliefs from episodes, or makes a buffer of reflections smaller.

    ``user_key`` and ``task_class`` say of what, empty where that does not apply; ``material`` names what it read,
    ``found`` what came of it, with what was dropped and why.
    """

    __table_args__ = (
        Index(
            "ix_consolidation_under_way",
            "memory",
            "agent_id",
            "user_key",
            "task_class",
            unique=True,
            sqlite_where=text(UNDER_WAY),
            postgresql_where=text(UNDER_WAY),
        ),
        Index("ix_consolidation_state", "state", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    memory: str = Field(sa_column=chosen("memory", Memory))
    agent_id: int = Field(sa_column=points_to("agent_id", "agent.id"))
    user_key: str = Field(default="", max_length=200)
    task_class: str = Field(default="", max_length=120)
    settings: dict[str, Any] = Field(default_factory=dict, sa_column=Column("settings", JSON, nullable=False))
    """The critic's settings as they were when it was queued, without any key; empty where no model is asked."""
    server: str = ""
    state: str = Field(sa_column=chosen("state", RunState))
    reason: str | None = Field(default=None, max_length=60)
    detail: str = ""
    attempt: int = 1
    by: str = Field(max_length=120)
    hundredths: int = 0
    """The importance that had come together when it was queued."""
    material: dict[str, Any] = Field(default_factory=dict, sa_column=Column("material", JSON, nullable=False))
    found: dict[str, Any] = Field(default_factory=dict, sa_column=Column("found", JSON, nullable=False))
    queued_at: datetime = Field(sa_column=when("queued_at"))
    started_at: datetime | None = Field(default=None, sa_column=when("started_at", nullable=True))
    ended_at: datetime | None = Field(default=None, sa_column=when("ended_at", nullable=True))


hold_checks(SQLModel.metadata)
