"""Since when an item waits, and for whom: worked out at each change of its status, for the desk that makes it.

What waits on keeps its place in time, also as a newer version of itself. What an undo leads back to waits since it did
before, as if what was taken back had never been; that follows from the decisions that stand.
"""

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.acts import Act
from core.governance.approvers import effective
from core.governance.people import duties_of
from core.governance.queueing import requeue, waits
from core.governance.rights import may_settle
from core.store.oversight_records import Assignment
from core.store.records import Decision, Item
from core.vocabulary import Action, Cause, Status

ASIDE = (Status.SUSPENDED, Status.HELD)
"""The statuses that have a cause."""


def stand_in_queue(db: DatabaseSession, item: Item, act: Act) -> None:
    """Put an item into the queue, or take it out, after its status was set; the caller writes the row."""
    if act.action is Action.UNDO:
        _as_before(db, item, act)
    else:
        _from_now(item, act)
    if item.queued_at is None:
        item.assignee = None  # a decision ends an assignment
    requeue(db, item)


def _from_now(item: Item, act: Act) -> None:
    if act.action is Action.SUSPEND:
        item.cause = act.suspended_for.value
    _settle(item, act.waits_since or act.at)


def _settle(item: Item, since: datetime) -> None:
    """Give an item only as much of cause and time as its status has; it waits from ``since`` where it did not."""
    if item.status not in ASIDE:
        item.cause = None
    by_rule = item.cause not in (None, Cause.PERSON)
    if not waits(item.kind, item.status, item.severity, by_rule=by_rule):
        item.queued_at = None
    elif item.queued_at is None:
        item.queued_at = since


def _as_before(db: DatabaseSession, item: Item, act: Act) -> None:
    """What was so before the act that is taken back: time, cause, and who had been given the item."""
    was_out = item.queued_at is None
    stand = [row for row in effective(db, item) if row.id != act.undoes]
    item.queued_at, item.cause = _stood(db, item, stand)
    _settle(item, item.created_at)
    if was_out and item.queued_at is not None:
        item.assignee = _given_to(db, item)


def _stood(db: DatabaseSession, item: Item, history: Iterable[Decision]) -> tuple[datetime | None, str | None]:
    """Since when it waits, and why it stands aside, after these decisions, oldest first."""
    since: datetime | None = None
    cause: str | None = None
    for row in history:
        if row.action == Action.SUSPEND:
            cause = _cause_of(row).value
        by_rule = row.after == Status.SUSPENDED and cause not in (None, Cause.PERSON)
        if not waits(item.kind, row.after, row.severity or item.severity, by_rule=by_rule):
            since = None
        elif since is None:
            since = _taken_over(db, item, row) or row.at
    return since, cause


def _taken_over(db: DatabaseSession, item: Item, made: Decision) -> datetime | None:
    """Since when the version waited that an edit made this one from; None where it did not, or nothing was edited."""
    if made.action != Action.EDIT or made.before:
        return None
    aside = select(Decision, Item).join(Item, col(Item.id) == Decision.item_id).where(Decision.cause == made.id)
    times = []
    for row, earlier in db.exec(aside.where(Item.kind == item.kind, Item.number == item.number)).all():
        history = [one for one in effective(db, earlier) if (one.id or 0) < (row.id or 0)]
        since, _ = _stood(db, earlier, history)
        times += [since] if since is not None else []
    return min(times, default=None)


def _cause_of(row: Decision) -> Cause:
    """Why a decision put an item aside: a person did, or the rule whose name begins as the cause does."""
    if row.rule is None:
        return Cause.PERSON
    return next((one for one in Cause if row.rule.startswith(one.replace("_", " "))), Cause.POLICY)


def _given_to(db: DatabaseSession, item: Item) -> str | None:
    """Whom the item was given last, where they may still decide about it."""
    last = select(Assignment.person).where(Assignment.item_id == item.id).order_by(col(Assignment.id).desc())
    person = db.exec(last.limit(1)).first()
    return person if person and may_settle(db, item, duties_of(db, person)) else None
