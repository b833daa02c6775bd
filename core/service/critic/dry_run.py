"""The exact requests that a debrief would send first, with their tokens; nothing is sent and nothing is written."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.answer import Request, RunStatus
from core.critic.critic_settings import CriticSettings
from core.critic.exchange import body_of
from core.critic.llm import REMEMBERED
from core.critic.model_settings import ModelSettings
from core.critic.tokens import most_in_prompt, prompt_estimate
from core.service.critic.calls import key_of
from core.service.critic.plan import Plan
from core.service.critic.runs import Way, sessions_named, way_of
from core.service.critic.views import money, turns_in_words
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticRun
from core.store.database import Database
from core.store.records import AgentSession
from core.vocabulary import CallState, RunState, Writer

NO_MODEL = "no-model-named"
"""What stands for the model in a dry run where none is named."""


@dataclass(frozen=True)
class WouldSend:
    """One request as it would leave the machine, without the key.

    ``tokens`` is an estimate, ``most`` the most that it may cost; ``answered_before`` says that the store has the
    answer, so that nothing would be sent. What follows from replies (a lesson once more, a second opinion) is not here.
    """

    session: str
    writer: Writer
    turns: str
    url: str
    body: dict[str, Any]
    tokens: int
    most: Decimal | None
    currency: str
    answered_before: bool


def would_send(
    database: Database, refs: Sequence[str] | None, environ: Mapping[str, str] = os.environ
) -> list[WouldSend]:
    """The first requests of a debrief of these sessions, or of all. Neither key nor model is needed.

    Raises ``NotFound``, and ``ModelNotConfigured`` for settings that cannot be.
    """
    keyed = without_a_key(environ)
    with database.reading() as db:
        sessions = sessions_named(db, refs)
        ways = {agent: way_of(db, agent, keyed) for agent in {session.agent_id for session in sessions}}
        return [one for session in sessions for one in _of_session(db, session, ways[session.agent_id])]


def without_a_key(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a dry run, which sends nothing: what stands for a key and a model where none is named."""
    named = {"OPENAI_API_KEY": "none", "OPENAI_MODEL": NO_MODEL}
    return {**environ, **{name: value for name, value in named.items() if not environ.get(name, "").strip()}}


def _of_session(db: DatabaseSession, session: AgentSession, way: Way) -> list[WouldSend]:
    run = CriticRun(
        session_id=session.id or 0,
        transcript_sha256=session.sha256,
        recipe="",
        settings=way.snapshot,
        server=way.model.endpoint.shown,
        state=RunState.RUNNING,
        by="",
        queued_at=now(),
    )
    planned = Plan(db, run, way.settings, way.model, []).first()
    return [
        WouldSend(
            session=session.ref,
            writer=one.writer,
            turns=turns_in_words(one.first_turn, one.last_turn, one.cut_to is None, session.turns),
            url=f"{way.model.endpoint.shown}/chat/completions",
            body=body_as_sent(way.model, one.request),
            tokens=prompt_estimate(one.request),
            most=money(most_cost(way.settings, way.model, one.request)),
            currency=way.settings.currency,
            answered_before=_is_stored(db, key_of(way.model, one.request)),
        )
        for one in planned
    ]


def most_cost(settings: CriticSettings, how: ModelSettings, request: Request) -> int | None:
    """The most that a request may cost, in millionths; None where a price is not known."""
    return settings.cost(2 * most_in_prompt(request), how.token_cap + how.largest_token_cap)


def body_as_sent(how: ModelSettings, request: Request) -> dict[str, Any]:
    """The body of a request as it leaves the machine, by what is known of the server so far."""
    return body_of(how, request, REMEMBERED.of(how).parameters(how, request, how.token_cap))


def _is_stored(db: DatabaseSession, key: str) -> bool:
    same = (CriticCall.key == key, CriticCall.state == CallState.ANSWERED, CriticCall.status == RunStatus.OK)
    of_runs = col(CriticCall.run_id).is_not(None)
    return db.exec(select(col(CriticCall.id)).where(*same, of_runs).limit(1)).first() is not None
