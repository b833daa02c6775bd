"""What the engine asks of the work that it carries out, and the numbers that it keeps to."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

CRITIC = "critic"
"""The kind of work that debriefs are. What was queued by an earlier release names no kind, and is of this one."""


@dataclass(frozen=True)
class Waiting:
    """A run that is not over. ``attempt`` starts at 1 and grows with each "try again"."""

    run_id: int
    attempt: int
    queued_at: datetime | None = None
    """When the run was first queued; the same for all looks at one attempt. It tells apart two runs with one number,
    where a desk's file was replaced and the engine's beside it was not."""
    kind: str = CRITIC
    """Which work of the engine carries it out; numbers of two kinds have nothing to do with each other."""


@dataclass(frozen=True)
class Due:
    """A request that is to be asked; requests to one ``provider`` share a rate limit."""

    call_id: int
    provider: str


class Work(Protocol):
    """What is carried out. Each method may be called twice, also by two processes at once, and must not mind.

    A process can die, or be taken for dead while it only slept, between any two lines: the next one calls the same
    method again. The rows decide; each method changes them in one transaction with a condition on their state.
    An engine knows each work by its kind, which is also that of all that it says is ``waiting``.
    """

    def waiting(self) -> Sequence[Waiting]:
        """The runs that are queued or running, oldest first; read once a second."""

    def due(self, run_id: int) -> Sequence[Due]:
        """The requests to ask next; empty when nothing more is to be asked. A request that was asked never returns."""

    def ask(self, call_id: int) -> None:
        """Ask one request outside any transaction, and store what became of it; one that is answered returns at once.

        It may be cut at any moment when the worker stops, and is then asked again. It is also called again where it
        ends in ``StoreBusy``, so whoever holds a reply that could not be stored tries for a while to store it.
        """

    def finish(self, run_id: int) -> None:
        """Write what came of a run and mark it as over, in one transaction; a run that is over stays as it is."""

    def fail(self, run_id: int, why: str) -> None:
        """Mark a run as failed by an error of ours, in the words of ``why``; a run that is over stays as it is."""

    def close(self) -> None:
        """Let go of what is held open, such as connections; called once, when the engine has stopped."""


@dataclass(frozen=True)
class WorkSettings:
    """How much is done at once, and when a worker counts as dead."""

    debriefs_at_once: int = 8
    """Runs of one kind that one worker has under way; they mostly wait for their requests."""
    requests_at_once: int = 4
    """Requests to one provider at a time, over all workers."""
    requests_per_minute: int | None = None
    """Requests to one provider that begin in any minute, over all workers; None is no limit."""
    heartbeat: float = 5.0
    """Seconds between two signs of life."""
    dead_after: float = 20.0
    """Seconds without one after which a worker's runs go to another."""
    look_every: float = 0.5
    """Seconds between two looks for work."""
