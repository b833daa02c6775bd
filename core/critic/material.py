"""What a request to the critic carries: the session, and what is known beside it.

Critic, before the door to the model. Values only: whoever asks has read them from the store, and nothing here is
trusted or changed.
"""

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from core.transcripts import Transcript
from core.vocabulary import Dimension, Severity, Source


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MaterialPolicy(_Frozen):
    """A policy in the version that was in force."""

    id: str
    title: str
    version: int
    text: str


class AgentRecord(_Frozen):
    """What is known of the agent whose session it is."""

    name: str
    base_prompt: str = Field("", repr=False)
    task_class: str | None = None
    policies: tuple[MaterialPolicy, ...] = ()


class KnownFact(_Frozen):
    """What is known of the user, and from where."""

    text: str = Field(repr=False)
    source: str


class EarlierNote(_Frozen):
    """A note of an earlier session, without its evidence."""

    severity: Severity
    dimension: Dimension
    observation: str = Field(repr=False)


class EarlierSession(_Frozen):
    """An earlier session of the same user. Of ``started_at`` the day is sent."""

    ref: str
    started_at: AwareDatetime
    summary: str = Field("", repr=False)
    notes: tuple[EarlierNote, ...] = ()


class FeedbackSignal(_Frozen):
    """How the session went, as somebody says. ``score`` runs from 0 to 1; ``by`` is a person or the name of a check."""

    source: Source
    good: bool
    score: float | None = Field(None, ge=0, le=1)
    text: str = Field("", repr=False)
    by: str | None = None


class Material(_Frozen):
    """All that a writer may be given of one session; which of it a writer gets is decided in ``writing``."""

    agent: AgentRecord
    transcript: Transcript = Field(repr=False)
    facts: tuple[KnownFact, ...] = ()
    earlier: tuple[EarlierSession, ...] = ()
    """In any order."""

    task: str | None = Field(None, repr=False)
    feedback: tuple[FeedbackSignal, ...] = ()


class ToolResult(_Frozen):
    """What a tool answered during a task."""

    name: str
    text: str = Field(repr=False)
    failed: bool = False


class Draft(_Frozen):
    """An answer that an agent is about to give, with what it must be true to."""

    text: str = Field(repr=False)
    task: str = Field(repr=False)
    tool_results: tuple[ToolResult, ...] = ()
    policies: tuple[MaterialPolicy, ...] = ()
    facts: tuple[KnownFact, ...] = ()
