"""The links of the log that a bundle holds, each with the row that it names in the form that was hashed."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.log import LOGGED, canonical, moment_text, sha256_of
from core.governance.sealing import sealed_verdicts
from core.service.bundle.contract import MASKED, SEALED, Link
from core.store.governance_records import LogEntry
from core.store.oversight_records import Assignment, BlindVerdict, PolicyVersion
from core.store.records import Decision, Item, Refusal
from core.vocabulary import Kind

ABOUT_ITEMS: tuple[Any, ...] = (Decision, Refusal, Assignment, BlindVerdict)
"""The tables of the log whose rows are about an item."""


def links_about(db: DatabaseSession, items: Sequence[Item], last: int) -> list[Link]:
    """Every link, up to number ``last``, of a row about any version of these notes, in the order of the log."""
    if not items:
        return []
    numbers = [item.number for item in items]
    versions = select(col(Item.id)).where(col(Item.kind) == Kind.NOTE, col(Item.number).in_(numbers))
    found = [link for table in ABOUT_ITEMS for link in _links(db, table, col(table.item_id).in_(versions), last)]
    return sorted(found, key=lambda link: link.seq)


def links_by_number(db: DatabaseSession, items: Sequence[Item], last: int) -> dict[int, list[Link]]:
    """The same by the number of the note that each link is about, in a few statements for all."""
    found: dict[int, list[Link]] = defaultdict(list)
    links = links_about(db, items, last)
    numbers = dict(db.exec(select(Item.id, Item.number).where(col(Item.id).in_({link.item for link in links}))).all())
    for link in links:
        found[numbers[link.item]].append(link)
    return found


def policy_links(db: DatabaseSession, policies: Sequence[str], last: int) -> list[Link]:
    """Every link of a version of these policies."""
    return list(_links(db, PolicyVersion, col(PolicyVersion.policy).in_(policies), last)) if policies else []


def _links(db: DatabaseSession, table: type[Any], where: Any, last: int) -> Iterator[Link]:
    logged = str(LOGGED[str(table.__tablename__)].__tablename__)
    named = (col(LogEntry.logged) == logged, col(LogEntry.row_id) == col(table.id), col(LogEntry.seq) <= last)
    query = select(LogEntry, table).join(table, named[0] & named[1]).where(where, named[2])
    rows = db.exec(query.order_by(col(LogEntry.seq))).all()
    newest = {entry.row_id: entry.seq for entry, _ in rows}
    sealed = sealed_verdicts(db) if table is BlindVerdict else frozenset()
    for entry, row in rows:
        text, why = canonical(row.model_dump()), None
        if sha256_of(text) != entry.row_sha256 and newest[entry.row_id] != entry.seq:
            why = MASKED
        elif isinstance(row, BlindVerdict) and row.id in sealed:
            why = SEALED
        yield Link(
            seq=entry.seq,
            at=moment_text(entry.at),
            before=entry.before,
            logged=entry.logged,
            row_id=entry.row_id,
            row_sha256=entry.row_sha256,
            sha256=entry.sha256,
            row=None if why else text,
            kept_back=why,
            item=getattr(row, "item_id", 0) or 0,
        )
