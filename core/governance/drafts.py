"""What a writer hands in: the content of a note, a lesson or a procedure, validated once, here at the door."""

import hashlib
import json
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails

from core.errors import BadInput
from core.evidence.anchors import Anchor, anchor
from core.evidence.contract import Grounding, Span
from core.screening.contract import Heard, ScreenFinding
from core.screening.secrets import mask
from core.settings_told import setting
from core.transcripts.message import Transcript
from core.vocabulary import Dimension, Form, Kind, ProcedureKind, Role, Scope, Severity, Source, Verdict

BREAKS = re.compile(r"\s+")


def _one_paragraph(text: str) -> str:
    tidy = BREAKS.sub(" ", text).strip()
    if not tidy:
        raise ValueError("the text is empty")
    return tidy


Sentence = Annotated[str, Field(max_length=int(setting("lesson_characters").high or 0)), AfterValidator(_one_paragraph)]
"""A text of one paragraph. How long it may be for a new version is a number of the rules (``too_long``)."""

Share = Annotated[
    Decimal, Field(ge=0, le=1, decimal_places=2), AfterValidator(lambda value: abs(value).quantize(Decimal("0.01")))
]
"""From 0.00 to 1.00, always with two places, so that 0.8 and 0.80 give one hash."""

Tag = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{1,39}$")]


def unstorable(error: ValidationError) -> BadInput:
    """What a person is told about words that cannot be stored: which, why, and what would be possible."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"][:1]) or "content"
    return BadInput(f"The {field} cannot be stored: {_why(first)}. Nothing was changed.")


def _why(error: ErrorDetails) -> str:
    given, limits = error["input"], error.get("ctx", {})
    match error["type"]:
        case "string_too_long":
            return f"it has {len(given):,} characters, {limits['max_length']:,} at most"
        case "too_long":
            return f"there are {limits['actual_length']:,}, {limits['max_length']:,} at most"
        case "string_pattern_mismatch":
            return f"“{given[:60]}” is not 2 to 40 small letters, digits, hyphens and underscores, a letter first"
        case "string_unicode":
            return "it holds half a character"
        case "extra_forbidden":
            return "there is no such part"
    return error["msg"].removeprefix("Value error, ")


class Content(BaseModel):
    """What one version says. Its hash is what an approver approves."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @property
    def hash(self) -> str:
        """SHA-256 of the content, 64 hexadecimal digits."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()

    @property
    def canonical(self) -> str:
        """The content as it is hashed: what it is, and its fields as JSON in ASCII with sorted keys."""
        text = json.dumps(self.model_dump(mode="json"), ensure_ascii=True, sort_keys=True)
        return f"{type(self).__name__}{text}"

    @property
    def headline(self) -> str:
        """The sentence by which a list shows it."""
        raise NotImplementedError

    def too_long(self, most: int) -> str | None:
        """Which text has more than so many characters, in a sentence; None where none has."""
        texts = ((name, value) for name, value in self if isinstance(value, str))
        name, text = max(texts, key=lambda one: len(one[1]))
        if len(text) <= most:
            return None
        return f"The {name} cannot be stored: it has {len(text):,} characters, {most:,} at most."

    @property
    def becomes(self) -> Kind:
        """The kind of item that it becomes."""
        return KINDS[type(self)]

    @property
    def further(self) -> dict[str, str]:
        """Its other texts, by field."""
        raise NotImplementedError

    def with_changes(self, changes: dict[str, Any]) -> Self:
        """The same content with some fields changed, validated again."""
        return type(self).model_validate({**self.model_dump(), **changes})


class NoteContent(Content):
    """One observation about one agent session."""

    dimension: Dimension
    severity: Severity
    about: Role = Role.ASSISTANT
    observation: Sentence
    improvement: Sentence

    @property
    def masked(self) -> Self:
        """The same note without the credentials and numbers that the words of its session held."""
        changes = {"observation": mask(self.observation).text, "improvement": mask(self.improvement).text}
        return self.with_changes(changes)

    @property
    def headline(self) -> str:
        """What was observed."""
        return self.observation

    @property
    def further(self) -> dict[str, str]:
        """What to do next time."""
        return {"improvement": self.improvement}


class LessonContent(Content):
    """One general instruction for future tasks."""

    form: Form = Form.INSTRUCTION
    scope: Scope = Scope.TASK_CLASS
    text: Sentence
    tags: tuple[Tag, ...] = Field(default=(), max_length=3)

    @property
    def headline(self) -> str:
        """The instruction itself."""
        return self.text

    @property
    def further(self) -> dict[str, str]:
        """The tags."""
        return {"tags": " ".join(self.tags)}


class ProcedureContent(Content):
    """A title, a trigger and an instruction to the agent, with the confidence that it starts with."""

    title: Annotated[Sentence, Field(max_length=90)]
    trigger: Sentence
    instruction: Sentence
    kind: ProcedureKind = ProcedureKind.RULE
    confidence: Share = Decimal("0.60")

    @property
    def headline(self) -> str:
        """What the agent is told to do."""
        return self.instruction

    @property
    def further(self) -> dict[str, str]:
        """Title and trigger."""
        return {"title": self.title, "trigger": self.trigger}


class BeliefContent(Content):
    """A generalisation over at least two episodes, which it cites by their ids among the episodes, each once.

    ``depth`` is 1 where it rests on episodes alone, 2 where on beliefs, too. Source: Reflection: From Experiences to
    Beliefs.
    """

    text: Sentence
    cites: tuple[int, ...] = Field(min_length=2, max_length=100)
    depth: int = Field(1, ge=1, le=2)
    importance: Share = Decimal("0.85")
    question: str = Field("", max_length=600)

    @field_validator("cites")
    @classmethod
    def _each_once(cls, cites: tuple[int, ...]) -> tuple[int, ...]:
        if len(set(cites)) < 2:
            raise ValueError("a belief cites two different episodes at least")
        return tuple(sorted(set(cites)))

    @property
    def headline(self) -> str:
        """The generalisation itself."""
        return self.text

    @property
    def further(self) -> dict[str, str]:
        """Nothing more that is read."""
        return {}


AnyContent = NoteContent | LessonContent | ProcedureContent | BeliefContent

KINDS: dict[type[Content], Kind] = {
    NoteContent: Kind.NOTE,
    LessonContent: Kind.LESSON,
    ProcedureContent: Kind.PROCEDURE,
    BeliefContent: Kind.BELIEF,
}


class Quoted(BaseModel):
    """A quote of a draft, with what became of it when it was looked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    session_id: int
    quote: str = Field(min_length=1)
    speaker: Role
    turn: int | None = None
    grounding: Grounding
    anchors: tuple[Anchor, ...] = ()
    stale: str | None = None
    sha256: str

    @property
    def found(self) -> bool:
        """Whether the words stand in the transcript as it is now."""
        return self.grounding.grounded and self.stale is None


def silent_about(content: AnyContent, speakers: Iterable[Role]) -> str | None:
    """Why the quotes of a note, credited to ``speakers``, show nothing of whom it is about; None where they do.

    A missed signal is shown by the words that were passed over. Source: Self-reflection memory, five dimensions.
    """
    if not isinstance(content, NoteContent):
        return None
    credited = set(speakers)
    if not credited:
        return "No words are quoted, so nothing proves it."
    if content.about in credited or content.dimension is Dimension.MISSED_SIGNAL:
        return None
    return f"No quote is of the {content.about}, whom the note is about."


def quoted(
    session_id: int, transcript: Transcript, quote: str, grounding: Grounding, *, speaker: Role, turn: int | None = None
) -> Quoted:
    """A quote of a session with its anchors. ``turn`` is the one that was named, from 0."""
    return Quoted(
        session_id=session_id,
        quote=quote,
        speaker=speaker,
        turn=turn,
        grounding=grounding,
        anchors=tuple(anchor(span, transcript) for span in grounding.spans),
        sha256=transcript.sha256,
    )


def found_at(session_id: int, transcript: Transcript, span: Span) -> Quoted:
    """A quote that is exact by construction: the words of a span, credited to whoever said them."""
    message = transcript.messages[span.turn]
    words = message.content[span.start : span.end]
    grounding = Grounding(Verdict.EXACT, spans=(span,))
    return quoted(session_id, transcript, words, grounding, speaker=message.role, turn=span.turn)


class Draft(BaseModel):
    """An item as it is proposed: content, proof, and where it belongs and came from.

    ``fault`` merges what checks found into one proposal. ``proposer`` is a check or a person, ``origin`` says which
    version of it, ``source`` what kind of feedback is behind it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    content: AnyContent
    severity: Severity
    agent_id: int
    task_class: str
    user: str | None = None
    session_id: int | None = None
    fault: str = ""
    origin: str
    proposer: str
    owner: str | None = None
    source: Source
    quotes: tuple[Quoted, ...] = ()
    remarks: tuple[ScreenFinding, ...] = ()
    """What is known to be doubtful of it before any screen is asked."""
    heard: tuple[Heard, ...] = ()
    """Words of outsiders that it was made from, beside those of the sessions that it quotes."""

    @property
    def kind(self) -> Kind:
        """What kind of item this becomes."""
        return self.content.becomes
