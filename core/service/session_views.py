"""What the Sessions and Critical notes pages show."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Select, and_, case, exists, func, or_, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.errors import NotFound
from core.governance.bodies import evidence_in_words
from core.governance.references import reference
from core.governance.verdicts import CLOSED
from core.service.case_views import case_words, opened_again
from core.service.evidence_views import evidence_rows, shown_quote, stands_as
from core.service.views import (
    CorrectionRow,
    EvidenceRow,
    FoundItem,
    NoteRow,
    NotesAsked,
    Page,
    Quote,
    SessionRow,
    SessionView,
    SessionWords,
    Signal,
    page_within,
)
from core.store.database import Database
from core.store.records import (
    Agent,
    AgentSession,
    Correction,
    Decision,
    Evidence,
    Feedback,
    Import,
    Item,
    NoteBody,
    SessionMessage,
)
from core.store.sessions import facts_about
from core.store.transcripts import transcript_of
from core.transcripts.message import Transcript
from core.vocabulary import Dimension, Kind, Severity, Source, Status

OPEN = (Status.OPEN, Status.HELD, Status.APPEALED)
EVERY_OPEN = NotesAsked()


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


def session_words(database: Database, session_id: int) -> SessionWords:
    """One agent session and what was said in it, without all that is known about it. Raises ``NotFound``."""
    with database.reading() as db:
        return SessionWords(_session_row(*_found_session(db, session_id)), transcript_of(db, session_id))


def session_view(database: Database, session_id: int) -> SessionView:
    """One agent session whole. Raises ``NotFound``."""
    with database.reading() as db:
        found = _found_session(db, session_id)
        session = found[0]
        transcript = transcript_of(db, session_id)
        quoted = _quoting(db, session)
        signals = select(Feedback).where(col(Feedback.session_id) == session_id).order_by(col(Feedback.id))
        return SessionView(
            row=_session_row(*found),
            transcript=transcript,
            sha256=session.sha256,
            source_file=db.get_one(Import, session.import_id).file_name,
            signals=tuple(
                Signal(Source(row.source), Source(row.source).reliability, row.text, row.good)
                for row in db.execute(signals).scalars()
            ),
            facts=tuple((row.text, row.source) for row in facts_about(db, session.agent_id, session.user)),
            quotes=tuple(_quotes_in(quoted, session, transcript)),
            found=tuple({item.id: _found(item) for _, item in quoted}.values()),
            corrections=_corrections(db, session_id),
            remarks=tuple(session.remarks),
        )


def _found_session(db: DatabaseSession, session_id: int) -> Any:
    found = db.execute(_sessions().where(col(AgentSession.id) == session_id)).first()
    if found is None:
        raise NotFound("agent session", session_id)
    return found


def session_id_of(database: Database, ref: str) -> int:
    """An agent session by the name people use for it. Raises ``NotFound``."""
    with database.reading() as db:
        found = db.execute(select(col(AgentSession.id)).where(col(AgentSession.ref) == ref)).scalar()
        if found is None:
            raise NotFound("agent session", ref)
        return int(found)


def notes(database: Database, asked: NotesAsked = EVERY_OPEN, *, page: int = 1, size: int = 50) -> Page[NoteRow]:
    """One page of notes, newest first."""
    where = _asked_for(asked)
    with database.reading() as db:
        total = int(db.execute(select(func.count(col(Item.id))).join(Agent).where(*where)).scalar_one())
        number = page_within(page, total, size)
        query = _notes().where(*where).order_by(col(Item.created_at).desc(), col(Item.id).desc())
        rows = db.execute(query.limit(size).offset((number - 1) * size)).all()
        ids = [row[0].id for row in rows]
        proof, again = evidence_in_words(db, ids), opened_again(db, ids)
        cases = case_words(db, [row[0].number for row in rows])
        found = (replace(_note_row(row, proof), case=cases.get(row[0].number, "")) for row in rows)
        return Page(tuple(_in_state(row, again) for row in found), total, number, size)


def evidence_of_notes(database: Database, asked: NotesAsked) -> list[EvidenceRow]:
    """Every quote of the notes that are asked for, for an export."""
    return evidence_rows(database, and_(*_asked_for(asked)))


def _asked_for(asked: NotesAsked) -> list[Any]:
    states = {"open": OPEN, "closed": CLOSED}.get(asked.state, OPEN + CLOSED)
    where = [col(Item.kind) == Kind.NOTE, col(Item.status) != Status.SUPERSEDED]
    where += [col(Item.status).in_(states)] if asked.state != "all" else []
    where += [col(Item.severity) == asked.severity] if asked.severity else []
    where += (
        [col(Item.agent_id).in_(select(col(Agent.id)).where(col(Agent.name) == asked.agent))] if asked.agent else []
    )
    return [*where, stands_as(asked.evidence)] if asked.evidence else where


def critical_counts(database: Database) -> dict[str, int]:
    """How many critical notes stand in each status."""
    where = (col(Item.kind) == Kind.NOTE, col(Item.severity) == Severity.CRITICAL)
    with database.reading() as db:
        query = select(col(Item.status), func.count()).where(*where).group_by(col(Item.status))
        return {status: count for status, count in db.execute(query).all() if status != Status.SUPERSEDED}


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


def _corrections(db: DatabaseSession, session_id: int) -> tuple[CorrectionRow, ...]:
    query = select(Correction, col(Import.file_name)).join(Import).where(col(Correction.session_id) == session_id)
    return tuple(
        CorrectionRow(row.at, row.by, file, row.turn, row.before_sha256, row.followed, row.lost)
        for row, file in db.execute(query.order_by(col(Correction.id))).all()
    )


def _quoting(db: DatabaseSession, session: AgentSession) -> Sequence[Any]:
    query = (
        select(Evidence, Item)
        .join(Item, col(Item.id) == Evidence.item_id)
        .where(col(Evidence.session_id) == session.id, col(Item.status) != Status.SUPERSEDED)
        .order_by(col(Item.weight), col(Item.kind).desc(), col(Evidence.id))
    )
    return db.execute(query).all()


def _quotes_in(quoted: Sequence[Any], session: AgentSession, transcript: Transcript) -> list[tuple[str, Quote]]:
    contents = {turn: message.content for turn, message in enumerate(transcript.messages)}
    return [
        (reference(item), shown_quote(row, number, session.ref, session.sha256, contents))
        for number, (row, item) in enumerate(quoted, 1)
    ]


def _found(item: Item) -> FoundItem:
    return FoundItem(reference(item), Kind(item.kind), item.status, item.severity, item.headline)


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


def _in_state(row: NoteRow, again: Collection[int]) -> NoteRow:
    open_again = row.status == Status.OPEN and row.id in again
    return replace(row, state="open again" if open_again else row.status)


def _note_row(row: Any, proof: Mapping[int, str]) -> NoteRow:
    item, body, agent, session, closed_by = row
    return NoteRow(
        id=item.id or 0,
        ref=reference(item),
        status=item.status,
        severity=item.severity,
        dimension=Dimension(body.dimension),
        when=session.started_at,
        agent=agent,
        user=item.user,
        observation=body.observation,
        session=session.id or 0,
        session_ref=session.ref,
        evidence=proof.get(item.id or 0, ""),
        closed_by=closed_by if item.status in CLOSED else None,
    )
