"""The decision log's chain: every logged row is hashed, and every hash stands on the one before.

Rows are ordered by their number in the chain, never by a clock. The database refuses to change or remove a row; whoever
gets round that breaks the chain, and ``verify`` names the first row that does not fit.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import SQLModel, col, select

from core.store.append_only import lifted
from core.store.database import Database
from core.store.governance_records import DeskSettingsVersion, LogEntry, RightsChange
from core.store.records import Decision, Refusal

BEGINNING = "0" * 64
"""What the first link stands on."""

LOGGED: dict[str, type[SQLModel]] = {
    str(table.__tablename__): table for table in (Decision, Refusal, RightsChange, DeskSettingsVersion)
}
"""The tables whose rows are linked, by name."""


def log(db: DatabaseSession, row: Any, *, at: datetime | None = None) -> None:
    """Add a row, or the new form of a masked one, to the log: it is stored, and linked to what was logged before.

    The caller holds the write lock. ``at`` is the row's own time where none is given.
    """
    db.add(row)
    db.flush()
    newest = db.exec(select(LogEntry).order_by(col(LogEntry.seq).desc()).limit(1)).first()
    seq, before = (newest.seq + 1, newest.sha256) if newest else (1, BEGINNING)
    link = LogEntry(
        seq=seq,
        at=at or row.at,
        logged=str(row.__tablename__),
        row_id=row.id,
        row_sha256=row_hash(row),
        before=before,
        sha256="",
    )
    link.sha256 = link_hash(link)
    db.add(link)
    db.flush()


def canonical(row: SQLModel) -> str:
    """A row as JSON with sorted keys: times in UTC to the microsecond, decimals with two places, nothing that is NULL.

    What is not said is left out, so that a column that is added later changes no hash of an older row.
    """
    said = {name: _plain(value) for name, value in row.model_dump().items() if value is not None}
    return json.dumps(said, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def row_hash(row: SQLModel) -> str:
    """SHA-256 of the canonical form, 64 hexadecimal digits."""
    return hashlib.sha256(canonical(row).encode()).hexdigest()


def link_hash(link: LogEntry) -> str:
    """SHA-256 of what a link says: its number, what it names, that row's hash, and the hash of the link before."""
    said = f"{link.seq}\n{link.before}\n{link.logged}\n{link.row_id}\n{link.row_sha256}"
    return hashlib.sha256(said.encode()).hexdigest()


@contextmanager
def corrected_log(db: DatabaseSession, rows: Sequence[Any], at: datetime) -> Iterator[None]:
    """Let secrets be masked in logged rows: the guards are lifted for this transaction, and the new forms are linked.

    The old links stay; ``verify`` holds a row against its newest one, so that the masking itself stands in the chain.
    """
    with lifted(db, sorted({str(row.__tablename__) for row in rows})):
        yield
        db.flush()
    for row in rows:
        log(db, row, at=at)


def head(database: Database) -> tuple[int, str]:
    """Number and hash of the newest link, to be kept somewhere else; 0 and zeros for an empty log."""
    with database.reading() as db:
        newest = db.exec(select(LogEntry).order_by(col(LogEntry.seq).desc()).limit(1)).first()
        return (newest.seq, newest.sha256) if newest else (0, BEGINNING)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
