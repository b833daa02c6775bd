"""A debrief by the critic, queued with the keyboard alone: its progress is seen, the tab closed, and all is done."""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from core.governance.people import local_operator
from core.service.critic_settings import save_critic_settings
from core.service.critic_views import run_counts, run_list
from core.service.critic_work import CriticWork
from core.service.jobs.engine import Engine
from core.vocabulary import RunState
from tests.browser.conftest import settled, words
from tests.browser.test_story import eventually
from tests.critic_server import CriticServer, Scripted, reply
from tests.critic_stock import answering, environment, note, replies

pytestmark = pytest.mark.browser


@pytest.fixture(name="server")
def _server(monkeypatch: pytest.MonkeyPatch) -> Iterator[CriticServer]:
    """The model's server, which takes its time."""
    with CriticServer().running() as server:
        notes = reply(json.dumps({"notes": [note("It promised what it could not keep.")]})).body
        answering(server, replies(notes=Scripted(notes, delay=0.4)))
        for name, value in environment(server).items():
            monkeypatch.setenv(name, value)
        yield server


def focused(page: Any) -> str:
    """The text of what has the focus."""
    return str(page.evaluate("document.activeElement.innerText || ''"))


def tab_to(page: Any, text: str) -> None:
    """Press Tab until the focus is on what starts with this text."""
    for _ in range(60):
        if focused(page).startswith(text):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {text}")
