"""The exact requests that a debrief would send first, with their tokens; nothing is sent and nothing is written."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlmodel import Session as DatabaseSession

from core.critic.critic_settings import CriticSettings
from core.critic.exchange import body_of
from core.critic.llm import REMEMBERED
from core.critic.model_settings import ModelSettings
from core.critic.parts import turns_in_words
from core.critic.tokens import prompt_estimate
from core.service.critic.calls import Planned, key_of, most_cost, stored_answer
from core.service.critic.plan import Plan
from core.service.critic.runs import Way, sessions_to_review, way_of
from core.service.critic.views import money
from core.store.database import Database
from core.store.records import AgentSession
from core.vocabulary import Writer

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
        sessions = sessions_to_review(db, refs)
        ways = {agent: way_of(db, agent, keyed) for agent in {session.agent_id for session in sessions}}
        return [one for session in sessions for one in _of_session(db, session, ways[session.agent_id])]


def without_a_key(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a dry run, which sends nothing: what stands for a key and a model where none is named."""
    named = {"OPENAI_API_KEY": "none", "OPENAI_MODEL": NO_MODEL}
    return {**environ, **{name: value for name, value in named.items() if not environ.get(name, "").strip()}}


def _of_session(db: DatabaseSession, session: AgentSession, way: Way) -> list[WouldSend]:
    return [
        as_sent(session, one, way.settings, way.model, answered_before=_is_stored(db, way.model, one))
        for one in Plan(db, session, way.settings, way.model).first()
    ]


def _is_stored(db: DatabaseSession, how: ModelSettings, planned: Planned) -> bool:
    return stored_answer(db, key_of(how, planned.request), for_memory=True) is not None


def as_sent(
    session: AgentSession, planned: Planned, settings: CriticSettings, how: ModelSettings, *, answered_before: bool
) -> WouldSend:
    """A planned request as it would leave the machine, by what is known of the server so far."""
    request = planned.request
    return WouldSend(
        session=session.ref,
        writer=planned.writer,
        turns=turns_in_words(planned.first_turn, planned.last_turn, planned.cut_to is None, session.turns),
        url=f"{how.endpoint.shown}/chat/completions",
        body=body_of(how, request, REMEMBERED.of(how).parameters(how, request, how.token_cap)),
        tokens=prompt_estimate(request),
        most=money(most_cost(settings, how, request)),
        currency=settings.currency,
        answered_before=answered_before,
    )
