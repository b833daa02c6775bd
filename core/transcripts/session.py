"""What a reader makes of one record of a file, before anything is stored."""

from dataclasses import dataclass, field
from datetime import datetime

from core.transcripts.message import Transcript
from core.vocabulary import Source


@dataclass(frozen=True)
class FeedbackDraft:
    """A signal about a session.

    ``score`` runs from 0 to 1 where the source gives one; ``good`` is its plain reading.
    """

    source: Source
    good: bool
    text: str
    score: float | None = None


@dataclass(frozen=True)
class FactDraft:
    """What is known of a user, with where it is known from."""

    text: str
    source: str


@dataclass(frozen=True)
class AgentDraft:
    """What a file says of its agent."""

    base_prompt: str = ""
    policies: tuple[str, ...] = ()


@dataclass(frozen=True)
class SessionDraft:
    """One agent session as a file holds it.

    ``external_id`` is the file's own name for it, None where it has none. ``place`` is its line or record, from 1.
    ``external_failure`` says why the run broke outside the agent (network, upstream 5xx); such a session teaches
    nothing.
    ``remarks`` are things a person should know about how the record was read, such as a time without a zone.
    """

    transcript: Transcript
    place: int
    external_id: str | None = None
    agent: str | None = None
    user: str | None = None
    task_class: str | None = None
    task: str | None = None
    started_at: datetime | None = None
    external_failure: str | None = None
    feedback: tuple[FeedbackDraft, ...] = ()
    facts: tuple[FactDraft, ...] = ()
    agent_record: AgentDraft = field(default_factory=AgentDraft)
    remarks: tuple[str, ...] = ()
