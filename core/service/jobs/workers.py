"""Which workers live: each writes a sign of life, and each judges the others by how long theirs has not changed.

No two clocks are compared: what counts is how long the reader saw the same sign, so a clock that is wrong kills nobody.
On one machine a process that is gone is known to be dead at once; a number that went to another process is not taken
for it, because the worker's name holds the moment at which its process began.
"""

import os
import secrets
import socket
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlmodel import col, delete, select

from core.store.clock import now
from core.store.database import Database
from core.store.work_records import Worker

UNKNOWN = "?"


@dataclass(frozen=True)
class Self:
    """This worker, as the others see it."""

    id: str
    host: str
    pid: int
    started_at: datetime

    @classmethod
    def new(cls) -> "Self":
        """A worker of this process, with a name that nobody had before."""
        host, pid = this_host(), os.getpid()
        return cls(f"{_name(host, pid, began(pid) or UNKNOWN)}{secrets.token_hex(3)}", host, pid, now())


def this_host() -> str:
    """This machine: its name, its present run, and the space in which process numbers mean something."""
    parts = [socket.gethostname()[:40]]
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text().strip()[:8])
        parts.append(os.readlink("/proc/self/ns/pid").strip("pid:[]"))
    return "/".join(parts)


def began(pid: int) -> str | None:
    """When the process of this number began, in ticks since the machine did; None when there is none, ? if unknown."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return UNKNOWN
    state, start = fields[0], fields[19]
    return None if state in "ZX" else start


def beat(database: Database, me: Self) -> None:
    """Write a sign of life."""
    with database.writing() as db:
        row = db.get(Worker, me.id) or Worker(
            id=me.id, host=me.host, pid=me.pid, started_at=me.started_at, seen_at=now()
        )
        row.seen_at = now()
        db.add(row)


def forget(database: Database, ids: Iterable[str]) -> None:
    """Remove workers that are gone."""
    with database.writing() as db:
        db.exec(delete(Worker).where(col(Worker.id).in_(list(ids))))


def known(database: Database) -> list[Worker]:
    """Every worker that has written a sign of life and was not removed."""
    with database.reading() as db:
        return list(db.exec(select(Worker)))


class Watch:
    """Who is dead, as one worker sees it."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._silent: dict[str, tuple[datetime, float]] = {}
        self._looked: float | None = None

    def dead(self, workers: Iterable[Worker], *, at: float, dead_after: float, heartbeat: float) -> set[str]:
        """The ids of the workers that are dead; ``at`` is this process's own clock, in seconds.

        Silence is counted from look to look, by two heartbeats at most: who slept did not watch.
        """
        passed = 0.0 if self._looked is None else min(at - self._looked, 2 * heartbeat)
        self._looked = at
        before, self._silent = self._silent, {}
        for worker in workers:
            seen, silence = before.get(worker.id, (worker.seen_at, 0.0))
            self._silent[worker.id] = (worker.seen_at, silence + passed if seen == worker.seen_at else 0.0)
        gone = {one.id for one in workers if one.host == self._host and not _runs(one)}
        return gone | {id for id, (_, silence) in self._silent.items() if silence > dead_after}


def _runs(worker: Worker) -> bool:
    """Whether the process of a worker on this machine still runs, as far as can be said."""
    start = began(worker.pid)
    return start == UNKNOWN or (start is not None and worker.id.startswith(_name(worker.host, worker.pid, start)))


def _name(host: str, pid: int, start: str) -> str:
    return f"{host}:{pid}:{start}:"
