"""What the rules of a briefing look at, made of what is stored: for a briefing now, then, and as it might be."""

from datetime import datetime
from decimal import Decimal

from core.governance.references import reference
from core.memory.beliefs import BeliefCandidate
from core.memory.buffer import ReflectionCandidate
from core.memory.lessons import LessonCandidate
from core.memory.notes import NoteCandidate
from core.memory.procedures import ProcedureCandidate
from core.store.memory_records import BeliefBody
from core.store.records import Item, LessonBody, NoteBody, ProcedureBody
from core.vocabulary import Reliability, Scope, Severity, Status


def procedure_candidate(
    item: Item, body: ProcedureBody, confidence: Decimal, *, successes: int = 0, failures: int = 0
) -> ProcedureCandidate:
    """An approved procedure with its confidence at the moment that is looked at."""
    return ProcedureCandidate(
        key=reference(item),
        item=item.id or 0,
        confidence=confidence,
        status=Status.ACTIVE,
        title=body.title,
        trigger=body.trigger,
        instruction=body.instruction,
        successes=successes,
        failures=failures,
    )


def note_candidate(
    item: Item, body: NoteBody, severity: Severity, *, evidence: str, unsure: bool, looked_at: bool
) -> NoteCandidate:
    """An open note; ``unsure`` says that its transcript was corrected since, so that its proof cannot be counted."""
    return NoteCandidate(
        key=reference(item),
        item=item.id or 0,
        severity=severity,
        status=Status.OPEN,
        grounded=item.quotes > 0 and (item.not_found == 0 or unsure),
        at=item.created_at,
        evidence=evidence,
        order=item.id or 0,
        looked_at=looked_at,
        observation=body.observation,
        improvement=body.improvement,
    )


def lesson_candidate(item: Item, body: LessonBody, since: datetime, reliability: Reliability) -> LessonCandidate:
    """An approved lesson, in force since a moment, with how far its source can be trusted."""
    return LessonCandidate(
        key=reference(item),
        item=item.id or 0,
        text=body.text,
        tags=tuple(body.tags),
        status=Status.ACTIVE,
        reliability=reliability,
        at=since,
        order=item.id or 0,
    )


def in_scope(item: Item, body: LessonBody, user: str | None, task_class: str | None) -> bool:
    """Whether a lesson is meant for this user and task."""
    return meant_for(body.scope, item.user, item.task_class, user, task_class)


def meant_for(
    scope: str, of_user: str | None, of_class: str, user: str | None = None, task_class: str | None = None
) -> bool:
    """The same for a lesson of a scope, user and class; a request without a class can be of any.

    What speaks of one user is read by no other, and for nobody in particular by nobody.
    """
    if scope == Scope.USER:
        return bool(user) and of_user == user
    return scope == Scope.AGENT or task_class in (None, of_class)


def buffered(scope: str, of_user: str | None, of_class: str, user: str | None, task_class: str | None) -> bool:
    """The same for a reflection, except that a request without a class reads none of a class."""
    if scope == Scope.TASK_CLASS:
        return of_class == task_class
    return meant_for(scope, of_user, of_class, user, task_class)


def reflection_candidate(item: Item, body: LessonBody, since: datetime, trials_left: int) -> ReflectionCandidate:
    """An approved reflection, in force since a moment, that lives for so many trials more."""
    return ReflectionCandidate(
        key=reference(item),
        item=item.id or 0,
        text=body.text,
        tags=tuple(body.tags),
        status=Status.ACTIVE,
        remaining=trials_left,
        at=since,
        order=item.id or 0,
    )


def belief_candidate(item: Item, body: BeliefBody, since: datetime, rests_on: int = 0) -> BeliefCandidate:
    """An approved belief, in force since a moment, that cites so many episodes."""
    return BeliefCandidate(
        key=reference(item),
        item=item.id or 0,
        text=body.text,
        importance=body.importance,
        status=Status.ACTIVE,
        at=since,
        order=item.id or 0,
        rests_on=rests_on,
    )
