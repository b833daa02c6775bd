"""What the Critic page shows: the runs, one run down to its prompts and replies, and how far the work is.

Values only; money is in ``Decimal`` of the currency that the settings name, times are aware and in UTC.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select
from sqlalchemy.orm import aliased, join
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.critic.parts import turns_in_words
from core.critic.prompts import prompt
from core.errors import NotFound
from core.governance.references import reference
from core.service.critic.shown import ALL_RUNS, CallView, RunCounts, RunRow, RunsAsked, RunView
from core.service.views import OpinionView, Page, Trail, page_within
from core.store.critic_records import CriticCall, CriticPrompt, CriticRun, Opinion, Written
from core.store.database import Database
from core.store.records import Agent, AgentSession, Evidence, Item
from core.vocabulary import CallState, RunState, Support, Writer

# Made once: the first use of a column of a new alias costs more than the statement.
_ONE, _OTHER, _ASKED, _HERE = aliased(Item), aliased(Item), aliased(Evidence), aliased(Evidence)

_SAME = and_(col(_ONE.kind) == col(_OTHER.kind), col(_ONE.number) == col(_OTHER.number))
_JOINED = join(
    join(CriticRun, AgentSession, col(CriticRun.session_id) == col(AgentSession.id)),
    Agent,
    col(AgentSession.agent_id) == col(Agent.id),
)


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
        return count_runs(db, *RunState)


def count_runs(db: DatabaseSession, *states: RunState) -> RunCounts:
    """How many runs stand in each of these states, in a transaction that is under way."""
    query = select(col(CriticRun.state), func.count()).where(col(CriticRun.state).in_(states))
    return RunCounts({RunState(state): count for state, count in db.execute(query.group_by(col(CriticRun.state)))})


def run_ids(database: Database, asked: RunsAsked) -> tuple[int, ...]:
    """The numbers of all runs that are asked for, oldest first."""
    with database.reading() as db:
        query = select(col(CriticRun.id)).join(AgentSession).join(Agent).where(*_asked_for(asked))
        return tuple(int(one or 0) for one in db.execute(query.order_by(col(CriticRun.id))).scalars())


def reasons_in_use(database: Database) -> tuple[str, ...]:
    """The codes of the reasons for which runs ended as they did."""
    with database.reading() as db:
        query = select(col(CriticRun.reason)).where(col(CriticRun.reason).is_not(None)).distinct()
        return tuple(sorted(str(one) for one in db.execute(query).scalars()))


def run_row(database: Database, run_id: int) -> RunRow:
    """One run as it stands in a list. Raises ``NotFound``."""
    with database.reading() as db:
        return _rows(db, [_run(db, run_id)])[0]


def run_view(database: Database, run_id: int) -> RunView:
    """One run whole. Raises ``NotFound``."""
    with database.reading() as db:
        found = _run(db, run_id)
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


def trails(db: DatabaseSession, item_ids: Sequence[int]) -> dict[int, tuple[Trail, ...]]:
    """Every request in whose reply an item, in any of its versions, was written or found again, oldest first.

    For several items by id, in one statement.
    """
    query = select(col(_ONE.id), Written, CriticCall).join(CriticCall, col(CriticCall.id) == col(Written.call_id))
    query = (
        query.join(_OTHER, col(_OTHER.id) == col(Written.item_id)).join(_ONE, _SAME).where(col(_ONE.id).in_(item_ids))
    )
    found: dict[int, list[Trail]] = {one: [] for one in item_ids}
    for item, written, call in db.execute(query.order_by(col(Written.call_id))).all():
        found[item].append(
            Trail(
                run_id=call.run_id or 0,
                call_id=call.id or 0,
                place=written.place,
                writer=Writer(call.writer),
                prompt_sha256=call.prompt_sha256,
                model=call.model,
                at=call.answered_at,
            )
        )
    return {item: tuple(steps) for item, steps in found.items()}


def opinions(db: DatabaseSession, item_ids: Sequence[int]) -> dict[int, tuple[OpinionView, ...]]:
    """Every second opinion on the quotes of items, oldest first, by the item's id, in one statement.

    One on an earlier version stands beside the quote that still has its words.
    """
    quoted = and_(col(_HERE.session_id) == col(_ASKED.session_id), col(_HERE.quote) == col(_ASKED.quote))
    query = select(col(_HERE.item_id), Opinion, col(_HERE.id)).join(_ASKED, col(Opinion.evidence_id) == col(_ASKED.id))
    query = query.join(_HERE, quoted).join(_OTHER, col(_OTHER.id) == col(Opinion.item_id))
    query = query.join(_ONE, and_(_SAME, col(_ONE.id) == col(_HERE.item_id)))
    found: dict[int, list[OpinionView]] = {one: [] for one in item_ids}
    for item, row, quote in db.execute(query.where(col(_HERE.item_id).in_(item_ids)).order_by(col(Opinion.id))).all():
        found[item].append(OpinionView(quote or 0, Support(row.supports), row.why, row.model, row.at))
    return {item: tuple(views) for item, views in found.items()}


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


def _run(db: DatabaseSession, run_id: int) -> Any:
    """A run with its session and the name of its agent."""
    found = db.execute(_runs().where(col(CriticRun.id) == run_id)).first()
    if found is None:
        raise NotFound("debrief", run_id)
    return found


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
    answered = col(CriticCall.state) == CallState.ANSWERED
    counts = or_(answered, col(CriticCall.attempt) == col(CriticRun.attempt))
    used = func.coalesce(col(CriticCall.tokens_prompt), 0) + func.coalesce(col(CriticCall.tokens_completion), 0)
    over = col(CriticCall.state).in_((CallState.ANSWERED, CallState.FAILED))
    unknown = and_(over, col(CriticCall.cost).is_(None))
    query = select(
        col(CriticCall.run_id),
        func.sum(case((counts, 1), else_=0)).label("requests"),
        func.sum(case((answered, 1), else_=0)).label("answered"),
        func.sum(case((col(CriticCall.answered_from).is_(None), used), else_=0)).label("tokens"),
        func.sum(func.coalesce(col(CriticCall.cost), 0)).label("cost"),
        func.sum(case((unknown, 1), else_=0)).label("unknown"),
        func.max(col(CriticCall.model)).label("model"),
    ).join(CriticRun, col(CriticRun.id) == col(CriticCall.run_id))
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
        turns=session.turns,
        turns_read=len(_read_whole(run)),
        covered=_covered(run, session.turns),
        is_current=run.transcript_sha256 == session.sha256,
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
        became=tuple(_became(db, part) for part in call.read.get("became", ())),
        unreadable=tuple((place, why) for place, why in call.read.get("unreadable", ())),
        cut=int(call.read.get("cut", 0)),
        asked_once_more=bool(call.read.get("asked_once_more")),
        asked_at=call.asked_at,
        answered_from=(source.run_id or 0, source.id or 0) if source else None,
    )


def _became(db: DatabaseSession, part: Mapping[str, Any]) -> dict[str, Any]:
    """A part of a reply, with the item that it became as people name it, and where that stands now."""
    item = db.get(Item, part["item"]) if part.get("item") else None
    return {**part, "ref": reference(item), "status": item.status} if item is not None else dict(part)


def _covered(run: CriticRun, turns: int) -> str:
    """Which turns were read, in words; all of them, the parts, or none."""
    if not run.covered:
        return ""
    parts = [turns_in_words(first, last, whole, turns) for first, last, whole in run.covered]
    read = _read_whole(run)
    missing = turns - len(read)
    if len(parts) == 1 and not missing:
        return f"all {turns} turns"
    said = f"all {turns} turns" if not missing else f"{len(read)} of {turns} turns whole"
    return f"{said}, in {len(parts)} parts: {'; '.join(parts)}"


def _read_whole(run: CriticRun) -> set[int]:
    return {turn for first, last, whole in run.covered if whole for turn in range(first, last + 1)}
