"""The only door to a model: any server that speaks OpenAI's chat completions, over the ``openai`` package.

Critic. ``ask`` answers with a value that says what became of the request and how it was asked, or raises a
``ModelError`` that says what to do. No database is touched here, so none is locked while a model thinks.
"""

from core.critic.accepted import Remembered
from core.critic.answer import Answer, Request
from core.critic.exchange import Exchange
from core.critic.model_settings import ModelSettings
from core.critic.run import Run
from core.critic.waiting import Clock
from core.critic.wire import client

REMEMBERED = Remembered()
"""What servers accept, shared by all doors of this process."""


class Llm:
    """A model at a server. It may be shared between threads; close it when no more is asked."""

    def __init__(
        self, settings: ModelSettings, *, remembered: Remembered = REMEMBERED, clock: Clock | None = None
    ) -> None:
        self.settings = settings
        self._remembered = remembered
        self._clock = clock or Clock()
        self._exchange = Exchange(settings, client(settings))

    def __enter__(self) -> "Llm":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Llm({self.settings.model} at {self.settings.endpoint.shown})"

    def ask(self, request: Request) -> Answer:
        """What the model replies, or what else became of the request."""
        return Run(request, self._exchange, self._remembered, self._clock).answer()

    def close(self) -> None:
        """Close the connections."""
        self._exchange.client.close()
