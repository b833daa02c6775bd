"""The worker inside the desk's process, and the one that runs alone: both are an engine with the critic's work."""

import logging
import os
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING

from core.critic.critic_settings import CriticSettings
from core.service.critic.runs import not_configured
from core.service.critic.work import CriticWork, work_settings
from core.service.digest_sending import DigestClock
from core.store.database import Database

if TYPE_CHECKING:
    from core.service.jobs.engine import Engine

LOG = logging.getLogger(__name__)


def engine(database: Database, tell: Callable[[str], None] = lambda line: None) -> "Engine":
    """An engine with the critic's work, not yet started; ``tell`` takes one line for each thing done."""
    from core.service.jobs.engine import Engine  # half a second, which pages and other commands need not wait

    return Engine(database, CriticWork(database), lambda: work_settings(database), tell)


def worker_wanted() -> bool:
    """Whether the desk's process also works: not with ``TUTELAGE_WORKER=0``, and not where it could ask no model.

    A process without key or address would take debriefs from the queue that another one could carry out.
    """
    return os.environ.get("TUTELAGE_WORKER", "1") != "0" and why_nobody_can_be_asked() is None


def why_nobody_can_be_asked() -> str | None:
    """Why no model can be asked from this process, whatever the settings say; None where one can."""
    return not_configured(CriticSettings(model="any"))


class DeskWorker:
    """The worker beside the pages, if one is wanted. It starts behind them; a desk without it still serves."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._engine: Engine | None = None
        self._digests = DigestClock(database) if os.environ.get("TUTELAGE_WORKER", "1") != "0" else None
        self._starting = Thread(target=self._start, name="start-work", daemon=True)
        if worker_wanted():
            self._starting.start()

    def _start(self) -> None:
        try:
            self._engine = engine(self._database)
            self._engine.start()
        except Exception:
            LOG.exception("The worker of this desk did not start; queued work waits for another one.")

    def stop(self) -> None:
        """End within a few seconds; what was under way is taken up again later."""
        if self._digests is not None:
            self._digests.stop()
        if self._starting.ident is not None:
            self._starting.join()
        if self._engine is not None:
            self._engine.stop()
