"""What a belief rests on: which of the episodes that it cites still stand, and whether they are enough.

Between the store and the gate. An episode stands until it is withdrawn, and counts only once nobody has to look at it
any more; a belief among the episodes stands while its item is active. Source: Reflection: From Experiences to Beliefs,
"the citation floor is structural".
"""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, or_
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import Refused
from core.governance.bodies import cited_by, quotes_of
from core.governance.drafts import BeliefContent, Quoted, quoted
from core.governance.groundings import from_json
from core.governance.numbers import numbers_in_force
from core.governance.references import episode_reference, reference
from core.store.in_pieces import in_pieces
from core.store.memory_records import Citation, Episode
from core.store.records import Item
from core.store.transcripts import transcript_of
from core.vocabulary import Role, Status


def stands() -> tuple[ColumnElement[bool], ...]:
    """The conditions under which an episode counts, in a query that joins ``Item`` by ``joined``."""
    no_longer_a_belief = or_(col(Episode.belief_id).is_(None), col(Item.status) == Status.ACTIVE)
    return (col(Episode.withdrawn).is_(None), col(Episode.held).is_(None), no_longer_a_belief)


def joined(query: Any) -> Any:
    """A query over episodes with the item of those that are beliefs."""
    return query.outerjoin(Item, col(Item.id) == col(Episode.belief_id))


def standing_of(db: DatabaseSession, episodes: Collection[int]) -> set[int]:
    """Those of these episodes that stand."""
    query = joined(select(col(Episode.id))).where(*stands())
    return {int(one) for ids in in_pieces(episodes) for one in db.exec(query.where(col(Episode.id).in_(ids))).all()}


def depth_above(db: DatabaseSession, episodes: Collection[int]) -> int:
    """The depth of a belief that cites these: one more than the deepest."""
    depths = db.exec(select(Episode.depth).where(col(Episode.id).in_(episodes))).all()
    return 1 + max(depths, default=0)


def deep_enough(db: DatabaseSession, episodes: Collection[int]) -> int:
    """The same where a belief may be that deep. Raises ``Refused`` (``too_deep``)."""
    depth, deepest = depth_above(db, episodes), numbers_in_force(db).belief_depth
    if depth > deepest:
        text = f"It would be a belief of depth {depth}; {deepest} is the deepest. Nothing was stored."
        raise Refused("too_deep", text)
    return depth


def quotes_behind(db: DatabaseSession, episodes: Collection[int]) -> list[Quoted]:
    """The words that prove these episodes, each once: their own, and of beliefs among them those of their evidence."""
    rows = db.exec(select(Episode).where(col(Episode.id).in_(episodes)).order_by(col(Episode.id))).all()
    found: dict[tuple[int, str], Quoted] = {}
    for row in rows:
        its = quotes_of(db, row.belief_id) if row.belief_id is not None else own_quotes(db, row)
        found |= {(quote.session_id, quote.quote): quote for quote in its}
    return list(found.values())


def own_quotes(db: DatabaseSession, row: Episode) -> list[Quoted]:
    """The words that prove one episode, as they stand in its session; none for a belief."""
    if not row.quotes or row.session_id is None:
        return []
    transcript = transcript_of(db, row.session_id)
    return [
        quoted(row.session_id, transcript, one["quote"], from_json(one["grounding"]), speaker=Role(one["speaker"]))
        for one in row.quotes
    ]


def well_cited(db: DatabaseSession, content: BeliefContent, agent_id: int, user: str | None) -> None:
    """Refuse a belief whose sources are not this agent's and user's, are too few by now, or too deep.

    Raises ``Refused``; nothing is stored.
    """
    same = (col(Episode.agent_id) == agent_id, col(Episode.user).is_not_distinct_from(user))
    known = set(db.exec(select(Episode.id).where(col(Episode.id).in_(content.cites), *same)).all())
    if strange := sorted(set(content.cites) - known):
        text = f"{episode_reference(strange[0])} is none of this agent and user, so no belief of theirs rests on it."
        raise Refused("unknown_source", f"{text} Nothing was stored.")
    numbers = numbers_in_force(db)
    _enough(db, content.cites, numbers.belief_citations, "The belief", "Nothing was stored.")
    depth = deep_enough(db, content.cites)
    if content.depth != depth:
        text = f"A belief on these sources has the depth {depth}, not {content.depth}."
        raise Refused("wrong_depth", f"{text} Nothing was stored.")


def enough_stand(db: DatabaseSession, item: Item) -> None:
    """Refuse to bring a belief into force of which too few sources stand. Raises ``Refused``."""
    fewest = numbers_in_force(db).belief_citations
    possible = "A source can be restored, or the belief edited to cite others."
    _enough(db, cited_by(db, item.id or 0), fewest, reference(item), possible)


def all_stand(db: DatabaseSession, item: Item) -> None:
    """Refuse to put a belief back in passing of which any source stands no longer. Raises ``Refused``."""
    cites = set(cited_by(db, item.id or 0))
    gone = sorted(cites - standing_of(db, cites))
    if gone:
        named = ", ".join(map(episode_reference, gone))
        text = f"{reference(item)} rests on {named}, which stands no longer: an act of its own can bring it back."
        raise Refused("sources_gone", f"{text} Nothing was put back.")


def _enough(db: DatabaseSession, cites: Collection[int], fewest: int, what: str, then: str) -> None:
    still = standing_of(db, cites)
    if len(still) < fewest:
        gone = ", ".join(map(episode_reference, sorted(set(cites) - still)))
        of_them = f"{len(still)} of the {len(cites)} episodes that it cites stand"
        text = f"{what} rests on too little: {of_them} (not {gone}), and {fewest} at least are needed."
        raise Refused("sources_gone", f"{text} {then}")


def citing(db: DatabaseSession, episodes: Collection[int]) -> list[tuple[Item, int]]:
    """The versions of beliefs that cite these episodes, each with the episode, oldest first."""
    query = select(Item, Citation.episode_id).join(Citation, col(Citation.item_id) == col(Item.id))
    pieces = (db.exec(query.where(col(Citation.episode_id).in_(ids))).all() for ids in in_pieces(episodes))
    return sorted(((item, episode) for rows in pieces for item, episode in rows), key=lambda one: (one[0].id, one[1]))


def why_not(one: Episode, status: str | None) -> str:
    """Why an episode counts for nothing, in words. ``status`` is that of its item, where it is a belief."""
    if one.withdrawn is not None:
        return f"withdrawn: {one.withdrawn}"
    if one.held is not None:
        return f"held: {one.held}"
    return f"the belief is {status}" if status else ""
