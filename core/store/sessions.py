"""Agent sessions by the references by which people name them, and what is known of their users."""

from collections.abc import Sequence

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import NotFound
from core.store.records import AgentSession, UserFact

OLDEST_FIRST = (col(AgentSession.started_at), col(AgentSession.place), col(AgentSession.id))


def sessions_named(db: DatabaseSession, refs: Sequence[str]) -> list[AgentSession]:
    """Sessions by reference, each once, as they were named. Raises ``NotFound`` for an unknown one."""
    found = {one.ref: one for one in db.exec(select(AgentSession).where(col(AgentSession.ref).in_(refs))).all()}
    for ref in refs:
        if ref not in found:
            raise NotFound("agent session", ref)
    return [found[ref] for ref in dict.fromkeys(refs)]


def facts_about(db: DatabaseSession, agent_id: int, user: str | None) -> Sequence[UserFact]:
    """What is known of one user of an agent, oldest first; nothing of a user without a name."""
    same = (UserFact.agent_id == agent_id, UserFact.user == user)
    return db.exec(select(UserFact).where(*same).order_by(col(UserFact.id))).all()
