"""What cannot be known any more of a briefing as of an earlier moment. It is said, never guessed."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.as_of import UpTo, hashes, severities
from core.governance.bodies import content_of
from core.governance.references import version_reference
from core.store.clock import time_in_words
from core.store.records import Agent, AgentSession, Correction, Evidence, Item


@dataclass(frozen=True)
class Then:
    """The base prompt as far as it is known, and what must be said beside the briefing."""

    base_prompt: str
    remarks: tuple[str, ...] = ()


def what_is_not_known(db: DatabaseSession, agent: Agent, then: UpTo, item_ids: Collection[int]) -> Then:
    """The remarks on a briefing with these items as of then, and the base prompt where it still is that of then."""
    remarks = [*then.remarks]
    base_prompt = agent.base_prompt
    if agent.updated_at > then.at:
        base_prompt = ""
        changed = f"The record of {agent.name} was made or changed on {time_in_words(agent.updated_at)}"
        remarks.append(f"{changed}: its base prompt of then is not known, and is left out.")
    remarks += [f"{ref}: {why}." for ref, why in _in_doubt(db, then, item_ids)]
    return Then(base_prompt, tuple(remarks))


def corrected_since(db: DatabaseSession, item_ids: Collection[int], then: UpTo | None) -> dict[int, str]:
    """The items whose quotes stand in a transcript that was corrected after the moment, each with what to say of it."""
    if then is None:
        return {}
    query = (
        select(Evidence.item_id, AgentSession.ref, Correction.at)
        .join(AgentSession, col(AgentSession.id) == Evidence.session_id)
        .join(Correction, col(Correction.session_id) == Evidence.session_id)
        .where(col(Evidence.item_id).in_(item_ids), Correction.at > then.at)
        .order_by(col(Correction.at).desc())
    )
    why = "how its quote stood is not known,"
    return {item: f"{why} {ref} was corrected on {time_in_words(at)}" for item, ref, at in db.exec(query).all()}


def _in_doubt(db: DatabaseSession, then: UpTo, item_ids: Collection[int]) -> list[tuple[str, str]]:
    """Items whose words are not those that the log names for then, and those whose quotes may have stood otherwise."""
    items = db.exec(select(Item).where(col(Item.id).in_(item_ids)).order_by(col(Item.id))).all()
    logged, grave = hashes(db, item_ids, then), severities(db, items, then)
    corrected = corrected_since(db, item_ids, then)
    doubts = []
    for item in items:
        ref, number = version_reference(item), item.id or 0
        content = content_of(db, item)
        if item.severity != grave[number] and "severity" in type(content).model_fields:
            content = content.with_changes({"severity": grave[number]})
        if content.hash != logged.get(number):
            doubts.append((ref, "its words were masked or changed since; those of then are not known"))
        if number in corrected:
            doubts.append((ref, corrected[number]))
    return doubts
