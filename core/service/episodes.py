"""What people do with episodes and runs at the desk: withdraw, restore, release, look for beliefs now.

Between the pages and governance. Each refused attempt of a person stands in the log of refusals.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.briefing.read import agent_named
from core.errors import BadInput, Refused
from core.governance import episodes as governed
from core.governance.refusals import refusals_kept
from core.governance.stale import Walk
from core.governance.tokens import said_to_be
from core.screening.named import name_kept
from core.service.consolidation.runs import may_start
from core.service.consolidation.sums import admit, queue_now
from core.service.critic.runs import way_of
from core.service.review_views import LONGEST_NUMBER
from core.store.clock import now
from core.store.database import Database
from core.store.memory_records import Accumulator, Episode


def episode_number(name: str) -> int:
    """The id behind ``E-0012`` or ``12``. Raises ``BadInput`` for anything else."""
    number = name.strip().upper().removeprefix("E-")
    if not (number.isascii() and number.isdigit() and len(number) < LONGEST_NUMBER):
        raise BadInput(f"“{name[:40]}” names no episode; one reads like E-0012.")
    return int(number)


def withdraw_episode(
    database: Database,
    episode_id: int,
    *,
    reason: str,
    person: str,
    contradicted_by: int | None = None,
    at: datetime | None = None,
) -> Walk:
    """Say that an episode holds no more; what rests on it goes stale. See ``governance.episodes.withdraw``."""
    moment = at or now()
    with _acting(database, "withdraw an episode", person, moment) as (db, who):
        how = {"reason": reason, "person": who, "at": moment}
        return governed.withdraw(db, episode_id, contradicted_by=contradicted_by, **how)  # type: ignore[arg-type]


def restore_episode(database: Database, episode_id: int, *, text: str, person: str, at: datetime | None = None) -> None:
    """Let an episode stand again; what went stale with it waits for a person all the same."""
    moment = at or now()
    with _acting(database, "restore an episode", person, moment) as (db, who):
        governed.restore(db, episode_id, person=who, text=text, at=moment)


def release_episode(
    database: Database,
    episode_id: int,
    *,
    text: str,
    person: str,
    at: datetime | None = None,
    environ: Mapping[str, str] = os.environ,
) -> list[int]:
    """Let an episode count that was held, and add it to the sum; the runs that this sets off, by id."""
    moment = at or now()
    with _acting(database, "release an episode", person, moment) as (db, who):
        released = governed.release(db, episode_id, person=who, text=text, at=moment)
        return admit(db, [released], environ=environ)


def look_for_beliefs(
    database: Database, agent: str, user: str | None, *, by: str, environ: Mapping[str, str] = os.environ
) -> int:
    """Queue a run for an agent and user now, whatever their sum is; its id.

    Raises ``NotFound``, ``ModelNotConfigured``, and ``Refused`` for a person without the duty, for a user of whom no
    episode is known, and where one is under way.
    """
    user = name_kept(user) if user else None
    whose = f"{agent} and {user}" if user else f"{agent} and sessions of nobody"
    with _acting(database, "look for beliefs", by, now()) as (db, who):
        may_start(db, who)
        agent_id = agent_named(db, agent).id or 0
        if not _remembered(db, agent_id, user):
            raise Refused("no_episodes", f"No episode is known of {whose}, so there is nothing to look through.")
        run = queue_now(db, agent_id, user, by=who, way=way_of(db, agent_id, environ))
        if run is None:
            raise Refused("under_way", f"A run is under way for {whose}; the next one can be queued when it is over.")
        return run


def _remembered(db: DatabaseSession, agent_id: int, user: str | None) -> bool:
    """Whether anything was ever counted or written of a user, or with None of nobody in particular."""
    if db.get(Accumulator, (agent_id, user or "")) is not None:
        return True
    of_user = (Episode.agent_id == agent_id, Episode.user == user)
    return db.exec(select(Episode.id).where(*of_user).limit(1)).first() is not None


@contextmanager
def _acting(database: Database, act: str, person: str, at: datetime) -> Iterator[tuple[DatabaseSession, str]]:
    with database.reading() as db:
        who = said_to_be(db, person)
    with refusals_kept(database, None, act, who, at), database.writing() as db:
        yield db, who
