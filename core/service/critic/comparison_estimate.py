"""What a comparison would send, side by side, and what that would take; nothing is sent and nothing is written."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.answer import RunStatus
from core.critic.tokens import prompt_estimate
from core.service.critic.calls import Planned, key_of
from core.service.critic.comparison import Comparing
from core.service.critic.dry_run import WouldSend, body_as_sent, most_cost
from core.service.critic.progress import REPLY_TOKENS
from core.service.critic.sides import A, B, SideWay, requests_of
from core.service.critic.views import money, turns_in_words
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.records import AgentSession
from core.vocabulary import CallState


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
    return WouldSend(
        session=session.ref,
        writer=one.writer,
        turns=turns_in_words(one.first_turn, one.last_turn, one.cut_to is None, session.turns),
        url=f"{way.model.endpoint.shown}/chat/completions",
        body=body_as_sent(way.model, one.request),
        tokens=prompt_estimate(one.request),
        most=money(most_cost(way.settings, way.model, one.request)),
        currency=way.settings.currency,
        answered_before=not anew and _is_stored(db, key_of(way.model, one.request)),
    )


def _is_stored(db: DatabaseSession, key: str) -> bool:
    same = (CriticCall.key == key, CriticCall.state == CallState.ANSWERED, CriticCall.status == RunStatus.OK)
    return db.exec(select(col(CriticCall.id)).where(*same).limit(1)).first() is not None
