"""The queue of the Review page, page by page, and what leads to its items."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import and_, case, func, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.errors import NotFound
from core.governance.bodies import evidence_in_words
from core.governance.leases import Held, holders
from core.governance.numbers import numbers_in_force
from core.governance.queueing import scope_as_known
from core.governance.references import reference
from core.service.counting import count
from core.service.evidence_views import evidence_rows
from core.service.narrowing import narrowed_to
from core.service.overdue import due_at, is_overdue
from core.service.queue_counts import ON_REVIEW, has_not_read, not_said_by
from core.service.views import EvidenceRow, Narrowed, Page, QueueRow, Whose, page_within
from core.settings import Settings
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, Item, LessonBody, ReadMark
from core.vocabulary import Kind, Status

EVERYTHING = Narrowed()

LISTED = 10_000
"""Items that the list has pages for, the most consequential; what stands below is found by a filter, or in its turn."""

LONGEST_NUMBER = 10
"""Digits of a reference; a longer number names nothing and would not fit the database."""


def review_queue(
    database: Database,
    *,
    person: str,
    narrowed: Narrowed = EVERYTHING,
    page: int = 1,
    size: int = 50,
) -> Page[QueueRow]:
    """One page of what waits, in the order of its consequence; ``total`` is ``LISTED`` where there are more."""
    order = (col(Item.rank), col(Item.id))
    with database.reading() as db:
        moment, numbers = now(), numbers_in_force(db)
        where = and_(_waiting(narrowed, person, numbers, moment), *not_said_by(db, person))
        listed = select(col(Item.id)).where(where)
        total = count(db, listed if narrowed.overdue else listed.order_by(*order), LISTED).number
        if narrowed.overdue and total == LISTED:
            where = and_(_waiting(narrowed, person, numbers, moment, many=True), *not_said_by(db, person))
        number = page_within(page, total, size)
        # The index alone finds the page; only the rows of the page are read.
        of_page = select(col(Item.id)).where(where).order_by(*order).limit(size).offset((number - 1) * size)
        return Page(_queue_rows(db, of_page, person, numbers, moment), total, number, size)


def waiting_item(database: Database, ref: str, *, person: str, narrowed: Narrowed = EVERYTHING) -> QueueRow | None:
    """What a reference names, as the list of this person has it; None where it does not stand in that list."""
    try:
        item_id = item_id_of(database, ref)
    except NotFound:
        return None
    with database.reading() as db:
        moment, numbers = now(), numbers_in_force(db)
        where = and_(_waiting(narrowed, person, numbers, moment), *not_said_by(db, person), col(Item.id) == item_id)
        return next(iter(_queue_rows(db, select(col(Item.id)).where(where), person, numbers, moment)), None)


def waiting_evidence(database: Database, narrowed: Narrowed = EVERYTHING, person: str = "") -> list[EvidenceRow]:
    """Every quote of what waits, for an export."""
    with database.reading() as db:
        numbers = numbers_in_force(db)
    return evidence_rows(database, _waiting(narrowed, person, numbers, now()))


def waiting_count(database: Database) -> int:
    """How many items wait on the Review page."""
    with database.reading() as db:
        return _count(db, ON_REVIEW)


def item_id_of(database: Database, ref: str) -> int:
    """The version that a reference means: ``L-0142 v2`` that one, ``L-0142`` the newest that is not superseded.

    Raises ``NotFound``.
    """
    name, _, version = ref.partition(" v")
    letter, _, digits = name.partition("-")
    kind = next((one for one in Kind if one.letter == letter), None)
    if kind is not None and digits.isdecimal() and len(digits) < LONGEST_NUMBER:
        with database.reading() as db:
            same = select(col(Item.id)).where(col(Item.kind) == kind, col(Item.number) == int(digits))
            if version.isdecimal() and len(version) < LONGEST_NUMBER:
                same = same.where(col(Item.version) == int(version))
            newest = (case((col(Item.status) == Status.SUPERSEDED, 1), else_=0), col(Item.version).desc())
            found = db.connection().execute(same.order_by(*newest).limit(1)).scalar()
            if found is not None:
                return int(found)
    raise NotFound("item", ref)


def _waiting(narrowed: Narrowed, person: str, numbers: Settings, at: datetime, *, many: bool = False) -> Any:
    """The condition for an item to stand in the list; ``person`` is whose list it is, ``many`` as in ``is_overdue``."""
    where: Any = ON_REVIEW
    if narrowed.status:
        known = col(Item.status) == narrowed.status
        where = known if narrowed.status == Status.REJECTED else and_(where, known)
    where = and_(where, *narrowed_to(narrowed))
    if narrowed.whose:
        theirs = col(Item.assignee) == person if narrowed.whose is Whose.MINE else col(Item.assignee).is_(None)
        where = and_(where, theirs)
    if narrowed.overdue:
        where = and_(where, is_overdue(numbers, at, many=many))
    if narrowed.unread:
        where = and_(where, has_not_read(person))
    return where


def _queue_rows(db: DatabaseSession, chosen: Any, person: str, numbers: Settings, at: datetime) -> tuple[QueueRow, ...]:
    """The lines of the items whose ids a query gives, in the order of their consequence."""
    query = (
        select(Item, col(Agent.name), col(LessonBody.scope), col(ReadMark.at).is_(None))
        .join(Agent, col(Agent.id) == Item.agent_id)
        .outerjoin(LessonBody, col(LessonBody.item_id) == Item.id)
        .outerjoin(ReadMark, and_(col(ReadMark.item_id) == Item.id, col(ReadMark.person) == person))
        .where(col(Item.id).in_(chosen.scalar_subquery()))
        .order_by(col(Item.rank), col(Item.id))
    )
    found = db.execute(query).all()
    ids = [item.id for item, *_ in found]
    proof, had = evidence_in_words(db, ids), holders(db, ids, at)
    return tuple(_queue_row(row, numbers, proof, had) for row in found)


def _count(db: DatabaseSession, where: Any) -> int:
    return int(db.connection().execute(select(func.count()).select_from(Item).where(where)).scalar_one())


def _queue_row(row: Any, numbers: Settings, proof: Mapping[int, str], had: Mapping[int, Held]) -> QueueRow:
    item, agent, scope, unread = row
    with_whom = had.get(item.id or 0)
    return QueueRow(
        id=item.id or 0,
        ref=reference(item),
        version=item.version,
        kind=Kind(item.kind),
        status=item.status,
        severity=item.severity,
        headline=item.headline,
        agent=agent,
        task_class=item.task_class,
        quotes=item.quotes,
        evidence=proof.get(item.id or 0, ""),
        unread=unread,
        created_at=item.created_at,
        with_whom=with_whom.person if with_whom else None,
        queued_at=item.queued_at,
        due_at=due_at(item.severity, item.queued_at, numbers) if item.queued_at else None,
        assignee=item.assignee,
        owner=item.owner,
        scope=scope_as_known(item.kind, scope),
        sessions=item.sessions,
    )
