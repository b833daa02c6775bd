"""What the Procedures page shows: each procedure with its confidence path and the decisions on it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.effects.paths import paths
from core.governance.acts import done
from core.governance.numbers import numbers_in_force
from core.governance.references import reference
from core.memory.confidence import Path
from core.service.views import Mark, Page, PathPoint, ProcedureRow, page_within
from core.settings import Settings
from core.store.database import Database
from core.store.records import Agent, Decision, Item, ProcedureBody
from core.vocabulary import Action, Kind, ProcedureKind, Status

ONCE_APPROVED = (Status.ACTIVE, Status.SUSPENDED, Status.RETIRED)


def procedures(
    database: Database,
    *,
    agent: str | None = None,
    status: str = "active",
    page: int = 1,
    size: int = 50,
    settings: Settings | None = None,
) -> Page[ProcedureRow]:
    """One page of procedures with their confidence paths. ``status`` may be ``all``: each that was approved once."""
    states = ONCE_APPROVED if status == "all" else (status,)
    where: list[Any] = [col(Item.kind) == Kind.PROCEDURE, col(Item.status).in_(states)]
    where += [col(Agent.name) == agent] if agent else []
    query = (
        select(Item, ProcedureBody, col(Agent.name))
        .join(ProcedureBody, col(ProcedureBody.item_id) == Item.id)
        .join(Agent, col(Agent.id) == Item.agent_id)
        .where(*where)
        .order_by(col(Item.number))
    )
    with database.reading() as db:
        total = int(db.execute(select(func.count()).select_from(query.subquery())).scalar_one())
        number = page_within(page, total, size)
        rows = db.execute(query.limit(size).offset((number - 1) * size)).all()
        numbers = settings or numbers_in_force(db)
        known = paths(db, [item.number for item, _, _ in rows], numbers, gaps=True)
        marks = _marks(db, [item.number for item, _, _ in rows])
        shown = [
            _procedure(item, body, name, known[item.number], marks.get(item.number, ()), numbers)
            for item, body, name in rows
        ]
        return Page(tuple(sorted(shown, key=lambda one: -one.confidence)), total, number, size)


def _procedure(
    item: Item, body: ProcedureBody, agent: str, path: Path, marks: Sequence[Mark], settings: Settings
) -> ProcedureRow:
    threshold = settings.procedure_threshold
    points = tuple(
        PathPoint(
            at=step.happened.at,
            what=step.happened.event,
            value=step.value,
            in_briefing=step.held >= threshold,
            session=step.happened.session,
            session_ref=step.happened.session_ref,
            place=place,
        )
        for place, step in enumerate(path.steps)
    )
    return ProcedureRow(
        id=item.id or 0,
        ref=reference(item),
        version=item.version,
        revision=item.revision,
        status=item.status,
        title=body.title,
        trigger=body.trigger,
        instruction=body.instruction,
        kind=ProcedureKind(body.kind),
        agent=agent,
        user=item.user,
        confidence=path.now,
        in_briefing=item.status == Status.ACTIVE and path.now >= threshold,
        successes=path.successes,
        failures=path.failures,
        path=points,
        marks=tuple(marks),
    )


def _marks(db: DatabaseSession, numbers: list[int]) -> dict[int, list[Mark]]:
    query = select(Decision, Item).join(Item, col(Item.id) == Decision.item_id)
    query = query.where(col(Item.kind) == Kind.PROCEDURE, col(Item.number).in_(numbers))
    shown = query.where(col(Decision.action) != Action.PROPOSE).order_by(col(Decision.id))
    marks: dict[int, list[Mark]] = {}
    for decision, item in db.execute(shown).all():
        text = f"{reference(item)} {done(decision.action)}, v{item.version}, by {decision.by}"
        marks.setdefault(item.number, []).append(Mark(decision.at, text))
    return marks
