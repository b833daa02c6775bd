"""What the Procedures, Briefing and Decision log pages show, and the history of one item."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, func, or_, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.briefing.compose import about_tokens
from core.briefing.read import Asked, agent_named, brief
from core.effects.paths import paths
from core.evidence.in_words import STALE, VERDICTS
from core.governance.acts import DONE
from core.governance.references import reference
from core.memory.confidence import Path
from core.service.review_views import LONGEST_NUMBER
from core.service.views import (
    BriefingView,
    DecisionRow,
    HistoryRow,
    LastDecision,
    Mark,
    Page,
    PathPoint,
    ProcedureRow,
    ReadLine,
    page_within,
)
from core.settings import DEFAULTS, Settings
from core.store.clock import now
from core.store.database import Database
from core.store.records import (
    Agent,
    AgentSession,
    Correction,
    Decision,
    Evidence,
    Item,
    ProcedureBody,
    Receipt,
    ReceiptItem,
    TaskClass,
)
from core.vocabulary import Action, Kind, ProcedureKind, Status, Verdict

ONCE_APPROVED = (Status.ACTIVE, Status.SUSPENDED, Status.RETIRED)
HISTORY = 200


def procedures(
    database: Database,
    *,
    agent: str | None = None,
    status: str = "active",
    page: int = 1,
    size: int = 50,
    settings: Settings = DEFAULTS,
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
        known = paths(db, [item.number for item, _, _ in rows], settings)
        marks = _marks(db, [item.number for item, _, _ in rows])
        shown = [
            _procedure(item, body, name, known[item.number], marks.get(item.number, ()), settings)
            for item, body, name in rows
        ]
        return Page(tuple(sorted(shown, key=lambda one: -one.confidence)), total, number, size)


def briefing_view(
    database: Database,
    *,
    agent: str,
    user: str | None = None,
    task_class: str | None = None,
    task: str = "",
    with_item: int | None = None,
    settings: Settings = DEFAULTS,
) -> BriefingView:
    """Exactly what the agent would read now, and with one waiting item as if it had been approved."""
    with database.reading() as db:
        asked = Asked(agent, user, task_class, task)
        briefing = brief(db, agent_named(db, agent), asked, settings, as_if_active=with_item)
        item = db.get(Item, with_item) if with_item is not None else None
        new = reference(item) if item is not None and item.status != Status.ACTIVE else None
    lines = tuple(
        ReadLine(
            line.text, line.why, about_tokens(line.text), line.key, line.key == new and new is not None, line.heading
        )
        for block in briefing.blocks
        for line in block.lines
    )
    left = tuple(f"{key}: {why}" for key, why in briefing.left)
    return BriefingView(briefing.messages, lines, sum(line.tokens for line in lines), left)


def decisions(database: Database, *, search: str = "", page: int = 1, size: int = 50) -> Page[DecisionRow]:
    """One page of the decision log, newest first. ``search`` looks in names, actions, reasons and references."""
    query = _decisions()
    for word in search.split():
        query = query.where(_about(word))
    with database.reading() as db:
        total = int(db.execute(select(func.count()).select_from(query.subquery())).scalar_one())
        number = page_within(page, total, size)
        ordered = query.order_by(col(Decision.id).desc()).limit(size).offset((number - 1) * size)
        return Page(tuple(_decision(*row) for row in db.execute(ordered).all()), total, number, size)


def history(database: Database, item_id: int) -> tuple[HistoryRow, ...]:
    """Everything that happened to an item, over all its versions, oldest first."""
    with database.reading() as db:
        item = db.get_one(Item, item_id)
        same = (col(Item.kind) == item.kind, col(Item.number) == item.number)
        decided = db.execute(_decisions().where(*same).order_by(col(Decision.id)).limit(HISTORY)).all()
        read = _receipts(db, same)
        rows = [_decided(*row) for row in decided] + read + _found(db, item)
        return tuple(sorted(rows, key=lambda row: row.at))


def last_decision(database: Database, person: str) -> LastDecision | None:
    """What this person decided last and has not taken back."""
    undone = select(col(Decision.undoes)).where(col(Decision.undoes).is_not(None))
    mine = (col(Decision.by) == person, col(Decision.cause).is_(None), col(Decision.id).not_in(undone))
    acts = col(Decision.action).not_in([Action.UNDO, Action.PROPOSE])
    with database.reading() as db:
        row = db.execute(_decisions().where(*mine, acts).order_by(col(Decision.id).desc()).limit(1)).first()
        if row is None:
            return None
        decision, item = row
        ref, done = reference(item), DONE[Action(decision.action)]
        can_undo = bool(item.revision == decision.revision)
        return LastDecision(decision.id or 0, ref, f"{ref} {done}", decision.at, can_undo)


def task_classes(database: Database, agent: str) -> tuple[str, ...]:
    """The task classes of an agent, by name."""
    with database.reading() as db:
        query = select(col(TaskClass.name)).join(Agent).where(col(Agent.name) == agent).order_by(col(TaskClass.name))
        return tuple(db.execute(query).scalars())


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
        )
        for step in path.steps
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
        confidence=path.now,
        in_briefing=item.status == Status.ACTIVE and path.now >= threshold,
        successes=path.successes,
        failures=path.failures,
        path=points,
        marks=tuple(marks),
    )


def _marks(db: DatabaseSession, numbers: list[int]) -> dict[int, list[Mark]]:
    query = _decisions().where(col(Item.kind) == Kind.PROCEDURE, col(Item.number).in_(numbers))
    shown = query.where(col(Decision.action) != Action.PROPOSE).order_by(col(Decision.id))
    marks: dict[int, list[Mark]] = {}
    for decision, item in db.execute(shown).all():
        text = f"{reference(item)} {DONE[Action(decision.action)]}, v{item.version}, by {decision.by}"
        marks.setdefault(item.number, []).append(Mark(decision.at, text))
    return marks


def _decisions() -> Select[Decision, Item]:
    return select(Decision, Item).join(Item, col(Item.id) == Decision.item_id)


def _about(word: str) -> Any:
    letter, _, digits = word.partition("-")
    kind = next((one for one in Kind if one.letter == letter.upper()), None)
    if kind is not None and digits.isdecimal() and len(digits) < LONGEST_NUMBER:
        return (col(Item.kind) == kind) & (col(Item.number) == int(digits))
    fields = (Decision.by, Decision.action, Decision.after, Decision.reason, Decision.text)
    return or_(*(col(field).icontains(word, autoescape=True) for field in fields))


def _decision(decision: Decision, item: Item) -> DecisionRow:
    return DecisionRow(
        id=decision.id or 0,
        at=decision.at,
        who=f"{decision.by} (rule: {decision.rule})" if decision.rule else decision.by,
        action=decision.action,
        ref=reference(item),
        version=item.version,
        before=decision.before,
        after=decision.after,
        reason=": ".join(part for part in (decision.reason, decision.text) if part),
        self_approved=decision.self_approved,
        content_hash=decision.content_hash,
    )


def _decided(decision: Decision, item: Item) -> HistoryRow:
    row = _decision(decision, item)
    return HistoryRow(row.at, row.who, f"v{row.version} {DONE[Action(row.action)]}: {row.after}", row.reason)


def _receipts(db: DatabaseSession, same: tuple[Any, ...]) -> list[HistoryRow]:
    query = (
        select(col(Receipt.id), col(Receipt.at), col(Item.version))
        .select_from(Receipt)
        .join(ReceiptItem)
        .join(Item)
        .where(*same)
    )
    rows: Sequence[Any] = db.execute(query.order_by(col(Receipt.at).desc()).limit(HISTORY)).all()
    return [
        HistoryRow(at, "agent", f"v{version} read in a briefing", f"receipt {receipt}") for receipt, at, version in rows
    ]


def _in_words(row: Evidence) -> str:
    return STALE if row.stale else VERDICTS[Verdict(row.verdict)]


def _found(db: DatabaseSession, item: Item) -> list[HistoryRow]:
    """How the quotes of this version stand today, and every correction of the transcripts that they stand in."""
    quotes = select(Evidence, col(AgentSession.ref)).join(AgentSession).where(col(Evidence.item_id) == item.id)
    rows = db.execute(quotes.order_by(col(Evidence.id)).limit(5)).all()
    sessions = select(col(Evidence.session_id)).where(col(Evidence.item_id) == item.id)
    fixed = select(Correction, col(AgentSession.ref)).join(AgentSession).where(col(Correction.session_id).in_(sessions))
    return [*(_corrected(*row) for row in db.execute(fixed).all()), *(_today(*row) for row in rows)]


def _corrected(row: Correction, ref: str) -> HistoryRow:
    change = f"from turn {row.turn + 1} on, {row.before_sha256[:12]} became {row.after_sha256[:12]}"
    return HistoryRow(row.at, row.by, f"{ref} corrected", change)


def _today(row: Evidence, ref: str) -> HistoryRow:
    return HistoryRow(now(), "desk", f"today: {_in_words(row)} in {ref}", f"transcript {row.sha256[:12]}")
