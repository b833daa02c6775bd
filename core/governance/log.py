"""The decision log's chain: every logged row is hashed, and every hash stands on the one before.

Rows are ordered by their number in the chain, never by a clock. The database refuses to change or remove a row; whoever
gets round that breaks the chain, and ``core.governance.audit`` names the first row that does not fit.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import SQLModel, col, select

from core.store.append_only import lifted
from core.store.database import Database
from core.store.governance_records import DeskSettingsVersion, LogEntry, RightsChange
from core.store.memory_records import EpisodeDecision
from core.store.oversight_records import (
    Assignment,
    BlindVerdict,
    NumbersVersion,
    PolicyDraft,
    PolicyTurnedDown,
    PolicyVersion,
)
from core.store.records import Decision, Refusal

BEGINNING = "0" * 64
"""What the first link stands on."""

LOGGED: dict[str, type[SQLModel]] = {
    str(table.__tablename__): table
    for table in (
        Decision,
        Refusal,
        RightsChange,
        DeskSettingsVersion,
        NumbersVersion,
        PolicyVersion,
        PolicyDraft,
        PolicyTurnedDown,
        Assignment,
        BlindVerdict,
        EpisodeDecision,
    )
}
"""The tables whose rows are linked, by name."""


def log(db: DatabaseSession, row: Any, *, at: datetime | None = None) -> None:
    """Add a row, or the new form of a masked one, to the log: it is stored, and linked to what was logged before.

    The caller holds the write lock. ``at`` is the row's own time where none is given.
    """
    db.add(row)
    db.flush()
    last, before = head_of(db)
    link = LogEntry(
        seq=last + 1,
        at=at or row.at,
        logged=str(row.__tablename__),
        row_id=row.id,
        row_sha256=sha256_of(canonical(row.model_dump())),
        before=before,
        sha256="",
    )
    link.sha256 = link_hash(link)
    db.add(link)
    db.flush()


def canonical(row: Mapping[str, Any]) -> str:
    """A row as JSON with sorted keys: times in UTC to the microsecond, decimals with two places, nothing that is NULL.

    What is not said is left out, so that a column that is added later changes no hash of an older row.
    """
    said = {name: _plain(value) for name, value in row.items() if value is not None}
    return json.dumps(said, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def moment_text(at: datetime) -> str:
    """A time as it is hashed: ``2026-11-24T10:00:00.000000+00:00``."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def sha256_of(text: str) -> str:
    """SHA-256 of a text in UTF-8, 64 hexadecimal digits; what UTF-8 cannot say counts as ``?``."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def link_hash(link: Any) -> str:
    """SHA-256 of what a link says, one thing a line: number, time, hash before, table, row, hash of the row.

    ``link`` is a ``LogEntry``, or a row that has its columns.
    """
    said = (link.seq, moment_text(link.at), link.before, link.logged, link.row_id, link.row_sha256)
    return sha256_of("\n".join(map(str, said)))


@contextmanager
def corrected_log(db: DatabaseSession, rows: Sequence[Any], at: datetime) -> Iterator[None]:
    """Let secrets be masked in logged rows: the guards are lifted for this transaction, and the new forms are linked.

    The old links stay; an audit holds a row against its newest one, so that the masking itself stands in the chain.
    """
    with lifted(db, sorted({str(row.__tablename__) for row in rows})):
        yield
        db.flush()
    for row in rows:
        log(db, row, at=at)


def head(database: Database) -> tuple[int, str]:
    """Number and hash of the newest link, to be kept somewhere else; 0 and zeros for an empty log."""
    with database.reading() as db:
        return head_of(db)


def head_of(db: DatabaseSession) -> tuple[int, str]:
    """The same within a transaction."""
    newest = db.exec(select(LogEntry.seq, LogEntry.sha256).order_by(col(LogEntry.seq).desc()).limit(1)).first()
    return (newest[0], newest[1]) if newest else (0, BEGINNING)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return moment_text(value)
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
