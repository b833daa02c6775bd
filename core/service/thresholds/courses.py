"""How the confidence of each procedure came about, state by state of what was known, whatever the steps may be.

An outcome that is reported late changes the order of events; the states then begin anew from the start. For most it
only adds to what was known, so that all briefings of a year cost hardly more than the newest one.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.memory.confidence import bounded
from core.service.thresholds.happened import Course, Steps
from core.store.records import Decision, Item, ProcedureBody, Receipt, ReceiptItem, ReportedOutcome
from core.vocabulary import Action, Kind, Outcome


@dataclass(frozen=True)
class Known:
    """One event: its place in session order, what it does, and from when to when it was known.

    An outcome is known from a moment on, a reinstatement from its decision to the one that undid it.
    """

    order: tuple[datetime, int, int]
    move: int | tuple[int]
    since: datetime | None = None
    decision: int = 0
    undone: int | None = None

    def known(self, at: datetime, decision: int) -> bool:
        """Whether it was known at a moment up to which the log has this decision."""
        if self.since is not None:
            return self.since <= at
        return self.decision <= decision and (self.undone is None or self.undone > decision)


@dataclass(frozen=True)
class Moment:
    """When a briefing was read, and the newest decision of then."""

    at: datetime
    decision: int


def courses(db: DatabaseSession, moments: Sequence[Moment]) -> tuple[dict[int, Course], dict[int, list[int]]]:
    """The course of every procedure, by number, and its state at each of the moments, which are in order of time."""
    events = _events(db)
    found, states = {}, {}
    for number, start in _starts(db).items():
        steps, states[number] = _states(events.get(number, ()), moments)
        found[number] = Course(start, steps)
    return found, states


def _starts(db: DatabaseSession) -> dict[int, int]:
    query = select(Item.number, col(ProcedureBody.confidence)).join(ProcedureBody)
    rows = db.exec(query.where(Item.kind == Kind.PROCEDURE, Item.version == 1)).all()
    return {number: int(bounded(confidence) * 100) for number, confidence in rows}


def _events(db: DatabaseSession) -> dict[int, list[Known]]:
    found: dict[int, list[Known]] = defaultdict(list)
    query = (
        select(col(Item.number), col(Receipt.at), ReportedOutcome)
        .join(ReceiptItem, col(ReceiptItem.item_id) == Item.id)
        .join(Receipt, col(Receipt.id) == ReceiptItem.receipt_id)
        .join(ReportedOutcome, col(ReportedOutcome.receipt_id) == Receipt.id)
        .where(Item.kind == Kind.PROCEDURE, col(ReportedOutcome.result).in_(Outcome))
        .order_by(col(Receipt.at), col(Receipt.id))
    )
    for place, (number, read, outcome) in enumerate(db.exec(query).all()):
        move = 1 if outcome.result == Outcome.SUCCESS else -1
        order = (outcome.started_at, outcome.place, place)
        found[number].append(Known(order, move, since=max(read, outcome.at)))
    undone = dict(db.exec(select(Decision.undoes, Decision.id).where(col(Decision.undoes).is_not(None))).all())
    reinstated = select(Item.number, Decision).join(Decision, col(Decision.item_id) == Item.id)
    reinstated = reinstated.where(Item.kind == Kind.PROCEDURE, Decision.action == Action.REINSTATE)
    for number, row in db.exec(reinstated.order_by(col(Decision.id))).all():
        if row.confidence is not None:
            stated = (int(bounded(row.confidence) * 100),)
            order = (row.at, 0, len(found[number]) + 1_000_000_000)
            found[number].append(Known(order, stated, decision=row.id or 0, undone=undone.get(row.id)))
    return found


def _states(events: Iterable[Known], moments: Sequence[Moment]) -> tuple[tuple[Steps, ...], list[int]]:
    """The states that there were, the first with nothing known, and the state at each moment."""
    events = sorted(events, key=lambda one: one.order)
    states: list[Steps] = [Steps(None, ())]
    at_moment: list[int] = []
    before: list[int] = []
    changes = _changes(events, moments)
    for place, moment in enumerate(moments):
        if place in changes:
            now = [at for at, one in enumerate(events) if one.known(moment.at, moment.decision)]
            if now != before:
                longer = now[: len(before)] == before
                added = now[len(before) :] if longer else now
                after = len(states) - 1 if longer else None
                states.append(Steps(after, tuple(events[at].move for at in added)))
                before = now
        at_moment.append(len(states) - 1)
    return tuple(states), at_moment


def _changes(events: Sequence[Known], moments: Sequence[Moment]) -> set[int]:
    """The places of the moments at which something may be known that was not before, or no longer."""
    times, decisions = [one.at for one in moments], [one.decision for one in moments]
    places = set()
    for one in events:
        if one.since is not None:
            places.add(bisect_left(times, one.since))
        else:
            places |= {bisect_left(decisions, each) for each in (one.decision, one.undone) if each is not None}
    return places
