"""Who did what a decision says, in words: the person, or the rule first and then whoever it followed.

Governance, asked by whatever shows a decision. A rule acts on what somebody did, so that person's name alone would read
as their decision.
"""

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, or_, select

from core.governance.policy_suspension import RULE
from core.store.oversight_records import PolicyVersion
from core.store.records import Decision


def by_whom(db: DatabaseSession, decision: Decision) -> str:
    """``Tomas``, or ``the rule “policy change”, after Meera and Tomas`` with both who made the version."""
    if not decision.rule:
        return decision.by
    return f"the rule “{decision.rule}”, after {_both(db, decision) if decision.rule == RULE else decision.by}"


def _both(db: DatabaseSession, decision: Decision) -> str:
    """Whoever made the version that came into force with a decision, and whoever agreed."""
    then = select(PolicyVersion).where(PolicyVersion.at == decision.at)
    theirs = or_(col(PolicyVersion.by) == decision.by, col(PolicyVersion.second) == decision.by)
    version = db.exec(then.where(theirs).limit(1)).first()
    return f"{version.by} and {version.second}" if version and version.second else decision.by
