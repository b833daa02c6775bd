"""What an agent reads at its start: the only way out of the store, and only for what may leave it.

Lessons, procedures and beliefs leave when a person has approved them, notes when they are open, grounded and of this
user. The same choice can be made as of an earlier moment, by the log; then nothing leaves, it is only shown.
"""

import hashlib
import secrets
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.briefing.asked import Asked
from core.briefing.budget import within
from core.briefing.chosen import Chosen
from core.briefing.compose import Block, blocks
from core.briefing.found_lessons import JUST_MISSED, found_lessons
from core.briefing.sources import (
    Looking,
    beliefs_for,
    lessons_for,
    notes_for,
    procedures_for,
    reflections_for,
)
from core.briefing.then import Then, what_is_not_known
from core.errors import NotFound
from core.governance.as_of import up_to
from core.governance.numbers import numbers_in_force, numbers_then
from core.governance.policy_adoption import adopt
from core.governance.references import reference
from core.governance.stop_words import stop_words
from core.memory.beliefs import choose_beliefs
from core.memory.buffer import choose_reflections
from core.memory.chosen import Choice
from core.memory.lessons import LessonCandidate, choose_lessons
from core.memory.notes import choose_notes
from core.memory.procedures import choose_procedures
from core.screening.secrets import mask
from core.settings import Settings
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, Item, Receipt, ReceiptItem


@dataclass(frozen=True, order=True)
class LeftOut:
    """An item that is not read, and why; ``near`` says that it just missed."""

    key: str
    why: str
    near: bool = False


@dataclass(frozen=True)
class Briefing:
    """What an agent reads: its blocks, one system message each, and what was left out with the reason.

    ``remarks`` say what cannot be known any more of a briefing as of an earlier moment, and what is too long.
    """

    blocks: tuple[Block, ...]
    item_ids: tuple[int, ...]
    left: tuple[LeftOut, ...]
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
    without: Collection[int] = (),
    as_of: datetime | None = None,
) -> Briefing:
    """What the agent would read now, or would have read at the moment ``as_of``, by the log.

    Without ``settings`` it is by the numbers in force, now or then. ``as_if_active`` adds one waiting item as if it had
    been approved: a preview of now, never of an earlier moment. ``without`` leaves items out, to show what they do.
    """
    then = None if as_of is None else up_to(db, as_of)
    settings = settings or (numbers_in_force(db) if as_of is None else numbers_then(db, as_of))
    how = Looking(then, as_if_active if then is None else None, frozenset(without))
    chosen = _choose(db, agent, asked, settings, how)
    known = Then(agent.base_prompt) if then is None else what_is_not_known(db, agent, then, chosen.item_ids)
    read, too_long = within(replace(chosen, base_prompt=known.base_prompt), settings)
    left = tuple(LeftOut(one.item.key, one.why, one.near) for _, choice in read.parts() for one in choice.left)
    return Briefing(blocks(read, settings), read.item_ids, left, (*known.remarks, *too_long))


def _choose(db: DatabaseSession, agent: Agent, asked: Asked, settings: Settings, how: Looking) -> Chosen:
    """What each memory's rule chooses, before anything gives way."""
    words = stop_words(agent.name)
    return Chosen(
        procedures=choose_procedures(procedures_for(db, agent, asked, settings, how), settings),
        notes=choose_notes(notes_for(db, agent, asked, settings, how), settings),
        lessons=_lessons(db, agent, asked, settings, how, words),
        reflections=choose_reflections(reflections_for(db, agent, asked, settings, how), settings),
        beliefs=choose_beliefs(beliefs_for(db, agent, asked, how), asked.task, settings, words),
    )


def _lessons(
    db: DatabaseSession, agent: Agent, asked: Asked, settings: Settings, how: Looking, words: frozenset[str]
) -> Choice[LessonCandidate]:
    """The lessons that fit the task: found by their words; for a preview or an earlier moment, among all of them."""
    if how == Looking():
        return found_lessons(db, agent, asked, settings, words)
    choice = choose_lessons(lessons_for(db, agent, asked, how), asked.task, settings, words)
    if how.then is None:
        return choice  # of a preview it is shown why the item would not be read
    return Choice(choice.taken, tuple(one for one in choice.left if one.near)[:JUST_MISSED])


def _masked(name: str | None) -> str | None:
    return None if name is None else mask(name).text


def agent_named(db: DatabaseSession, name: str) -> Agent:
    """The agent's record. Raises ``NotFound``."""
    agent = db.exec(select(Agent).where(Agent.name == name)).first()
    if agent is None:
        raise NotFound("agent", name)
    return agent
