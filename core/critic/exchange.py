"""One request over HTTP and what came back of it, with every secret taken out of what is said.

Critic. The client's exceptions end here and are not passed on: they hold the request, and with it the key.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx2
from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAI

from core.critic.answer import Request, whole
from core.critic.model_settings import ModelSettings
from core.critic.received import Complaint, Response, complaint, holds_error
from core.critic.wire import CUT

_LONGEST = 600
"""Characters of a server's words that are kept."""

_NUL_IN_JSON = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")
"""U+0000 as JSON writes it; after an even number of backslashes, as an odd one makes it the letters themselves."""

_LONGEST_NAME = 200

_LONGEST_CODE = 60
"""Characters of a code: it is stored as the status of a request."""


def body_of(settings: ModelSettings, request: Request, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a request as it is sent."""
    messages = [said.model_dump() for said in request.messages]
    return {"model": settings.model, "messages": messages, **parameters}


@dataclass(frozen=True)
class Exchange:
    """The way to one server."""

    settings: ModelSettings
    client: OpenAI

    def send(self, request: Request, parameters: Mapping[str, Any]) -> Response | str:
        """The response to a request, or why none came."""
        body = body_of(self.settings, request, parameters)
        try:
            received = self.client.post("/chat/completions", body=body, cast_to=httpx2.Response)
        except APITimeoutError:
            return "no answer in time"
        except APIConnectionError as error:
            return self.short(str(error.__cause__ or error))
        except APIStatusError as error:
            received = error.response
        text = received.content.decode("utf-8-sig", "replace")
        response = Response(received.status_code, dict(received.headers), text, bool(received.extensions.get(CUT)))
        hidden = holds_error(response.body) if response.good else None
        return replace(response, status=hidden) if hidden else response

    def complaint(self, response: Response) -> Complaint:
        """What the server says is wrong; of a redirect, where it leads."""
        said = complaint(response.body)
        words = f"moved to {response.headers.get('location')}" if response.moved else said.said
        return replace(said, code=self.short(said.code, _LONGEST_CODE), said=self.short(words))

    def short(self, text: str, longest: int = _LONGEST) -> str:
        """The beginning of a server's words, on one line and without secrets."""
        return " ".join(self.settings.masked(whole(text)).split())[:longest]

    def name(self, text: str) -> str:
        """The name of a model or a request as the server gives it, not longer than names are."""
        return self.short(text, _LONGEST_NAME)

    def written(self, text: str) -> str:
        """What the model wrote, without what is surely a secret or cannot be stored once its JSON is read.

        The rest stays as it came, since quotes are looked up.
        """
        return _NUL_IN_JSON.sub(r"\1\\ufffd", self.settings.masked(text, words=False))
