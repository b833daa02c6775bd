"""What the critic is given of a session, read from the store in one transaction.

Between the store and the critic. Earlier sessions of the same user go along with their notes and summaries; how many of
them fit is decided where the request is made.
"""

from collections.abc import Sequence

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.checks.policies import policies_in_force
from core.critic.material import (
    AgentRecord,
    EarlierNote,
    EarlierSession,
    FeedbackSignal,
    KnownFact,
    Material,
    MaterialPolicy,
)
from core.store.critic_records import Episode
from core.store.records import Agent, AgentSession, Feedback, Item, NoteBody, UserFact
from core.store.transcripts import transcript_of
from core.vocabulary import Dimension, Kind, Severity, Source, Status

EARLIER_SESSIONS = 20
"""Earlier sessions of a user that are looked at, newest first."""

_SUMMARY = 400
"""Characters of a session's task that stand for a summary where no episode was written."""


def material_of(db: DatabaseSession, session: AgentSession) -> Material:
    """All that a writer may be given of a session."""
    agent = db.get_one(Agent, session.agent_id)
    return Material(
        agent=AgentRecord(
            name=agent.name,
            base_prompt=agent.base_prompt,
            task_class=session.task_class,
            policies=tuple(
                MaterialPolicy(id=policy.id, title=policy.title, version=policy.version, text=policy.text)
                for policy in policies_in_force()
                if policy.id in agent.policies
            ),
        ),
        transcript=transcript_of(db, session.id or 0),
        facts=facts_of(db, session.agent_id, session.user),
        earlier=_earlier(db, session),
        task=session.task or None,
        feedback=tuple(signal(row) for row in feedback_on(db, session)),
    )


def facts_of(db: DatabaseSession, agent_id: int, user: str | None) -> tuple[KnownFact, ...]:
    """What is known of one user of an agent, oldest first."""
    rows = select(UserFact).where(UserFact.agent_id == agent_id, UserFact.user == user).order_by(col(UserFact.id))
    return tuple(KnownFact(text=row.text, source=row.source) for row in db.exec(rows).all())


def feedback_on(db: DatabaseSession, session: AgentSession) -> Sequence[Feedback]:
    """Every signal about a session, oldest first."""
    return db.exec(select(Feedback).where(Feedback.session_id == session.id).order_by(col(Feedback.id))).all()


def signal(row: Feedback) -> FeedbackSignal:
    """A signal as the critic is given it."""
    score = None if row.score is None else float(row.score)
    return FeedbackSignal(source=Source(row.source), good=row.good, score=score, text=row.text, by=row.by)


def _earlier(db: DatabaseSession, session: AgentSession) -> tuple[EarlierSession, ...]:
    """Sessions of the same user with the same agent that began before; none for a user without a name."""
    if session.user is None:
        return ()
    same = (AgentSession.agent_id == session.agent_id, AgentSession.user == session.user)
    order = (col(AgentSession.started_at).desc(), col(AgentSession.place).desc(), col(AgentSession.id).desc())
    before = col(AgentSession.started_at) < session.started_at
    rows = db.exec(select(AgentSession).where(*same, before).order_by(*order).limit(EARLIER_SESSIONS)).all()
    return tuple(
        EarlierSession(ref=row.ref, started_at=row.started_at, summary=_summary(db, row), notes=_notes(db, row))
        for row in rows
    )


def _summary(db: DatabaseSession, session: AgentSession) -> str:
    """The session's episodes, else the beginning of its task."""
    query = select(Episode.text).where(Episode.session_id == session.id, col(Episode.held).is_(None))
    episodes = db.exec(query.order_by(col(Episode.id))).all()
    return " ".join(episodes) or session.task[:_SUMMARY]


def _notes(db: DatabaseSession, session: AgentSession) -> tuple[EarlierNote, ...]:
    """Notes whose words were found, and that nobody dismissed, gravest first."""
    query = (
        select(Item, NoteBody)
        .join(NoteBody)
        .where(Item.kind == Kind.NOTE, Item.session_id == session.id)
        .where(col(Item.status).in_((Status.OPEN, Status.RESOLVED)), Item.not_found == 0)
        .order_by(col(Item.weight), col(Item.id))
    )
    return tuple(
        EarlierNote(severity=Severity(item.severity), dimension=Dimension(body.dimension), observation=body.observation)
        for item, body in db.exec(query).all()
    )
