"""What can be decided together, page by page, and what was: the lists of the page for several at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, func, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.governance.acts import done
from core.governance.bodies import evidence_in_words
from core.governance.bulk import statuses_for
from core.governance.leases import holders
from core.governance.never_in_bulk import TOGETHER, NotInBulk, never_in_bulk
from core.governance.references import reference, version_reference
from core.service.narrowing import narrowed_to
from core.service.views import Narrowed, Page, page_within
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, Decision, Item
from core.vocabulary import Action, Cause, Kind


@dataclass(frozen=True)
class BulkRow:
    """One item that an act could be about. ``why_not`` says why it is decided alone; empty where it can be chosen."""

    id: int
    ref: str
    version: int
    kind: Kind
    status: str
    severity: str
    headline: str
    agent: str
    task_class: str
    evidence: str
    why_not: str


@dataclass(frozen=True)
class BatchRow:
    """One decision of a batch, and how its item stands now; ``stands`` says that nothing has happened since."""

    item_id: int
    ref: str
    version: str
    headline: str
    what: str
    by: str
    status: str
    stands: bool


def bulk_page(
    database: Database, action: Action, narrowed: Narrowed, *, person: str, page: int = 1, size: int = 50
) -> Page[BulkRow]:
    """One page of the items that an act could be about, in the order of the queue.

    The same few statements however many rows there are; what the desk would say of each is asked by a preview.
    """
    where = _where(action, narrowed)
    with database.reading() as db:
        total = int(db.connection().execute(select(func.count()).select_from(Item).where(where)).scalar_one())
        number = page_within(page, total, size)
        query = select(Item, col(Agent.name)).join(Agent, col(Agent.id) == Item.agent_id).where(where)
        query = query.order_by(col(Item.rank), col(Item.id)).limit(size).offset((number - 1) * size)
        found = db.execute(query).all()
        items = [item for item, _ in found]
        ids = [item.id or 0 for item in items]
        proof, alone = evidence_in_words(db, ids), _alone(db, items, action, person)
        return Page(tuple(_row(item, name, proof, alone) for item, name in found), total, number, size)


def batch_rows(database: Database, batch: str) -> tuple[BatchRow, ...]:
    """The decisions that bear a name, oldest first; nothing where none does."""
    query = select(Decision, Item).join(Item, col(Item.id) == Decision.item_id)
    with database.reading() as db:
        rows = db.execute(query.where(col(Decision.batch) == batch).order_by(col(Decision.id))).all()
        return tuple(_of_batch(decision, item) for decision, item in rows)


def _where(action: Action, narrowed: Narrowed) -> Any:
    where: Any = col(Item.status).in_(statuses_for(action)) & col(Item.kind).in_(TOGETHER[action])
    if action is Action.REINSTATE:
        where = and_(where, col(Item.cause) == Cause.POLICY)
    if narrowed.status:
        where = and_(where, col(Item.status) == narrowed.status)
    return and_(where, *narrowed_to(narrowed))


def _alone(db: DatabaseSession, items: list[Item], action: Action, person: str) -> dict[int, str]:
    """Why each of these items is decided alone, those that somebody else has before them among them."""
    found: dict[int, NotInBulk] = never_in_bulk(db, items, action)
    had = holders(db, [item.id or 0 for item in items], now())
    taken = {item: f"{one.person} has it before them" for item, one in had.items() if one.person != person}
    return {**taken, **{item: one.why for item, one in found.items()}}


def _row(item: Item, agent: str, proof: Mapping[int, str], alone: Mapping[int, str]) -> BulkRow:
    return BulkRow(
        id=item.id or 0,
        ref=version_reference(item),
        version=item.version,
        kind=Kind(item.kind),
        status=item.status,
        severity=item.severity,
        headline=item.headline,
        agent=agent,
        task_class=item.task_class,
        evidence=proof.get(item.id or 0, "no quote"),
        why_not=alone.get(item.id or 0, ""),
    )


def _of_batch(decision: Decision, item: Item) -> BatchRow:
    return BatchRow(
        item_id=item.id or 0,
        ref=reference(item),
        version=version_reference(item),
        headline=item.headline,
        what=done(decision.action),
        by=decision.by,
        status=item.status,
        stands=item.revision == decision.revision,
    )
