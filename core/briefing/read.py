"""What an agent reads at its start: the only way out of the store, and only for what may leave it.

Lessons and procedures leave when a person has approved them, notes when they are open, grounded and of this user. The
same choice can be made as of an earlier moment, by the log; then nothing leaves, it is only shown.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.briefing.candidates import in_scope, lesson_candidate, note_candidate, procedure_candidate
from core.briefing.compose import Block, base_block, lessons_block, notes_block
from core.briefing.then import Then, corrected_since, what_is_not_known
from core.effects.paths import paths
from core.errors import NotFound
from core.governance.as_of import UpTo, active_since, looked_at, severities, standing, up_to, weight
from core.governance.bodies import evidence_in_words
from core.governance.in_force import reliabilities
from core.governance.numbers import numbers_in_force, numbers_then
from core.governance.policy_adoption import adopt
from core.governance.references import reference
from core.governance.stop_words import stop_words
from core.memory.chosen import Choice, Left, Taken
from core.memory.lessons import LessonCandidate, choose_lessons
from core.memory.notes import NoteCandidate, choose_notes
from core.memory.procedures import ProcedureCandidate, choose_procedures
from core.screening.secrets import mask
from core.settings import Settings
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, Item, LessonBody, NoteBody, ProcedureBody, Receipt, ReceiptItem
from core.vocabulary import Kind, Status

Body = TypeVar("Body", LessonBody, ProcedureBody)


@dataclass(frozen=True)
class Asked:
    """Who is about to start, and on what."""

    agent: str
    user: str | None = None
    task_class: str | None = None
    task: str = ""


@dataclass(frozen=True)
class Briefing:
    """What an agent reads: its blocks, one system message each, and what was left out with the reason.

    ``remarks`` say what cannot be known any more of a briefing as of an earlier moment.
    """

    blocks: tuple[Block, ...]
    item_ids: tuple[int, ...]
    left: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()

    @property
    def messages(self) -> tuple[dict[str, str], ...]:
        """The messages to put before the task."""
        return tuple({"role": "system", "content": block.text} for block in self.blocks)


@dataclass(frozen=True)
class ReadItem:
    """An item on a receipt."""

    ref: str
    version: int
    kind: str


@dataclass(frozen=True)
class Issued:
    """A briefing that was handed out, with its receipt."""

    receipt: str
    messages: tuple[dict[str, str], ...]
    items: tuple[ReadItem, ...]


def issue(database: Database, asked: Asked, *, settings: Settings | None = None, at: datetime | None = None) -> Issued:
    """Hand out a briefing by the numbers in force, or by these, and keep the receipt.

    Policy files that changed come into force before it. Raises ``NotFound`` for an unknown agent.
    """
    adopt(database)
    with database.writing() as db:
        agent = agent_named(db, asked.agent)
        numbers = settings or numbers_in_force(db)
        briefing = brief(db, agent, asked, numbers)
        text = "\n".join(block.text for block in briefing.blocks)
        receipt = Receipt(
            id=f"R-{secrets.token_hex(5)}",
            agent_id=agent.id or 0,
            user=_masked(asked.user),
            task_class=_masked(asked.task_class),
            task=mask(asked.task).text,
            at=at or now(),
            sha256=hashlib.sha256(text.encode()).hexdigest(),
            settings=numbers.digest,
        )
        db.add(receipt)
        db.flush()
        for position, item_id in enumerate(briefing.item_ids):
            db.add(ReceiptItem(receipt_id=receipt.id, item_id=item_id, position=position))
        items = [db.get_one(Item, item_id) for item_id in briefing.item_ids]
        read = tuple(ReadItem(reference(item), item.version, item.kind) for item in items)
        return Issued(receipt.id, briefing.messages, read)


def brief(
    db: DatabaseSession,
    agent: Agent,
    asked: Asked,
    settings: Settings | None = None,
    *,
    as_if_active: int | None = None,
    as_of: datetime | None = None,
) -> Briefing:
    """What the agent would read now, or would have read at the moment ``as_of``, by the log.

    Without ``settings`` it is by the numbers in force, now or then. ``as_if_active`` adds one waiting item as if it had
    been approved: a preview of now, never of an earlier moment.
    """
    then = None if as_of is None else up_to(db, as_of)
    settings = settings or (numbers_in_force(db) if as_of is None else numbers_then(db, as_of))
    preview = as_if_active if then is None else None
    procedures = choose_procedures(_procedures(db, agent, settings, preview, then), settings)
    notes = choose_notes(_notes(db, agent, asked, settings, then), settings)
    lessons = choose_lessons(_lessons(db, agent, asked, preview, then), asked.task, settings, stop_words(agent.name))
    choices: tuple[Choice[ProcedureCandidate] | Choice[NoteCandidate] | Choice[LessonCandidate], ...]
    choices = (procedures, notes, lessons)
    taken: list[Taken[ProcedureCandidate] | Taken[NoteCandidate] | Taken[LessonCandidate]] = []
    left: list[Left[ProcedureCandidate] | Left[NoteCandidate] | Left[LessonCandidate]] = []
    for choice in choices:
        taken.extend(choice.taken)
        left.extend(choice.left)
    ids = tuple(one.item.item for one in taken)
    known = Then(agent.base_prompt) if then is None else what_is_not_known(db, agent, then, ids)
    blocks = (
        base_block(known.base_prompt, procedures.taken),
        notes_block(notes.taken, settings.notes_read_from),
        lessons_block(lessons.taken),
    )
    reasons = tuple((one.item.key, one.why) for one in left)
    return Briefing(tuple(block for block in blocks if block), ids, reasons, known.remarks)


def _masked(name: str | None) -> str | None:
    return None if name is None else mask(name).text


def agent_named(db: DatabaseSession, name: str) -> Agent:
    """The agent's record. Raises ``NotFound``."""
    agent = db.exec(select(Agent).where(Agent.name == name)).first()
    if agent is None:
        raise NotFound("agent", name)
    return agent


def _procedures(
    db: DatabaseSession, agent: Agent, settings: Settings, as_if_active: int | None, then: UpTo | None
) -> list[ProcedureCandidate]:
    rows = _readable(db, agent, Kind.PROCEDURE, ProcedureBody, as_if_active, then)
    known = paths(db, [item.number for item, _ in rows], settings, then)
    return [
        procedure_candidate(item, body, path.now, successes=path.successes, failures=path.failures)
        for item, body in rows
        for path in (known[item.number],)
    ]


def _notes(
    db: DatabaseSession, agent: Agent, asked: Asked, settings: Settings, then: UpTo | None
) -> list[NoteCandidate]:
    if asked.user is None:
        return []  # sessions without a user are of many strangers; nobody reads notes about another
    query = select(Item, NoteBody).join(NoteBody).where(Item.agent_id == agent.id, Item.user == asked.user)
    read_from = settings.notes_read_from.rank
    query = query.where(Item.kind == Kind.NOTE, standing(Status.OPEN, then), weight(then) <= read_from)
    order = (weight(then), col(Item.created_at).desc(), col(Item.id).desc())
    rows = db.exec(query.order_by(*order).limit(settings.notes_looked_at)).all()
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


def _lessons(
    db: DatabaseSession, agent: Agent, asked: Asked, as_if_active: int | None, then: UpTo | None
) -> list[LessonCandidate]:
    rows = _readable(db, agent, Kind.LESSON, LessonBody, as_if_active, then)
    since = active_since(db, [item for item, _ in rows], then)
    trusted = reliabilities(db, [item.id or 0 for item, _ in rows])
    return [
        lesson_candidate(item, body, since[item.id or 0], trusted[item.id or 0])
        for item, body in rows
        if in_scope(item, body, asked.user, asked.task_class)
    ]


def _readable(
    db: DatabaseSession, agent: Agent, kind: Kind, body: type[Body], as_if_active: int | None, then: UpTo | None
) -> list[tuple[Item, Body]]:
    """What a person approved for this agent; in a preview also one waiting version, in place of the one in force."""
    of_agent = select(Item, body).join(body).where(Item.agent_id == agent.id, Item.kind == kind)
    active = of_agent.where(standing(Status.ACTIVE, then)).order_by(col(Item.number))
    rows = [(item, words) for item, words in db.exec(active).all() if item.id != as_if_active]
    if as_if_active is None:
        return rows
    preview = [(item, words) for item, words in db.exec(of_agent.where(Item.id == as_if_active)).all()]
    replaced = {item.number for item, _ in preview}
    return sorted([row for row in rows if row[0].number not in replaced] + preview, key=lambda row: row[0].number)
