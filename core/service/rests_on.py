"""What a belief was drawn from, as a card and the Beliefs page show it."""

from collections.abc import Sequence

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.citations import cited_episodes
from core.governance.references import version_reference
from core.governance.sources import why_not
from core.service.views import RestsOn
from core.store.memory_records import Episode
from core.store.records import AgentSession, Item
from core.vocabulary import Kind, Status


def rests_on(db: DatabaseSession, item: Item) -> tuple[RestsOn, ...]:
    """What a belief was drawn from, oldest first; nothing for an item of another kind."""
    if item.kind != Kind.BELIEF:
        return ()
    cited = cited_episodes(db, item.id or 0)
    refs, items = _sessions(db, cited), _beliefs(db, cited)
    return tuple(
        RestsOn(
            episode=one.id or 0,
            text=one.text,
            at=one.true_from,
            importance=one.importance,
            session=one.session_id,
            session_ref=refs.get(one.session_id or 0, ""),
            belief=version_reference(items[one.belief_id]) if one.belief_id in items else "",
            belief_id=one.belief_id,
            why_not=why_not(one, _left(items.get(one.belief_id or 0))) or None,
        )
        for one in cited
    )


def _sessions(db: DatabaseSession, cited: Sequence[Episode]) -> dict[int, str]:
    """References of the sessions that episodes are from, by their ids."""
    ids = {one.session_id for one in cited if one.session_id is not None}
    found = select(AgentSession.id, AgentSession.ref).where(col(AgentSession.id).in_(ids))
    return {session or 0: ref for session, ref in db.exec(found).all()}


def _beliefs(db: DatabaseSession, cited: Sequence[Episode]) -> dict[int, Item]:
    """The beliefs among what is cited, by their ids."""
    ids = {one.belief_id for one in cited if one.belief_id is not None}
    return {item.id or 0: item for item in db.exec(select(Item).where(col(Item.id).in_(ids))).all()}


def _left(item: Item | None) -> str | None:
    """The status of a belief that is not in force; None for one that is, and for an episode."""
    return item.status if item is not None and item.status != Status.ACTIVE else None
