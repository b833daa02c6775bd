"""What a debrief is one of: the same session, beside the same facts, signals and record, reviewed in the same way.

A session is debriefed once for one identity. Notes on earlier sessions go along too, but change too often to count; in
the key of a request they do.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.policies import policies_of_agent
from core.store.records import Agent, AgentSession, Feedback, UserFact

FEW = 500
"""Sessions up to which only their rows are read; beyond, all are."""


def identities(db: DatabaseSession, sessions: Sequence[AgentSession], recipes: Mapping[int, str]) -> dict[int, str]:
    """The identity of each session's debrief, by the session's id; ``recipes`` are how agents' sessions are reviewed.

    64 hexadecimal digits each: the SHA-256 of the recipe and of all that goes along beside the transcript.
    """
    records = {agent: _record(db, agent) for agent in recipes}
    facts, signals = _facts(db, list(recipes)), _signals(db, sessions)
    return {
        session.id or 0: _hash(
            recipes[session.agent_id],
            records[session.agent_id],
            session.task_class,
            facts[session.agent_id, session.user],
            signals[session.id or 0],
        )
        for session in sessions
    }


def _record(db: DatabaseSession, agent_id: int) -> object:
    agent = db.get_one(Agent, agent_id)
    versions = sorted((policy.id, policy.version) for policy in policies_of_agent(db, agent_id))
    return agent.base_prompt, versions


def _facts(db: DatabaseSession, agents: Sequence[int]) -> Mapping[tuple[int, str | None], list[object]]:
    found: defaultdict[tuple[int, str | None], list[object]] = defaultdict(list)
    query = select(UserFact).where(col(UserFact.agent_id).in_(agents)).order_by(col(UserFact.id))
    for row in db.exec(query).all():
        found[row.agent_id, row.user].append((row.text, row.source))
    return found


def _signals(db: DatabaseSession, sessions: Sequence[AgentSession]) -> Mapping[int, list[object]]:
    found: defaultdict[int, list[object]] = defaultdict(list)
    query = select(Feedback).order_by(col(Feedback.id))
    if len(sessions) <= FEW:
        query = query.where(col(Feedback.session_id).in_([session.id for session in sessions]))
    for row in db.exec(query).all():
        found[row.session_id].append((row.source, row.good, str(row.score), row.text))
    return found


def _hash(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
