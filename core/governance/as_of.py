"""The state of every item as of a moment, by the log.

The log is read by sequence, not by clock: everything counts up to the last decision whose time is not after the moment.
Where a clock went back, an earlier decision that bears a later time therefore counts too, and that is said.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, case, func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.store.clock import time_in_words
from core.store.governance_records import LogEntry
from core.store.records import Decision, Item, ReadMark
from core.vocabulary import Action, Kind, Severity, Status

PAGE = 500
"""Items that are read at a time."""


@dataclass(frozen=True)
class UpTo:
    """How far the log is read: to link ``seq``, whose newest decision is ``decision``; zeros where none was made yet.

    ``went_back`` counts decisions that bear a later time than the moment and count all the same.
    """

    at: datetime
    seq: int
    decision: int
    went_back: int = 0

    @property
    def remarks(self) -> tuple[str, ...]:
        """What must be said of the reading itself."""
        if not self.went_back:
            return ()
        many = "1 decision bears" if self.went_back == 1 else f"{self.went_back} decisions bear"
        later = f"{many} a later time than {time_in_words(self.at)}"
        return (f"A clock went back: {later}, and came before one that does not.",)


@dataclass(frozen=True)
class Stood:
    """How one version of an item stood: since which decision, by whom, and with what words."""

    item: int
    kind: Kind
    number: int
    version: int
    agent: int
    user: str | None
    headline: str
    status: str
    severity: str
    since: datetime
    by: str
    decision: int

    @property
    def ref(self) -> str:
        """How people name this version."""
        return self.kind.version(self.number, self.version)


def up_to(db: DatabaseSession, moment: datetime) -> UpTo:
    """How far the log is read for a moment."""
    decisions = col(LogEntry.logged) == "decision"
    last = db.exec(select(func.max(LogEntry.seq)).where(decisions, col(LogEntry.at) <= moment)).one()
    if last is None:
        return UpTo(moment, 0, 0)
    decision = db.exec(select(func.max(LogEntry.row_id)).where(decisions, col(LogEntry.seq) <= last)).one()
    later = select(func.count()).where(col(Decision.id) <= decision, col(Decision.at) > moment)
    return UpTo(moment, last, decision or 0, db.exec(later).one())


def standing(status: Status, then: UpTo | None) -> ColumnElement[bool]:
    """The condition that a version stood so; without a moment, that it stands so now."""
    if then is None:
        return col(Item.status) == status
    led = select(Decision.item_id).where(col(Decision.id).in_(_newest(then)), Decision.after == status)
    return col(Item.id).in_(led)


def severities(db: DatabaseSession, items: Collection[Item], then: UpTo | None) -> dict[int, Severity]:
    """How grave each item was, by its id; where the log did not keep that yet, how grave it is now.

    Items of a severity that this version does not know are left out.
    """
    said = {item.id or 0: item.severity for item in items}
    if then is not None:
        of_items = col(Decision.item_id).in_(said)
        newest = select(Decision.item_id, Decision.severity).where(col(Decision.id).in_(_newest(then)), of_items)
        said |= {item: severity for item, severity in db.exec(newest).all() if severity is not None}
    return {item: Severity(severity) for item, severity in said.items() if severity in set(Severity)}


def weight(then: UpTo | None) -> Any:
    """How grave a version was, 0 for critical, as a column of a query over items."""
    if then is None:
        return col(Item.weight)
    said = select(Decision.severity).where(col(Decision.id).in_(_newest(then)), col(Decision.item_id) == Item.id)
    ranks = {severity.value: severity.rank for severity in Severity}
    severity = func.coalesce(said.correlate(Item).scalar_subquery(), col(Item.severity))
    return case(ranks, value=severity, else_=len(ranks))


def hashes(db: DatabaseSession, items: Collection[int], then: UpTo) -> dict[int, str]:
    """The hash of the content that each item's newest decision was about."""
    of_items = (col(Decision.id).in_(_newest(then)), col(Decision.item_id).in_(items))
    return dict(db.exec(select(Decision.item_id, Decision.content_hash).where(*of_items)).all())


def active_since(db: DatabaseSession, items: Collection[Item], then: UpTo | None) -> dict[int, datetime]:
    """Since when each version counts as active; its order among lessons of one relevance.

    That is its first approval; one that was taken back counts for nothing.
    """
    if then is None:
        return {item.id or 0: item.active_at or item.created_at for item in items}
    since = {item.id or 0: item.created_at for item in items}
    of_items = (col(Decision.item_id).in_(since), col(Decision.id) <= then.decision)
    rows = db.exec(select(Decision).where(*of_items).order_by(col(Decision.id))).all()
    into: dict[int, dict[int, datetime]] = {}
    for row in rows:
        known = into.setdefault(row.item_id, {})
        if row.action == Action.UNDO:
            known.pop(row.undoes or 0, None)
        elif row.after == Status.ACTIVE:
            known[row.id or 0] = next(iter(known.values()), row.at)
    return since | {item: next(iter(known.values())) for item, known in into.items() if known}


def looked_at(db: DatabaseSession, items: Collection[int], then: UpTo | None) -> set[int]:
    """The items that a person had on the screen, or decided about."""
    seen = select(ReadMark.item_id).where(col(ReadMark.item_id).in_(items))
    acts = select(Decision.item_id).where(col(Decision.item_id).in_(items), *by_a_person())
    if then is not None:
        seen, acts = seen.where(ReadMark.at <= then.at), acts.where(col(Decision.id) <= then.decision)
    return {*db.exec(seen).all(), *db.exec(acts).all()}


def by_a_person() -> tuple[ColumnElement[bool], ...]:
    """The conditions that a person made a decision: no rule, no consequence of another one, no proposal."""
    return (
        col(Decision.rule).is_(None),
        col(Decision.cause).is_(None),
        col(Decision.action) != Action.PROPOSE,
    )


def stood(db: DatabaseSession, then: UpTo, *, agent: int | None = None) -> Iterator[Stood]:
    """Every version that there was, by kind and number; read in pages."""
    of_agent = [] if agent is None else [col(Item.agent_id) == agent]
    query = select(Item, Decision).join(Decision, col(Decision.item_id) == Item.id)
    query = query.where(col(Decision.id).in_(_newest(then)), *of_agent)
    order = (col(Item.kind), col(Item.number), col(Item.version))
    for item, row in db.exec(query.order_by(*order).execution_options(yield_per=PAGE)):
        yield _stood(item, row)


def _stood(item: Item, row: Decision) -> Stood:
    return Stood(
        item=item.id or 0,
        kind=Kind(item.kind),
        number=item.number,
        version=item.version,
        agent=item.agent_id,
        user=item.user,
        headline=item.headline,
        status=row.after,
        severity=row.severity or item.severity,
        since=row.at,
        by=row.by,
        decision=row.id or 0,
    )


def _newest(then: UpTo) -> Select[Any]:
    """The newest decision about each version, as far as the log is read."""
    return select(func.max(Decision.id)).where(col(Decision.id) <= then.decision).group_by(col(Decision.item_id))
