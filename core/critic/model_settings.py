"""Which model the critic asks, where, and how: one frozen value.

Critic. The key comes from the environment and from nowhere else; it stands in no ``repr``, dump or text.
"""

import json
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from html import escape
from typing import Any, Self
from urllib.parse import quote, quote_plus

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from core.critic.endpoint import OPENAI, Endpoint
from core.errors import ModelNotConfigured

_SHORTEST_SECRET = 6
"""Characters from which a secret is looked for in what servers say; shorter ones would blot out ordinary words."""

_LIKE_A_WORD = re.compile(
    r".{0,7}|[^\W\d_]{1,15}([-_. ][^\W\d_]{1,15})*|[\d\W]{1,11}|v?\d{4}-\d\d-\d\d(-[a-z]+)?", re.DOTALL
)
"""A short text, words, a short number, or a date as versions of an interface are named."""


class Effort(StrEnum):
    """How long a reasoning model may think. Servers know different subsets."""

    NONE = "none"
    MINIMAL = "minimal"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    XHIGH = "xhigh"
    MAX = "max"


class Asking(BaseModel):
    """What people choose of how a model is asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str | None
    """The model's name at the server."""

    temperature: float | None = Field(0.0, ge=0, le=2)
    """None leaves it to the server, which is something else than 0."""

    token_cap: int = Field(4_000, ge=16, le=1_000_000)
    """Tokens a reply may have, those of its reasoning included. Source: Self-reflection memory, which leaves room."""

    largest_token_cap: int = Field(16_000, ge=16, le=1_000_000)
    """Tokens that the one repetition of a cut reply may have; it asks for twice the cap, at most this."""

    reasoning_effort: Effort | None = None
    """None sends nothing."""

    timeout: float = Field(180.0, gt=0, le=3_600)
    """Seconds without a byte from the server after which a request is given up."""

    longest_request: float = Field(600.0, gt=0, le=7_200)
    """Seconds after which a request is given up though bytes still come; never less than ``timeout``."""

    tries: int = Field(4, ge=1, le=20)
    """Requests at most that are sent for one busy or unreachable server, the first included."""

    longest_wait: float = Field(60.0, ge=0, le=3_600)
    """Seconds that are waited at most; a server that asks for more is left, and the error says when to come back."""


class ModelSettings(Asking):
    """How the model is asked. Values other than ``key`` may be shown, stored and compared."""

    model_config = ConfigDict(hide_input_in_errors=True)

    model: str = Field(min_length=1)
    endpoint: Endpoint = Endpoint()
    key: SecretStr | None = Field(default=None, exclude=True, repr=False)

    connect_timeout: float = Field(10.0, gt=0, le=300)
    """Seconds to reach the server."""

    @field_validator("key")
    @classmethod
    def _can_be_sent(cls, key: SecretStr | None) -> SecretStr | None:
        """A key goes into a header; one that cannot would be quoted in the error of whoever tries."""
        text = key.get_secret_value() if key else "none"
        if not (text.isascii() and text.isprintable() and " " not in text and text):
            raise ValueError("it holds characters that cannot be sent")
        return key

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], **chosen: Any) -> Self:
        """The settings that ``OPENAI_API_KEY``, ``OPENAI_BASE_URL`` and ``OPENAI_MODEL`` name, with ``chosen`` values.

        ``chosen`` are the settings of the desk or of one agent. A key among them is refused, and so is an address: the
        key of one server must not be sent to another.
        """
        if chosen.keys() & {"key", "endpoint"}:
            possible = "They belong together, and are read from OPENAI_API_KEY and OPENAI_BASE_URL only."
            raise ModelNotConfigured("a key or an address was given as a setting", possible)
        endpoint = Endpoint.parse(environ.get("OPENAI_BASE_URL", "").strip() or OPENAI)
        key = environ.get("OPENAI_API_KEY", "").strip()
        values = {"model": environ.get("OPENAI_MODEL", "").strip(), "endpoint": endpoint, **chosen}
        return cls._checked(values, SecretStr(key) if key else None)

    @classmethod
    def _checked(cls, values: dict[str, Any], key: SecretStr | None) -> Self:
        if not values["model"]:
            raise ModelNotConfigured("no model is named", "Set OPENAI_MODEL, or choose a model in the settings.")
        try:
            settings = cls(**values, key=key)
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            field = ".".join(map(str, first["loc"]))
            raise ModelNotConfigured(f"its {field} cannot be used: {first['msg']}", "Choose another value.") from None
        if key is None and settings.endpoint.address == OPENAI:
            possible = "Set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none."
            raise ModelNotConfigured("no key is set", possible)
        return settings

    def masked(self, text: str, *, words: bool = True) -> str:
        """``text`` without any secret of these settings: servers repeat keys in what they say.

        Without ``words``, secrets that are like a word, a short number or a date stay: a model quotes what it read, and
        people set keys such as ``ollama`` and query values such as ``2024-10-21``.
        """
        secrets = {*self.endpoint.secrets, self.key.get_secret_value() if self.key else ""}
        sought = {secret for secret in secrets if words or not _LIKE_A_WORD.fullmatch(secret)}
        forms = {form for secret in sought for form in _forms(secret) if len(form) >= _SHORTEST_SECRET}
        if not forms:
            return text
        one_of = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
        return re.sub(one_of, "[key]", text, flags=re.IGNORECASE)


def _forms(secret: str) -> Iterator[str]:
    """A secret as it is, and as it stands in a URL, in HTML and in JSON."""
    in_html, in_json = escape(secret), json.dumps(secret)[1:-1]
    yield from (secret, quote(secret, safe=""), quote_plus(secret), escape(secret, quote=False))
    yield from (in_html, in_html.replace("&quot;", "&#34;").replace("&#x27;", "&#39;"))
    yield from (in_json, in_json.replace("/", "\\/"), json.dumps(secret, ensure_ascii=False)[1:-1])
