"""The chain, link by link, and the rows that it names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import exists, func, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import SQLModel, col

from core.governance.audit.contract import CANNOT_BE_READ, CHANGED, RELINKED, REMOVED, Break, Masked
from core.governance.audit.reading import readable
from core.governance.audit.words import gone, named
from core.governance.log import BEGINNING, LOGGED, canonical, head_of, link_hash, sha256_of
from core.store.clock import time_in_words
from core.store.governance_records import LogEntry

PAGE = 1_000
"""Links that are read at a time."""

MASK = " removed]"
"""How every stand-in for a secret ends (``core.screening.secrets.stand_in``)."""

Rows = Mapping[tuple[str, int], Mapping[str, Any]]
Page = Sequence[Any]


@dataclass(frozen=True)
class Unread:
    """A link that cannot be read any more."""

    seq: int


def cut_off(db: DatabaseSession, expected: tuple[int, str] | None) -> Iterator[Break]:
    """A tail that is gone, or a log that was written anew: against a head that was kept elsewhere."""
    if expected is None or expected == (0, BEGINNING):
        return
    seq, sha256 = expected
    last, _ = head_of(db)
    known = db.execute(select(col(LogEntry.sha256)).where(col(LogEntry.seq) == seq)).scalar()
    if seq > last:
        yield Break(None, "log_entry", seq, f"link {seq}", f"the log ends with link {last}; its tail was cut off")
    elif known != sha256:
        yield Break(seq, "log_entry", seq, f"link {seq}", "it is another one than the link that was kept elsewhere")


def linked(db: DatabaseSession, masked: list[Masked]) -> Iterator[Break]:
    """Every link that does not fit the one before, itself or its row; what was masked goes to ``masked``."""
    for seq in db.execute(select(col(LogEntry.seq)).group_by(col(LogEntry.seq)).having(func.count() > 1)).scalars():
        yield Break(seq, "log_entry", seq, f"link {seq}", "two links have this place")
    seq, before = 0, BEGINNING
    for page in _pages(db):
        rows = _rows_of(db, [link for link in page if not isinstance(link, Unread)])
        for link in page:
            missing = link.seq > seq + 1
            if missing:
                yield _missing(seq + 1, link.seq - 1)
            if isinstance(link, Unread):
                yield Break(link.seq, "log_entry", link.seq, f"link {link.seq}", CANNOT_BE_READ)
                seq, before = link.seq, ""
                continue
            yield from _one(db, link, link.before if missing or not before else before, rows, masked)
            seq, before = link.seq, link.sha256


def unlinked(db: DatabaseSession) -> Iterator[Break]:
    """Rows that no link names: they were written behind the desk's back."""
    for table, record in LOGGED.items():
        rows = record.metadata.tables[table]
        mine = (col(LogEntry.logged) == table, col(LogEntry.row_id) == rows.c.id)
        alone = select(rows.c.id).where(~exists().where(*mine)).order_by(rows.c.id).limit(PAGE)
        for row_id in db.execute(alone).scalars().all():
            row = _row(db, rows, row_id)
            about = (readable(partial(named, db, table, row)) if row else None) or f"{table.replace('_', ' ')} {row_id}"
            yield Break(None, table, row_id, about, "no link names it, so it was not written here")


def _pages(db: DatabaseSession) -> Iterator[Page]:
    links, last = SQLModel.metadata.tables["log_entry"], None
    while True:
        ordered = select(links).order_by(links.c.seq).limit(PAGE)
        further = ordered if last is None else ordered.where(links.c.seq > last)
        page = readable(partial(_all, db, further))
        if page is None:
            seqs = db.execute(further.with_only_columns(links.c.seq)).scalars().all()
            page = [_link(db, links, seq) for seq in seqs]
        if not page:
            return
        yield page
        last = page[-1].seq


def _rows_of(db: DatabaseSession, page: Page) -> Rows:
    """The rows that a page of links names, one query a table."""
    found: dict[tuple[str, int], Mapping[str, Any]] = {}
    for table, record in LOGGED.items():
        rows = record.metadata.tables[table]
        ids = [link.row_id for link in page if link.logged == table]
        if ids:
            of_page = select(rows).where(rows.c.id.in_(ids))
            known = readable(partial(_all, db, of_page))
            if known is not None:
                found |= {(table, row.id): row._asdict() for row in known}
                continue
            there = db.execute(of_page.with_only_columns(rows.c.id)).scalars().all()
            found |= {(table, row_id): _row(db, rows, row_id) for row_id in there}
    return found


def _all(db: DatabaseSession, query: Any) -> Page:
    return db.execute(query).all()


def _link(db: DatabaseSession, links: Any, seq: int) -> Any:
    """One link, by its own query; ``Unread`` where it cannot be read."""
    found = readable(partial(_all, db, select(links).where(links.c.seq == seq)))
    return found[0] if found else Unread(seq)


def _row(db: DatabaseSession, rows: Any, row_id: int) -> Mapping[str, Any]:
    """One row, by its own query; empty where it cannot be read."""
    found = readable(partial(_all, db, select(rows).where(rows.c.id == row_id)))
    return found[0]._asdict() if found else {}


def _one(db: DatabaseSession, link: Any, before: str, rows: Rows, masked: list[Masked]) -> Iterator[Break]:
    about = f"link {link.seq} of {time_in_words(link.at)}"
    if readable(lambda: link_hash(link)) != link.sha256:
        yield Break(link.seq, "log_entry", link.seq, about, "the link was changed")
    elif link.before != before:
        yield Break(link.seq, "log_entry", link.seq, about, "it does not stand on the link before")
    row = rows.get((link.logged, link.row_id))
    if link.logged not in LOGGED:
        yield Break(link.seq, "log_entry", link.seq, about, f"it names “{link.logged}”, which is no table of the log")
    elif row is None:
        about = gone(link.logged, link.row_id, link.at)
        yield Break(link.seq, link.logged, link.row_id, about, REMOVED)
    elif not row:
        yield Break(link.seq, link.logged, link.row_id, gone(link.logged, link.row_id, link.at), CANNOT_BE_READ)
    elif readable(lambda: sha256_of(canonical(row))) != link.row_sha256:
        yield from _unlike(db, link, row, masked)


def _unlike(db: DatabaseSession, link: Any, row: Mapping[str, Any], masked: list[Masked]) -> Iterator[Break]:
    """A row that is no longer as it was linked: masked, and then linked again, or changed."""
    about = readable(lambda: named(db, link.logged, row)) or gone(link.logged, link.row_id, link.at)
    mine = (col(LogEntry.logged) == link.logged, col(LogEntry.row_id) == link.row_id, col(LogEntry.seq) > link.seq)
    again = db.execute(select(func.max(LogEntry.seq)).where(*mine)).scalar()
    if again is None:
        yield Break(link.seq, link.logged, link.row_id, about, CHANGED)
    elif MASK not in (readable(lambda: canonical(row)) or ""):
        yield Break(link.seq, link.logged, link.row_id, about, f"{RELINKED} (link {again})")
    else:
        masked.append(Masked(again, about))


def _missing(first: int, last: int) -> Break:
    many = first != last
    about = f"links {first} to {last}" if many else f"link {first}"
    return Break(first, "log_entry", first, about, "they are missing" if many else "it is missing")
