"""What each memory has for a briefing: candidates for the rules, of this agent and for this user alone.

Every query names the agent, and the user exactly; nothing of another user, or of another agent, comes this far. Only
what may leave the store is looked at: approved lessons, procedures and beliefs, open notes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import ColumnElement, func, or_
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.briefing.asked import Asked
from core.briefing.candidates import (
    belief_candidate,
    in_scope,
    lesson_candidate,
    note_candidate,
    procedure_candidate,
    reflection_candidate,
)
from core.briefing.then import corrected_since
from core.effects.paths import paths
from core.governance.as_of import UpTo, active_since, looked_at, severities, standing, weight
from core.governance.bodies import evidence_in_words
from core.governance.citations import citation_counts
from core.governance.in_force import reliabilities, trials_of
from core.governance.references import by_number
from core.memory.beliefs import BeliefCandidate
from core.memory.buffer import ReflectionCandidate, remaining
from core.memory.lessons import LessonCandidate
from core.memory.notes import NoteCandidate
from core.memory.procedures import ProcedureCandidate
from core.settings import Settings
from core.store.memory_records import BeliefBody
from core.store.records import Agent, AgentSession, Import, Item, LessonBody, NoteBody, ProcedureBody
from core.vocabulary import Form, Kind, Scope, Status

Body = TypeVar("Body", LessonBody, ProcedureBody, BeliefBody)


@dataclass(frozen=True)
class Looking:
    """How the store is looked at: now or as of a moment, with one waiting version as if approved, without some."""

    then: UpTo | None = None
    as_if_active: int | None = None
    without: frozenset[int] = frozenset()


def procedures_for(
    db: DatabaseSession, agent: Agent, asked: Asked, settings: Settings, how: Looking
) -> list[ProcedureCandidate]:
    """Approved procedures for everybody, and this user's own."""
    own = or_(col(Item.user).is_(None), col(Item.user) == asked.user)
    rows = _approved(db, agent, Kind.PROCEDURE, ProcedureBody, how, own)
    known = paths(db, [item.number for item, _ in rows], settings, how.then)
    return [
        procedure_candidate(item, body, path.now, successes=path.successes, failures=path.failures)
        for item, body in rows
        for path in (known[item.number],)
    ]


def notes_for(db: DatabaseSession, agent: Agent, asked: Asked, settings: Settings, how: Looking) -> list[NoteCandidate]:
    """Open notes about sessions with exactly this user."""
    if asked.user is None:
        return []  # sessions without a user are of many strangers; nobody reads notes about another
    then = how.then
    query = select(Item, NoteBody).join(NoteBody).where(Item.agent_id == agent.id, Item.user == asked.user)
    read_from = settings.notes_read_from.rank
    query = query.where(Item.kind == Kind.NOTE, standing(Status.OPEN, then), weight(then) <= read_from)
    order = (weight(then), col(Item.created_at).desc(), col(Item.id).desc())
    rows = db.exec(query.order_by(*order).limit(settings.notes_looked_at)).all()
    rows = [row for row in rows if row[0].id not in how.without]
    ids = [item.id or 0 for item, _ in rows]
    proof, grave = evidence_in_words(db, ids), severities(db, [item for item, _ in rows], then)
    unsure, seen = corrected_since(db, ids, then), looked_at(db, ids, then)
    return [
        note_candidate(
            item,
            body,
            grave[item.id or 0],
            evidence=unsure.get(item.id or 0) or proof.get(item.id or 0, "no quote"),
            unsure=item.id in unsure,
            looked_at=item.id in seen,
        )
        for item, body in rows
        if item.id in grave
    ]


def lessons_for(db: DatabaseSession, agent: Agent, asked: Asked, how: Looking) -> list[LessonCandidate]:
    """Approved instructions that hold for this user and task."""
    rows = _approved(db, agent, Kind.LESSON, LessonBody, how, LessonBody.form == Form.INSTRUCTION)
    since = active_since(db, [item for item, _ in rows], how.then)
    trusted = reliabilities(db, [item.id or 0 for item, _ in rows])
    return [
        lesson_candidate(item, body, since[item.id or 0], trusted[item.id or 0])
        for item, body in rows
        if in_scope(item, body, asked.user, asked.task_class)
    ]


def reflections_for(
    db: DatabaseSession, agent: Agent, asked: Asked, settings: Settings, how: Looking
) -> list[ReflectionCandidate]:
    """Approved reflections on this task class, those of this user and of the agent; without a class none of a class.

    How long each still lives is counted in trials of the task class in which it was made.
    """
    named = col(Item.user).is_not(None) & (col(Item.user) != "")
    mine = or_(
        (col(LessonBody.scope) == Scope.TASK_CLASS) & (col(Item.task_class) == asked.task_class),
        (col(LessonBody.scope) == Scope.USER) & named & (col(Item.user) == asked.user),
        col(LessonBody.scope) == Scope.AGENT,
    )
    rows = _approved(db, agent, Kind.LESSON, LessonBody, how, LessonBody.form == Form.REFLECTION, mine)
    since = active_since(db, [item for item, _ in rows], how.then)
    trials = {name: _trials(db, agent, name, how.then) for name in {item.task_class for item, _ in rows}}
    return [
        reflection_candidate(
            item,
            body,
            since[item.id or 0],
            remaining(
                trials[item.task_class] if body.from_trial is None else body.from_trial,
                trials[item.task_class],
                settings.reflection_trials,
            ),
        )
        for item, body in rows
    ]


def beliefs_for(db: DatabaseSession, agent: Agent, asked: Asked, how: Looking) -> list[BeliefCandidate]:
    """Approved beliefs about exactly this user; a request that names nobody gets those about nobody."""
    own = col(Item.user).is_(None) if asked.user is None else col(Item.user) == asked.user
    rows = _approved(db, agent, Kind.BELIEF, BeliefBody, how, own)
    since = active_since(db, [item for item, _ in rows], how.then)
    cited = citation_counts(db, [item.id or 0 for item, _ in rows])
    return [belief_candidate(item, body, since[item.id or 0], cited.get(item.id or 0, 0)) for item, body in rows]


def _trials(db: DatabaseSession, agent: Agent, task_class: str, then: UpTo | None) -> int:
    """The trials of a task class that had come in."""
    if then is None:
        return trials_of(db, agent.id or 0, task_class)
    known = select(func.max(AgentSession.trial)).join(Import, col(Import.id) == AgentSession.import_id)
    known = known.where(AgentSession.agent_id == agent.id, AgentSession.task_class == task_class, Import.at <= then.at)
    return db.exec(known).first() or 0


def _approved(
    db: DatabaseSession,
    agent: Agent,
    kind: Kind,
    body: type[Body],
    how: Looking,
    *which: ColumnElement[bool] | bool,
) -> Sequence[tuple[Item, Body]]:
    """What a person approved for this agent; in a preview also one waiting version, in place of the one in force."""
    of_agent = select(Item, body).join(body).where(Item.agent_id == agent.id, Item.kind == kind, *which)
    active = of_agent.where(standing(Status.ACTIVE, how.then)).order_by(by_number())
    rows = [(item, words) for item, words in db.exec(active).all() if item.id not in {how.as_if_active, *how.without}]
    if how.as_if_active is None or how.then is not None:
        return rows
    preview = [(item, words) for item, words in db.exec(of_agent.where(Item.id == how.as_if_active)).all()]
    replaced = {item.number for item, _ in preview}
    return sorted([row for row in rows if row[0].number not in replaced] + preview, key=lambda row: row[0].number)
