"""How the Review queue and a briefing cost as the store grows. Run: ``python -m bench.queue``.

Prints the time of one queue page, one card and one briefing on stores of 100, 1,000, 10,000 and 100,000 proposals, each
as a ratio to the smallest, and the number of SQL statements. The store is filled through plain inserts, then every
figure is the median of repeated calls through the product's own functions.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from sqlalchemy import event, insert

from core.briefing.read import Asked, issue
from core.service.card_views import card
from core.service.review_views import review_queue
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, Item, LessonBody
from core.vocabulary import Severity

SIZES = (100, 1_000, 10_000, 100_000)
REPEATS = 30
ACTIVE = 50


def filled(path: Path, size: int) -> Database:
    """A store with so many proposed lessons, and fifty active ones."""
    database = Database(f"sqlite:///{path}")
    database.migrate()
    begun = now()
    severities = list(Severity)
    with database.writing() as db:
        db.add(Agent(name="bench", policies=[], updated_at=begun))
        db.flush()
        items, bodies = [], []
        for number in range(1, size + ACTIVE + 1):
            text = f"Check rule {number} of the refund policy before answering case {number % 97}."
            severity = severities[number % 4]
            active = number > size
            items.append(
                {
                    "id": number,
                    "kind": "lesson",
                    "number": number,
                    "version": 1,
                    "revision": 1,
                    "status": "active" if active else "proposed",
                    "severity": severity.value,
                    "weight": severity.rank,
                    "headline": text,
                    "agent_id": 1,
                    "task_class": "refunds",
                    "fault": f"f{number}",
                    "origin": "bench",
                    "proposer": "check bench",
                    "content_hash": "0" * 64,
                    "settings": "0" * 12,
                    "quotes": 0,
                    "not_found": 0,
                    "sessions": 0,
                    "returns": 0,
                    "created_at": begun + timedelta(seconds=number),
                }
            )
            tags = ["refund"]
            bodies.append(
                {
                    "item_id": number,
                    "form": "instruction",
                    "scope": "task_class",
                    "text": text,
                    "folded": text,
                    "tags": tags,
                }
            )
        db.connection().execute(insert(Item), items)
        db.connection().execute(insert(LessonBody), bodies)
    return database


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
                "queue, last": lambda db=database, n=size // 50: review_queue(db, person="p", page=n),
                "card": lambda db=database: card(db, 1, person="p"),
                "briefing": lambda db=database: issue(db, Asked("bench", None, "refunds", "a refund")),
            }
            for what, one in work.items():
                took = median_ms(one)
                ratio = took / first.setdefault(what, took)
                print(f"{size:>10} {what:<14} {took:>10.1f} {ratio:>11.1f}x {statements(database, one):>11}")
            database.close()


if __name__ == "__main__":
    main()
