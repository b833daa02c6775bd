"""What the critic is given of a session, read from the store in one transaction.

Between the store and the critic. Earlier sessions of the same user go along with their notes and summaries; how many of
them fit is decided where the request is made.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.checks.contract import Policy
from core.critic.material import (
    AgentRecord,
    EarlierNote,
    EarlierSession,
    FeedbackSignal,
    KnownFact,
    Material,
    MaterialPolicy,
)
from core.governance.policies import policies_of_agent
from core.screening.addressed import Addressed, Passage, passages_to_reviewer, speaks_to_reviewer, text_of
from core.store.memory_records import Episode
from core.store.records import Agent, AgentSession, Feedback, Item, NoteBody
from core.store.sessions import facts_about
from core.store.transcripts import transcript_of
from core.vocabulary import Dimension, Kind, Severity, Source, Status

EARLIER_SESSIONS = 20
"""Earlier sessions of a user that are looked at, newest first."""

_FEEDBACK = "feedback "

_PASSAGE = 300
"""Characters of a passage that are kept to be shown."""

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
            policies=tuple(map(as_material, policies_of_agent(db, session.agent_id))),
        ),
        transcript=transcript_of(db, session.id or 0),
        facts=tuple(
            KnownFact(text=row.text, source=row.source) for row in facts_about(db, session.agent_id, session.user)
        ),
        earlier=_earlier(db, session),
        task=session.task or None,
        feedback=tuple(signal(row) for row in feedback_on(db, session)),
    )


def words_to_reviewer(material: Material) -> list[dict[str, Any]]:
    """Every passage of a session, and of what is known beside it, that speaks to whoever reviews it.

    Each has its ``turn`` from 1 (0 beside the session), its ``part``, its ``start`` and ``end`` there, its ``words``,
    shortened, and ``why``.
    """
    found = [
        _passage(one.turn + 1, one.part, text_of(material.transcript.messages[one.turn], one.part), one)
        for one in speaks_to_reviewer(material.transcript)
    ]
    for part, text in _beside(material):
        found += [_passage(0, part, text, one) for one in passages_to_reviewer(text)]
    return found


def _beside(material: Material) -> Iterator[tuple[str, str]]:
    """The texts beside the session that outsiders may have written."""
    yield "the task", material.task or ""
    yield "the task class", material.agent.task_class or ""
    yield "the agent's name", material.agent.name
    for fact in material.facts:
        yield from (("a fact about the user", text) for text in (fact.text, fact.source))
    heard = (Source.USER, Source.TOOL, Source.CRITIC)
    yield from ((f"the feedback of a {each.source}", each.text) for each in material.feedback if each.source in heard)
    for session in material.earlier:
        yield f"the earlier session {session.ref}", session.summary
        yield from ((f"a note on {session.ref}", note.observation) for note in session.notes)


def _passage(turn: int, part: str, text: str, found: Addressed | Passage) -> dict[str, Any]:
    words = text[found.start : found.end]
    shown = words if len(words) <= _PASSAGE else f"{words[:_PASSAGE]} …"
    place = {"turn": turn, "part": part, "start": found.start, "end": found.end}
    return {**place, "words": shown, "why": found.why.in_words, "hidden": found.hidden}


def as_material(policy: Policy) -> MaterialPolicy:
    """A policy as the critic is given it."""
    return MaterialPolicy(id=policy.id, title=policy.title, version=policy.version, text=policy.text)


def feedback_on(db: DatabaseSession, session: AgentSession) -> Sequence[Feedback]:
    """Every signal about a session, oldest first."""
    return db.exec(select(Feedback).where(Feedback.session_id == session.id).order_by(col(Feedback.id))).all()


def about_feedback(row: Feedback) -> str:
    """What a request is about that is made from one signal."""
    return f"{_FEEDBACK}{row.id}"


def feedback_id(about: str) -> int | None:
    """The id of the signal that a request is about; None for a request about something else."""
    return int(about.removeprefix(_FEEDBACK)) if about.startswith(_FEEDBACK) else None


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
    stands = (col(Episode.held).is_(None), col(Episode.withdrawn).is_(None))
    query = select(Episode.text).where(Episode.session_id == session.id, *stands)
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
        if item.severity in set(Severity)
    )
