"""What checking the log costs as it grows. Run: ``python -m bench.log``.

Fills a log with 1,000, 10,000 and 100,000 rows by plain inserts, each with its link, and prints for each: the time of a
whole check, as a ratio to the pure hashing of the same bytes in the same run; the memory at its peak beyond what was
used before; one page of the Decision log; a filtered export; and the state of everything as of the middle.
"""

import hashlib
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select

from core.governance.as_of import stood, up_to
from core.governance.audit import Verified, verify
from core.governance.drafts import LessonContent
from core.governance.log import BEGINNING, LOGGED, canonical, link_hash, sha256_of
from core.service.log_export import log_jsonl
from core.service.log_views import LogAsked, LogView, log_page
from core.store.database import Database
from core.store.governance_records import LogEntry, RightsChange
from core.store.records import Agent, Decision, Item, LessonBody, Person, Refusal

SIZES = (1_000, 10_000, 100_000)
PEOPLE = ("Ada", "Ben", "Cleo", "Zoë")
ACTS = (
    ("propose", "", "proposed"),
    ("approve", "proposed", "active"),
    ("suspend", "active", "suspended"),
    ("reinstate", "suspended", "active"),
    ("retire", "active", "retired"),
)
BEGUN = datetime.fromisoformat("2026-03-01T08:00:00+00:00")


class Filling:
    """Rows with their links, on a clock that goes on by ten minutes a row."""

    def __init__(self) -> None:
        self.seq, self.before = 0, BEGINNING
        self.rows: dict[Any, list[dict[str, Any]]] = {Decision: [], Refusal: [], RightsChange: []}
        self.others: dict[Any, list[dict[str, Any]]] = {Agent: [], Person: [], Item: [], LessonBody: []}
        self.links: list[dict[str, Any]] = []

    @property
    def at(self) -> datetime:
        """The moment of the next row."""
        return BEGUN + timedelta(minutes=3 * self.seq)

    def add(self, record: Any, **said: Any) -> None:
        """One row of the log, and its link."""
        row = {**record(**said, id=len(self.rows[record]) + 1, at=self.at).model_dump()}
        link = LogEntry(
            seq=self.seq + 1,
            at=row["at"],
            logged=record.__tablename__,
            row_id=row["id"],
            row_sha256=sha256_of(canonical(row)),
            before=self.before,
            sha256="",
        )
        link.sha256 = link_hash(link)
        self.rows[record].append(row)
        self.links.append(link.model_dump())
        self.seq, self.before = link.seq, link.sha256

    def lesson(self, number: int) -> None:
        """An item with the decisions about it; one in ten stays in force, and one attempt is refused."""
        text = f"Check rule {number} of the refund policy before answering case {number % 97}."
        content = LessonContent(text=text, tags=("refund",))
        acts = ACTS if number % 10 else ACTS[:4]
        item = Item(
            id=number,
            kind="lesson",
            number=number,
            revision=len(acts),
            status=acts[-1][2],
            severity="high",
            weight=1,
            headline=text,
            agent_id=1,
            task_class="refunds",
            origin="bench",
            proposer="check bench",
            content_hash=content.hash,
            settings="0" * 12,
            created_at=self.at,
        )
        self.others[Item].append(item.model_dump())
        body = {**content.model_dump(mode="json"), "item_id": number, "folded": text.lower()}
        self.others[LessonBody].append(body)
        for revision, (action, before, after) in enumerate(acts, 1):
            by = "check bench" if action == "propose" else PEOPLE[(number + revision) % 4]
            self.add(
                Decision,
                item_id=number,
                action=action,
                before=before,
                after=after,
                revision=revision,
                by=by,
                text="So it is: the rule of the refund desk says the contrary." if revision > 2 else "",
                content_hash=content.hash,
                screen_hash=content.hash,
                severity="high",
            )
        self.add(Refusal, item_id=number, action="approve", by="Ada", code="role", text="Only a lead may approve.")


def filled(path: Path, size: int) -> Database:
    """A store whose log has about so many rows."""
    made = Filling()
    made.others[Agent].append(Agent(id=1, name="bench", policies=[], updated_at=BEGUN).model_dump())
    for name in PEOPLE:
        made.others[Person].append({"name": name, "duties": ["lead"], "at": BEGUN})
        made.add(RightsChange, by="bench", what="person", name=name, before=[], after=["lead"], text="")
    number = 0
    while made.seq < size:
        number += 1
        made.lesson(number)
    database = Database(f"sqlite:///{path}")
    database.migrate()
    with database.writing() as db:
        for record, rows in (*made.others.items(), *made.rows.items(), (LogEntry, made.links)):
            db.connection().execute(insert(record), rows)
    return database


def hashed(database: Database) -> float:
    """Seconds for hashing the same bytes, and nothing else."""
    with database.reading() as db:
        said = [text.encode() for text in _canonical(db)]
    return seconds(lambda: [hashlib.sha256(one).hexdigest() for one in said])


def _canonical(db: Any) -> Iterator[str]:
    for record in LOGGED.values():
        table = record.metadata.tables[str(record.__tablename__)]
        yield from (canonical(dict(row)) for row in db.execute(select(table)).mappings())
    for link in db.execute(select(LogEntry.metadata.tables["log_entry"])):
        yield f"{link.seq}\n{link.at}\n{link.before}\n{link.logged}\n{link.row_id}\n{link.row_sha256}"


def seconds(work: Callable[[], Any]) -> float:
    """The processor's time of one call, so that a busy machine changes nothing."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def peak_mb(work: Callable[[], Any]) -> float:
    """The memory that a call takes at its peak, in megabytes of Python's objects."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def main() -> None:
    """Print the table."""
    heads = ("rows", "check s", "to hashing", "peak MB", "page ms", "export s", "as of ms")
    print("".join(f"{head:>12}" for head in heads))
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            database = filled(Path(folder) / f"{size}.db", size)
            print("".join(f"{one:>12}" for one in measured(database)), flush=True)
            database.close()


def measured(database: Database) -> tuple[str, ...]:
    """One line of the table. The log must be whole."""
    found: list[Verified] = []
    check, plain = seconds(lambda: found.append(verify(database))), hashed(database)
    if not found[0].whole:
        raise SystemExit(found[0].text)
    peak = peak_mb(lambda: verify(database))
    page = seconds(lambda: log_page(database, LogAsked(), page=3))
    export = seconds(lambda: sum(map(len, log_jsonl(database, LogAsked(LogView.DECISIONS)))))
    middle = BEGUN + timedelta(minutes=1.5 * found[0].rows)
    then = seconds(lambda: everything(database, middle))
    figures = (f"{check:.2f}", f"{check / plain:.0f}x", f"{peak:.1f}", f"{page * 1000:.0f}", f"{export:.2f}")
    return (f"{found[0].rows:,}", *figures, f"{then * 1000:.0f}")


def everything(database: Database, at: datetime) -> int:
    """How many versions there were at a moment."""
    with database.reading() as db:
        return sum(1 for _ in stood(db, up_to(db, at)))


if __name__ == "__main__":
    main()
