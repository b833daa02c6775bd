"""What a list of items is narrowed to, as conditions of a statement, the same for every list of them."""

from typing import Any

from sqlmodel import col, select

from core.service.evidence_views import stands_as
from core.service.views import Narrowed
from core.store.records import Agent, Item


def narrowed_to(narrowed: Narrowed) -> list[Any]:
    """The conditions for the state of the proof, the kind and the agent that were chosen."""
    where: list[Any] = []
    if narrowed.evidence:
        where.append(stands_as(narrowed.evidence))
    if narrowed.kind:
        where.append(col(Item.kind) == narrowed.kind)
    if narrowed.agent:
        where.append(col(Item.agent_id).in_(select(Agent.id).where(Agent.name == narrowed.agent)))
    return where
