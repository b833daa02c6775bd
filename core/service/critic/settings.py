"""The critic's settings as people save them: of the desk, and what an agent has of its own.

Rows are only ever added; the newest counts, as far as this code knows its names and values. The key and the
address come from the environment and are never stored.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.briefing.read import agent_named
from core.critic.critic_settings import OF_AN_AGENT, CriticSettings
from core.critic.model_settings import ModelSettings
from core.errors import BadInput, Refused
from core.governance.people import duties_of
from core.governance.stored_settings import as_far_as_known
from core.screening.secrets import mask
from core.store.clock import now
from core.store.critic_records import CriticSettingsVersion
from core.store.database import Database
from core.store.records import Agent
from core.vocabulary import Duty

DEFAULTS = CriticSettings()


@dataclass(frozen=True)
class SavedSettings:
    """One saved version: whose (None is the desk's), what was chosen, by whom, why and when."""

    id: int
    agent: str | None
    chosen: dict[str, Any]
    by: str
    reason: str
    at: datetime


def settings_of(db: DatabaseSession, agent_id: int | None = None) -> CriticSettings:
    """The settings in force for an agent; without one, those of the desk."""
    chosen = dict(_chosen(db, None))
    if agent_id is not None:
        chosen |= _chosen(db, agent_id)
    return as_far_as_known(CriticSettings, chosen)[0]


def critic_settings_not_in_force(db: DatabaseSession) -> tuple[str, ...]:
    """What was saved last, of the desk and of each agent, and is not known here, each as a clause."""
    newest = select(func.max(CriticSettingsVersion.id)).group_by(col(CriticSettingsVersion.agent_id))
    rows = db.exec(select(CriticSettingsVersion).where(col(CriticSettingsVersion.id).in_(newest))).all()
    return tuple(problem for row in rows for problem in as_far_as_known(CriticSettings, row.chosen)[1])


def critic_settings(database: Database, agent: str | None = None) -> CriticSettings:
    """The settings in force for an agent by its name; without one, those of the desk. Raises ``NotFound``."""
    with database.reading() as db:
        return settings_of(db, agent_named(db, agent).id if agent else None)


def chosen_for(database: Database, agent: str | None = None) -> dict[str, Any]:
    """What was chosen for the desk, or for one agent, as it is stored; defaults are left out."""
    with database.reading() as db:
        return dict(_chosen(db, agent_named(db, agent).id if agent else None))


def save_critic_settings(
    database: Database,
    chosen: Mapping[str, Any],
    *,
    by: str,
    reason: str,
    agent: str | None = None,
    seen: int | None = None,
) -> CriticSettings:
    """Save what is chosen, all of it, as a new version; returns the settings that are in force then.

    ``seen`` is the version that was on the screen, 0 for none; another one in force refuses the change. Raises
    ``BadInput`` without a reason, and for a value that is none or that only the desk may have, and ``Refused``
    for a person without the duty developer.
    """
    with database.writing() as db:
        if not reason.strip():
            raise BadInput("A change of the critic's settings needs a reason (--reason). Nothing was saved.")
        if Duty.DEVELOPER not in duties_of(db, by).duties:
            raise Refused("not_your_duty", f"{by} lacks the duty developer, so the critic's settings stay as they are.")
        agent_id = agent_named(db, agent).id if agent else None
        newest = _newest(db, agent_id)
        if seen is not None and newest is not None and newest.id != seen:
            when = f"{newest.at:%d %b %Y, %H:%M} UTC"
            text = (
                f"{newest.by} saved other settings on {when} ({newest.reason}). Nothing was saved; the form shows them."
            )
            raise Refused("settings_moved_on", text)
        wrong = sorted(chosen.keys() - OF_AN_AGENT) if agent else []
        if wrong:
            raise BadInput(f"{', '.join(wrong)} can be set for the whole desk only. Nothing was saved.")
        kept = _checked({**(_chosen(db, None) if agent else {}), **chosen}).model_dump(mode="json", include=set(chosen))
        kept = {name: mask(value).text if isinstance(value, str) else value for name, value in kept.items()}
        row = CriticSettingsVersion(agent_id=agent_id, chosen=kept, by=by, reason=mask(reason).text, at=now())
        db.add(row)
        db.flush()
        return settings_of(db, agent_id)


def saved_versions(database: Database, agent: str | None = None) -> tuple[SavedSettings, ...]:
    """Every saved version of the desk, or of one agent, newest first."""
    with database.reading() as db:
        agent_id = agent_named(db, agent).id if agent else None
        query = select(CriticSettingsVersion).where(col(CriticSettingsVersion.agent_id).is_not_distinct_from(agent_id))
        rows = db.exec(query.order_by(col(CriticSettingsVersion.id).desc())).all()
        return tuple(SavedSettings(row.id or 0, agent, row.chosen, row.by, row.reason, row.at) for row in rows)


def model_settings(settings: CriticSettings, environ: Mapping[str, str] = os.environ) -> ModelSettings:
    """How and where the model is asked. Raises ``ModelNotConfigured``."""
    return ModelSettings.from_environment(environ, **settings.how_to_ask)


def agents_with_their_own(database: Database) -> tuple[str, ...]:
    """Names of the agents that have settings of their own."""
    with database.reading() as db:
        query = select(Agent.name).where(col(Agent.id).in_(select(col(CriticSettingsVersion.agent_id))))
        return tuple(db.exec(query.order_by(Agent.name)).all())


def newest_version(database: Database, agent: str | None = None) -> int:
    """The number of the version in force for the desk, or of an agent's own; 0 where nothing was saved."""
    with database.reading() as db:
        row = _newest(db, agent_named(db, agent).id if agent else None)
        return row.id or 0 if row else 0


def _newest(db: DatabaseSession, agent_id: int | None) -> CriticSettingsVersion | None:
    query = select(CriticSettingsVersion).where(col(CriticSettingsVersion.agent_id).is_not_distinct_from(agent_id))
    return db.exec(query.order_by(col(CriticSettingsVersion.id).desc()).limit(1)).first()


def _chosen(db: DatabaseSession, agent_id: int | None) -> dict[str, Any]:
    row = _newest(db, agent_id)
    return {name: value for name, value in row.chosen.items() if name in CriticSettings.model_fields} if row else {}


def _checked(chosen: Mapping[str, Any]) -> CriticSettings:
    try:
        return CriticSettings.model_validate(dict(chosen))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"][:1]))
        if first["type"] == "extra_forbidden":
            known = ", ".join(CriticSettings.model_fields)
            raise BadInput(f"The critic has no setting {field}. Possible: {known}. Nothing was saved.") from error
        why = first["msg"].removeprefix("Value error, ")
        raise BadInput(f"{field} cannot be {first['input']}: {why}. Nothing was saved.") from error
