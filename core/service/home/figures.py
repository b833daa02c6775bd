"""Three figures about deciding, each of the last 30 days beside the 30 before, with how many they rest on.

Decisions of rules, and those that were taken back, count for nothing here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func
from sqlalchemy.orm import aliased
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.verdicts import KEPT, REFUSED
from core.store.governance_records import Return
from core.store.records import Decision, Item
from core.vocabulary import Action

PERIOD = timedelta(days=30)
MOST = 10_000
"""The newest decisions, and returns, that the figures look at."""

NONE_BEFORE = "nothing was decided in the 30 days before"


@dataclass(frozen=True)
class Figure:
    """One figure: what it says now, what it rests on, and what it said in the period before."""

    name: str
    value: str
    basis: str
    before: str


def figures(db: DatabaseSession, at: datetime) -> tuple[Figure, ...]:
    """Approval rate, time to decision, and re-proposals stopped."""
    decided = _decided(db, at - 2 * PERIOD, at)
    now = [row for row in decided if row[0] > at - PERIOD]
    was = [row for row in decided if row[0] <= at - PERIOD]
    return (
        Figure(
            "Approved by people",
            _rate(now),
            f"of {len(now):,} decided in 30 days",
            f"{_rate(was)} of {len(was):,} in the 30 days before" if was else NONE_BEFORE,
        ),
        _time(now, was),
        _returns(db, at),
    )


def _decided(db: DatabaseSession, since: datetime, until: datetime) -> Sequence[Any]:
    """Time and act of the verdicts of people, and since when it had waited."""
    acts = (*KEPT, *REFUSED)
    undone = select(Decision.undoes).where(col(Decision.undoes).is_not(None), col(Decision.at) > since)
    query = select(Decision.at, Decision.action, _began())
    query = query.join(Item, col(Item.id) == Decision.item_id)
    query = query.where(Decision.at > since, Decision.at <= until, col(Decision.action).in_(acts))
    query = query.where(col(Decision.rule).is_(None), col(Decision.id).not_in(undone))
    return db.execute(query.order_by(col(Decision.at).desc()).limit(MOST)).all()


def _began() -> Any:
    """Since when it had waited: since it was reopened or appealed last, else since it came."""
    again = aliased(Decision)
    back = select(func.max(col(again.at))).where(
        col(again.item_id) == Decision.item_id,
        col(again.id) < Decision.id,
        col(again.action).in_((Action.REOPEN, Action.APPEAL)),
    )
    return func.coalesce(back.scalar_subquery(), col(Item.created_at))


def _rate(rows: Sequence[Any]) -> str:
    if not rows:
        return "–"
    return f"{round(100 * sum(row[1] in KEPT for row in rows) / len(rows))} %"


def _time(now: Sequence[Any], was: Sequence[Any]) -> Figure:
    """From when an item came to when somebody decided about it."""
    middle, slow = _percentiles(row[0] - row[2] for row in now)
    before, _ = _percentiles(row[0] - row[2] for row in was)
    basis = f"median of {len(now):,}; 90 % within {slow}" if now else "nothing was decided in 30 days"
    said = f"{before} in the 30 days before" if was else NONE_BEFORE
    return Figure("Time to a decision", middle, basis, said)


def _percentiles(times: Iterable[timedelta]) -> tuple[str, str]:
    in_order = sorted(max(one, timedelta()) for one in times)
    if not in_order:
        return "–", "–"
    middle, slow = (in_order[(len(in_order) - 1) * share // 100] for share in (50, 90))
    return _in_words(middle), _in_words(slow)


def _in_words(time: timedelta) -> str:
    """``12 min``, ``3 h``, ``4 d``."""
    minutes = round(time.total_seconds() / 60)
    if minutes < 90:
        return f"{minutes} min"
    return f"{round(minutes / 60)} h" if minutes < 48 * 60 else f"{round(minutes / 1_440)} d"


def _returns(db: DatabaseSession, at: datetime) -> Figure:
    newest = select(Return.at).order_by(col(Return.id).desc()).limit(MOST)
    times = db.exec(newest).all()
    now = sum(at - PERIOD < one <= at for one in times)
    was = sum(at - 2 * PERIOD < one <= at - PERIOD for one in times)
    basis = "texts that had been decided, in 30 days"
    return Figure("Re-proposals stopped", f"{now:,}", basis, f"{was:,} in the 30 days before")
