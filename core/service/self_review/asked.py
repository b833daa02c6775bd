"""What an agent sends in to have a draft reviewed: checked once, and without secrets before anything is made of it."""

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from core.errors import BadInput
from core.screening.secrets import mask
from core.service.masking import masked_transcript
from core.transcripts.message import Message, ToolCall, Transcript
from core.vocabulary import Role

_LONGEST = 200_000
"""Characters of one text; no model reads more in one request."""

Text = Annotated[str, StringConstraints(max_length=_LONGEST)]


class _Given(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ToolResult(_Given):
    """What a tool answered, and to which call. Values that are no text are taken as their JSON."""

    content: Text
    name: str = Field("", max_length=200)
    arguments: Text = "{}"
    failed: bool = False

    @field_validator("content", "arguments", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The call and its answer as two turns of a transcript; without a name only the answer."""
        answer = Message(role=Role.TOOL, content=self.content, name=self.name or None, failed=self.failed)
        if not self.name:
            return (answer,)
        call = ToolCall(name=self.name, arguments=self.arguments)
        return (Message(role=Role.ASSISTANT, tool_calls=(call,)), answer)

    @property
    def call(self) -> str:
        """The call as a person reads it; empty where no tool is named."""
        return ToolCall(name=self.name, arguments=self.arguments).shown if self.name else ""

    def masked(self) -> "ToolResult":
        """The same without secrets; arguments stay JSON where they were."""
        *calls, answer = masked_transcript(Transcript(messages=self.messages)).transcript.messages
        arguments = calls[0].tool_calls[0].arguments if calls else mask(self.arguments).text
        return self.model_copy(update={"content": answer.content, "name": answer.name or "", "arguments": arguments})


class Asked(_Given):
    """One draft to review. ``review`` names the self-review that a revision belongs to; the first draft has none.

    ``said`` are the user's own words, oldest first; where it is empty the task stands for them. With a revision, the
    task may be left out, and ``said`` and ``tool_results`` may hold only what is new.
    """

    agent: str
    draft: Text
    task: Text = ""
    review: str | None = Field(None, max_length=20)
    user: str | None = Field(None, max_length=200)
    task_class: str | None = Field(None, max_length=120)
    said: tuple[Text, ...] = Field((), max_length=200)
    tool_results: tuple[ToolResult, ...] = Field((), max_length=200)

    @field_validator("draft")
    @classmethod
    def _has_words(cls, draft: str) -> str:
        if not draft.strip():
            raise ValueError("it holds no word")
        return draft

    def masked(self) -> "Asked":
        """The same without secrets."""
        return self.model_copy(
            update={
                "draft": mask(self.draft).text,
                "task": mask(self.task).text,
                "user": None if self.user is None else mask(self.user).text,
                "task_class": None if self.task_class is None else mask(self.task_class).text,
                "said": tuple(mask(words).text for words in self.said),
                "tool_results": tuple(result.masked() for result in self.tool_results),
            }
        )

    @property
    def digest(self) -> str:
        """SHA-256 of all that was sent in: the same request, sent again, has the same."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


def asked(**fields: Any) -> Asked:
    """A request from what came in. Raises ``BadInput`` with the field that cannot be used."""
    try:
        request = Asked.model_validate(fields)
    except ValidationError as error:
        field, why = _fault(error)
        raise BadInput(f"The field {field} cannot be used: {why}. Nothing was reviewed.") from error
    if not request.review and not request.task.strip():
        raise BadInput("A first draft needs its task: what the user asked for. Nothing was reviewed.")
    return request


def tool_results_in(value: object) -> tuple[ToolResult, ...]:
    """The tool results of parsed JSON: a list of objects with ``content``, or of anything else, which is a content."""
    if not isinstance(value, list):
        raise BadInput("Tool results are a JSON list, one member a result. Nothing was reviewed.")
    try:
        return tuple(_result(each) for each in value)
    except ValidationError as error:
        field, why = _fault(error)
        raise BadInput(f"A tool result cannot be used: its {field}: {why}. Nothing was reviewed.") from error


def _fault(error: ValidationError) -> tuple[str, str]:
    """The first field that cannot be used, and why, in our words."""
    first: Mapping[str, Any] = error.errors(include_input=False, include_url=False)[0]
    facts = first.get("ctx", {})
    match first["type"]:
        case "missing":
            why = "it is missing"
        case "extra_forbidden":
            why = "no field has this name"
        case "string_too_long":
            why = f"it has more than {facts['max_length']:,} characters"
        case "too_long":
            why = f"it has more than {facts['max_length']:,} members"
        case "string_unicode":
            why = "it holds half a character"
        case "string_type":
            why = "it is no text"
        case _:
            said = first["msg"].removeprefix("Value error, ")
            why = said[:1].lower() + said[1:]
    return ".".join(str(part) for part in first["loc"]), why


def _result(value: object) -> ToolResult:
    if isinstance(value, Mapping) and "content" in value:
        known = {name: value[name] for name in ToolResult.model_fields if name in value}
        return ToolResult.model_validate(known)
    return ToolResult.model_validate({"content": value})
