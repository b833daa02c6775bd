"""A buffer replayed over logged trials: how large it is after each, which twins gave way, and what expired.

Memory. The reflections are taken as they stand in the logs, past their shape and past anybody's approval: each is in
force from its trial on, and a newer twin takes the place of an older one, as among reflections that nobody has decided
about. Counted in trials alone, the same logs give the same buffer. Source: Reflexion buffer, "TTL and dedup".
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from core.memory.buffer import remaining
from core.memory.buffer_file import Buffered
from core.memory.compaction import AreTwins
from core.settings import Settings
from core.vocabulary import Scope


@dataclass(frozen=True)
class LoggedTrial:
    """One trial of one task class, and the reflections that were written after it. ``round`` is counted from 0."""

    round: int
    task_class: str
    succeeded: bool
    reflections: tuple[str, ...] = ()


@dataclass
class Round:
    """What a round of trials did to the buffer, and how it stands after it."""

    number: int
    trials: int = 0
    failed: int = 0
    added: int = 0
    same: int = 0
    """Twins whose words are the same, of those that gave way."""
    twins: int = 0
    """All that gave way to a newer twin."""
    expired: int = 0
    size: int = 0
    """Reflections in force after it, over all task classes."""
    over_budget: int = 0
    """Task classes whose buffer is over the budget after it."""
    beyond_cap: int = 0
    """Reflections that a line sums up, because a block has no room for them."""


@dataclass(frozen=True)
class Replayed:
    """The rounds in their order, and the buffer as it stands at the end."""

    rounds: tuple[Round, ...]
    buffer: tuple[Buffered, ...]


@dataclass
class _Buffers:
    """Reflections in force by task class, oldest first, each with the trial from which it counts."""

    settings: Settings
    twins: AreTwins
    trials: dict[str, int] = field(default_factory=dict)
    held: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def left(self, task_class: str, from_trial: int) -> int:
        return remaining(from_trial, self.trials[task_class], self.settings.reflection_trials)

    def take_in(self, trial: LoggedTrial, into: Round) -> None:
        """Count a trial, expire what has lived for its trials, and take in what was written after it."""
        number = self.trials[trial.task_class] = self.trials.get(trial.task_class, 0) + 1
        held = self.held.setdefault(trial.task_class, [])
        living = [one for one in held if self.left(trial.task_class, one[0]) > 0]
        into.trials, into.failed = into.trials + 1, into.failed + (not trial.succeeded)
        into.expired += len(held) - len(living)
        for text in trial.reflections:
            stays = [one for one in living if not self.twins(text, one[1])]
            into.added, into.twins = into.added + 1, into.twins + len(living) - len(stays)
            into.same += sum(_folded(one[1]) == _folded(text) for one in living)
            living = [*stays, (number, text)]
        self.held[trial.task_class] = living


def replay(trials: Iterable[LoggedTrial], twins: AreTwins, settings: Settings) -> Replayed:
    """What the trials, in this order, make of an empty buffer. ``twins`` says whether two texts say nearly the same."""
    buffers = _Buffers(settings, twins)
    rounds: dict[int, Round] = {}
    for trial in trials:
        into = rounds.setdefault(trial.round, Round(trial.round))
        buffers.take_in(trial, into)
        _stand(buffers, into)
    return Replayed(tuple(rounds.values()), tuple(_buffered(buffers)))


def _stand(buffers: _Buffers, after: Round) -> None:
    """How large the buffers are by now; the last trial of a round leaves what is told of it."""
    sizes = [len(each) for each in buffers.held.values()]
    after.size = sum(sizes)
    after.over_budget = sum(size > buffers.settings.buffer_budget for size in sizes)
    after.beyond_cap = sum(max(0, size - buffers.settings.reflections_in_briefing) for size in sizes)


def _buffered(buffers: _Buffers) -> Iterable[Buffered]:
    for task_class, held in buffers.held.items():
        for from_trial, text in held:
            yield Buffered(
                ref=f"{task_class}/{from_trial}",
                trial_id=f"{task_class} trial {from_trial}",
                trial=from_trial,
                task_class=task_class,
                scope=Scope.TASK_CLASS,
                text=text,
                tags=(),
                created_at=None,
                ttl_remaining=buffers.left(task_class, from_trial),
            )


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
