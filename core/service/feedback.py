"""A person marks a session's answer as wrong: feedback of high reliability, from which a lesson can be made."""

from dataclasses import dataclass

from pydantic import ValidationError
from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.errors import BadInput, NotFound, Refused
from core.evidence.contract import Span
from core.governance.drafts import Draft, LessonContent, Quoted, found_at, unstorable
from core.governance.numbers import numbers_in_force
from core.governance.people import duties_of
from core.governance.proposals import Proposed, propose
from core.governance.refusals import refusals_kept
from core.governance.tokens import said_to_be
from core.screening.secrets import mask
from core.service.agents import recurs
from core.store.clock import now
from core.store.database import Database
from core.store.records import AgentSession, Feedback
from core.store.transcripts import transcript_of
from core.transcripts.own_fields import REPRODUCIBLE
from core.vocabulary import Role, Severity, Source


@dataclass(frozen=True)
class Marked:
    """What became of the mark. ``lesson`` is None when nothing was said about the next time."""

    session_ref: str
    lesson: Proposed | None


def mark_wrong(
    database: Database,
    session_id: int,
    *,
    person: str,
    reason: str,
    next_time: str = "",
    tags: tuple[str, ...] = (),
    turn: int | None = None,
) -> Marked:
    """Record that the agent's answer was wrong, and propose ``next_time`` as a lesson where it is given.

    ``turn`` (from 0) names the agent's turn that was wrong; its words become the evidence. Raises ``BadInput`` without
    a reason, ``Refused`` for somebody without a duty or a task that never comes back, ``NotFound`` for an unknown
    session.
    """
    if not reason.strip():
        raise BadInput("To mark an answer as wrong, a reason must be written. Nothing was stored.")
    with database.reading() as db:
        person = said_to_be(db, person)
    kept = refusals_kept(database, None, "mark an answer as wrong", person, now())
    with kept, database.writing() as db:
        session = db.get(AgentSession, session_id)
        if session is None:
            raise NotFound("agent session", session_id)
        if not duties_of(db, person).duties:
            raise Refused("role", f"{person} has no duty at the desk and cannot mark an answer as wrong.")
        _keep(db, session, person, mask(reason.strip()).text)
        lesson = _lesson(db, session, person, next_time, tags, turn) if next_time.strip() else None
        return Marked(session.ref, lesson)


def mark_reproducible(database: Database, session_id: int, *, person: str, reason: str) -> str:
    """Say that a failure outside the agent comes again, so that lessons may be made from it; returns what was said.

    What failed stays with the session as a remark. Raises ``BadInput`` without a reason, ``Refused`` for somebody
    without a duty and for a session that did not fail outside the agent, ``NotFound`` for an unknown session. Source:
    Reflexion buffer, "Reflection capture".
    """
    if not reason.strip():
        raise BadInput("To mark a failure as reproducible, a reason must be written. Nothing was stored.")
    with database.reading() as db:
        person = said_to_be(db, person)
    with refusals_kept(database, None, "mark a failure as reproducible", person, now()), database.writing() as db:
        session = db.get(AgentSession, session_id)
        if session is None:
            raise NotFound("agent session", session_id)
        if not duties_of(db, person).duties:
            raise Refused("role", f"{person} has no duty at the desk and cannot mark a failure as reproducible.")
        if session.external_failure is None:
            text = f"{session.ref} did not fail outside the agent; lessons may be made from it already."
            raise Refused("not_external", f"{text} Nothing was changed.")
        said = f"{REPRODUCIBLE.format(session.external_failure)}, says {person}: {mask(reason.strip()).text}"
        session.remarks = [*session.remarks, said]
        session.external_failure, session.debriefed_sha256 = None, None
        db.add(session)
        return said


def _keep(db: DatabaseSession, session: AgentSession, person: str, reason: str) -> None:
    same = select(Feedback).where(Feedback.session_id == session.id, Feedback.source == Source.PERSON)
    if db.exec(same.where(Feedback.text == reason)).first() is None:
        signal = Feedback(
            session_id=session.id or 0, source=Source.PERSON, good=False, text=reason, by=person, at=now()
        )
        db.add(signal)
        db.flush()


def _lesson(
    db: DatabaseSession, session: AgentSession, person: str, text: str, tags: tuple[str, ...], turn: int | None
) -> Proposed:
    if not recurs(db, session):
        raise Refused("one_shot", f"“{session.task_class}” never comes back, so a lesson for it would help nobody.")
    try:
        content = LessonContent(text=text, tags=tags)
    except ValidationError as error:
        raise unstorable(error) from error
    if long := content.too_long(numbers_in_force(db).lesson_characters):
        raise BadInput(f"{long} Nothing was stored.")
    draft = Draft(
        content=content,
        severity=Severity.HIGH,
        agent_id=session.agent_id,
        task_class=session.task_class,
        origin="marked as wrong by a person",
        proposer=person,
        source=Source.PERSON,
        quotes=() if turn is None else (_quote(db, session, turn),),
    )
    return propose(db, draft, at=now())


def _quote(db: DatabaseSession, session: AgentSession, turn: int) -> Quoted:
    transcript = transcript_of(db, session.id or 0)
    messages = transcript.messages
    if not 0 <= turn < len(messages) or messages[turn].role is not Role.ASSISTANT or not messages[turn].content:
        raise BadInput(f"Turn {turn + 1} of {session.ref} is no answer of the agent. Nothing was stored.")
    return found_at(session.id or 0, transcript, Span(turn, 0, len(messages[turn].content)))
