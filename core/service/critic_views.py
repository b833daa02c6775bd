"""What the Critic page shows: the runs, one run down to its prompts and replies, and how far the work is.

Values only; money is in ``Decimal`` of the currency that the settings name, times are aware and in UTC.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, select
from sqlalchemy.orm import join
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.critic.answer import RunStatus
from core.critic.prompts import prompt
from core.errors import NotFound
from core.service.views import Page, page_within
from core.store.critic_records import CriticCall, CriticPrompt, CriticRun, Opinion, Written
from core.store.database import Database
from core.store.records import Agent, AgentSession
from core.vocabulary import CallState, RunState, Support, Writer

REASONS: Mapping[str, str] = {
    **{status.value: status.in_words for status in RunStatus if status is not RunStatus.OK},
    "unreadable": "The reply was not in the form that was asked for.",
    "spending_cap": "The spending cap of the day was reached.",
    "taken_back": "It was taken back before it began.",
    "nothing_suspicious": "The checks found nothing, and only suspicious sessions go to the model.",
    "external_failure": "The session failed outside the agent.",
    "transcript_changed": "The transcript has changed since it was queued.",
    "fault": "A fault of the desk itself.",
    "key_refused": "The server does not accept the key.",
    "model_not_found": "The server knows no such model.",
    "quota_spent": "The account has no credit left.",
    "model_busy": "The server was busy, also after waiting.",
    "model_unreachable": "The server could not be reached.",
    "model_not_configured": "No model is configured.",
    "reply_not_understood": "What came back is no chat completion.",
    "json_validate_failed": "The server refused the JSON that the model wrote, twice.",
}
"""Why a run or a request ended without a reply that can be read, by its code."""


_JOINED = join(
    join(CriticRun, AgentSession, col(CriticRun.session_id) == col(AgentSession.id)),
    Agent,
    col(AgentSession.agent_id) == col(Agent.id),
)


def reason_in_words(code: str | None) -> str:
    """What a person is told of a code; a server's own code is shown as it is."""
    return REASONS.get(code or "", f"The server said “{code}”." if code else "")


@dataclass(frozen=True)
class RunRow:
    """One debrief in a list."""

    id: int
    session_id: int
    session_ref: str
    agent: str
    user: str | None
    state: RunState
    reason: str | None
    detail: str
    by: str
    queued_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    attempt: int
    requests: int
    answered: int
    tokens: int
    cost: Decimal | None
    model: str
    items: int
    """Items that were written in it, or found again."""
    answered_from: int | None = None

    @property
    def why(self) -> str:
        """Why it is where it is, in words; empty where it is done."""
        return reason_in_words(self.reason)

    @property
    def seconds(self) -> float | None:
        """From its beginning to its end."""
        if self.started_at is None or self.ended_at is None:
            return None
        return (self.ended_at - self.started_at).total_seconds()


@dataclass(frozen=True)
class CallView:
    """One request whole: what was sent, what came back, and what was made of it."""

    id: int
    writer: Writer
    turns: str
    about: str
    after: int | None
    state: CallState
    status: str
    detail: str
    prompt_sha256: str
    prompt: str
    prompt_is_current: bool
    messages: tuple[tuple[str, str], ...]
    """Role and content of what followed the prompt."""
    parameters: dict[str, Any]
    sent: dict[str, Any]
    model: str
    reply: str
    tokens: dict[str, int | None]
    cost: Decimal | None
    seconds: float | None
    attempts: tuple[dict[str, Any], ...]
    became: tuple[dict[str, Any], ...]
    """Each part of the reply: ``place``, ``what`` became of it, ``text``, and ``ref`` or ``why``."""
    unreadable: tuple[tuple[int, str], ...]
    cut: int
    asked_once_more: bool
    """Whether its reply could not be kept, and another request took its place."""
    asked_at: datetime | None
    answered_from: tuple[int, int] | None
    """Run and request whose answer was used again."""

    @property
    def why(self) -> str:
        """Why there is no reply to be read, in words; empty where there is one."""
        return "" if self.status in ("", RunStatus.OK) else reason_in_words(self.status)


@dataclass(frozen=True)
class RunView:
    """One debrief whole."""

    row: RunRow
    server: str
    recipe: str
    settings: dict[str, Any]
    covered: str
    """Which turns were read, in words."""
    addressed: tuple[tuple[int, str, str, str], ...]
    """Passages that speak to whoever reviews: turn from 1 (0 beside the session), part, words, why."""
    remarks: tuple[str, ...]
    calls: tuple[CallView, ...]
    currency: str


@dataclass(frozen=True)
class Trail:
    """Where an item was written: run, request, place in its reply, prompt and model."""

    run_id: int
    call_id: int
    place: int
    writer: Writer
    prompt_sha256: str
    model: str
    at: datetime | None


@dataclass(frozen=True)
class OpinionView:
    """A second opinion on one quote."""

    evidence_id: int
    supports: Support
    why: str
    model: str
    at: datetime


@dataclass(frozen=True)
class RunsAsked:
    """Which runs are asked for; None narrows nothing."""

    state: RunState | None = None
    agent: str | None = None
    reason: str | None = None
    session_id: int | None = None


ALL_RUNS = RunsAsked()


@dataclass(frozen=True)
class RunCounts:
    """How many runs stand in each state."""

    by_state: Mapping[RunState, int] = field(default_factory=dict)

    def of(self, *states: RunState) -> int:
        """How many stand in one of these."""
        return sum(self.by_state.get(state, 0) for state in states)


def run_list(database: Database, asked: RunsAsked = ALL_RUNS, *, page: int = 1, size: int = 50) -> Page[RunRow]:
    """One page of runs, newest first."""
    where = _asked_for(asked)
    with database.reading() as db:
        counted = select(func.count(col(CriticRun.id))).select_from(_JOINED)
        total = int(db.execute(counted.where(*where)).scalar_one())
        number = page_within(page, total, size)
        query = _runs().where(*where)
        query = query.order_by(col(CriticRun.id).desc()).limit(size).offset((number - 1) * size)
        rows = db.execute(query).all()
        return Page(_rows(db, rows), total, number, size)


def run_counts(database: Database) -> RunCounts:
    """How many runs stand in each state."""
    with database.reading() as db:
        rows = db.execute(select(col(CriticRun.state), func.count()).group_by(col(CriticRun.state))).all()
        return RunCounts({RunState(state): count for state, count in rows})


def run_view(database: Database, run_id: int) -> RunView:
    """One run whole. Raises ``NotFound``."""
    with database.reading() as db:
        found = db.execute(_runs().where(col(CriticRun.id) == run_id)).first()
        if found is None:
            raise NotFound("debrief", run_id)
        run, session, _ = found
        calls = db.execute(select(CriticCall).where(col(CriticCall.run_id) == run_id).order_by(col(CriticCall.id)))
        return RunView(
            row=_rows(db, [found])[0],
            server=run.server,
            recipe=run.recipe,
            settings=dict(run.settings),
            covered=_covered(run, session.turns),
            addressed=tuple((one["turn"], one["part"], one["words"], one["why"]) for one in run.addressed),
            remarks=tuple(run.remarks),
            calls=tuple(_call(db, call, session.turns) for call in calls.scalars()),
            currency=str(run.settings.get("currency", "USD")),
        )


def trail_of(database: Database, item_id: int) -> tuple[Trail, ...]:
    """Every request in whose reply an item was written or found again, oldest first."""
    with database.reading() as db:
        query = select(Written, CriticCall).join(CriticCall, col(CriticCall.id) == col(Written.call_id))
        rows = db.execute(query.where(col(Written.item_id) == item_id).order_by(col(Written.call_id))).all()
        return tuple(
            Trail(
                run_id=call.run_id or 0,
                call_id=call.id or 0,
                place=written.place,
                writer=Writer(call.writer),
                prompt_sha256=call.prompt_sha256,
                model=call.model,
                at=call.answered_at,
            )
            for written, call in rows
        )


def opinions_on(database: Database, item_id: int) -> tuple[OpinionView, ...]:
    """Every second opinion on the quotes of an item, oldest first."""
    with database.reading() as db:
        rows = db.execute(select(Opinion).where(col(Opinion.item_id) == item_id).order_by(col(Opinion.id))).scalars()
        return tuple(OpinionView(row.evidence_id, Support(row.supports), row.why, row.model, row.at) for row in rows)


def _runs() -> Select[CriticRun, AgentSession, str]:
    return select(CriticRun, AgentSession, col(Agent.name)).select_from(_JOINED)


def money(millionths: int | None) -> Decimal | None:
    """Stored money as an amount, to the ten-thousandth."""
    return None if millionths is None else (Decimal(millionths) / 1_000_000).quantize(Decimal("0.0001"))


def _asked_for(asked: RunsAsked) -> list[ColumnElement[bool]]:
    where: list[ColumnElement[bool]] = []
    where += [col(CriticRun.state) == asked.state] if asked.state else []
    where += [col(Agent.name) == asked.agent] if asked.agent else []
    where += [col(CriticRun.reason) == asked.reason] if asked.reason else []
    where += [col(CriticRun.session_id) == asked.session_id] if asked.session_id else []
    return where


def _rows(db: DatabaseSession, found: Sequence[Any]) -> tuple[RunRow, ...]:
    ids = [run.id for run, *_ in found]
    facts = _facts(db, ids)
    items = dict(
        db.execute(
            select(col(CriticCall.run_id), func.count(func.distinct(col(Written.item_id))))
            .join(Written, col(Written.call_id) == col(CriticCall.id))
            .where(col(CriticCall.run_id).in_(ids))
            .group_by(col(CriticCall.run_id))
        ).all()
    )
    return tuple(_row(run, session, agent, facts.get(run.id), items.get(run.id, 0)) for run, session, agent in found)


def _facts(db: DatabaseSession, ids: Sequence[int]) -> dict[int, Any]:
    """Counts, tokens, cost and model of the requests of these runs."""
    over = col(CriticCall.state).in_((CallState.ANSWERED, CallState.FAILED))
    used = func.coalesce(col(CriticCall.tokens_prompt), 0) + func.coalesce(col(CriticCall.tokens_completion), 0)
    unknown = and_(over, col(CriticCall.cost).is_(None))
    query = select(
        col(CriticCall.run_id),
        func.count().label("requests"),
        func.sum(case((over, 1), else_=0)).label("answered"),
        func.sum(case((col(CriticCall.answered_from).is_(None), used), else_=0)).label("tokens"),
        func.sum(func.coalesce(col(CriticCall.cost), 0)).label("cost"),
        func.sum(case((unknown, 1), else_=0)).label("unknown"),
        func.max(col(CriticCall.model)).label("model"),
    )
    rows = db.execute(query.where(col(CriticCall.run_id).in_(ids)).group_by(col(CriticCall.run_id))).all()
    return {row.run_id: row for row in rows}


def _row(run: CriticRun, session: AgentSession, agent: str, facts: Any, items: int) -> RunRow:
    return RunRow(
        id=run.id or 0,
        session_id=run.session_id,
        session_ref=session.ref,
        agent=agent,
        user=session.user,
        state=RunState(run.state),
        reason=run.reason,
        detail=run.detail,
        by=run.by,
        queued_at=run.queued_at,
        started_at=run.started_at,
        ended_at=run.ended_at,
        attempt=run.attempt,
        requests=facts.requests if facts else 0,
        answered=facts.answered if facts else 0,
        tokens=facts.tokens if facts else 0,
        cost=money(int(facts.cost)) if facts and not facts.unknown else None,
        model=(facts.model if facts else "") or str(run.settings.get("model") or ""),
        items=items,
        answered_from=run.answered_from,
    )


def _call(db: DatabaseSession, call: CriticCall, turns: int) -> CallView:
    used = db.get_one(CriticPrompt, call.prompt_sha256)
    source = db.get(CriticCall, call.answered_from) if call.answered_from else None
    return CallView(
        id=call.id or 0,
        writer=Writer(call.writer),
        turns=turns_in_words(call.first_turn, call.last_turn, call.cut_to is None, turns),
        about=call.about,
        after=call.after,
        state=CallState(call.state),
        status=call.status,
        detail=call.detail,
        prompt_sha256=call.prompt_sha256,
        prompt=used.text,
        prompt_is_current=prompt(Writer(call.writer)).sha256 == call.prompt_sha256,
        messages=tuple((said["role"], said["content"]) for said in call.messages),
        parameters=dict(call.parameters),
        sent=dict(call.sent),
        model=call.model,
        reply=call.reply,
        tokens={
            "estimated": call.tokens_estimated,
            "prompt": call.tokens_prompt,
            "cached": call.tokens_cached,
            "completion": call.tokens_completion,
            "reasoning": call.tokens_reasoning,
        },
        cost=money(call.cost),
        seconds=call.seconds,
        attempts=tuple(call.attempts),
        became=tuple(call.read.get("became", ())),
        unreadable=tuple((place, why) for place, why in call.read.get("unreadable", ())),
        cut=int(call.read.get("cut", 0)),
        asked_once_more=bool(call.read.get("asked_once_more")),
        asked_at=call.asked_at,
        answered_from=(source.run_id or 0, source.id or 0) if source else None,
    )


def turns_in_words(first: int, last: int, whole: bool, of: int) -> str:
    """``turns 1 to 9 of 9``; empty for a request without turns."""
    if not first:
        return ""
    if not whole:
        return f"beginning and end of turn {first} of {of}"
    return f"turn {first} of {of}" if first == last else f"turns {first} to {last} of {of}"


def _covered(run: CriticRun, turns: int) -> str:
    """Which turns were read, in words; all of them, the parts, or none."""
    if not run.covered:
        return ""
    parts = [turns_in_words(first, last, whole, turns) for first, last, whole in run.covered]
    read = {turn for first, last, whole in run.covered if whole for turn in range(first, last + 1)}
    missing = turns - len(read)
    if len(parts) == 1 and not missing:
        return f"all {turns} turns"
    said = f"all {turns} turns" if not missing else f"{len(read)} of {turns} turns whole"
    return f"{said}, in {len(parts)} parts: {'; '.join(parts)}"
