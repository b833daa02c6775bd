"""The address of a model server, parted into what may be shown and what is secret.

Critic. People put keys into URLs (``https://user:password@host/v1``, ``…/v1?key=…``). Such a part is sent with every
request and stands in no text, log or ``repr``: values of a query are secret, whatever they are called.
"""

from base64 import b64encode
from hashlib import sha256
from typing import Self
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, SecretStr

from core.errors import ModelNotConfigured

OPENAI = "https://api.openai.com/v1"
"""Where requests go when no address is named."""

_EXAMPLE = "OPENAI_BASE_URL takes an address such as http://localhost:11434/v1."


class Endpoint(BaseModel):
    """A server. ``address`` has no secret part; ``query`` and ``login`` are what was taken out of the URL."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    address: str = OPENAI
    query: tuple[tuple[str, SecretStr], ...] = ()
    login: SecretStr | None = None

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
        address = urlunsplit((parts.scheme, _host(parts), parts.path.rstrip("/"), "", ""))
        return cls(address=address, query=query, login=_login(parts))

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
        return f"{self.shown} {sha256(repr(held).encode()).hexdigest()}" if held else self.shown

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
        return (*(value.get_secret_value() for _, value in self.query), login, login.partition(":")[2], encoded)


def _host(parts: SplitResult) -> str:
    """Host and port without a login."""
    return parts.netloc.rpartition("@")[2]


def _login(parts: SplitResult) -> SecretStr | None:
    if parts.username is None and parts.password is None:
        return None
    return SecretStr(f"{unquote(parts.username or '')}:{unquote(parts.password or '')}")
