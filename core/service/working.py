"""The worker inside the desk's process, and the one that runs alone: both are an engine with the works of the desk.

Where no model can be asked, an engine carries out only what asks none.
"""

import logging
import os
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING

from core.critic.critic_settings import CriticSettings
from core.service.consolidation.work import CONSOLIDATION, UNASKED, ConsolidationWork
from core.service.critic.runs import not_configured
from core.service.critic.work import CriticWork, work_settings
from core.service.digest_sending import DigestClock
from core.service.jobs import CRITIC, Work
from core.store.database import Database

if TYPE_CHECKING:
    from core.service.jobs.engine import Engine

LOG = logging.getLogger(__name__)


def engine(database: Database, tell: Callable[[str], None] = lambda line: None) -> "Engine":
    """An engine with all that this process can carry out, not yet started; ``tell`` takes one line for each thing done.

    A process without key or address would take debriefs from the queue that another one could carry out, so it takes
    none, and no other run that asks a model.
    """
    from core.service.jobs.engine import Engine  # half a second, which pages and other commands need not wait

    asks = why_nobody_can_be_asked() is None
    works: dict[str, Work] = {UNASKED: ConsolidationWork(database, asks=False)}
    if asks:
        works |= {CRITIC: CriticWork(database), CONSOLIDATION: ConsolidationWork(database)}
    return Engine(database, works, lambda: work_settings(database), tell, asks=asks)


def worker_wanted() -> bool:
    """Whether the desk's process also works: not with ``TUTELAGE_WORKER=0``."""
    return os.environ.get("TUTELAGE_WORKER", "1") != "0"


def why_nobody_can_be_asked() -> str | None:
    """Why no model can be asked from this process, whatever the settings say; None where one can."""
    return not_configured(CriticSettings(model="any"))


class DeskWorker:
    """The worker beside the pages, if one is wanted. It starts behind them; a desk without it still serves."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._engine: Engine | None = None
        self._digests = DigestClock(database) if worker_wanted() else None
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
