"""How far the critic's work is, what it will take, and what it costs: before it begins and while it runs.

Every figure is an estimate and says on what it rests: the length of transcripts, and the requests that were answered
before.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from sqlalchemy import func, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.critic.critic_settings import CriticSettings
from core.critic.prompts import prompt
from core.critic.tokens import estimate as tokens_of
from core.service.critic.caps import next_day, spent_since, start_of_day
from core.service.critic.identity import FEW, identities
from core.service.critic.runs import sessions_to_review, way_of
from core.service.critic.settings import settings_of
from core.service.critic.views import count_runs, money
from core.service.jobs import WorkSettings
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticRun
from core.store.database import Database
from core.store.records import Feedback, SessionMessage
from core.store.work_records import Worker
from core.vocabulary import CallState, RunState, Writer

RECENT = 200
"""Answered requests from which the time and the length of a reply are estimated, the newest."""

SECONDS_A_REQUEST, REPLY_TOKENS = 8.0, 500
"""What a request takes and its reply has, where none was answered yet."""

_ALIVE = timedelta(seconds=WorkSettings().dead_after)

_BESIDE = 700
"""Tokens of a request beside prompt and turns, roughly: record, policies, facts."""

_JSON = 1.15
"""How many times more tokens a transcript has as it is sent than its words alone."""


@dataclass(frozen=True)
class Estimate:
    """What debriefs would take: requests, tokens, cost where prices are known, seconds at the pace of the settings."""

    sessions: int
    known: int
    """Sessions among them that were reviewed this way before."""
    requests: int
    tokens: int
    cost: Decimal | None
    currency: str
    seconds: float
    measured: bool
    """Whether time and length rest on requests that were answered before."""


@dataclass(frozen=True)
class Progress:
    """How far the work is now."""

    queued: int
    running: int
    requests_left: int
    seconds_left: float | None
    """None where nothing is under way."""
    cost_left: Decimal | None
    spent_today: Decimal
    reserved_today: Decimal
    """The most that the requests on their way may cost."""
    tokens_today: int
    cap: Decimal | None
    token_cap: int | None
    cap_ends_in: timedelta
    currency: str
    workers: int

    @property
    def under_way(self) -> int:
        """Runs that are not over."""
        return self.queued + self.running


def estimate(
    database: Database, refs: Sequence[str] | None, *, again: bool = False, environ: Mapping[str, str] = os.environ
) -> Estimate:
    """What a debrief of these sessions, or of all, would take. Raises ``NotFound`` and ``ModelNotConfigured``."""
    with database.reading() as db:
        sessions = sessions_to_review(db, refs)
        how = {agent: way_of(db, agent, environ) for agent in {session.agent_id for session in sessions}}
        of = identities(db, sessions, {agent: way.recipe for agent, way in how.items()})
        known = set() if again else _known(db, of)
        ids = [one.id or 0 for one in sessions] if refs is not None and len(refs) <= FEW else None
        characters, signals = _characters(db, ids), _signals(db, ids)
        pace = _pace(db)
        desk = settings_of(db)
    todo = [one for one in sessions if (one.id, one.sha256, of[one.id or 0]) not in known]
    of_prompt = {writer: tokens_of(prompt(writer).text) for way in how.values() for writer in way.settings.writers}
    requests = tokens = 0
    cost: int | None = 0
    for session in todo:
        settings = how[session.agent_id].settings
        for writer in settings.writers:
            lesson = writer in (Writer.LESSON, Writer.REFLECTION)
            times = signals.get(session.id or 0, 0) if lesson else 1
            sent = of_prompt[writer] + _BESIDE + round(characters.get(session.id or 0, 0) * 0.25 * _JSON)
            requests, tokens = requests + times, tokens + times * (sent + pace.reply)
            one = settings.cost(sent, pace.reply)
            cost = None if cost is None or one is None else cost + times * one
    return Estimate(
        sessions=len(todo),
        known=len(sessions) - len(todo),
        requests=requests,
        tokens=tokens,
        cost=money(cost),
        currency=desk.currency,
        seconds=_seconds(requests, pace, desk),
        measured=pace.measured,
    )


def progress(database: Database) -> Progress:
    """How far the queued and running debriefs are, and what the day has cost."""
    at = now()
    with database.reading() as db:
        counts = count_runs(db, RunState.QUEUED, RunState.RUNNING)
        queued, running = counts.of(RunState.QUEUED), counts.of(RunState.RUNNING)
        desk = settings_of(db)
        pace = _pace(db)
        spent = spent_since(db, start_of_day(at))
        left = _requests_asked(db) + queued * len(desk.writers)  # a run that nobody has begun asks every writer
        workers = int(db.execute(select(func.count()).where(col(Worker.seen_at) > at - _ALIVE)).scalar_one())
    return Progress(
        queued=queued,
        running=running,
        requests_left=left,
        seconds_left=_seconds(left, pace, desk) if queued + running else None,
        cost_left=None if pace.cost is None else money(round(pace.cost * left)),
        spent_today=money(spent.cost) or Decimal(0),
        reserved_today=money(spent.reserved_cost) or Decimal(0),
        tokens_today=spent.tokens,
        cap=desk.daily_cost,
        token_cap=desk.daily_tokens,
        cap_ends_in=next_day(at) - at,
        currency=desk.currency,
        workers=workers,
    )


def _known(db: DatabaseSession, identities: Mapping[int, str]) -> set[tuple[int, str, str]]:
    """Sessions, transcripts and identities that are reviewed or under way."""
    states = (RunState.QUEUED, RunState.RUNNING, RunState.DONE)
    query = select(col(CriticRun.session_id), col(CriticRun.transcript_sha256), col(CriticRun.recipe))
    rows = db.execute(query.where(col(CriticRun.state).in_(states))).all()
    return {(session, sha, recipe) for session, sha, recipe in rows if identities.get(session) == recipe}


def _characters(db: DatabaseSession, ids: Sequence[int] | None) -> dict[int, int]:
    """Characters of the transcripts of these sessions, or of all."""
    query = select(col(SessionMessage.session_id), func.sum(func.length(col(SessionMessage.content))))
    query = query if ids is None else query.where(col(SessionMessage.session_id).in_(ids))
    return {session: int(count or 0) for session, count in db.execute(query.group_by(col(SessionMessage.session_id)))}


def _signals(db: DatabaseSession, ids: Sequence[int] | None) -> dict[int, int]:
    """How many signals say that each of these sessions, or of all, went wrong."""
    query = select(col(Feedback.session_id), func.count()).where(col(Feedback.good).is_(False))
    query = query if ids is None else query.where(col(Feedback.session_id).in_(ids))
    return dict(db.execute(query.group_by(col(Feedback.session_id))).all())


@dataclass(frozen=True)
class _Pace:
    """A request in the mean of the newest: its seconds, the tokens of its reply, its cost in millionths if known."""

    seconds: float
    reply: int
    cost: float | None
    measured: bool


def _pace(db: DatabaseSession) -> _Pace:
    newest = (
        select(col(CriticCall.seconds), col(CriticCall.tokens_completion), col(CriticCall.cost))
        .where(col(CriticCall.state) == CallState.ANSWERED, col(CriticCall.answered_from).is_(None))
        .order_by(col(CriticCall.id).desc())
        .limit(RECENT)
        .subquery()
    )
    seconds, reply, cost = db.execute(select(*(func.avg(column) for column in newest.c))).one()
    return _Pace(
        seconds=float(seconds or SECONDS_A_REQUEST),
        reply=round(float(reply or REPLY_TOKENS)),
        cost=None if cost is None else float(cost),
        measured=seconds is not None,
    )


def _requests_asked(db: DatabaseSession) -> int:
    """Requests of running debriefs that are not answered."""
    open_calls = select(func.count()).select_from(CriticCall).join(CriticRun)
    where = (
        col(CriticCall.state).in_((CallState.DUE, CallState.ASKED)),
        col(CriticRun.state) == RunState.RUNNING,
    )
    return int(db.execute(open_calls.where(*where)).scalar_one())


def _seconds(requests: int, pace: _Pace, desk: CriticSettings) -> float:
    """How long so many requests take at a pace, under the desk's limits."""
    by_width = requests * pace.seconds / desk.requests_at_once
    return max(by_width, requests / desk.requests_per_minute * 60) if desk.requests_per_minute else by_width
