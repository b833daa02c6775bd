"""The engine of one process: it finds what waits, carries it out, shows that it lives, and takes over from the dead.

What is guaranteed, on SQLite and on PostgreSQL, whatever process is killed at whatever moment:

- A run that is queued in the tables is carried out by some worker that lives, and its attempt once: the name of the
  attempt is its key in the engine, so that two sweeps, or two workers, queue it once.
- A request whose answer is stored is not sent again. One that was on its way when its worker died is sent again.
- What the run writes is written once: ``Work.finish`` is one transaction that asks whether the run is over.
- The rate of requests counts over all workers.

Source of the engine: DBOS Transact for Python 3.4. It brings back only what the same executor left; taking over from
another one is added here, with the function that it uses itself: a run goes back to its queue only while it still
belongs to the dead worker, so two that take over at once do it once.
"""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import InvalidStateError
from contextlib import suppress
from datetime import timedelta
from threading import Event, Thread
from time import monotonic
from types import TracebackType

from dbos import DBOS
from sqlalchemy import Engine as Connections

from core.errors import StoreBusy
from core.service.jobs import nudges
from core.service.jobs.contract import Waiting, Work, WorkSettings
from core.service.jobs.flow import Carried, carry, enqueue, kind_queue, provider_queue, run_name
from core.service.jobs.tables import OVER, clear, prepared
from core.service.jobs.workers import Self, Watch, beat, forget, known
from core.store.clock import now
from core.store.database import Database

AT_ONE_LOOK = 100
"""Runs that one look queues, so that signs of life are not held up by it."""
CHECK_EVERY = 30.0
"""Seconds between two looks for runs whose workflow ended without marking them as over, and for old notes."""
KEPT = timedelta(days=30)
"""How long the engine's notes of work that is over are kept; the runs themselves stay in the desk's tables."""
LOG = logging.getLogger(__name__)


class Engine:
    """Carries out ``works``, one of each kind; one engine in a process. ``settings`` is asked at each sign of life.

    One that ``asks`` no model takes only runs of the kinds that it has, and no requests: those stay in their queues.
    """

    def __init__(
        self,
        database: Database,
        works: Mapping[str, Work],
        settings: Callable[[], WorkSettings] = WorkSettings,
        tell: Callable[[str], None] = lambda line: None,
        *,
        asks: bool = True,
    ) -> None:
        self.me = Self.new()
        self._database = database
        self._settings = settings
        self._tell = tell
        self._asks = asks
        self._carried = Carried(works, settings(), tell, self._provide)
        self._watch = Watch(self.me.host)
        self._providers: set[str] = set()
        self._queued: set[str] = set()
        self._connections: Connections | None = None
        self._wake = Event()
        self._beat_at = self._check_at = 0.0
        self._thread = Thread(target=self._keep, name="work", daemon=True)

    def start(self) -> None:
        """Begin. To be called from a thread without a running event loop; takes some tenths of a second."""
        beat(self._database, self.me)
        carry(self._carried)
        config = prepared(self._database, self.me.id)
        self._connections = config.get("system_database_engine")
        DBOS(config=config)
        if not self._asks:
            DBOS.listen_queues([kind_queue(kind) for kind in self._carried.works])
        DBOS.launch()
        self._register()
        nudges.listen(self._wake)
        self._check_at = monotonic() + CHECK_EVERY
        self._thread.start()

    def nudge(self) -> None:
        """Look for work now."""
        self._wake.set()

    def stop(self) -> None:
        """End within a few seconds. A step that runs is cut, and begun again by another worker or at the next start."""
        nudges.ignore(self._wake)
        with suppress(InvalidStateError):
            self._carried.stopped.set_result(None)
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10)
        DBOS.destroy()
        for work in self._carried.works.values():
            work.close()
        if self._connections:
            self._connections.dispose()
        with suppress(StoreBusy):
            forget(self._database, [self.me.id])

    def __enter__(self) -> "Engine":
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _keep(self) -> None:
        """Look, again and again; what goes wrong in one look is logged, and the next one tries anew."""
        while not self._carried.stopped.done():
            more = False
            try:
                self._live()
                more = self._sweep()
            except Exception:
                if not self._carried.stopped.done():
                    LOG.exception("A look for work went wrong; the next one follows.")
            if not more:
                self._wake.wait(self._carried.settings.look_every)
            self._wake.clear()

    def _live(self) -> None:
        """Show that this worker lives, take over from those that do not, and keep to the settings as they are now."""
        at, settings = monotonic(), self._carried.settings
        if at < self._beat_at:
            return
        beat(self._database, self.me)
        self._beat_at = at + settings.heartbeat
        self._take_over(at, settings)
        if (changed := self._settings()) != settings:
            self._carried.settings = changed
            self._register()

    def _take_over(self, at: float, settings: WorkSettings) -> None:
        """Give the runs of dead workers back to their queues.

        The runs are listed first: a worker writes its sign before it takes any, so one without a sign has left.
        """
        pending = DBOS.list_workflows(status="PENDING", load_input=False, load_output=False)
        workers = known(self._database)
        dead = self._watch.dead(workers, at=at, dead_after=settings.dead_after, heartbeat=settings.heartbeat)
        dead -= {self.me.id}
        living = {one.id for one in workers} - dead
        left = {str(one.executor_id) for one in pending} - living - {self.me.id}
        for id in sorted(left):
            taken = DBOS._recover_pending_workflows([id])
            self._tell(f"Took over {len(taken)} pieces of work from {id}, which is gone.")
        if dead:
            forget(self._database, dead)

    def _sweep(self) -> bool:
        """Queue what waits in the tables; whether more of it waits."""
        waiting = {run_name(one): one for work in self._carried.works.values() for one in work.waiting()}
        self._queued &= waiting.keys()
        new = [name for name in waiting if name not in self._queued]
        for name in new[:AT_ONE_LOOK]:
            enqueue(waiting[name])
            self._queued.add(name)
        if monotonic() > self._check_at:
            self._check_at = monotonic() + CHECK_EVERY
            self._settle(waiting)
            clear(now() - KEPT)
        return len(new) > AT_ONE_LOOK

    def _settle(self, runs: Mapping[str, Waiting]) -> None:
        """Mark runs as failed whose workflow is over and left them as they were."""
        names = list(runs)
        for first in range(0, len(names), AT_ONE_LOOK):
            part = names[first : first + AT_ONE_LOOK]
            for one in DBOS.list_workflows(workflow_ids=part, status=list(OVER), load_input=False, load_output=False):
                why = f"The work ended as {one.status} and could not say why; it can be tried again."
                over = runs[one.workflow_id]
                self._carried.works[over.kind].fail(over.run_id, why)

    def _provide(self, provider: str) -> None:
        """Make sure that a provider has a queue."""
        if provider not in self._providers:
            self._register_provider(provider)
            self._providers.add(provider)

    def _register(self) -> None:
        """Write the numbers of every queue where all workers read them."""
        settings = self._carried.settings
        for kind in self._carried.works:
            DBOS.register_queue(
                kind_queue(kind),
                worker_concurrency=settings.debriefs_at_once,
                polling_interval_sec=settings.look_every,
                on_conflict="always_update",
            )
        for provider in self._providers:
            self._register_provider(provider)

    def _register_provider(self, provider: str) -> None:
        settings = self._carried.settings
        most, period = paced(settings.requests_per_minute)
        DBOS.register_queue(
            provider_queue(provider),
            global_concurrency=settings.requests_at_once,
            limiter={"limit": most, "period": period} if most else None,
            polling_interval_sec=settings.look_every,
            on_conflict="always_update",
        )


def paced(per_minute: int | None) -> tuple[int, float]:
    """A rate as a number of requests in a few seconds, so that they do not all begin at once: most, and seconds.

    In no minute more than ``per_minute`` begin, wherever it starts: it touches one stretch more than fits into it, also
    where the engine's clock counts whole seconds (SQLite). The shortest stretch that leaves four fifths of the rate is
    taken, and where none does, one that is longer than a minute.
    """
    if not per_minute:
        return 0, 0.0
    for seconds in range(1, 60):
        most = per_minute // (60 // seconds + 1)
        if most * 60 * 5 >= per_minute * seconds * 4:
            return most, float(seconds)
    return per_minute, 61.0
