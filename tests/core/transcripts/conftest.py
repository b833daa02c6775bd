"""What the tests of the readers share."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.transcripts.read import Reading, read
from core.transcripts.session import SessionDraft


@pytest.fixture
def corpus() -> Path:
    """The folder of real transcripts; without it the test is skipped."""
    folder = os.environ.get("TUTELAGE_CORPUS")
    if not folder:
        pytest.skip("TUTELAGE_CORPUS does not name the folder of real transcripts")
    return Path(folder)


@pytest.fixture
def case(corpus: Path) -> Callable[[str], dict[str, Any]]:
    """A public fault report by its id."""

    def named(case_id: str) -> dict[str, Any]:
        lines = (corpus / "cases" / "public-reports.jsonl").read_text("utf-8").strip().split("\n")
        return next(record for line in lines if (record := json.loads(line))["id"] == case_id)

    return named


@pytest.fixture
def read_value() -> Callable[..., Reading]:
    """Reads a value as a JSON file."""

    def reading(value: object, name: str = "sessions.json", **options: Any) -> Reading:
        return read(json.dumps(value).encode(), name, **options)

    return reading


@pytest.fixture
def session_of(read_value: Callable[..., Reading]) -> Callable[..., SessionDraft]:
    """The only session of a value, read without any error."""

    def session(value: object, **options: Any) -> SessionDraft:
        reading = read_value(value, **options)
        assert reading.errors == ()
        (only,) = reading.sessions
        return only

    return session


@pytest.fixture
def errors_of(read_value: Callable[..., Reading]) -> Callable[..., list[str]]:
    """The errors of a value from which no session comes."""

    def errors(value: object, **options: Any) -> list[str]:
        reading = read_value(value, **options)
        assert reading.sessions == ()
        return [str(error) for error in reading.errors]

    return errors
