"""The address of a model server, parted into what may be shown and what is secret.

Critic. People put keys into URLs (``https://user:password@host/v1``, ``…/v1?key=…``). Such a part is sent with every
request and stands in no text, log or ``repr``: values of a query are secret, whatever they are called, and so are the
segments of a path that look like a credential.
"""

import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Self
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

import httpx2
from pydantic import BaseModel, ConfigDict, SecretStr

from core.errors import ModelNotConfigured

OPENAI = "https://api.openai.com/v1"
"""Where requests go when no address is named."""

_LONG = 20
"""Characters from which a segment of a path may be a credential."""

_HIDDEN = "…"

_EXAMPLE = "OPENAI_BASE_URL takes an address such as http://localhost:11434/v1."


class Endpoint(BaseModel):
    """A server. ``address`` has no secret part; ``query``, ``login`` and ``path`` are what was taken out of the URL.

    ``path`` is the whole path where a segment of it is hidden in ``address``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    address: str = OPENAI
    query: tuple[tuple[str, SecretStr], ...] = ()
    login: SecretStr | None = None
    path: SecretStr | None = None

    @classmethod
    def parse(cls, url: str) -> Self:
        """The endpoint at ``url``; an unusable one is refused without being quoted, since it may hold a key."""
        try:
            parts = urlsplit(url.strip())
            usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:
            usable = False
        if not usable:
            raise ModelNotConfigured("the address of its server is not an http or https URL", _EXAMPLE)
        query = tuple((name, SecretStr(value)) for name, value in parse_qsl(parts.query, keep_blank_values=True))
        path = parts.path.rstrip("/")
        seen = "/".join(_HIDDEN if _looks_secret(segment) else segment for segment in path.split("/"))
        address = urlunsplit((parts.scheme, _host(parts), seen, "", ""))
        return cls(address=address, query=query, login=_login(parts), path=None if seen == path else SecretStr(path))

    @property
    def shown(self) -> str:
        """The address as people may see it, with the names in its query but not the values."""
        names = "&".join(f"{name}=…" for name, _ in self.query)
        return f"{self.address}?{names}" if names else self.address

    @property
    def named(self) -> str:
        """The address with a SHA-256 of what is secret in it: two servers that differ in that alone are two."""
        held = [*((name, value.get_secret_value()) for name, value in self.query)]
        held += [("", self.login.get_secret_value())] if self.login else []
        held += [("path", self.path.get_secret_value())] if self.path else []
        return f"{self.shown} {sha256(repr(held).encode()).hexdigest()}" if held else self.shown

    def full(self, url: httpx2.URL, query: Mapping[str, str]) -> httpx2.URL:
        """A URL under ``address``, with everything that was taken out of it, as it is sent."""
        if self.path is not None:
            shown = httpx2.URL(self.address)
            kept = shown.copy_with(path=self.path.get_secret_value())
            url = httpx2.URL(str(url).replace(str(shown), str(kept), 1))
        return url.copy_merge_params(query)

    @property
    def authorization(self) -> str | None:
        """The value of the ``Authorization`` header that a name and password in the URL ask for."""
        if self.login is None:
            return None
        return "Basic " + b64encode(self.login.get_secret_value().encode()).decode()

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every text that must not be seen anywhere."""
        login = self.login.get_secret_value() if self.login else ""
        encoded = (self.authorization or "").removeprefix("Basic ")
        path = self.path.get_secret_value().split("/") if self.path else []
        hidden = [form for segment in path if _looks_secret(segment) for form in (segment, unquote(segment))]
        values = [value.get_secret_value() for _, value in self.query]
        return (*values, login, login.partition(":")[2], encoded, *hidden)


def _looks_secret(segment: str) -> bool:
    """Whether a segment of a path may be a key: long, with letters and digits, and not words and short numbers."""
    text = unquote(segment)
    if len(text) < _LONG or not re.search(r"[^\W\d_]", text) or not re.search(r"\d", text):
        return False
    return not all(part.isalpha() or len(part) <= 4 for part in re.split(r"[-_.~]", text))


def _host(parts: SplitResult) -> str:
    """Host and port without a login."""
    return parts.netloc.rpartition("@")[2]


def _login(parts: SplitResult) -> SecretStr | None:
    if parts.username is None and parts.password is None:
        return None
    return SecretStr(f"{unquote(parts.username or '')}:{unquote(parts.password or '')}")
