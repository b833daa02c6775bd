"""What came back over HTTP, read with as little faith as possible.

Critic. Servers leave fields out, send content as a list of parts, an error with status 200, or no JSON at all. Here
each becomes a plain value; nothing of it is trusted to be of the type that the protocol names.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.critic.answer import Usage, whole

_BAD_GATEWAY = 502

_MOST_COUNTED = 50_000_000
"""Tokens beyond which a count is no count: no model has such a context."""

_BROKEN_OFF = ("error", "abort", "aborted", "cancelled", "canceled", "insufficient_system_resource")
"""Finish reasons by which servers and gateways say that they failed in the middle of a reply."""


@dataclass(frozen=True)
class Response:
    """An HTTP response: its status, headers by lower-case name, and body."""

    status: int
    headers: Mapping[str, str]
    body: str
    cut: bool = False
    """Whether the body is larger than is read."""

    @property
    def good(self) -> bool:
        """Whether it holds what was asked for, as far as its status says."""
        return self.status < 300

    @property
    def moved(self) -> bool:
        """Whether it names another address."""
        return 300 <= self.status < 400

    @property
    def request_id(self) -> str | None:
        """The name by which the server's operator finds this request."""
        return self.headers.get("x-request-id") or self.headers.get("apim-request-id")


@dataclass(frozen=True)
class Completion:
    """A reply of the model."""

    text: str
    refusal: str
    finish: str
    model: str
    usage: Usage


@dataclass(frozen=True)
class Complaint:
    """A server's refusal: its code, the parameter it names, and its words."""

    code: str
    param: str | None
    said: str


def completion(body: str) -> Completion | None:
    """The completion in the body of a response; None where there is none."""
    content = _loaded(body)
    choices = _mapping(content).get("choices")
    if not isinstance(choices, list):
        return None
    choice = _mapping(choices[0] if choices else None)
    message = _mapping(choice.get("message"))
    return Completion(
        text=_text(message.get("content")),
        refusal=_text(message.get("refusal")),
        finish=_text(choice.get("finish_reason")).lower(),
        model=_text(_mapping(content).get("model")),
        usage=_usage(_mapping(_mapping(content).get("usage"))),
    )


def complaint(body: str) -> Complaint:
    """What a server says is wrong: OpenAI's ``error``, a bare string, FastAPI's ``detail``, or the body itself."""
    reply = completion(body)
    if reply is not None:
        return Complaint("", None, f"the reply broke off ({reply.finish})")
    content = _first(_loaded(body))
    error = content.get("error", content.get("detail", content.get("message", body)))
    fields = _mapping(error)
    param = fields.get("param")
    return Complaint(_code(fields), param if isinstance(param, str) else None, " ".join(_words(error).split()))


def _words(error: object) -> str:
    """The words of an error: its message; of FastAPI's list, each place and what is wrong there, not what was sent."""
    if isinstance(error, list):
        return "; ".join(f"{'.'.join(map(str, _places(each)))}: {_text(_mapping(each).get('msg'))}" for each in error)
    said = _mapping(error).get("message", error)
    return _text(said) if isinstance(said, str) else json.dumps(said)


def _first(content: object) -> Mapping[str, Any]:
    """An object, or the first of a list, in which Gemini's gateway puts its error."""
    return _mapping(content[0] if isinstance(content, list) and content else content)


def _places(error: object) -> list[object]:
    where = _mapping(error).get("loc")
    return where if isinstance(where, list) else []


def holds_error(body: str) -> int | None:
    """The status of an error that a body holds though HTTP said 200, or of a reply that broke off; else None."""
    reply = completion(body)
    if reply is not None and reply.finish in _BROKEN_OFF:
        return _BAD_GATEWAY
    content = _mapping(_loaded(body))
    if not content.get("error") or content.get("choices"):
        return None
    code = _mapping(content["error"]).get("code")
    return code if isinstance(code, int) and 400 <= code < 600 else _BAD_GATEWAY


def _code(fields: Mapping[str, Any]) -> str:
    """The name of an error: its code where that is a word and not the HTTP status again, else its type."""
    named = (fields.get("code"), fields.get("type"))
    return next((name for name in named if isinstance(name, str) and name and not name.isdigit()), "")


def _loaded(body: str) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    """A text, or the text parts of a list."""
    if isinstance(value, list):
        return "".join(_text(_mapping(part).get("text")) for part in value)
    return whole(value) if isinstance(value, str) else ""


def _usage(usage: Mapping[str, Any]) -> Usage:
    return Usage(
        prompt=_count(usage.get("prompt_tokens")),
        completion=_count(usage.get("completion_tokens")),
        reasoning=_count(_mapping(usage.get("completion_tokens_details")).get("reasoning_tokens")),
        cached=_count(_mapping(usage.get("prompt_tokens_details")).get("cached_tokens")),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_COUNTED else None
