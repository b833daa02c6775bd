"""What the critic may spend on one day, UTC: what was spent, what is reserved, and whether a request would pass a cap.

Asked in the transaction that marks a request as sent, so that two workers cannot pass a cap together.
"""

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Spent:
    """What requests have used, in millionths and tokens, and what those on their way may use at most."""

    cost: int
    tokens: int
    reserved_cost: int
    reserved_tokens: int


def spent_since(db: DatabaseSession, since: datetime, *, besides: int | None = None) -> Spent:
    """What the requests since then have used. A request ``besides`` is left out: it is about to be sent again."""
    asked = col(CriticCall.asked_at) >= since
    over = (asked, col(CriticCall.state) != CallState.ASKED, col(CriticCall.answered_from).is_(None))
    used = func.coalesce(CriticCall.tokens_prompt, 0) + func.coalesce(CriticCall.tokens_completion, 0)
    cost, tokens = db.execute(select(func.sum(CriticCall.cost), func.sum(used)).where(*over)).one()
    query = select(CriticCall).where(asked, col(CriticCall.state) == CallState.ASKED)
    on_its_way = [call for call in db.exec(query).all() if call.id != besides]
    reserved = sum(call.reserved or 0 for call in on_its_way)
    return Spent(int(cost or 0), int(tokens or 0), reserved, sum(map(most_tokens, on_its_way)))


def most_tokens(call: CriticCall) -> int:
    """The most tokens that a request may use: it is sent once more, with a larger cap, when its reply was cut."""
    caps = call.parameters["token_cap"] + call.parameters["largest_token_cap"]
    return 2 * call.tokens_reserved + int(caps)


def start_of_day(at: datetime) -> datetime:
    """Midnight, UTC."""
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def next_day(at: datetime) -> datetime:
    """The midnight, UTC, after which a daily cap begins anew."""
    return start_of_day(at) + timedelta(days=1)


def over_cap(db: DatabaseSession, call: CriticCall, settings: CriticSettings) -> bool:
    """Whether a cap of the day would be passed; the call then is over, unsent."""
    spent = spent_since(db, start_of_day(now()), besides=call.id)
    cost, tokens = spent.cost + spent.reserved_cost, spent.tokens + spent.reserved_tokens
    cap = None if settings.daily_cost is None else int(settings.daily_cost * 1_000_000)
    if cap is not None and call.reserved is None:
        why = f"A daily cap of {settings.daily_cost} {settings.currency} is set, but no prices are."
    elif cap is not None and cost + (call.reserved or 0) > cap:
        most, unit = (call.reserved or 0) / 1e6, settings.currency
        why = f"It may cost up to {most:.4f} {unit}; of the day's {settings.daily_cost} {unit}, {cost / 1e6:.4f} are "
        why += "spent or reserved."
    elif settings.daily_tokens is not None and tokens + most_tokens(call) > settings.daily_tokens:
        why = f"It may use up to {most_tokens(call):,} tokens; of the day's {settings.daily_tokens:,}, {tokens:,} are "
        why += "used or reserved."
    else:
        return False
    call.state, call.status, call.detail, call.cost = CallState.FAILED, OVER_CAP, why, 0
    db.add(call)
    return True
