"""Who counts as dead: by silence as the reader saw it, and on one machine by the process itself."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

from core.service.jobs.workers import Self, Watch, beat, began, forget, known
from core.store.database import Database
from core.store.work_records import Worker

AT = datetime(2026, 11, 3, 9, 0, tzinfo=UTC)


def far(seen: int) -> Worker:
    return Worker(id="far", host="another machine", pid=1, started_at=AT, seen_at=AT + timedelta(seconds=seen))


def look(watch: Watch, at: float, *workers: Worker) -> set[str]:
    return watch.dead(workers, at=at, dead_after=20.0, heartbeat=5.0)


def test_a_worker_far_away_is_dead_when_its_sign_has_not_changed_for_long_enough() -> None:
    watch = Watch("here")
    assert [look(watch, at, far(0)) for at in (0, 5, 10, 15, 20)] == [set()] * 5
    assert look(watch, 25, far(0)) == {"far"}


def test_a_new_sign_of_life_begins_the_count_anew_whatever_its_clock_says() -> None:
    watch = Watch("here")
    signs = [far(0), far(0), far(0), far(-900), far(-900), far(-900)]
    assert [look(watch, 8 * n, sign) for n, sign in enumerate(signs)] == [set()] * 6


def test_who_slept_did_not_watch() -> None:
    watch = Watch("here")
    look(watch, 0, far(0))
    assert look(watch, 3_600, far(0)) == set()


def test_a_process_that_is_gone_is_dead_at_once_and_one_that_runs_is_not() -> None:
    me = Self.new()
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    child = Worker(id=me.id.replace(f":{me.pid}:{began(me.pid)}:", f":{process.pid}:{began(process.pid)}:"), **FIELDS)
    child.host, child.pid = me.host, process.pid
    mine = Worker(id=me.id, host=me.host, pid=me.pid, started_at=AT, seen_at=AT)
    assert look(Watch(me.host), 0, child, mine) == set()
    process.kill()
    assert look(Watch("another machine"), 0, child) == set(), "from elsewhere this cannot be said"
    process.communicate()
    assert look(Watch(me.host), 0, child, mine) == {child.id}


FIELDS = {"host": "", "pid": 0, "started_at": AT, "seen_at": AT}


def test_a_number_that_went_to_another_process_is_not_taken_for_the_worker() -> None:
    me = Self.new()
    old = Worker(id=f"{me.host}:{os.getpid()}:1:abc", host=me.host, pid=os.getpid(), started_at=AT, seen_at=AT)
    assert look(Watch(me.host), 0, old) == {old.id}


def test_no_two_workers_have_one_name_and_each_leaves_nothing_behind(database: Database) -> None:
    first, second = Self.new(), Self.new()
    for one in (first, second, first):
        beat(database, one)
    assert {row.id for row in known(database)} == {first.id, second.id}
    forget(database, [first.id])
    assert [row.id for row in known(database)] == [second.id]
