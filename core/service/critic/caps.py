"""What the critic may spend on one day, UTC: what was spent, what is reserved, and whether a request would pass a cap.

Asked in the transaction that marks a request as sent, so that two workers cannot pass a cap together.
"""

from datetime import datetime, timedelta

from sqlalchemy import func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.critic_settings import CriticSettings
from core.store.clock import now
from core.store.critic_records import CriticCall
from core.vocabulary import CallState

OVER_CAP = "spending_cap"
"""Status of a request that was not sent, because the day's cap would be passed."""


def spent_since(db: DatabaseSession, since: datetime) -> tuple[int, int]:
    """Millionths and tokens of the requests since then; of one that is under way, the most that it may use."""
    asked = col(CriticCall.asked_at) >= since
    over = (asked, col(CriticCall.state) != CallState.ASKED, col(CriticCall.answered_from).is_(None))
    used = func.coalesce(CriticCall.tokens_prompt, 0) + func.coalesce(CriticCall.tokens_completion, 0)
    cost, tokens = db.execute(select(func.sum(CriticCall.cost), func.sum(used)).where(*over)).one()
    expected = select(func.sum(CriticCall.reserved), func.sum(CriticCall.tokens_estimated))
    reserved, more = db.execute(expected.where(asked, col(CriticCall.state) == CallState.ASKED)).one()
    return int(cost or 0) + int(reserved or 0), int(tokens or 0) + int(more or 0)


def start_of_day(at: datetime) -> datetime:
    """Midnight, UTC."""
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def next_day(at: datetime) -> datetime:
    """The midnight, UTC, after which a daily cap begins anew."""
    return start_of_day(at) + timedelta(days=1)


def over_cap(db: DatabaseSession, call: CriticCall, settings: CriticSettings) -> bool:
    """Whether a cap of the day would be passed; the call then is over, unsent."""
    cost, tokens = spent_since(db, start_of_day(now()))
    cap = None if settings.daily_cost is None else int(settings.daily_cost * 1_000_000)
    if cap is not None and call.reserved is None:
        why = f"A daily cap of {settings.daily_cost} {settings.currency} is set, but no prices are."
    elif cap is not None and cost + (call.reserved or 0) > cap:
        why = f"The day's cap is {settings.daily_cost} {settings.currency}; {cost / 1e6:.2f} are spent or reserved."
    elif settings.daily_tokens is not None and tokens + call.tokens_estimated > settings.daily_tokens:
        why = f"The day's cap is {settings.daily_tokens:,} tokens; {tokens:,} are used or reserved."
    else:
        return False
    call.state, call.status, call.detail = CallState.FAILED, OVER_CAP, why
    db.add(call)
    return True
