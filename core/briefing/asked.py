"""Who asks for a briefing, and what on."""

from dataclasses import dataclass

from core.screening.named import name_kept


@dataclass(frozen=True)
class Asked:
    """Who is about to start, and on what. A user with an empty name is nobody in particular, as None is.

    The user is asked for as the store names them, whatever a name holds that must not be stored.
    """

    agent: str
    user: str | None = None
    task_class: str | None = None
    task: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "user", name_kept(self.user) if self.user else None)
