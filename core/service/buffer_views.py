"""What the Buffer page, the file and the reports show: reflections in force of an agent, and what becomes of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.briefing.asked import Asked
from core.briefing.candidates import buffered
from core.briefing.chosen import Part
from core.briefing.compose import Section
from core.briefing.read import agent_named, brief
from core.governance.numbers import numbers_in_force
from core.governance.references import by_number, reference
from core.memory.buffer import remaining
from core.memory.buffer_file import Buffered, buffer_file, expiring
from core.memory.compaction import WHEN_IT_STAYS_FULL
from core.service.consolidation.buffer import last_runs, together
from core.settings import Settings
from core.store.database import Database
from core.store.memory_records import Consolidation
from core.store.records import Agent, AgentSession, Evidence, Item, LessonBody, TaskClass
from core.vocabulary import Form, Kind, RunState, Scope, Status

OFTEN = 2
"""Compactions of one buffer from which on it is said what helps where it stays full."""


@dataclass(frozen=True)
class Cluster:
    """Reflections that say nearly the same, the newest first, and the words that would stand for them."""

    refs: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class CompactionRow:
    """One compaction of a buffer: where it stands, and what came of it."""

    id: int
    state: str
    by: str
    queued_at: datetime
    detail: str
    proposed: tuple[str, ...]


@dataclass(frozen=True)
class BufferView:
    """The buffer of one task class, as the next trial of it meets it."""

    agent: str
    task_class: str
    trials: int
    lives_for: int
    in_force: int
    """Reflections in force in this task class, for whomever they hold."""
    budget: int
    block: str
    """What the next trial reads; empty where nothing is in force."""
    rows: tuple[Buffered, ...]
    """Every reflection that the next trial could read, the newest first."""
    read: frozenset[str]
    """References of those that it reads."""
    summed_up: frozenset[str]
    """References of those for which one line of the block stands."""
    soon: tuple[Buffered, ...]
    clusters: tuple[Cluster, ...]
    kept_apart: tuple[str, ...]
    """Why some that are alike are not brought together."""
    runs: tuple[CompactionRow, ...]
    user: str | None = None
    """For whom it is looked at, beside what holds for everybody."""

    @property
    def further(self) -> int:
        """Reflections in force of other task classes that the next trial could read, too: for every task, or a user."""
        return sum(one.task_class != self.task_class and one.ttl_remaining > 0 for one in self.rows)

    @property
    def further_in_words(self) -> str:
        """How many those are, to follow how many are in force; empty where there are none."""
        if not self.further:
            return ""
        hold = "holds" if self.further == 1 else "hold"
        return f"and {self.further} more that {hold} for every task" + (" or for this user" if self.user else "")

    @property
    def over(self) -> bool:
        """Whether more are in force in this task class than its budget has room for."""
        return self.in_force > self.budget

    @property
    def under_way(self) -> bool:
        """Whether a compaction waits or runs."""
        return any(not RunState(run.state).over for run in self.runs)

    @property
    def advice(self) -> str | None:
        """What helps where the buffer is full in spite of compactions; None where it is not."""
        done = sum(run.state == RunState.DONE for run in self.runs)
        return WHEN_IT_STAYS_FULL if self.over and done >= OFTEN else None


def buffer_view(database: Database, agent: str, task_class: str, *, user: str | None = None) -> BufferView:
    """The buffer of a task class of an agent, for one user where one is named. Raises ``NotFound``."""
    with database.reading() as db:
        record, numbers = agent_named(db, agent), numbers_in_force(db)
        agent_id, trials = record.id or 0, _trials(db, record)
        reach = [
            one
            for one in _buffered(db, record, numbers)
            if buffered(one.scope, one.user, one.task_class, user, task_class)
        ]
        rows = sorted(reach, key=lambda one: (_since(one), one.order), reverse=True)
        block = _block(db, record, Asked(agent, user, task_class), numbers)
        read = frozenset(line.key for line in block.lines if line.key) if block else frozenset()
        living = {one.ref for one in rows if one.ttl_remaining > 0}
        found = together(db, agent_id, task_class)
        return BufferView(
            agent=agent,
            task_class=task_class,
            trials=trials.get(task_class, 0),
            lives_for=numbers.reflection_trials,
            in_force=found.living,
            budget=numbers.buffer_budget,
            block=block.text if block else "",
            rows=tuple(rows),
            read=read,
            summed_up=frozenset(living - read if block and _sums_up(block) else ()),
            soon=expiring(rows, numbers),
            clusters=tuple(Cluster(tuple(one.key for one in each.parents), each.text) for each in found.clusters),
            kept_apart=found.left,
            runs=tuple(map(_run, last_runs(db, agent_id, task_class))),
            user=user,
        )


def buffer_of(database: Database, agent: str | None = None) -> tuple[Buffered, ...]:
    """The reflections in force of every agent or of one. Raises ``NotFound``."""
    with database.reading() as db:
        numbers = numbers_in_force(db)
        agents = [agent_named(db, agent)] if agent else db.exec(select(Agent).order_by(Agent.name)).all()
        return tuple(one for record in agents for one in _buffered(db, record, numbers))


def buffer_json(database: Database, agent: str, task_class: str | None = None, *, user: str | None = None) -> str:
    """The buffer of an agent as a JSON file; the same buffer gives the same bytes. Raises ``NotFound``.

    With a ``task_class`` it is what a trial of that one could read, as ``buffer_view`` shows it. What holds for one
    user is in it for that ``user`` alone: whoever reads the file back for another never sees it.
    """
    rows = buffer_of(database, agent)
    return buffer_file(
        one for one in rows if buffered(one.scope, one.user, one.task_class, user, task_class or one.task_class)
    )


def classes_with_a_buffer(database: Database, agent: str) -> tuple[str, ...]:
    """The task classes of an agent in which a reflection is in force, by name. Raises ``NotFound``."""
    return tuple(sorted({one.task_class for one in buffer_of(database, agent)}))


def users_with_a_reflection(database: Database, agent: str) -> tuple[str, ...]:
    """The users for whom alone a reflection is in force. Raises ``NotFound``."""
    return tuple(sorted({one.user for one in buffer_of(database, agent) if one.user is not None}))


def _buffered(db: DatabaseSession, agent: Agent, numbers: Settings) -> list[Buffered]:
    """Every active reflection of an agent by number, with the trials that it has left."""
    active = select(Item, LessonBody).join(LessonBody).where(Item.agent_id == agent.id, Item.kind == Kind.LESSON)
    active = active.where(Item.status == Status.ACTIVE, LessonBody.form == Form.REFLECTION)
    rows = db.exec(active.order_by(by_number())).all()
    trials, sessions = _trials(db, agent), _sessions(db, [item for item, _ in rows])
    return [_one(item, body, trials, sessions.get(item.id or 0), numbers) for item, body in rows]


def _one(
    item: Item, body: LessonBody, trials: Mapping[str, int], session: AgentSession | None, numbers: Settings
) -> Buffered:
    of_class = trials.get(item.task_class, 0)
    return Buffered(
        ref=reference(item),
        trial_id=session.ref if session else "",
        trial=session.trial if session else 0,
        task_class=item.task_class,
        scope=body.scope,
        text=body.text,
        tags=tuple(body.tags),
        created_at=session.started_at if session else item.created_at,
        ttl_remaining=remaining(body.from_trial, of_class, numbers.reflection_trials),
        user=item.user if body.scope == Scope.USER else None,
        at=item.active_at or item.created_at,
        order=item.id or 0,
        item=item.id or 0,
    )


def _trials(db: DatabaseSession, agent: Agent) -> dict[str, int]:
    known = select(TaskClass.name, TaskClass.trials).where(TaskClass.agent_id == agent.id)
    return dict(db.exec(known).all())


def _sessions(db: DatabaseSession, items: Sequence[Item]) -> dict[int, AgentSession]:
    """The trial from which each came: the session that it names, else the first that it quotes."""
    ids = [item.id or 0 for item in items]
    quoted = select(Evidence.item_id, Evidence.session_id).where(col(Evidence.item_id).in_(ids))
    first = dict(reversed(db.exec(quoted.order_by(col(Evidence.id))).all()))
    of = {item.id or 0: item.session_id or first.get(item.id or 0) for item in items}
    known = db.exec(select(AgentSession).where(col(AgentSession.id).in_({one for one in of.values() if one}))).all()
    by_id = {one.id: one for one in known}
    return {item: by_id[session] for item, session in of.items() if session in by_id}


def _block(db: DatabaseSession, agent: Agent, asked: Asked, numbers: Settings) -> Section | None:
    """The block as it stands in the briefing of a trial, by the one function that makes every briefing."""
    found = brief(db, agent, asked, numbers).blocks
    return next((one for block in found for one in block.sections if one.part is Part.REFLECTIONS), None)


def _sums_up(block: Section) -> bool:
    """Whether a line of the block, beside its title, stands for those for which there is no room."""
    return sum(line.heading for line in block.lines) > 1


def _since(one: Buffered) -> datetime:
    if one.at is None:
        raise ValueError("a reflection in force has the moment since when it is")
    return one.at


def _run(run: Consolidation) -> CompactionRow:
    became = run.found.get("became", [])
    proposed = tuple(one["ref"] for one in became if one["what"] == "proposed")
    return CompactionRow(run.id or 0, run.state, run.by, run.queued_at, run.detail, proposed)
