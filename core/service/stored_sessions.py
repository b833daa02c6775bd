"""Writes one session that was read from a file into the store, with its messages and its signals."""

import re
from decimal import Decimal

from sqlalchemy import func, insert
from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.governance.numbers import numbers_in_force
from core.governance.trials import next_trial
from core.service.agents import know_facts, know_task_class, threshold_of
from core.store.clock import now
from core.store.records import Agent, AgentSession, Feedback, SessionMessage
from core.store.transcripts import as_rows
from core.transcripts import SessionDraft
from core.vocabulary import TASK_CLASS_UNNAMED

OURS = re.compile(r"[SLNP]-\d{4,}")
SHORT_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,19}")


def own_id(draft: SessionDraft) -> str:
    """The file's own id, or the hash of the words where it has none."""
    return draft.external_id or draft.transcript.sha256


def insert_session(db: DatabaseSession, import_id: int, agent: Agent, draft: SessionDraft) -> str:
    """A new session with its messages, signals and facts, the next trial of its task class; returns its reference."""
    task_class = draft.task_class or TASK_CLASS_UNNAMED
    know_task_class(db, agent, task_class)
    know_facts(db, agent, draft.user, draft.facts)
    number = (db.exec(select(func.max(AgentSession.id))).one() or 0) + 1
    session = AgentSession(
        id=number,
        ref=_reference(db, draft, number),
        external_id=own_id(draft),
        nameless=draft.external_id is None,
        agent_id=agent.id or 0,
        import_id=import_id,
        user=draft.user,
        task_class=task_class,
        task=draft.task or _first_request(draft),
        started_at=draft.started_at or now(),
        place=draft.place,
        turns=len(draft.transcript.messages),
        trial=next_trial(db, agent.id or 0, task_class, by="import", at=now()),
        sha256=draft.transcript.sha256,
        external_failure=draft.external_failure,
        remarks=remarks_on(draft),
    )
    db.add(session)
    db.flush()
    insert_messages(db, session, draft, 0)
    _insert_feedback(db, agent, session, draft)
    return session.ref


def remarks_on(draft: SessionDraft) -> list[str]:
    """What a person should know about how it was read: what the reader said, and what was left out."""
    remarks = list(draft.remarks)
    if draft.started_at is None:
        remarks.append("no start was read from the file; the time of import was taken")
    if draft.facts and not draft.user:
        remarks.append(f"{len(draft.facts)} facts were left out, because the session names no user")
    return remarks


def _reference(db: DatabaseSession, draft: SessionDraft, number: int) -> str:
    """The file's own id where it is short and free and no reference of ours, else a number."""
    own = draft.external_id or ""
    if SHORT_ID.fullmatch(own) and not OURS.fullmatch(own) and _is_free(db, own):
        return own
    return f"S-{number:04d}"


def _is_free(db: DatabaseSession, ref: str) -> bool:
    return db.exec(select(AgentSession.id).where(AgentSession.ref == ref)).first() is None


def _first_request(draft: SessionDraft) -> str:
    return next((message.content for message in draft.transcript.messages if message.role == "user"), "")[:500]


def insert_messages(db: DatabaseSession, session: AgentSession, draft: SessionDraft, start: int) -> None:
    """The messages from turn ``start`` on, from 0."""
    rows = as_rows(session.id or 0, draft.transcript, start)
    if rows:
        db.connection().execute(insert(SessionMessage), rows)


def told_more(db: DatabaseSession, agent: Agent, known: AgentSession, draft: SessionDraft) -> str:
    """Keep what a record says of a known session beside its words, such as a reward that came later."""
    know_facts(db, agent, known.user or draft.user, draft.facts)
    added = _insert_feedback(db, agent, known, draft)
    return f"{added} further signals" if added else ""


def _insert_feedback(db: DatabaseSession, agent: Agent, session: AgentSession, draft: SessionDraft) -> int:
    """Keep the signals that are not known yet; returns how many. A score is read by the agent's threshold."""
    known = set(db.exec(select(Feedback.source, Feedback.text).where(Feedback.session_id == session.id)).all())
    fresh = {(signal.source, signal.text): signal for signal in draft.feedback}
    fresh = {key: signal for key, signal in fresh.items() if key not in known}
    for signal in fresh.values():
        exact = None if signal.score is None else Decimal(str(round(min(1.0, max(0.0, signal.score)), 2)))
        row = Feedback(
            session_id=session.id or 0,
            source=signal.source,
            good=signal.good if exact is None else exact >= threshold_of(agent, numbers_in_force(db)),
            score=exact,
            text=signal.text,
            by="import",
            at=session.started_at,
        )
        db.add(row)
    return len(fresh)
