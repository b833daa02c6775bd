"""Serves the desk, and the bare page beside it, as ``make run`` serves the desk; opens windows on them."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.store.database import ROOT
from tests.browser.chromium import free_port

WATCHING = (Path(__file__).with_name("watching.js")).read_text(encoding="utf-8")
WINDOW = {"width": 1440, "height": 900}
PATIENCE = 30_000
"""Milliseconds after which a step that was not answered ends the run."""


@dataclass(frozen=True)
class Served:
    """A running server: where it answers, when it was started (``time.perf_counter``), its process."""

    address: str
    started: float
    process: subprocess.Popen[bytes]

    @property
    def memory(self) -> int:
        """Megabytes that the server's process holds."""
        held = Path(f"/proc/{self.process.pid}/status")
        if not held.exists():
            return 0
        line = next(line for line in held.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) // 1024


@contextmanager
def served(app: str, **environment: str) -> Iterator[Served]:
    """``app`` as ``make run`` serves the desk, on a free port, from the moment that it answers."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", app, "--host", "127.0.0.1", "--port", str(port)]
    command += ["--ws-per-message-deflate", "false", "--log-level", "warning", "--no-access-log"]
    started = time.perf_counter()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, **quiet)
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health", process)
        yield Served(f"http://127.0.0.1:{port}", started, process)
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()


def desk_of(path: Path, person: str | None = None) -> Any:
    """The desk on a database file, with ``person`` as the account that runs it."""
    named = {"LOGNAME": person} if person else {}
    chosen = {"TUTELAGE_SAMPLES": "0", "TUTELAGE_WORKER": "0"}
    return served("app:app", DATABASE_URL=f"sqlite:///{path}", **chosen, **named)


def window(browser: Any) -> Any:
    """A new window in a context of its own, with the watching script in it."""
    context = browser.new_context(viewport=WINDOW)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(f"(() => {{\n{WATCHING}\n}})()")
    return page


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        with suppress(OSError):
            urllib.request.urlopen(address, timeout=2).close()
            return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise SystemExit(f"{address} did not answer.")
