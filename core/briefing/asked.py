"""Who asks for a briefing, and what on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Asked:
    """Who is about to start, and on what."""

    agent: str
    user: str | None = None
    task_class: str | None = None
    task: str = ""
