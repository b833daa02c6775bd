"""The command line in tests: each command in this process, and one way to run it as people do, in one of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import NamedTuple

from click.testing import CliRunner

from core.service.cli import main
from core.store.database import ROOT


class Told(NamedTuple):
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


class Commands:
    """``python -m core`` against one database; without a model, unless ``env`` names one."""

    def __init__(self, url: str, env: Mapping[str, str | None] | None = None) -> None:
        self.url = url
        quiet = {name: None for name in os.environ if name.startswith("OPENAI_")}
        self._env: dict[str, str | None] = {**quiet, **(env or {}), "DATABASE_URL": url}

    def __call__(self, *words: str, stdin: str = "") -> Told:
        told = CliRunner().invoke(main, words, env=self._env, input=stdin)
        if told.exception is not None and not isinstance(told.exception, SystemExit):
            raise told.exception
        return Told(told.exit_code, told.stdout, told.stderr)

    def in_a_process(self, *words: str, stdin: str = "") -> Told:
        """The same as people run it; it takes some seconds."""
        given = [sys.executable, "-m", "core", *words]
        env = {**os.environ, **{name: value or "" for name, value in self._env.items()}}
        done = subprocess.run(given, cwd=ROOT, env=env, input=stdin, capture_output=True, text=True, check=False)
        return Told(done.returncode, done.stdout, done.stderr)
