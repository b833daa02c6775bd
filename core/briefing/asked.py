"""Who asks for a briefing, and what on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Asked:
    """Who is about to start, and on what. A user with an empty name is nobody in particular, as None is."""

    agent: str
    user: str | None = None
    task_class: str | None = None
    task: str = ""

    def __post_init__(self) -> None:
        if self.user == "":
            object.__setattr__(self, "user", None)
