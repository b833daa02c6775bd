"""What pages ask about the critic beside its runs: which model answers, what a session's review was, whom to ask about.

Values only. The key is never among them, only whether one is set.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select
from sqlmodel import col

from core.briefing.read import agent_named
from core.critic.endpoint import OPENAI, Endpoint
from core.errors import ModelNotConfigured
from core.service.critic.settings import critic_settings, model_settings
from core.service.critic.shown import RunRow, RunsAsked
from core.service.critic.views import run_list
from core.store.database import Database
from core.store.records import AgentSession


@dataclass(frozen=True)
class ModelInUse:
    """Which model is asked where; ``why_not`` says why none can be, with what to set, and is None where it can."""

    model: str
    server: str
    key_is_set: bool
    address_is_set: bool
    why_not: str | None = None


def model_in_use(database: Database, agent: str | None = None, environ: Mapping[str, str] = os.environ) -> ModelInUse:
    """The model of the desk, or of one agent. Raises ``NotFound``."""
    settings = critic_settings(database, agent)
    key, address = (bool(environ.get(name, "").strip()) for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"))
    try:
        how = model_settings(settings, environ)
    except ModelNotConfigured as error:
        model = settings.model or environ.get("OPENAI_MODEL", "").strip()
        return ModelInUse(model, _address(environ), key, address, str(error))
    return ModelInUse(how.model, how.endpoint.shown, key, address)


def session_refs(database: Database, agent: str) -> tuple[str, ...]:
    """The references of an agent's sessions. Raises ``NotFound``."""
    with database.reading() as db:
        mine = col(AgentSession.agent_id) == agent_named(db, agent).id
        return tuple(db.execute(select(col(AgentSession.ref)).where(mine).order_by(col(AgentSession.id))).scalars())


def newest_run(database: Database, session_id: int) -> RunRow | None:
    """The debrief of a session that tells most: one under way, else the newest that was read, else the newest."""
    rows = run_list(database, RunsAsked(session_id=session_id)).rows
    under_way = (row for row in rows if not row.state.over)
    read = (row for row in rows if row.turns_read and row.is_current)
    return next(iter((*under_way, *read, *rows)), None)


def _address(environ: Mapping[str, str]) -> str:
    try:
        return Endpoint.parse(environ.get("OPENAI_BASE_URL", "").strip() or OPENAI).shown
    except ModelNotConfigured:
        return ""
