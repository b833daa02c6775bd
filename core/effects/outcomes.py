"""Outcomes: how the session that read a briefing went, counted once, for exactly what stood on its receipt."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.effects.paths import paths_around
from core.errors import NotFound, Refused
from core.governance.numbers import numbers_in_force
from core.settings import Settings
from core.store.clock import now
from core.store.database import Database
from core.store.records import AgentSession, Item, Receipt, ReceiptItem, ReportedOutcome
from core.vocabulary import TASK_CLASS_UNNAMED, Kind, Outcome


@dataclass(frozen=True)
class Moved:
    """A procedure whose confidence an outcome moved."""

    ref: str
    before: Decimal
    after: Decimal


@dataclass(frozen=True)
class Reported:
    """What an outcome did. ``already`` says that the same outcome stood on this receipt before; nothing moved then."""

    receipt: str
    outcome: Outcome
    moved: tuple[Moved, ...]
    already: bool = False


def report_outcome(
    database: Database,
    receipt_id: str,
    outcome: Outcome,
    *,
    source: str = "agent",
    session_ref: str | None = None,
    at: datetime | None = None,
    settings: Settings | None = None,
) -> Reported:
    """Record how it went, once.

    Raises ``NotFound`` for an unknown receipt or session, and ``Refused``: ``duplicate`` when the receipt carries
    another outcome or the session one already, ``other_agent``, ``other_user`` or ``other_task`` when the session
    cannot have read the receipt. ``settings`` are those in force where none are given.
    """
    with database.writing() as db:
        receipt = db.get(Receipt, receipt_id)
        if receipt is None:
            raise NotFound("receipt", receipt_id)
        known = db.get(ReportedOutcome, receipt_id)
        if known is not None:
            return _again(known, outcome)
        session = _session(db, receipt, session_ref) if session_ref else None
        steps = settings or numbers_in_force(db)
        numbers = _procedures_on(db, receipt_id)
        db.add(
            ReportedOutcome(
                receipt_id=receipt_id,
                session_id=session.id if session else None,
                result=outcome,
                source=source,
                at=at or now(),
                started_at=session.started_at if session else receipt.at,
                place=session.place if session else 0,
            )
        )
        db.flush()
        before, after = paths_around(db, numbers, steps, receipt_id)
        moved = (Moved(Kind.PROCEDURE.reference(number), before[number].now, after[number].now) for number in numbers)
        return Reported(receipt_id, outcome, tuple(moved))


def _again(known: ReportedOutcome, outcome: Outcome) -> Reported:
    if known.result != outcome:
        text = f"{known.receipt_id} was reported as {known.result} already; one receipt has one outcome."
        raise Refused("duplicate", text)
    return Reported(known.receipt_id, outcome, (), already=True)


def _session(db: DatabaseSession, receipt: Receipt, ref: str) -> AgentSession:
    session = db.exec(select(AgentSession).where(AgentSession.ref == ref)).first()
    if session is None:
        raise NotFound("agent session", ref)
    if session.agent_id != receipt.agent_id:
        raise Refused("other_agent", f"{ref} is a session of another agent than the one that read {receipt.id}.")
    if None not in (session.user, receipt.user) and session.user != receipt.user:
        raise Refused("other_user", f"{ref} is a session of {session.user}; {receipt.id} was read for {receipt.user}.")
    if receipt.task_class and session.task_class not in (receipt.task_class, TASK_CLASS_UNNAMED):
        classes = f"{ref} is a session of the task class {session.task_class}; {receipt.id} was read for"
        raise Refused("other_task", f"{classes} {receipt.task_class}.")
    counted = db.exec(select(ReportedOutcome).where(ReportedOutcome.session_id == session.id)).first()
    if counted is not None:
        raise Refused("duplicate", f"{ref} has its outcome on receipt {counted.receipt_id}; it counts once.")
    return session


def _procedures_on(db: DatabaseSession, receipt_id: str) -> list[int]:
    on_it = select(Item.number).join(ReceiptItem).where(ReceiptItem.receipt_id == receipt_id)
    return sorted(db.exec(on_it.where(Item.kind == Kind.PROCEDURE)).all())
