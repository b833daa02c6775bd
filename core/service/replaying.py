"""Reads logs of reflections for a replay: one file for each round of trials, each task with all it has learned so far.

The form is that of the logs of Reflexion: ``env_results_trial_N.json``, a list of ``name``, ``memory`` and
``is_success``. Nothing is stored.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.memory.buffer_replay import LoggedTrial, Replayed, replay
from core.screening.comparison import are_twins
from core.screening.likeness import Alike
from core.settings import Settings

_NAMED = re.compile(r"env_results_trial_(\d+)\.json")

AS_THEY_ARE = (
    "The reflections are taken as they stand in the logs: in any shape, and approved by nobody. At a desk none of them "
    "would be read before a person has approved it."
)


def replay_folder(folder: Path, settings: Settings) -> Replayed:
    """The buffer that the logs of a folder make. Raises ``BadInput`` where there are none, or one cannot be read."""
    return replay(logged_trials(folder), are_twins(Alike.by(settings)), settings)


def logged_trials(folder: Path) -> Iterator[LoggedTrial]:
    """The trials of a folder in their order. A task that was solved is not tried again, so it has no further trials."""
    known: dict[str, tuple[str, ...]] = {}
    solved: set[str] = set()
    for number, path in _files(folder):
        for name, memory, succeeded in _tasks(path):
            before = known.get(name, ())
            if memory[: len(before)] != before:
                raise BadInput(f"{path.name}: what {name} remembered before is not there any more. Nothing was read.")
            known[name] = memory
            if name in solved and memory == before:
                continue
            yield LoggedTrial(number, name, succeeded, tuple(text.strip() for text in memory[len(before) :]))
            solved |= {name} if succeeded else set()


def _files(folder: Path) -> list[tuple[int, Path]]:
    found = [(int(match[1]), path) for path in folder.glob("*.json") if (match := _NAMED.fullmatch(path.name))]
    if not found:
        raise BadInput(f"{folder} holds no file env_results_trial_N.json; nothing was replayed.")
    return sorted(found)


def _tasks(path: Path) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    try:
        rows: Any = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{path.name} cannot be read ({error}); nothing was replayed.") from error
    if not isinstance(rows, list):
        raise BadInput(f"{path.name} holds no list of tasks; nothing was replayed.")
    for place, row in enumerate(rows, 1):
        fields = row if isinstance(row, dict) else {}
        name, memory, succeeded = fields.get("name"), fields.get("memory"), fields.get("is_success")
        texts = isinstance(memory, list) and all(isinstance(text, str) for text in memory)
        if not isinstance(name, str) or not texts or not isinstance(succeeded, bool):
            text = f"{path.name}, record {place}: it needs “name”, “memory” (texts) and “is_success”."
            raise BadInput(f"{text} Nothing was replayed.")
        yield name, tuple(memory or ()), succeeded
