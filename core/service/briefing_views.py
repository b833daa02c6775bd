"""What the Briefing page shows: what an agent would read now, or as of an earlier moment, line by line."""

from datetime import datetime

from sqlalchemy import select
from sqlmodel import col

from core.briefing.compose import about_tokens
from core.briefing.read import Asked, agent_named, brief
from core.governance.references import reference
from core.service.views import BriefingView, ReadLine
from core.settings import Settings
from core.store.database import Database
from core.store.records import Agent, Item, TaskClass
from core.vocabulary import Status


def briefing_view(
    database: Database,
    *,
    agent: str,
    user: str | None = None,
    task_class: str | None = None,
    task: str = "",
    with_item: int | None = None,
    as_of: datetime | None = None,
    settings: Settings | None = None,
) -> BriefingView:
    """Exactly what the agent would read now, and with one waiting item as if it had been approved.

    With ``as_of`` what it would have read at that moment, by the log; remarks say what is not known any more.
    """
    with database.reading() as db:
        asked = Asked(agent, user, task_class, task)
        briefing = brief(db, agent_named(db, agent), asked, settings, as_if_active=with_item, as_of=as_of)
        item = db.get(Item, with_item) if with_item is not None else None
        new = reference(item) if item is not None and item.status != Status.ACTIVE else None
    lines = tuple(
        ReadLine(
            line.text, line.why, about_tokens(line.text), line.key, line.key == new and new is not None, line.heading
        )
        for block in briefing.blocks
        for line in block.lines
    )
    left = tuple(f"{key}: {why}" for key, why in briefing.left)
    return BriefingView(briefing.messages, lines, sum(line.tokens for line in lines), left, briefing.remarks)


def task_classes(database: Database, agent: str) -> tuple[str, ...]:
    """The task classes of an agent, by name."""
    with database.reading() as db:
        query = select(col(TaskClass.name)).join(Agent).where(col(Agent.name) == agent).order_by(col(TaskClass.name))
        return tuple(db.execute(query).scalars())
