"""What the Sessions and Critical notes pages show."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, case, exists, func, or_, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.errors import NotFound
from core.governance.desk import reference
from core.service.review_views import shown_quote
from core.service.views import FoundItem, NoteRow, Page, Quote, SessionRow, SessionView, Signal, page_within
from core.store.database import Database
from core.store.records import (
    Agent,
    AgentSession,
    Decision,
    Evidence,
    Feedback,
    Import,
    Item,
    NoteBody,
    SessionMessage,
    UserFact,
)
from core.store.transcripts import transcript_of
from core.vocabulary import Dimension, Kind, Severity, Source, Status

OPEN = (Status.OPEN, Status.HELD)
CLOSED = (Status.RESOLVED, Status.DISMISSED)


def session_list(
    database: Database,
    *,
    search: str = "",
    agent: str | None = None,
    outcome: str | None = None,
    page: int = 1,
    size: int = 50,
) -> Page[SessionRow]:
    """One page of agent sessions, newest first. ``search`` looks in reference, user, task and what was said."""
    query = _sessions()
    if agent:
        query = query.where(col(Agent.name) == agent)
    if outcome:
        query = query.where(_outcome() == outcome)
    for word in search.split():
        query = query.where(_mentions(word))
    order = (col(AgentSession.started_at).desc(), col(AgentSession.place), col(AgentSession.id))
    with database.reading() as db:
        total = int(db.execute(select(func.count()).select_from(query.subquery())).scalar_one())
        number = page_within(page, total, size)
        rows = db.execute(query.order_by(*order).limit(size).offset((number - 1) * size)).all()
        return Page(tuple(_session_row(*row) for row in rows), total, number, size)


def session_view(database: Database, session_id: int) -> SessionView:
    """One agent session whole. Raises ``NotFound``."""
    with database.reading() as db:
        found = db.execute(_sessions().where(col(AgentSession.id) == session_id)).first()
        if found is None:
            raise NotFound("agent session", session_id)
        session = found[0]
        facts = select(UserFact).where(col(UserFact.agent_id) == session.agent_id, col(UserFact.user) == session.user)
        quoted = _quoting(db, session)
        signals = select(Feedback).where(col(Feedback.session_id) == session_id).order_by(col(Feedback.id))
        return SessionView(
            row=_session_row(*found),
            transcript=transcript_of(db, session_id),
            sha256=session.sha256,
            source_file=db.get_one(Import, session.import_id).file_name,
            signals=tuple(
                Signal(Source(row.source), Source(row.source).reliability, row.text, row.good)
                for row in db.execute(signals).scalars()
            ),
            facts=tuple((row.text, row.source) for row in db.execute(facts).scalars()),
            quotes=tuple(_quotes_in(quoted, session)),
            found=tuple({item.id: _found(item) for _, item in quoted}.values()),
        )


def session_id_of(database: Database, ref: str) -> int:
    """An agent session by the name people use for it. Raises ``NotFound``."""
    with database.reading() as db:
        found = db.execute(select(col(AgentSession.id)).where(col(AgentSession.ref) == ref)).scalar()
        if found is None:
            raise NotFound("agent session", ref)
        return int(found)


def notes(
    database: Database,
    *,
    severity: str | None = None,
    state: str = "open",
    agent: str | None = None,
    page: int = 1,
    size: int = 50,
) -> Page[NoteRow]:
    """One page of notes, newest first. ``state`` is ``open`` (and held), ``closed`` or ``all``."""
    states = {"open": OPEN, "closed": CLOSED}.get(state, OPEN + CLOSED)
    where = [col(Item.kind) == Kind.NOTE, col(Item.status) != Status.SUPERSEDED]
    where += [col(Item.status).in_(states)] if state != "all" else []
    where += [col(Item.severity) == severity] if severity else []
    where += [col(Agent.name) == agent] if agent else []
    with database.reading() as db:
        total = int(db.execute(select(func.count(col(Item.id))).join(Agent).where(*where)).scalar_one())
        number = page_within(page, total, size)
        query = _notes().where(*where).order_by(col(Item.created_at).desc(), col(Item.id).desc())
        rows = db.execute(query.limit(size).offset((number - 1) * size)).all()
        return Page(tuple(_note_row(*row) for row in rows), total, number, size)


def critical_counts(database: Database) -> dict[str, int]:
    """How many critical notes stand in each status."""
    where = (col(Item.kind) == Kind.NOTE, col(Item.severity) == Severity.CRITICAL)
    with database.reading() as db:
        query = select(col(Item.status), func.count()).where(*where).group_by(col(Item.status))
        return {status: count for status, count in db.execute(query).all() if status != Status.SUPERSEDED}


def critical_open_count(database: Database) -> int:
    """How many critical notes wait for an auditor."""
    return sum(count for status, count in critical_counts(database).items() if status in OPEN)


def _sessions() -> Select[Any]:
    notes_of_it = select(func.count()).where(
        col(Item.session_id) == AgentSession.id, col(Item.status) != Status.SUPERSEDED, col(Item.kind) == Kind.NOTE
    )
    columns = (AgentSession, col(Agent.name), _outcome().label("outcome"), notes_of_it.scalar_subquery())
    return select(*columns).join(Agent, col(Agent.id) == AgentSession.agent_id)


def _outcome() -> Any:
    """``failed``, ``passed`` or ``unknown``: a person's word decides, else an evaluator's score, else any signal."""
    return case(
        (_told(False, col(Feedback.source) == Source.PERSON), "failed"),
        (_told(False, col(Feedback.score).is_not(None)), "failed"),
        (_told(True, col(Feedback.score).is_not(None)), "passed"),
        (_told(False), "failed"),
        (_told(True), "passed"),
        else_="unknown",
    )


def _told(good: bool, *more: Any) -> Any:
    return exists().where(col(Feedback.session_id) == AgentSession.id, col(Feedback.good).is_(good), *more)


def _mentions(word: str) -> Any:
    said = exists().where(
        col(SessionMessage.session_id) == AgentSession.id, col(SessionMessage.content).icontains(word, autoescape=True)
    )
    fields = (col(AgentSession.ref), col(AgentSession.user), col(AgentSession.task), col(AgentSession.task_class))
    return or_(*(field.icontains(word, autoescape=True) for field in fields), said)


def _session_row(session: AgentSession, agent: str, outcome: str, notes_of_it: int) -> SessionRow:
    return SessionRow(
        id=session.id or 0,
        ref=session.ref,
        agent=agent,
        user=session.user,
        task_class=session.task_class,
        started_at=session.started_at,
        turns=session.turns,
        outcome="failed outside the agent" if session.external_failure else outcome,
        notes=notes_of_it,
        task=session.task,
    )


def _quoting(db: DatabaseSession, session: AgentSession) -> Sequence[Any]:
    query = (
        select(Evidence, Item)
        .join(Item, col(Item.id) == Evidence.item_id)
        .where(col(Evidence.session_id) == session.id, col(Item.status) != Status.SUPERSEDED)
        .order_by(col(Item.weight), col(Item.kind).desc(), col(Evidence.id))
    )
    return db.execute(query).all()


def _quotes_in(quoted: Sequence[Any], session: AgentSession) -> list[tuple[str, Quote]]:
    return [
        (reference(item), shown_quote(row, number, session.ref, session.sha256))
        for number, (row, item) in enumerate(quoted, 1)
    ]


def _found(item: Item) -> FoundItem:
    return FoundItem(reference(item), Kind(item.kind), item.status, Severity(item.severity), item.headline)


def _notes() -> Select[Any]:
    closer = (
        select(col(Decision.by))
        .where(col(Decision.item_id) == Item.id, col(Decision.after).in_(CLOSED))
        .order_by(col(Decision.id).desc())
        .limit(1)
        .scalar_subquery()
    )
    return (
        select(Item, NoteBody, col(Agent.name), AgentSession, closer)
        .join(NoteBody, col(NoteBody.item_id) == Item.id)
        .join(Agent, col(Agent.id) == Item.agent_id)
        .join(AgentSession, col(AgentSession.id) == Item.session_id)
    )


def _note_row(item: Item, body: NoteBody, agent: str, session: AgentSession, closed_by: str | None) -> NoteRow:
    return NoteRow(
        id=item.id or 0,
        ref=reference(item),
        status=item.status,
        severity=Severity(item.severity),
        dimension=Dimension(body.dimension),
        when=session.started_at,
        agent=agent,
        user=item.user,
        observation=body.observation,
        session=session.id or 0,
        session_ref=session.ref,
        closed_by=closed_by if item.status in CLOSED else None,
    )
