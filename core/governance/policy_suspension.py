"""What a change of a policy takes out of the briefing: whatever was screened against another version of it.

Governance, a rule that only takes away. Active lessons and procedures are suspended and open notes are held, in the
transaction of the change, until a person has looked again. Source: the design, "Governance".
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance import lifecycle
from core.governance.acts import Act
from core.governance.policies import agents_with, policies_of_agent
from core.governance.policy_screens import screened_against, was_screened_against
from core.governance.references import version_reference
from core.governance.status_writer import turn
from core.store.records import Item, Screening
from core.vocabulary import Action, Cause, Kind, Status

RULE = "policy change"
"""The name of the automatic rule, as it stands in the log."""

READ = (Status.ACTIVE, Status.OPEN)
"""What an agent reads: active lessons and procedures, open notes."""


def screened_before(
    db: DatabaseSession, policy: str, version: int | None, agents: Collection[int] | None = None
) -> list[Item]:
    """What is read by the agents that have a policy, and was not screened against this ``version`` of it.

    Without a version it is all that such agents read; ``agents`` narrows them by id.
    """
    ids = [agent.id for agent in agents_with(db, policy) if agents is None or agent.id in agents]
    query = select(Item, Screening).outerjoin(Screening, col(Screening.item_id) == Item.id)
    query = query.where(col(Item.agent_id).in_(ids), col(Item.status).in_(READ)).order_by(col(Item.id))
    return [item for item, row in db.exec(query).all() if _otherwise(row, policy, version)]


def _otherwise(row: Screening | None, policy: str, version: int | None) -> bool:
    return version is None or screened_against(row).get(policy) != version


def suspend(
    db: DatabaseSession, items: Sequence[Item], policy: str, *, before: int | None, text: str, by: str, at: datetime
) -> tuple[str, ...]:
    """Suspend or hold these items; returns their references.

    ``before`` is the version in force until now, which counts for items of which none is known.
    """
    out = []
    for item in items:
        move = lifecycle.move(Kind(item.kind), item.status, Action.SUSPEND)
        if isinstance(move, lifecycle.Move):
            if before is not None:
                was_screened_against(db, item, policy, before)
            turn(db, item, Act(Action.SUSPEND, move.after, by, at, rule=RULE, text=text, suspended_for=Cause.POLICY))
            out.append(version_reference(item))
    return tuple(out)


def given_to_agent(
    db: DatabaseSession, agent_id: int, policies: Collection[str], *, by: str, at: datetime
) -> tuple[str, ...]:
    """Suspend what an agent reads that was not screened against policies that its record names from now on."""
    out: list[str] = []
    for policy in policies_of_agent(db, agent_id) if policies else ():
        if policy.id in policies:
            items = screened_before(db, policy.id, policy.version, (agent_id,))
            text = f"{policy.id} v{policy.version} is new for this agent"
            out += suspend(db, items, policy.id, before=None, text=text, by=by, at=at)
    return tuple(out)
