"""What the Briefing page shows: what an agent would read now, or as of an earlier moment, line by line."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.briefing.asked import Asked
from core.briefing.compose import Section, about_tokens
from core.briefing.found_lessons import without_shared_words
from core.briefing.read import agent_named, brief
from core.governance.numbers import numbers_in_force, numbers_then
from core.governance.references import reference
from core.governance.stop_words import stop_words
from core.service.views import BriefingView, ReadLine
from core.settings import Settings
from core.store.database import Database
from core.store.records import Agent, Item, TaskClass
from core.vocabulary import Status

MOST_LEFT_OUT = 40
"""Items that are left out and shown by name; of the others it is said how many they are."""


@dataclass(frozen=True)
class Shown:
    """How a briefing is looked at: by which numbers, as of when, with or without which item."""

    with_item: int | None = None
    without: int | None = None
    as_of: datetime | None = None
    settings: Settings | None = None


NOW = Shown()


def briefing_view(database: Database, asked: Asked, how: Shown = NOW) -> BriefingView:
    """Exactly what the agent would read now: with one waiting item as if it had been approved, without another one.

    With ``as_of`` what it would have read at that moment, by the log; remarks say what is not known any more.
    """
    with database.reading() as db:
        numbers = how.settings or (numbers_in_force(db) if how.as_of is None else numbers_then(db, how.as_of))
        agent = agent_named(db, asked.agent)
        briefing = brief(
            db,
            agent,
            asked,
            numbers,
            as_if_active=how.with_item,
            without=() if how.without is None else (how.without,),
            as_of=how.as_of,
        )
        new = _not_read_yet(db, how.with_item)
        others = _lessons_that_share_nothing(db, agent, asked, how)
    lines = tuple(line for block in briefing.blocks for section in block.sections for line in _lines(section, new))
    left = [f"{one.key}: {one.why}" for one in briefing.left if not one.near]
    return BriefingView(
        messages=briefing.messages,
        lines=lines,
        tokens=sum(line.tokens for line in lines),
        left_out=(*left[:MOST_LEFT_OUT], *_further(len(left) - MOST_LEFT_OUT), *others),
        remarks=briefing.remarks,
        missed=tuple(f"{one.key}: {one.why}" for one in briefing.left if one.near),
        budget=numbers.briefing_tokens,
    )


def _not_read_yet(db: DatabaseSession, item_id: int | None) -> str | None:
    """The reference of an item that is shown as if it were approved; None where it is."""
    item = db.get(Item, item_id) if item_id is not None else None
    return reference(item) if item is not None and item.status != Status.ACTIVE else None


def _lessons_that_share_nothing(db: DatabaseSession, agent: Agent, asked: Asked, how: Shown) -> tuple[str, ...]:
    """How many lessons fit nothing of the task, where a briefing of now finds lessons by their words alone."""
    if (how.with_item, how.without, how.as_of) != (None, None, None):
        return ()
    many = without_shared_words(db, agent, asked, stop_words(agent.name))
    if many and not asked.task.strip():
        return ("no task is named, so no lesson was looked for",)
    said = "1 lesson shares" if many == 1 else f"{many:,} lessons share"
    return (f"{said} no word with the task",) if many else ()


def _lines(section: Section, new: str | None) -> tuple[ReadLine, ...]:
    return tuple(
        ReadLine(
            line.text,
            line.why,
            about_tokens(line.text),
            line.key,
            line.key == new and new is not None,
            line.heading,
            section.part,
            line.item,
        )
        for line in section.lines
    )


def _further(more: int) -> tuple[str, ...]:
    return (f"and {more:,} more",) if more > 0 else ()


def task_classes(database: Database, agent: str) -> tuple[str, ...]:
    """The task classes of an agent, by name."""
    with database.reading() as db:
        query = select(col(TaskClass.name)).join(Agent).where(col(Agent.name) == agent).order_by(col(TaskClass.name))
        return tuple(db.execute(query).scalars())
