"""The workflows: one for each attempt of a run, and one for each of its requests, on the queue of its provider.

A step that ended is never repeated. One that was cut, by a kill or by ``stop``, is begun again by whoever takes the
run over; the rows know what of it was done. Only one execution of a run can record a step: who was taken for dead and
comes back finds that it owns the run no more, and lets go at its next step. What it then still does (a request that
was on its way, or ``finish``) is harmless because ``Work`` promises so.

The two broad catches are the borders of a job: what they catch is stored with the run.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from threading import Thread
from typing import TypeVar, cast

from dbos import DBOS, SetWorkflowID

from core.errors import StoreBusy, TutelageError
from core.service.jobs.contract import CRITIC, Due, Waiting, Work, WorkSettings
from core.service.jobs.tables import OVER

Answer = TypeVar("Answer")
PATIENCE = 7
"""How often a step is tried where the store is busy: for half a minute and the time that each try waits itself."""
RESTARTS = 20
"""How often a run is begun again: one that kills every worker that takes it does not do so for ever."""


class Stopped(BaseException):
    """The worker stops; the step is not recorded and begins again later. No ``Exception``: no job stores it."""


@dataclass
class Carried:
    """The works of this process by kind, the numbers to keep to, and the sign to stop."""

    works: Mapping[str, Work]
    settings: WorkSettings
    tell: Callable[[str], None]
    prepare: Callable[[str], None]
    """Makes sure that a provider has a queue."""
    stopped: "Future[None]" = field(default_factory=Future)

    def cuttable(self, act: Callable[[], Answer]) -> Answer:
        """Do something long so that a stop need not wait for it: it then goes on alone, and dies with the process."""
        box: Future[Answer] = Future()
        Thread(target=_fill, args=(box, act), name="cuttable", daemon=True).start()
        wait((box, cast("Future[Answer]", self.stopped)), return_when=FIRST_COMPLETED)
        if not box.done():
            raise Stopped
        return box.result()

    def sleep(self, seconds: float) -> None:
        """Sleep, but not beyond the sign to stop."""
        if wait([self.stopped], timeout=seconds).done:
            raise Stopped


_carried: list[Carried] = []


def carry(carried: Carried) -> None:
    """Let the workflows of this process work for this one; DBOS, too, is one in a process."""
    _carried[:] = [carried]


def enqueue(one: Waiting) -> None:
    """Queue an attempt of a run; the same attempt twice is one."""
    with SetWorkflowID(run_name(one)):
        DBOS.enqueue_workflow(kind_queue(one.kind), debrief, one.run_id, one.kind)


def run_name(one: Waiting) -> str:
    """The name of an attempt in the engine."""
    queued = f"-{one.queued_at.timestamp():.3f}" if one.queued_at else ""
    return f"{one.kind}-{one.run_id}-{one.attempt}{queued}"


def kind_queue(kind: str) -> str:
    """The name of the queue of the runs of a kind: each kind has its own, so that none waits behind another."""
    return "debriefs" if kind == CRITIC else f"runs {kind}"


def provider_queue(provider: str) -> str:
    """The name of a provider's queue."""
    return f"ask {provider}"


@DBOS.workflow(name="debrief", max_recovery_attempts=RESTARTS)
def debrief(run_id: int, kind: str = CRITIC) -> None:
    """Ask what is due until nothing is, then write what came of it; whatever goes wrong is stored with the run.

    The name is that of the first kind there was: by it, what an earlier release queued is found.
    """
    try:
        problem = _ask_until_nothing_is_due(run_id, kind)
        if not problem:
            _finish(run_id, kind)
    except Exception as error:
        problem = said(error)
    if problem:
        _fail(run_id, problem, kind)


@DBOS.workflow(name="request", max_recovery_attempts=RESTARTS)
def request(call_id: int, kind: str = CRITIC) -> str:
    """Ask one request; the answer is empty, or what went wrong in us."""
    try:
        _ask(call_id, kind)
    except Exception as error:
        return said(error)
    return ""


def said(error: Exception) -> str:
    """An error in words: our own say enough, others with their kind."""
    for one in getattr(error, "errors", ())[-1:]:
        return said(one)
    text = str(error) if isinstance(error, TutelageError) else f"{type(error).__name__}: {error}"
    return text[:2_000]


def _ask_until_nothing_is_due(run_id: int, kind: str) -> str:
    """What went wrong in us, or nothing."""
    asked: set[int] = set()
    while calls := _due(run_id, kind):
        due = {call_id for call_id, _ in calls}
        if again := sorted(asked & due):
            return f"Request {again[0]} is due again although it was asked."
        asked |= due
        if problems := _ask_all(calls, kind):
            return " ".join(dict.fromkeys(problems))
    return ""


def _ask_all(calls: Sequence[tuple[int, str]], kind: str) -> list[str]:
    names = [f"{DBOS.workflow_id}-{call_id}" for call_id, _ in calls]
    for name, (call_id, provider) in zip(names, calls, strict=True):
        with SetWorkflowID(name):
            DBOS.enqueue_workflow(provider_queue(provider), request, call_id, kind)
    return _answered(names)


def _busy(error: BaseException) -> bool:
    return isinstance(error, StoreBusy)


@DBOS.step(name="ask", retries_allowed=True, max_attempts=PATIENCE, interval_seconds=0.5, should_retry=_busy)
def _ask(call_id: int, kind: str) -> None:
    carried = _carried[0]
    carried.cuttable(lambda: carried.works[kind].ask(call_id))


@DBOS.step(name="due", retries_allowed=True, max_attempts=PATIENCE, interval_seconds=0.5, should_retry=_busy)
def _due(run_id: int, kind: str) -> list[tuple[int, str]]:
    carried = _carried[0]
    due: Sequence[Due] = carried.works[kind].due(run_id)
    for provider in {one.provider for one in due}:
        carried.prepare(provider)
    return [(one.call_id, one.provider) for one in due]


@DBOS.step(name="answered")
def _answered(names: list[str]) -> list[str]:
    """Wait until these requests are over; what went wrong in them, one text each."""
    carried = _carried[0]
    open_names, problems = set(names), list[str]()
    while open_names:
        over = DBOS.list_workflows(workflow_ids=list(open_names), status=list(OVER), load_input=False)
        for one in over:
            open_names.discard(one.workflow_id)
            problem = one.output if one.status == "SUCCESS" else f"Request {one.workflow_id} ended as {one.status}."
            problems += [problem] if problem else []
        if open_names:
            carried.sleep(carried.settings.look_every / 2)
    return problems


@DBOS.step(name="finish", retries_allowed=True, max_attempts=PATIENCE, interval_seconds=0.5, should_retry=_busy)
def _finish(run_id: int, kind: str) -> None:
    carried = _carried[0]
    carried.works[kind].finish(run_id)
    carried.tell(f"{_named(run_id, kind)} is over.")


@DBOS.step(name="fail", retries_allowed=True, max_attempts=PATIENCE, interval_seconds=0.5)
def _fail(run_id: int, why: str, kind: str) -> None:
    carried = _carried[0]
    carried.works[kind].fail(run_id, why)
    carried.tell(f"{_named(run_id, kind)} failed: {why}")


def _named(run_id: int, kind: str) -> str:
    """How a line names a run: ``Run 3``, ``Run 3 (beliefs)``."""
    return f"Run {run_id}" if kind == CRITIC else f"Run {run_id} ({kind})"


def _fill(box: "Future[Answer]", act: Callable[[], Answer]) -> None:
    try:
        box.set_result(act())
    except BaseException as error:
        box.set_exception(error)
