"""What a server accepts of a request: found out from its refusals, and remembered for each address and model.

Critic. Servers that speak chat completions differ in how a JSON reply is asked for, what the token cap is called, and
whether a reasoning effort or a temperature may be named. Each refusal moves one parameter one step down its ladder;
nothing is tried twice.
"""

import re
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from core.critic.answer import Request, Shape
from core.critic.model_settings import ModelSettings

FORMATS = ("json_schema", "json_object", "text")
"""Ways to ask for JSON, the firmest first; ``text`` sends nothing and trusts the prompt."""

CAPS = ("max_tokens", "max_completion_tokens", None)
"""What the token cap is called: most servers know the older name, and those that left it refuse it aloud."""

_WORDS = ("response_format", "reasoning_effort")
"""Parameters that are words, not numbers."""

_FORMAT_WORDS = re.compile(r"response[ _]?format|json[ _]schema|json[ _]object|json mode|structured output", re.I)
_SIZE_WORDS = re.compile(r"too (large|high|big|long)|at most|exceed|maximum|less than or equal|<=", re.I)


@dataclass(frozen=True)
class Accepted:
    """How far down each ladder a server has made the critic go."""

    format: int = 0
    cap: int = 0
    effort: bool = True
    temperature: bool = True

    def parameters(self, settings: ModelSettings, request: Request, cap: int) -> dict[str, Any]:
        """The parameters to send besides model and messages."""
        sent: dict[str, Any] = {}
        if self.temperature and settings.temperature is not None:
            sent["temperature"] = settings.temperature
        name = CAPS[self.cap]
        if name is not None:
            sent[name] = cap
        if self.effort and settings.reasoning_effort is not None:
            sent["reasoning_effort"] = settings.reasoning_effort.value
        if request.shape is not None and FORMATS[self.format] != "text":
            sent["response_format"] = _response_format(FORMATS[self.format], request.shape)
        return sent

    def without(self, parameter: str) -> "Accepted":
        """One step down the ladder of a parameter that was refused."""
        match parameter:
            case "response_format":
                return replace(self, format=self.format + 1)
            case "reasoning_effort":
                return replace(self, effort=False)
            case "temperature":
                return replace(self, temperature=False)
        return replace(self, cap=self.cap + 1)


@dataclass
class Remembered:
    """What servers accept, by address and model, for as long as the process lives; safe to share between threads."""

    _known: dict[tuple[str, str], Accepted] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def of(self, settings: ModelSettings) -> Accepted:
        """What is known of a server and model; everything is hoped for at first."""
        with self._lock:
            return self._known.get(_place(settings), Accepted())

    def learn(self, settings: ModelSettings, accepted: Accepted) -> None:
        """Keep what a server and model have just accepted."""
        with self._lock:
            self._known[_place(settings)] = accepted


def refused_parameter(sent: dict[str, Any], param: str | None, said: str) -> str | None:
    """Which of the parameters that were sent a refusal is about; None where it is about something else.

    A number that is refused for its size stays: another name would not make it smaller, and dropping it would hide it.
    """
    named = [name for name in sent if name == (param or "").partition(".")[0]]
    places = sorted((found.start(), name) for name in sent if (found := _mention(name, said)))
    for name in [*named, *(name for _, name in places)]:
        if name in _WORDS or not _SIZE_WORDS.search(said):
            return name
    return None


def _mention(name: str, said: str) -> re.Match[str] | None:
    words = _FORMAT_WORDS if name == "response_format" else re.compile(rf"(?<!\w){name}(?!\w)", re.I)
    return words.search(said)


def _response_format(format: str, shape: Shape) -> dict[str, Any]:
    if format == "json_object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": shape.name, "schema": shape.schema_, "strict": True}}


def _place(settings: ModelSettings) -> tuple[str, str]:
    return settings.endpoint.address, settings.model
