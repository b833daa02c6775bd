"""Confidence paths of procedures, folded from what the store knows: receipts, outcomes and reinstatements."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from decimal import Decimal

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.as_of import UpTo
from core.memory.confidence import Event, Happened, Path, fold
from core.settings import Settings
from core.store.records import AgentSession, Decision, Item, ProcedureBody, Receipt, ReceiptItem, ReportedOutcome
from core.vocabulary import Action, Kind


def paths(
    db: DatabaseSession, numbers: Collection[int], settings: Settings, then: UpTo | None = None
) -> dict[int, Path]:
    """The confidence path of each procedure, by number, over all its versions. Four queries, however many they are.

    With ``then`` only what was known at that moment: receipts and outcomes by their clock, reinstatements by the log.
    """
    events: dict[int, list[Happened]] = defaultdict(list)
    for number, happened in (*_read(db, numbers, then), *_reinstated(db, numbers, then)):
        events[number].append(happened)
    starts = _starts(db, numbers)
    return {number: fold(start, begun, events[number], settings) for number, (start, begun) in starts.items()}


def _starts(db: DatabaseSession, numbers: Collection[int]) -> dict[int, tuple[Decimal, datetime]]:
    query = select(Item.number, col(ProcedureBody.confidence), col(Item.created_at)).join(ProcedureBody)
    rows = db.exec(query.where(Item.kind == Kind.PROCEDURE, Item.version == 1, col(Item.number).in_(numbers))).all()
    return {number: (confidence, begun) for number, confidence, begun in rows}


def _read(db: DatabaseSession, numbers: Collection[int], then: UpTo | None) -> list[tuple[int, Happened]]:
    outcome_known = col(ReportedOutcome.receipt_id) == Receipt.id
    if then is not None:
        outcome_known &= col(ReportedOutcome.at) <= then.at
    query = (
        select(col(Item.number), col(Receipt.at), ReportedOutcome, col(AgentSession.ref))
        .join(ReceiptItem, col(ReceiptItem.item_id) == Item.id)
        .join(Receipt, col(Receipt.id) == ReceiptItem.receipt_id)
        .outerjoin(ReportedOutcome, outcome_known)
        .outerjoin(AgentSession, col(AgentSession.id) == ReportedOutcome.session_id)
        .where(Item.kind == Kind.PROCEDURE, col(Item.number).in_(numbers))
        .order_by(col(Receipt.at), col(Receipt.id))
    )
    rows = db.exec(query if then is None else query.where(Receipt.at <= then.at)).all()
    return [(number, _happened(at, outcome, ref)) for number, at, outcome, ref in rows]


def _happened(at: datetime, outcome: ReportedOutcome | None, ref: str | None) -> Happened:
    if outcome is None:
        return Happened(at, 0, Event.NO_OUTCOME)
    event = Event(outcome.result)
    return Happened(outcome.started_at, outcome.place, event, session=outcome.session_id, session_ref=ref or "")


def _reinstated(db: DatabaseSession, numbers: Collection[int], then: UpTo | None) -> list[tuple[int, Happened]]:
    logged = [] if then is None else [col(Decision.id) <= then.decision]
    undone = select(Decision.undoes).where(col(Decision.undoes).is_not(None), *logged)
    query = (
        select(Item.number, col(Decision.at), col(Decision.confidence))
        .join(Decision, col(Decision.item_id) == Item.id)
        .where(Item.kind == Kind.PROCEDURE, col(Item.number).in_(numbers), Decision.action == Action.REINSTATE)
        .where(col(Decision.confidence).is_not(None), col(Decision.id).not_in(undone), *logged)
    )
    return [(number, Happened(at, 0, Event.REINSTATED, stated=stated)) for number, at, stated in db.exec(query).all()]
