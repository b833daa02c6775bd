"""What is asked of a model, and the value that comes back: what became of the request, and how.

Critic. A status other than ``ok`` is never "nothing found": the reply of such a run is not read.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


class RunStatus(StrEnum):
    """What became of one request to the model."""

    OK = "ok"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    PROMPT_CUT = "prompt_cut"

    @property
    def in_words(self) -> str:
        """What a person is told."""
        return _IN_WORDS[self]


_IN_WORDS = {
    RunStatus.OK: "The model replied.",
    RunStatus.TRUNCATED: "The reply was cut at the token limit; nothing of it was read.",
    RunStatus.REFUSED: "The model, or a content filter before it, refused to reply.",
    RunStatus.EMPTY: "The model ended its reply without a word.",
    RunStatus.TOO_LONG: "The request, with room for a reply, is longer than the model's context; nothing was reviewed.",
    RunStatus.PROMPT_CUT: "The server counted far fewer tokens than were sent: it has read only a part.",
}


def whole(text: str) -> str:
    """The text without what cannot be stored everywhere: halves of surrogate pairs become ?, and U+0000 U+FFFD."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Said(_Frozen):
    """One message of a request."""

    role: str
    content: Annotated[str, AfterValidator(whole)] = Field(repr=False)


class Shape(_Frozen):
    """The JSON that a reply should have: a name, and a JSON schema for servers that hold a model to it."""

    name: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    schema_: Mapping[str, Any] = Field(repr=False)


class Request(_Frozen):
    """What the model is asked; ``shape`` None asks for plain text."""

    messages: tuple[Said, ...] = Field(min_length=1)
    shape: Shape | None = None


class Usage(_Frozen):
    """Tokens as the server counted them; None where it does not say."""

    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None


class Attempt(_Frozen):
    """One request that was sent: with what, and what the server said."""

    sent: Mapping[str, Any]
    """Parameters without messages and schema."""

    status: int | None
    """The HTTP status; None where nothing came back."""

    said: str
    """The server's code or message, without secrets; the finish reason of a reply."""

    waited: float
    """Seconds waited before it was sent."""

    seconds: float
    """Seconds until the answer."""

    usage: Usage = Usage()
    """Tokens of this attempt alone; a reply that was cut was paid for, too."""

    replied: bool = False
    """Whether a reply of the model came, whole or not: it is paid for, also where the server counts no tokens."""


class Answer(_Frozen):
    """What became of a request."""

    status: RunStatus
    text: str = Field(repr=False)
    """The reply as it came; empty where there is none."""

    detail: str
    """More about it: a refusal in the model's words, the token limits, the counts of a cut prompt. Without secrets."""

    model: str
    """The model's name as returned; as asked for where the server names none."""

    sent: Mapping[str, Any]
    """The parameters of the request that was answered, as really sent, without messages and schema."""

    usage: Usage
    seconds: float
    """From the first request to the last answer, waiting included."""

    request_id: str | None
    attempts: tuple[Attempt, ...]

    @property
    def in_words(self) -> str:
        """What a person is told of the run."""
        return self.status.in_words
