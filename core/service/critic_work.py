"""The debriefs by the critic as work for the engine. Nothing queues a run yet, so nothing waits."""

from collections.abc import Sequence

from core.errors import NotFound
from core.service.jobs import Due, Waiting
from core.store.database import Database


class CriticWork:
    """The ``Work`` of the critic's runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def waiting(self) -> Sequence[Waiting]:
        """No run."""
        return ()

    def due(self, run_id: int) -> Sequence[Due]:
        """There is no run, so nothing is due."""
        raise NotFound("run", run_id)

    def ask(self, call_id: int) -> None:
        """There is no request."""
        raise NotFound("request", call_id)

    def finish(self, run_id: int) -> None:
        """There is no run."""
        raise NotFound("run", run_id)

    def fail(self, run_id: int, why: str) -> None:
        """There is no run."""
        raise NotFound("run", run_id)
