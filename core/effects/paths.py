"""Confidence paths of procedures, folded from what the store knows: receipts, outcomes and reinstatements."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from decimal import Decimal

from sqlalchemy import func, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.governance.as_of import UpTo
from core.memory.confidence import Event, Happened, Path, fold
from core.settings import Settings
from core.store.records import AgentSession, Decision, Item, ProcedureBody, Receipt, ReceiptItem, ReportedOutcome
from core.vocabulary import Action, Kind, Outcome

_EVENTS: Mapping[str | None, Event] = {None: Event.NO_OUTCOME, **{one.value: Event(one) for one in Outcome}}


def paths(
    db: DatabaseSession,
    numbers: Collection[int],
    settings: Settings,
    then: UpTo | None = None,
    *,
    gaps: bool = False,
) -> dict[int, Path]:
    """The confidence path of each procedure, by number, over all its versions. Three queries, however many they are.

    With ``then`` only what was known at that moment: receipts and outcomes by their clock, reinstatements by the log.
    Where a procedure was read and nothing is known of the outcome, nothing moves: only a chart asks for these ``gaps``,
    and all others read no more receipts than have an outcome.
    """
    events: dict[int, list[Happened]] = defaultdict(list)
    for number, _, happened in _read(db, numbers, then, gaps=gaps):
        events[number].append(happened)
    return _folded(_starts(db, numbers), settings, events, _reinstated(db, numbers, then))


def paths_around(
    db: DatabaseSession, numbers: Collection[int], settings: Settings, receipt_id: str
) -> tuple[dict[int, Path], dict[int, Path]]:
    """The paths without the outcome on this receipt, and with it, from one look at the store."""
    without: dict[int, list[Happened]] = defaultdict(list)
    events: dict[int, list[Happened]] = defaultdict(list)
    for number, receipt, happened in _read(db, numbers, None):
        events[number].append(happened)
        if receipt != receipt_id:
            without[number].append(happened)
    starts, back = _starts(db, numbers), _reinstated(db, numbers, None)
    return _folded(starts, settings, without, back), _folded(starts, settings, events, back)


def _folded(
    starts: Mapping[int, tuple[Decimal, datetime]],
    settings: Settings,
    events: Mapping[int, list[Happened]],
    reinstated: Mapping[int, list[Happened]],
) -> dict[int, Path]:
    return {
        number: fold(start, begun, (*events.get(number, ()), *reinstated.get(number, ())), settings)
        for number, (start, begun) in starts.items()
    }


def _starts(db: DatabaseSession, numbers: Collection[int]) -> dict[int, tuple[Decimal, datetime]]:
    query = select(col(Item.number), col(ProcedureBody.confidence), col(Item.created_at)).join(ProcedureBody)
    rows = db.execute(
        query.where(col(Item.kind) == Kind.PROCEDURE, col(Item.version) == 1, col(Item.number).in_(numbers))
    ).all()
    return {number: (confidence, begun) for number, confidence, begun in rows}


def _read(
    db: DatabaseSession, numbers: Collection[int], then: UpTo | None, *, gaps: bool = False
) -> list[tuple[int, str, Happened]]:
    """By number and receipt: the outcomes of what was read, with ``gaps`` also the readings without one.

    An outcome that this version does not know is none.
    """
    outcome_known = (col(ReportedOutcome.receipt_id) == Receipt.id) & col(ReportedOutcome.result).in_(Outcome)
    if then is not None:
        outcome_known &= col(ReportedOutcome.at) <= then.at
    at = func.coalesce(col(ReportedOutcome.started_at), col(Receipt.at))
    place = func.coalesce(col(ReportedOutcome.place), 0)
    outcome = (col(ReportedOutcome.result), at, place, col(ReportedOutcome.session_id), col(AgentSession.ref))
    query = (
        select(col(Item.number), col(Receipt.id), *outcome)
        .join(ReceiptItem, col(ReceiptItem.item_id) == Item.id)
        .join(Receipt, col(Receipt.id) == ReceiptItem.receipt_id)
        .join(ReportedOutcome, outcome_known, isouter=gaps)
        .outerjoin(AgentSession, col(AgentSession.id) == ReportedOutcome.session_id)
        .where(col(Item.kind) == Kind.PROCEDURE, col(Item.number).in_(numbers))
        .order_by(col(Receipt.at), col(Receipt.id))
    )
    rows = db.execute(query if then is None else query.where(col(Receipt.at) <= then.at)).all()
    return [
        (number, receipt, Happened(at, place, _EVENTS[result], session=session, session_ref=ref or ""))
        for number, receipt, result, at, place, session, ref in rows
    ]


def _reinstated(db: DatabaseSession, numbers: Collection[int], then: UpTo | None) -> dict[int, list[Happened]]:
    logged = [] if then is None else [col(Decision.id) <= then.decision]
    undone = select(col(Decision.undoes)).where(col(Decision.undoes).is_not(None), *logged)
    query = (
        select(col(Item.number), col(Decision.at), col(Decision.confidence))
        .join(Decision, col(Decision.item_id) == Item.id)
        .where(
            col(Item.kind) == Kind.PROCEDURE, col(Item.number).in_(numbers), col(Decision.action) == Action.REINSTATE
        )
        .where(col(Decision.confidence).is_not(None), col(Decision.id).not_in(undone), *logged)
    )
    found: dict[int, list[Happened]] = defaultdict(list)
    for number, at, stated in db.execute(query).all():
        found[number].append(Happened(at, 0, Event.REINSTATED, stated=stated))
    return found
