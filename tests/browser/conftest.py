"""A desk of its own for every test, served as ``make run`` serves it, and a real Chromium to use it with."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.store.database import ROOT, Database
from tests.browser.chromium import CHROMIUM, FLAGS, free_port


@dataclass
class Served:
    """A running desk: where it answers, the database under it, and its process."""

    address: str
    database: Database
    process: "subprocess.Popen[bytes]"


@contextmanager
def served(folder: Path, *, samples: bool = True, works: bool = False) -> Iterator[Served]:
    """A desk on a free port, with its database in a folder; ``samples=False`` starts it empty.

    With ``works`` it also carries out what is queued.
    """
    url = f"sqlite:///{folder / 'desk.db'}"
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "app:app", "--port", str(port), "--ws-per-message-deflate", "false"]
    chosen = {"TUTELAGE_SAMPLES": "1" if samples else "0", "TUTELAGE_WORKER": "1" if works else "0"}
    env = {**os.environ, "DATABASE_URL": url, **chosen}
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
    database = Database(url)
    try:
        _wait_for(f"http://127.0.0.1:{port}/api/v1/health", process, folder / "server.log")
        yield Served(f"http://127.0.0.1:{port}", database, process)
    finally:
        database.close()
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Start a desk of the test's own."""
    with ExitStack() as started:
        yield lambda **options: started.enter_context(served(tmp_path, **options))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One Chromium for the tests of a file; its driver keeps an event loop running, in which no worker can start."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: requirements-dev.txt")
    with playwright.sync_playwright() as driver:
        try:
            found = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        except playwright.Error as error:
            pytest.skip(f"no Chromium could be started: {str(error).splitlines()[0]}")
        yield found
        found.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A window of 1440 by 900 that fails its test when the desk throws an error in it."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(20_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def settled(page: Any) -> None:
    """Wait until the desk has drawn what was asked for."""
    page.wait_for_selector('[data-testid="stApp"]')
    page.wait_for_function(
        """() => {
            const app = document.querySelector('[data-testid="stApp"]');
            return app && app.dataset.testScriptState === 'notRunning'
              && !document.querySelector('[data-testid="stSkeleton"]');
        }"""
    )


def words(page: Any) -> str:
    """Every text that is drawn, that of components too."""
    return str(
        page.evaluate(
            """() => {
                const found = [];
                const walk = node => {
                    if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent);
                    if (node.shadowRoot) walk(node.shadowRoot);
                    node.childNodes.forEach(walk);
                };
                walk(document.body);
                return found.join('');
            }"""
        )
    )


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        with suppress(OSError):
            urllib.request.urlopen(address, timeout=2).close()
            return
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise AssertionError(f"the desk did not answer:\n{log.read_text()[-3000:]}")
