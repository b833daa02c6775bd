"""The beliefs among which a briefing chooses: those in force for exactly this user, now or as of a moment."""

from sqlalchemy import func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.as_of import UpTo, active_since, standing
from core.governance.references import reference
from core.memory.beliefs import BeliefCandidate
from core.store.memory_records import BeliefBody, Citation
from core.store.records import Agent, Item
from core.vocabulary import Kind, Status


def beliefs_for(db: DatabaseSession, agent: Agent, user: str | None, then: UpTo | None = None) -> list[BeliefCandidate]:
    """What a person approved of one user, in the order of its numbers; without a user, what is about nobody.

    With ``then`` it is what was in force at that moment, by the log.
    """
    of_user = (Item.agent_id == agent.id, Item.kind == Kind.BELIEF, col(Item.user).is_not_distinct_from(user))
    query = select(Item, BeliefBody).join(BeliefBody, col(BeliefBody.item_id) == Item.id)
    rows = db.exec(query.where(*of_user, standing(Status.ACTIVE, then)).order_by(col(Item.number))).all()
    ids = [item.id or 0 for item, _ in rows]
    since, rests_on = active_since(db, [item for item, _ in rows], then), _citations(db, ids)
    return [
        BeliefCandidate(
            key=reference(item),
            item=item.id or 0,
            text=body.text,
            importance=body.importance,
            status=Status.ACTIVE,
            at=since[item.id or 0],
            order=item.id or 0,
            rests_on=rests_on.get(item.id or 0, 0),
        )
        for item, body in rows
    ]


def _citations(db: DatabaseSession, items: list[int]) -> dict[int, int]:
    """How many episodes each of these beliefs cites."""
    counted = select(Citation.item_id, func.count()).where(col(Citation.item_id).in_(items))
    return dict(db.exec(counted.group_by(col(Citation.item_id))).all())
