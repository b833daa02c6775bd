"""A scripted server, and the door to it with a clock that does not wait."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core.critic.accepted import Remembered
from core.critic.llm import Llm
from core.critic.model_settings import ModelSettings
from tests.core.critic.asking import KEY, Waits
from tests.critic_server import CriticServer


@pytest.fixture
def server() -> Iterator[CriticServer]:
    """A server of this test's own."""
    with CriticServer().running() as server:
        yield server


@pytest.fixture
def waits() -> Waits:
    """The clock of this test's door."""
    return Waits()


@pytest.fixture
def door(server: CriticServer, waits: Waits) -> Iterator[Callable[..., Llm]]:
    """Makes doors to the server; settings can be given by name, and the URL and what is remembered too."""
    opened: list[Llm] = []

    def make(*, url: str = "", remembered: Remembered | None = None, **chosen: Any) -> Llm:
        environ = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": url or server.url, "OPENAI_MODEL": "m"}
        settings = ModelSettings.from_environment(environ, **chosen)
        opened.append(Llm(settings, remembered=remembered or Remembered(), clock=waits.clock))
        return opened[-1]

    yield make
    for each in opened:
        each.close()
