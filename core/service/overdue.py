"""What has waited for longer than the numbers allow an item of its severity."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, func, or_
from sqlmodel import col

from core.settings import Settings
from core.store.records import Item
from core.vocabulary import Severity


def allowed_days(severity: str, numbers: Settings) -> int:
    """Days for which an item of this severity may wait. One that is not known here is taken for critical."""
    known = severity if severity in set(Severity) else Severity.CRITICAL
    return int(getattr(numbers, f"overdue_{known}"))


def due_at(severity: str, queued_at: datetime, numbers: Settings) -> datetime:
    """The moment from which on it is overdue."""
    return queued_at + timedelta(days=allowed_days(severity, numbers))


def is_overdue(numbers: Settings, at: datetime, *, many: bool = False) -> Any:
    """The condition that an item which waits is overdue; for each weight one stretch of the index of such items.

    Where ``many`` are, the index of the queue's order finds the first of them sooner, so that of time is not offered.
    """
    since = _not_indexed() if many else col(Item.queued_at)
    return or_(
        *(
            and_(
                col(Item.weight) == severity.rank,
                since <= at - timedelta(days=allowed_days(severity, numbers)),
            )
            for severity in Severity
        )
    )


def critical_overdue(numbers: Settings, at: datetime) -> Any:
    """The same for critical notes, of which few wait: the index of notes finds them, so none of time is offered."""
    return _not_indexed() <= at - timedelta(days=numbers.overdue_critical)


def _not_indexed() -> Any:
    return func.coalesce(col(Item.queued_at), col(Item.queued_at))
