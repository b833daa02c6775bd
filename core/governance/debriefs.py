"""Where a debrief by the critic, or a consolidation, stands, and what may follow: the one table of their states.

A move that the table does not have is not made: whoever comes second, such as a worker that was taken for dead, changes
nothing.
"""

from datetime import datetime
from enum import StrEnum

from core.store.critic_records import CriticRun
from core.store.memory_records import Consolidation
from core.vocabulary import RunState


class Event(StrEnum):
    """What happens to a run."""

    BEGIN = "begin"
    SKIP = "skip"
    FINISH = "finish"
    FAIL = "fail"
    STOP = "stop"
    TAKE_BACK = "take back"
    TRY_AGAIN = "try again"


NEXT: dict[tuple[RunState, Event], RunState] = {
    (RunState.QUEUED, Event.BEGIN): RunState.RUNNING,
    (RunState.QUEUED, Event.SKIP): RunState.SKIPPED,
    (RunState.QUEUED, Event.FAIL): RunState.FAILED,
    (RunState.QUEUED, Event.TAKE_BACK): RunState.STOPPED,
    (RunState.RUNNING, Event.FINISH): RunState.DONE,
    (RunState.RUNNING, Event.FAIL): RunState.FAILED,
    (RunState.RUNNING, Event.STOP): RunState.STOPPED,
    (RunState.FAILED, Event.TRY_AGAIN): RunState.QUEUED,
    (RunState.STOPPED, Event.TRY_AGAIN): RunState.QUEUED,
    (RunState.SKIPPED, Event.TRY_AGAIN): RunState.QUEUED,
}
"""What follows; done is the end, and what is not here is not possible."""


def moved(
    run: CriticRun | Consolidation, event: Event, at: datetime, *, reason: str | None = None, detail: str = ""
) -> bool:
    """Move a run as the table says, with its reason and its times; False, and nothing changed, where it says nothing.

    The caller holds the write lock and adds the row.
    """
    after = NEXT.get((RunState(run.state), event))
    if after is None:
        return False
    run.state, run.reason, run.detail = after, reason, detail
    if event is Event.TRY_AGAIN:
        run.attempt, run.queued_at, run.started_at, run.ended_at = run.attempt + 1, at, None, None
    if event in (Event.BEGIN, Event.SKIP):
        run.started_at = at
    if after.over:
        run.ended_at = at
    return True


def picture() -> str:
    """The table as a Mermaid diagram."""
    lines = ["stateDiagram-v2", f"    [*] --> {RunState.QUEUED}"]
    lines += [f"    {before} --> {after}: {event}" for (before, event), after in NEXT.items()]
    return "\n".join(lines)
