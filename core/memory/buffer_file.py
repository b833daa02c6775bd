"""The buffer as a file, and the report of what will soon be read no more.

Memory. The same buffer gives the same bytes. Source: Reflexion buffer, "Output".
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.settings import Settings


@dataclass(frozen=True)
class Buffered:
    """One reflection of a buffer: from which trial of which task class, for whom, and how long it still lives.

    ``trial_id`` names the session, ``trial`` is its number within the task class (0 where it is not known), and
    ``created_at`` is the trial's time, None where nothing says when it was.
    """

    ref: str
    trial_id: str
    trial: int
    task_class: str
    scope: str
    text: str
    tags: tuple[str, ...]
    created_at: datetime | None
    ttl_remaining: int
    user: str | None = None
    at: datetime | None = None
    """Since when it is in force."""
    order: int = 0
    item: int = 0


def buffer_file(reflections: Iterable[Buffered]) -> str:
    """The buffer as JSON text, one object for each reflection in force: task classes by name, the newest trial first.

    Times are in UTC. Reflections whose trials are over are left out: nobody reads them.
    """
    kept = [one for one in reflections if one.ttl_remaining > 0]
    kept.sort(key=lambda one: one.ref)
    kept.sort(key=lambda one: (one.trial, one.created_at.timestamp() if one.created_at else 0.0), reverse=True)
    kept.sort(key=lambda one: one.task_class)
    return json.dumps([_object(one) for one in kept], ensure_ascii=False, indent=2) + "\n"


def expiring(reflections: Iterable[Buffered], settings: Settings) -> tuple[Buffered, ...]:
    """The reflections that will expire soon, those with the fewest trials left first."""
    soon = [one for one in reflections if one.ttl_remaining <= settings.expiring_soon]
    return tuple(sorted(soon, key=lambda one: (one.ttl_remaining, one.task_class, one.ref)))


def expiring_report(reflections: Sequence[Buffered], settings: Settings) -> tuple[str, ...]:
    """The same as lines for people, and one line where there are none."""
    soon = expiring(reflections, settings)
    if not soon:
        return (f"Nothing expires within {_trials(settings.expiring_soon)}.",)
    return tuple(f"{one.ref} ({one.task_class}): {left_in_words(one.ttl_remaining)}. {one.text}" for one in soon)


def left_in_words(trials: int) -> str:
    """How long a reflection still lives."""
    return "its trials are over; it expires with the next one" if trials <= 0 else f"{_trials(trials)} left"


def _trials(count: int) -> str:
    return "1 trial" if count == 1 else f"{count} trials"


def _object(one: Buffered) -> dict[str, Any]:
    return {
        "ref": one.ref,
        "trial_id": one.trial_id,
        "trial": one.trial,
        "task_class": one.task_class,
        "scope": one.scope,
        **({"user": one.user} if one.user is not None else {}),
        "text": one.text,
        "tags": list(one.tags),
        "created_at": one.created_at.astimezone(UTC).isoformat() if one.created_at else None,
        "ttl_remaining": one.ttl_remaining,
    }
