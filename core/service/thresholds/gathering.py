"""Gathers what happened, once: the newest briefings with all that they chose from as of then, by the log.

It only reads. What was gathered is kept until anything is logged, read, reported or looked at that was not.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from threading import Lock
from typing import Any

from sqlalchemy import func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.briefing.candidates import (
    belief_candidate,
    buffered,
    in_scope,
    lesson_candidate,
    note_candidate,
    procedure_candidate,
    reflection_candidate,
)
from core.effects.paths import paths
from core.governance.in_force import trusted
from core.governance.log import head_of
from core.governance.numbers import numbers_in_force
from core.governance.references import reference
from core.governance.stop_words import stop_words
from core.memory.beliefs import BeliefCandidate
from core.memory.confidence import ZERO
from core.memory.lessons import LessonCandidate, choose_lessons
from core.memory.notes import NoteCandidate
from core.service.thresholds.courses import Moment, courses
from core.service.thresholds.happened import Past, PastBriefing, PastProcedure, PastReflection, ProcedureNow
from core.service.thresholds.judging import judged, said_by
from core.service.thresholds.queue_now import waiting
from core.service.thresholds.timeline import Timeline
from core.settings import DEFAULTS
from core.settings_told import setting
from core.store.clock import now
from core.store.database import Database
from core.store.memory_records import BeliefBody
from core.store.records import (
    Agent,
    AgentSession,
    Correction,
    Evidence,
    Import,
    Item,
    LessonBody,
    NoteBody,
    ProcedureBody,
    ReadMark,
    Receipt,
    ReportedOutcome,
    Screening,
)
from core.vocabulary import Form, Kind, Severity, Status

RECEIPTS = 200
"""Briefings that are looked at, the newest ones."""

UPCOMING = 50
"""Agents and users whose next briefing is looked at, those that were here last."""

ALL_LESSONS = DEFAULTS.model_copy(update={"lessons_in_briefing": int(setting("lessons_in_briefing").high or 0)})
MOST_NOTES = int(setting("notes_looked_at").high or 0)

_KEPT: dict[tuple[str, int], tuple[object, Past]] = {}
_LOCK = Lock()


def past(database: Database, receipts: int = RECEIPTS, *, at: datetime | None = None) -> Past:
    """What happened, with the newest ``receipts`` briefings, and the moment of this look."""
    moment = at or now()
    key = (str(database.engine.url), receipts)
    with database.reading() as db:
        mark = _mark(db)
        with _LOCK:
            known = _KEPT.get(key)
        if known is not None and known[0] == mark:
            return replace(known[1], at=moment)
        found = _Gathering(db, receipts, moment).past()
    with _LOCK:
        _KEPT.clear()  # one desk at a time is open; an older picture of it is of no use
        _KEPT[key] = (mark, found)
    return found


def _mark(db: DatabaseSession) -> object:
    """Changes whenever something happens that would be gathered otherwise."""
    counted = [
        db.exec(select(func.count(), func.max(at)).select_from(table)).one()
        for table, at in ((Receipt, Receipt.at), (ReportedOutcome, ReportedOutcome.at), (ReadMark, ReadMark.at))
    ]
    stands = db.exec(select(func.sum(Item.quotes), func.sum(Item.not_found), func.sum(Item.sessions))).one()
    corrected = db.exec(select(func.max(Correction.id))).one()
    return (head_of(db), *map(tuple, counted), tuple(stands), corrected, numbers_in_force(db).digest)


class _Gathering:
    """One look at the store."""

    def __init__(self, db: DatabaseSession, receipts: int, at: datetime) -> None:
        self.db, self.at = db, at
        self.time = Timeline(db)
        agents = db.exec(select(Agent)).all()
        self.agents = {agent.id or 0: agent.name for agent in agents}
        self.base_prompts = {agent.id or 0: agent.base_prompt for agent in agents}
        newest = select(Receipt).order_by(col(Receipt.at).desc(), col(Receipt.id).desc()).limit(receipts)
        self.receipts = list(reversed(db.exec(newest).all()))
        self.moments = [Moment(one.at, self.time.decision_at(one.at)) for one in self.receipts]
        needed = self._needed()
        self.items = {kind: self._bodies(kind, body, needed[kind]) for kind, body in BODIES.items()}

    def past(self) -> Past:
        """All of it."""
        moments = self.moments
        found, states = courses(self.db, [*moments, Moment(self.at, self.time.newest)])
        self.states = states
        briefings = [
            self._briefing(receipt, moment, place, receipt.id)
            for place, (receipt, moment) in enumerate(zip(self.receipts, moments, strict=True))
        ]
        later = Moment(self.at, self.time.newest)
        upcoming = [self._briefing(receipt, later, len(moments), "") for receipt in self._last_of_each()]
        by_item = {item.id or 0: (item, body) for kind in BODIES for item, body in self._every(kind)}
        verdicts = self.time.verdicts({number: Kind(item.kind) for number, (item, _) in by_item.items()})
        return Past(
            at=self.at,
            briefings=tuple(reversed(briefings)),
            upcoming=tuple(upcoming),
            courses=found,
            procedures=tuple(self._procedures_now(verdicts)),
            judged=judged(by_item, verdicts),
            queue=waiting(self.db),
        )

    def _needed(self) -> dict[Kind, list[int]]:
        """The versions that the past needs, by kind: those that stood at one of the moments or stand now, and of each
        number the one that people decided last. What only waits, or was left behind, is not read.
        """
        rows = self.db.exec(select(col(Item.id), col(Item.kind), col(Item.number))).all()
        kinds = {item or 0: Kind(kind) for item, kind, _ in rows}
        numbers = {item or 0: (kind, number) for item, kind, number in rows}
        verdicts = self.time.verdicts(kinds)
        last = {numbers[item]: item for item in sorted(verdicts, key=lambda one: verdicts[one][1].id)}
        decisions = sorted({one.decision for one in self.moments} | {self.time.newest})
        needed = set(last.values())
        needed |= {item for item, kind in kinds.items() if self.time.items[item].stood_at_any(decisions, STOOD[kind])}
        return {kind: sorted(item for item in needed if kinds[item] is kind) for kind in BODIES}

    def _bodies(self, kind: Kind, body: Any, ids: Sequence[int]) -> dict[int, list[tuple[Item, Any]]]:
        """These versions of a kind, by agent, in the order in which a briefing looks at them."""
        of_kind = select(Item, body).join(body)
        rows: list[tuple[Item, Any]] = []
        for some in (ids[at : at + AT_ONCE] for at in range(0, len(ids), AT_ONCE)):
            rows += self.db.exec(of_kind.where(col(Item.id).in_(some))).all()
        of_agent: dict[int, list[tuple[Item, Any]]] = defaultdict(list)
        for item, words in sorted(rows, key=lambda row: (row[0].number, row[0].id)):
            of_agent[item.agent_id].append((item, words))
        return of_agent

    def _every(self, kind: Kind) -> Iterable[tuple[Item, Any]]:
        return (row for rows in self.items[kind].values() for row in rows)

    def _stood(self, kind: Kind, agent: int, moment: Moment, status: Status) -> Iterable[tuple[Item, Any]]:
        for item, body in self.items[kind].get(agent, ()):
            last = self.time.items[item.id or 0].last(moment.decision)
            if last is not None and last.after == status:
                yield item, body

    def _last_of_each(self) -> list[Receipt]:
        """The newest receipt of every agent and user."""
        found: dict[tuple[int, str | None], Receipt] = {}
        for receipt in reversed(self.receipts):
            found.setdefault((receipt.agent_id, receipt.user), receipt)
        return list(found.values())[:UPCOMING]

    def _briefing(self, receipt: Receipt, moment: Moment, place: int, named: str) -> PastBriefing:
        return PastBriefing(
            receipt=named,
            agent=self.agents[receipt.agent_id],
            user=receipt.user,
            task_class=receipt.task_class,
            task=receipt.task,
            at=moment.at,
            procedures=tuple(self._procedures(receipt, moment, place)),
            notes=tuple(self._notes(receipt, moment)),
            lessons=tuple(self._lessons(receipt, moment)),
            reflections=tuple(self._reflections(receipt, moment)),
            beliefs=tuple(self._beliefs(receipt, moment)),
            base_prompt=self.base_prompts[receipt.agent_id],
        )

    def _procedures(self, receipt: Receipt, moment: Moment, place: int) -> Iterable[PastProcedure]:
        for item, body in self._stood(Kind.PROCEDURE, receipt.agent_id, moment, Status.ACTIVE):
            if item.user not in (None, receipt.user):
                continue  # one user's style is read by nobody else
            yield PastProcedure(item.number, self.states[item.number][place], procedure_candidate(item, body, ZERO))

    def _notes(self, receipt: Receipt, moment: Moment) -> list[NoteCandidate]:
        if receipt.user is None:
            return []
        found = []
        for item, body in self._stood(Kind.NOTE, receipt.agent_id, moment, Status.OPEN):
            severity = self.time.items[item.id or 0].last(moment.decision)
            said = (severity.severity if severity else None) or item.severity
            if item.user == receipt.user and said in set(Severity):
                found.append(self._note(item, body, Severity(said), moment))
        found.sort(key=lambda note: (-note.severity.rank, note.at, note.order), reverse=True)
        return found[:MOST_NOTES]

    def _note(self, item: Item, body: NoteBody, severity: Severity, moment: Moment) -> NoteCandidate:
        number = item.id or 0
        corrected, seen = self._corrected.get(number), self._seen.get(number)
        unsure = corrected is not None and corrected > moment.at
        looked_at = (seen is not None and seen <= moment.at) or self.time.looked_at(number, moment.decision)
        evidence = "" if item.quotes else "no quote"
        return note_candidate(item, body, severity, evidence=evidence, unsure=unsure, looked_at=looked_at)

    def _lessons(self, receipt: Receipt, moment: Moment) -> Iterable[LessonCandidate]:
        candidates = [
            self._lesson(item, body, moment)
            for item, body in self._stood(Kind.LESSON, receipt.agent_id, moment, Status.ACTIVE)
            if body.form == Form.INSTRUCTION and in_scope(item, body, receipt.user, receipt.task_class)
        ]
        words = stop_words(self.agents[receipt.agent_id])
        chosen = choose_lessons(candidates, receipt.task, ALL_LESSONS, words)
        return (taken.item for taken in chosen.taken)

    def _reflections(self, receipt: Receipt, moment: Moment) -> Iterable[PastReflection]:
        for item, body in self._stood(Kind.LESSON, receipt.agent_id, moment, Status.ACTIVE):
            about = (body.scope, item.user, item.task_class, receipt.user, receipt.task_class)
            if body.form == Form.REFLECTION and buffered(*about):
                since = self.time.items[item.id or 0].active_since(moment.decision) or item.created_at
                trials = self._trials(item.agent_id, item.task_class, moment.at)
                lived = trials - (trials if body.from_trial is None else body.from_trial)
                yield PastReflection(reflection_candidate(item, body, since, 0), max(0, lived))

    def _beliefs(self, receipt: Receipt, moment: Moment) -> Iterable[BeliefCandidate]:
        for item, body in self._stood(Kind.BELIEF, receipt.agent_id, moment, Status.ACTIVE):
            if item.user == receipt.user:
                since = self.time.items[item.id or 0].active_since(moment.decision) or item.created_at
                yield belief_candidate(item, body, since)

    def _trials(self, agent: int, task_class: str, at: datetime) -> int:
        """How many trials of a task class had come in by a moment."""
        return bisect_right(self._came_in[agent, task_class], at)

    @cached_property
    def _came_in(self) -> dict[tuple[int, str], list[datetime]]:
        """When the trials of each task class came in, in order."""
        trials = select(AgentSession.agent_id, AgentSession.task_class, Import.at).join(Import)
        found: dict[tuple[int, str], list[datetime]] = defaultdict(list)
        for agent, task_class, at in self.db.exec(trials.order_by(col(Import.at))).all():
            found[agent, task_class].append(at)
        return found

    def _lesson(self, item: Item, body: LessonBody, moment: Moment) -> LessonCandidate:
        since = self.time.items[item.id or 0].active_since(moment.decision) or item.created_at
        return lesson_candidate(item, body, since, trusted(self._sources.get(item.id or 0)))

    def _procedures_now(self, verdicts: dict[int, tuple[bool, Any]]) -> Iterable[ProcedureNow]:
        rows = [row for row in self._every(Kind.PROCEDURE) if row[0].status == Status.ACTIVE]
        known = paths(self.db, [item.number for item, _ in rows], numbers_in_force(self.db), gaps=True)
        for item, body in rows:
            verdict = verdicts.get(item.id or 0)
            yield ProcedureNow(
                number=item.number,
                ref=reference(item),
                title=body.title,
                agent=self.agents[item.agent_id],
                item=item.id or 0,
                path=known[item.number],
                verdict=said_by(verdict[1]) if verdict else "",
            )

    @cached_property
    def _corrected(self) -> dict[int, datetime]:
        """When the transcript of an item's quotes was corrected last."""
        corrected = col(Correction.session_id) == Evidence.session_id
        query = select(Evidence.item_id, func.max(Correction.at)).join(Correction, corrected)
        return dict(self.db.exec(query.group_by(col(Evidence.item_id))).all())

    @cached_property
    def _sources(self) -> dict[int, str]:
        """What each version was made from."""
        return dict(self.db.exec(select(Screening.item_id, Screening.source)).all())

    @cached_property
    def _seen(self) -> dict[int, datetime]:
        """When somebody first had an item on the screen."""
        first = select(ReadMark.item_id, func.min(ReadMark.at)).group_by(col(ReadMark.item_id))
        return dict(self.db.exec(first).all())


STOOD = {kind: Status.OPEN if kind is Kind.NOTE else Status.ACTIVE for kind in Kind}
"""How an item of each kind stands while an agent reads it."""

AT_ONCE = 5_000
"""Items that one statement asks for; a database takes only so many values."""

BODIES: dict[Kind, Any] = {
    Kind.PROCEDURE: ProcedureBody,
    Kind.NOTE: NoteBody,
    Kind.LESSON: LessonBody,
    Kind.BELIEF: BeliefBody,
}
