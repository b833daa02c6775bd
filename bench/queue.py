"""How the Review queue and a briefing cost as the store grows. Run: ``python -m bench.queue``.

Prints the time of one queue page, the counts of every page, Home, one card and one briefing on stores of 1,000, 100,000
and 1,000,000 proposals, each as a ratio to the smallest, and the number of SQL statements. The store is filled through
plain inserts and put into its order by ``requeue_all``, whose time is printed too, with the head of the queue and why
it stands there. Every other figure is the median of repeated calls through the product's own functions.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import event, insert

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.governance.people import Person
from core.governance.queueing import requeue_all
from core.service.card_views import card
from core.service.digest import digest_of
from core.service.home import home_view
from core.service.queue_counts import QueueCounts, queue_counts
from core.service.review_views import LISTED, review_queue
from core.service.views import Narrowed, Whose
from core.settings import DEFAULTS
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, Item, LessonBody
from core.vocabulary import Duty, Scope, Severity

SIZES = (1_000, 100_000, 1_000_000)
REPEATS = 9
AT_ONCE = 50_000
ACTIVE = 50
PERSON = Person("p", frozenset(Duty))


def filled(path: Path, size: int) -> Database:
    """A store with so many proposed lessons that came over ninety days, and fifty active ones."""
    database = Database(f"sqlite:///{path}")
    database.migrate()
    begun = now()
    with database.writing() as db:
        db.add(Agent(name="bench", policies=[], updated_at=begun))
        db.flush()
        for first in range(1, size + ACTIVE + 1, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, size + ACTIVE + 1))
            db.connection().execute(insert(Item), [_item(one, size, begun) for one in numbers])
            db.connection().execute(insert(LessonBody), [_body(one) for one in numbers])
        took = time.perf_counter()
        requeue_all(db, DEFAULTS)
        print(f"{size:>10,} {'put in order':<14} {(time.perf_counter() - took) * 1000:>10.1f}")
    return database


def _text(number: int) -> str:
    return f"Check rule {number} of the refund policy before answering case {number % 97}."


def _item(number: int, size: int, begun: datetime) -> dict[str, object]:
    severity = list(Severity)[number % 4]
    came = begun - timedelta(days=90) * (number / (size + ACTIVE))
    return {
        "id": number,
        "kind": "lesson",
        "number": number,
        "version": 1,
        "revision": 1,
        "status": "active" if number > size else "proposed",
        "severity": severity.value,
        "weight": severity.rank,
        "headline": _text(number),
        "agent_id": 1,
        "task_class": "refunds",
        "fault": f"f{number}",
        "origin": "bench",
        "proposer": "check bench",
        "content_hash": "0" * 64,
        "settings": "0" * 12,
        "quotes": 0,
        "not_found": 0,
        "sessions": number % 7,
        "returns": 0,
        "created_at": came,
        "queued_at": None if number > size else came,
    }


def _body(number: int) -> dict[str, object]:
    text = _text(number)
    scope = list(Scope)[number % 3].value
    return {
        "item_id": number,
        "form": "instruction",
        "scope": scope,
        "text": text,
        "folded": text,
        "tags": ["refund"],
    }


def show_head(database: Database) -> None:
    """The first of the queue, and why each stands where it stands."""
    moment = now()
    for place, row in enumerate(review_queue(database, person="p", size=5).rows, 1):
        days = (moment - (row.queued_at or moment)).days
        why = f"{row.severity} × {row.scope} × {row.sessions} sessions, waits {days} d"
        print(f"{'':>10} {place}. {row.ref}: {why}")


def median_ms(work: Callable[[], object]) -> float:
    """The median time of repeated calls, in milliseconds."""
    work()
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def statements(database: Database, work: Callable[[], object]) -> int:
    """How many statements one call asks."""
    asked: list[str] = []

    def listen(*args: object) -> None:
        asked.append(str(args[2]))

    event.listen(database.engine, "before_cursor_execute", listen)
    work()
    event.remove(database.engine, "before_cursor_execute", listen)
    return len(asked)


def main() -> None:
    """Print the table."""
    first: dict[str, float] = {}
    print(f"{'proposals':>10} {'what':<14} {'median ms':>10} {'to smallest':>12} {'statements':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            database = filled(Path(folder) / f"{size}.db", size)
            work: dict[str, Callable[[], object]] = {
                "queue, page 1": lambda db=database: review_queue(db, person="p"),
                "queue, overdue": lambda db=database: review_queue(db, person="p", narrowed=Narrowed(overdue=True)),
                "queue, mine": lambda db=database: review_queue(db, person="p", narrowed=Narrowed(whose=Whose.MINE)),
                "counts": lambda db=database: queue_counts(db, PERSON),
                "home": lambda db=database: home_view(db, PERSON, QueueCounts(), now()),
                "digest": lambda db=database: digest_of(db),
                "queue, last": lambda db=database, n=LISTED // 50: review_queue(db, person="p", page=n),
                "card": lambda db=database: card(db, 1, person="p"),
                "briefing": lambda db=database: issue(db, Asked("bench", None, "refunds", "a refund")),
            }
            for what, one in work.items():
                took = median_ms(one)
                ratio = took / first.setdefault(what, took)
                print(f"{size:>10,} {what:<14} {took:>10.1f} {ratio:>11.1f}x {statements(database, one):>11}")
            show_head(database)
            database.close()


if __name__ == "__main__":
    main()
