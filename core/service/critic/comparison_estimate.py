"""What a comparison would send, side by side, and what that would take; nothing is sent and nothing is written."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from sqlmodel import Session as DatabaseSession

from core.service.critic.calls import Planned, key_of, stored_answer
from core.service.critic.comparison import Comparing
from core.service.critic.dry_run import WouldSend, as_sent
from core.service.critic.progress import REPLY_TOKENS
from core.service.critic.sides import A, B, SideWay, requests_of
from core.service.critic.views import money
from core.store.database import Database
from core.store.records import AgentSession


@dataclass(frozen=True)
class SideRequest:
    """One request of one side, as it would leave the machine."""

    side: str
    request: WouldSend


@dataclass(frozen=True)
class Expected:
    """What a comparison would take. ``tokens`` and ``cost`` are of what is not stored yet, with short replies."""

    sessions: int
    requests: int
    stored: int
    """Requests among them that the store has the answer to."""
    tokens: int
    cost: Decimal | None
    most: Decimal | None
    """The most that it may cost."""
    currency: str


def would_ask(database: Database, what: Comparing) -> Iterator[SideRequest]:
    """Every request of both sides, session by session."""
    for session in what.sessions:
        if session.external_failure:
            continue
        with database.reading() as db:
            ways = what.ways[session.agent_id]
            due = requests_of(db, session, what.writer, ways)
            found = [
                SideRequest(name, _would_send(db, session, way, pair[side], anew=what.repeat and name == B))
                for side, (name, way) in enumerate(zip((A, B), ways, strict=True))
                for pair in due
            ]
        yield from found


def expected(database: Database, what: Comparing) -> Expected:
    """What a comparison would take, by its exact requests and replies of a usual length."""
    requests = stored = tokens = 0
    cost: Decimal | None = Decimal(0)
    most: Decimal | None = Decimal(0)
    settings = {session.ref: what.ways[session.agent_id] for session in what.sessions}
    for one in would_ask(database, what):
        requests += 1
        if one.request.answered_before:
            stored += 1
            continue
        tokens += one.request.tokens + REPLY_TOKENS
        way = settings[one.request.session][one.side == B]
        likely = money(way.settings.cost(one.request.tokens, REPLY_TOKENS))
        cost = None if cost is None or likely is None else cost + likely
        most = None if most is None or one.request.most is None else most + one.request.most
    return Expected(len(what.sessions), requests, stored, tokens, cost, most, what.currency)


def _would_send(db: DatabaseSession, session: AgentSession, way: SideWay, one: Planned, *, anew: bool) -> WouldSend:
    stored = not anew and stored_answer(db, key_of(way.model, one.request), for_memory=False) is not None
    return as_sent(session, one, way.settings, way.model, answered_before=stored)
