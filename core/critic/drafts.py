"""What a model's reply says, as plain values: nothing of it is grounded, screened or stored yet.

Critic. Words of a quote are those of the reply, to the character. What could not be read is a remark beside the draft,
or a reason why it must be held; what could not be read at all is an ``Unreadable`` with its reason.
"""

from decimal import Decimal
from typing import Annotated, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from core.vocabulary import Dimension, ProcedureKind, Severity


def _whole(text: str) -> str:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("it holds half a character")
    return text


Words = Annotated[str, AfterValidator(_whole)]
"""Text that can be stored: no half of a surrogate pair."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Quote(_Frozen):
    """Words that the model says stand in the transcript, and who it says spoke them, in which turn, counted from 1."""

    words: Words
    speaker: Words | None = None
    turn: int | None = None


class NoteDraft(_Frozen):
    """One observation about a session. Source: Self-reflection memory."""

    dimension: Dimension | None
    severity: Severity | None
    observation: Words
    improvement: Words
    """Empty where the reply gives none."""

    evidence: tuple[Quote, ...]
    held: tuple[Words, ...] = ()
    """Why a person must look at it before it counts: ``unknown_severity:blocker``, ``no_evidence``."""


class LessonDraft(_Frozen):
    """One general instruction. Source: Using Feedback and Reflection in Agent Workflows."""

    text: Words
    tags: tuple[str, ...]
    evidence: tuple[Quote, ...] = ()
    remarks: tuple[Words, ...] = ()


class ProcedureDraft(_Frozen):
    """A way to act, with the confidence that it starts with. Source: Procedural memory."""

    title: Words
    trigger: Words
    instruction: Words
    kind: ProcedureKind | None
    confidence: Decimal
    evidence: tuple[Quote, ...] = ()
    remarks: tuple[Words, ...] = ()


class EpisodeDraft(_Frozen):
    """One unit of experience. ``importance`` is in hundredths from 0 to 1, None where the reply gives none such."""

    text: Words
    importance: Decimal | None
    evidence: tuple[Quote, ...] = ()
    remarks: tuple[Words, ...] = ()


AnyDraft = TypeVar("AnyDraft", bound=BaseModel)


class Unreadable(_Frozen):
    """A part of a reply that is no draft: which one, counted from 1 (0 for the reply as a whole), and why."""

    place: int
    why: str


class Drafts(_Frozen, Generic[AnyDraft]):
    """The drafts of one reply.

    A reply in which no JSON of the right form stands has an ``error``; that is something else than one that finds
    nothing.
    """

    drafts: tuple[AnyDraft, ...] = ()
    held: tuple[AnyDraft, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    """The first parts that cannot be read, and how many more there are."""

    cut: int = Field(0, ge=0)
    """Drafts beyond those that a reply may have."""

    repaired: bool = False
    """Whether the JSON had faults that were forgiven, or was broken in a part."""

    error: str | None = None

    @property
    def finds_nothing(self) -> bool:
        """Whether the reply says that there is nothing: read to its end, and empty."""
        return not (self.drafts or self.held or self.unreadable or self.cut or self.error)
