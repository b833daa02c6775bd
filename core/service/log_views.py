"""What the Decision log shows and exports: the links of the log with the rows that they name, filtered, by sequence."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from sqlalchemy import Select, case, false, func, null, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session as DatabaseSession
from sqlmodel import SQLModel, col

from core.governance.days import Span, span_of_days
from core.governance.desk_settings import words_of_reasons
from core.governance.sealing import sealed_verdicts
from core.service.log_rows import record_of, row_of
from core.service.review_views import LONGEST_NUMBER
from core.service.views import LogRow, Page, page_within
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
from core.store.records import Decision, Item, Refusal
from core.vocabulary import Action, Kind

RIGHTS_TABLES: tuple[Any, ...] = (RightsChange, DeskSettingsVersion, NumbersVersion)
"""The tables of a view that shows more than one."""

AT_ONCE = 500
"""Links that an export reads at a time."""

CHOICES = 300
"""Names that a filter offers."""


class LogView(StrEnum):
    """The parts of the log that a page shows."""

    DECISIONS = "decisions"
    REFUSALS = "refusals"
    RIGHTS = "people, tokens and settings"
    OVERSIGHT = "policies, assignments, verdicts, episodes"


RIGHTS_KINDS = {
    "people": "person",
    "tokens": "token",
    "settings": "settings",
    "numbers": "numbers",
    "bundles": "bundle",
}
"""What a change of rights or settings can be about, and how the log names it."""

OVERSIGHT_KINDS: dict[str, tuple[type[SQLModel], ...]] = {
    "policies": (PolicyVersion, PolicyDraft, PolicyTurnedDown),
    "assignments": (Assignment,),
    "verdicts": (BlindVerdict,),
    "episodes": (EpisodeDecision,),
}
"""What oversight logs beside decisions, and the tables that hold it."""

OVERSIGHT_TABLES: tuple[Any, ...] = tuple(table for tables in OVERSIGHT_KINDS.values() for table in tables)


@dataclass(frozen=True)
class LogAsked:
    """Which links: words to look for, by whom, about which kind, what was done, and days of a zone.

    ``kind`` is a kind of item, or one of ``RIGHTS_KINDS`` or ``OVERSIGHT_KINDS``. Days are whole days of ``zone``, the
    last one included.
    """

    view: LogView = LogView.DECISIONS
    search: str = ""
    person: str | None = None
    kind: str | None = None
    action: str | None = None
    first: date | None = None
    last: date | None = None
    zone: str = "UTC"

    @property
    def span(self) -> Span:
        """The moments that the days mean. Raises ``BadInput`` for days in wrong order and for an unknown zone."""
        return span_of_days(self.first, self.last, self.zone)


@dataclass(frozen=True)
class LogChoices:
    """What the filters of a view offer."""

    people: tuple[str, ...]
    kinds: tuple[str, ...]
    actions: tuple[str, ...]


def log_page(database: Database, asked: LogAsked, *, page: int = 1, size: int = 50) -> Page[LogRow]:
    """One page of the log, newest link first. Raises ``BadInput`` for days that are none."""
    with database.reading() as db:
        sealed = _sealed(db, asked)
        query = _query(asked, sealed)
        total = int(db.execute(query.with_only_columns(func.count(), maintain_column_froms=True)).scalar_one())
        number = page_within(page, total, size)
        ordered = query.order_by(col(LogEntry.seq).desc()).limit(size).offset((number - 1) * size)
        words = words_of_reasons(db)
        return Page(tuple(row_of(row, words, sealed) for row in db.execute(ordered).all()), total, number, size)


def decisions(database: Database, *, search: str = "", page: int = 1, size: int = 50) -> Page[LogRow]:
    """One page of the decisions, newest first. ``search`` looks in names, actions, reasons and references."""
    return log_page(database, LogAsked(search=search), page=page, size=size)


def links(db: DatabaseSession, asked: LogAsked) -> Iterator[tuple[LogRow, Any, Any]]:
    """Every link that is asked for in the order of the chain, with its record and the row that it names; in pages."""
    sealed, words, last = _sealed(db, asked), words_of_reasons(db), 0
    query = _query(asked, sealed)
    while page := db.execute(query.where(col(LogEntry.seq) > last).order_by(col(LogEntry.seq)).limit(AT_ONCE)).all():
        for row in page:
            yield row_of(row, words, sealed), row[0], record_of(row)
        last = page[-1][0].seq
        db.expunge_all()


def log_choices(database: Database, view: LogView) -> LogChoices:
    """What the filters of a view offer: who stands in it, the kinds, and what was done or tried."""
    with database.reading() as db:
        if view is LogView.DECISIONS:
            return LogChoices(_distinct(db, Decision.by), tuple(Kind), tuple(Action))
        if view is LogView.REFUSALS:
            return LogChoices(_distinct(db, Refusal.by), tuple(Kind), _distinct(db, Refusal.action))
        tables = RIGHTS_TABLES if view is LogView.RIGHTS else OVERSIGHT_TABLES
        kinds = RIGHTS_KINDS if view is LogView.RIGHTS else OVERSIGHT_KINDS
        people = {name for table in tables if table is not BlindVerdict for name in _distinct(db, col(table.by))}
        if view is LogView.OVERSIGHT:
            people |= set(_distinct(db, PolicyVersion.second, col(PolicyVersion.second).is_not(None)))
            people |= set(_distinct(db, BlindVerdict.by, col(BlindVerdict.id).not_in(sealed_verdicts(db))))
        return LogChoices(tuple(sorted(people))[:CHOICES], tuple(kinds), ())


def _sealed(db: DatabaseSession, asked: LogAsked) -> frozenset[int]:
    """The blind verdicts of which nobody may read yet what was said, or by whom; asked where the view has any."""
    return sealed_verdicts(db) if asked.view is LogView.OVERSIGHT else frozenset()


def _query(asked: LogAsked, sealed: frozenset[int]) -> Select[Any]:
    """Link, whether it is a later link of its row, the tables of the view (all but one of them empty), item.

    What is ``sealed`` is found neither by a name nor by a word.
    """
    query = _VIEWS[asked.view](asked)
    if sealed and (asked.person or asked.search.strip()):
        query = query.where(func.coalesce(BlindVerdict.id, 0).not_in(sealed))
    span = asked.span
    if span.start is not None:
        query = query.where(col(LogEntry.at) >= span.start)
    if span.end is not None:
        query = query.where(col(LogEntry.at) < span.end)
    for word in asked.search.split():
        query = query.where(_about(word, asked.view))
    return query


def _columns(*records: Any) -> Select[Any]:
    earlier = aliased(LogEntry)
    same: tuple[Any, ...] = (
        earlier.logged == LogEntry.logged,
        earlier.row_id == LogEntry.row_id,
        earlier.seq < LogEntry.seq,
    )
    again = select(func.min(earlier.seq)).where(*same).correlate(LogEntry).scalar_subquery()
    return select(LogEntry, again, *records)


def _decisions(asked: LogAsked) -> Select[Any]:
    query = _columns(Decision, Item).where(col(LogEntry.logged) == "decision")
    query = query.join(Decision, col(Decision.id) == LogEntry.row_id).join(Item, col(Item.id) == Decision.item_id)
    return _filtered(query, {Decision.by: asked.person, Item.kind: asked.kind, Decision.action: asked.action})


def _refusals(asked: LogAsked) -> Select[Any]:
    query = _columns(Refusal, Item).where(col(LogEntry.logged) == "refusal")
    query = query.join(Refusal, col(Refusal.id) == LogEntry.row_id)
    query = query.outerjoin(Item, col(Item.id) == Refusal.item_id)
    return _filtered(query, {Refusal.by: asked.person, Item.kind: asked.kind, Refusal.action: asked.action})


def _rights(asked: LogAsked) -> Select[Any]:
    query = _of_tables(asked, RIGHTS_TABLES, null())
    if asked.kind is not None:
        other = case((col(LogEntry.logged) == "numbers", "numbers"), else_="settings")
        query = query.where(func.coalesce(RightsChange.what, other) == RIGHTS_KINDS.get(asked.kind, asked.kind))
    return query


def _oversight(asked: LogAsked) -> Select[Any]:
    about = func.coalesce(Assignment.item_id, BlindVerdict.item_id)
    query = _of_tables(asked, OVERSIGHT_TABLES, Item).outerjoin(Item, col(Item.id) == about)
    if asked.kind is not None:
        wanted = [str(table.__tablename__) for table in OVERSIGHT_KINDS.get(asked.kind, ())]
        query = query.where(col(LogEntry.logged).in_(wanted))
    return query


def _of_tables(asked: LogAsked, tables: Sequence[Any], item: Any) -> Select[Any]:
    """The links that name a row of one of these tables, each beside its row."""
    names = [str(table.__tablename__) for table in tables]
    query = _columns(*tables, item).where(col(LogEntry.logged).in_(names))
    for name, table in zip(names, tables, strict=True):
        query = query.outerjoin(table, (col(LogEntry.logged) == name) & (col(table.id) == LogEntry.row_id))
    if asked.person is not None:
        theirs = func.coalesce(*(table.by for table in tables)) == asked.person
        agreed = col(PolicyVersion.second) == asked.person if PolicyVersion in tables else false()
        query = query.where(or_(theirs, agreed))
    return query


_VIEWS = {
    LogView.DECISIONS: _decisions,
    LogView.REFUSALS: _refusals,
    LogView.RIGHTS: _rights,
    LogView.OVERSIGHT: _oversight,
}


def _filtered(query: Select[Any], wanted: Mapping[Any, str | None]) -> Select[Any]:
    for column, value in wanted.items():
        if value is not None:
            query = query.where(column == value)
    return query


def _about(word: str, view: LogView) -> Any:
    letter, _, digits = word.partition("-")
    kind = next((one for one in Kind if one.letter == letter.upper()), None)
    if view is not LogView.RIGHTS and kind is not None and digits.isdecimal() and len(digits) < LONGEST_NUMBER:
        return (col(Item.kind) == kind) & (col(Item.number) == int(digits))
    fields: dict[LogView, tuple[Any, ...]] = {
        LogView.DECISIONS: (
            Decision.by,
            Decision.action,
            Decision.after,
            Decision.reason,
            Decision.text,
            Decision.batch,
        ),
        LogView.REFUSALS: (Refusal.by, Refusal.action, Refusal.code, Refusal.text),
        LogView.RIGHTS: (
            RightsChange.by,
            RightsChange.name,
            RightsChange.text,
            DeskSettingsVersion.by,
            DeskSettingsVersion.reason,
            NumbersVersion.by,
            NumbersVersion.reason,
        ),
        LogView.OVERSIGHT: tuple(
            field
            for table in OVERSIGHT_TABLES
            for field in (
                table.by,
                *(getattr(table, name) for name in ("policy", "person", "second") if hasattr(table, name)),
            )
        ),
    }
    return or_(*(col(field).icontains(word, autoescape=True) for field in fields[view]))


def _distinct(db: DatabaseSession, column: Any, *where: Any) -> tuple[str, ...]:
    return tuple(
        db.execute(select(col(column)).where(*where).distinct().order_by(col(column)).limit(CHOICES)).scalars()
    )
