"""The policies of the desk: what is in force, and which versions there were.

Governance. A policy is recorded with each of its versions, so that what an item was screened against can be read for
good. In force is the newest recorded version that was not withdrawn, or a file that says a greater version.
"""

import json
from typing import Any

from sqlalchemy import func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.checks.contract import Policy
from core.governance.log import sha256_of
from core.governance.policy_files import policy_files
from core.store.asked_once import once
from core.store.database import Database
from core.store.oversight_records import PolicyVersion
from core.store.records import Agent
from core.vocabulary import Severity


def policies_of_desk(db: DatabaseSession) -> tuple[Policy, ...]:
    """What is in force, by id."""
    return once(db, "policies of the desk", lambda: _policies_of_desk(db))


def _policies_of_desk(db: DatabaseSession) -> tuple[Policy, ...]:
    known, files = recorded(db), policy_files().by_id
    found = {name: as_policy(row) for name, row in known.items() if not row.withdrawn}
    for name, file in files.items():
        if name not in known or file.policy.version > known[name].version:
            found[name] = file.policy
    return tuple(found[name] for name in sorted(found))


def policies_now(database: Database) -> tuple[Policy, ...]:
    """The same in a transaction of its own."""
    with database.reading() as db:
        return policies_of_desk(db)


def policies_of_agent(db: DatabaseSession, agent_id: int) -> tuple[Policy, ...]:
    """What is in force for an agent, by its record."""
    names = db.get_one(Agent, agent_id).policies
    return tuple(policy for policy in policies_of_desk(db) if policy.id in names) if names else ()


def agents_with(db: DatabaseSession, policy: str) -> tuple[Agent, ...]:
    """The agents whose record names a policy, by name."""
    agents = once(db, "agents", lambda: db.exec(select(Agent).order_by(Agent.name)).all())
    return tuple(one for one in agents if policy in one.policies)


def recorded(db: DatabaseSession) -> dict[str, PolicyVersion]:
    """The newest recorded version of every policy, by id, also of those that were withdrawn."""
    return once(db, "policies recorded", lambda: _recorded(db))


def _recorded(db: DatabaseSession) -> dict[str, PolicyVersion]:
    newest = select(func.max(col(PolicyVersion.id))).group_by(col(PolicyVersion.policy))
    rows = db.exec(select(PolicyVersion).where(col(PolicyVersion.id).in_(newest))).all()
    return {row.policy: row for row in rows}


def newest_of(db: DatabaseSession, policy: str) -> PolicyVersion | None:
    """The newest recorded version of one policy, also where it was withdrawn."""
    of_policy = select(PolicyVersion).where(PolicyVersion.policy == policy)
    return db.exec(of_policy.order_by(col(PolicyVersion.id).desc()).limit(1)).first()


def version_of(db: DatabaseSession, policy: str, version: int) -> PolicyVersion | None:
    """One recorded version."""
    same = (PolicyVersion.policy == policy, PolicyVersion.version == version)
    return db.exec(select(PolicyVersion).where(*same).order_by(col(PolicyVersion.id))).first()


def as_policy(row: PolicyVersion) -> Policy:
    """A recorded version as the checks read it. A severity that is not known here is read as critical."""
    known = row.severity in set(Severity)
    return Policy(
        id=row.policy,
        title=row.title,
        owner=row.owner,
        version=row.version,
        date=row.date,
        text=row.text,
        words=tuple(row.words),
        severity=Severity(row.severity) if known else Severity.CRITICAL,
        improvement=row.improvement,
        trigger=row.trigger,
        tags=tuple(row.tags),
    )


def fields_of(policy: Policy) -> dict[str, Any]:
    """What a version says, by the columns of its row; ``sha256`` is that of all of it."""
    said: dict[str, Any] = {
        "policy": policy.id,
        "version": policy.version,
        "title": policy.title,
        "owner": policy.owner,
        "date": policy.date,
        "text": policy.text,
        "words": list(policy.words),
        "severity": policy.severity.value,
        "improvement": policy.improvement,
        "trigger": policy.trigger,
        "tags": list(policy.tags),
    }
    return {**said, "sha256": sha256_of(json.dumps(said, ensure_ascii=True, sort_keys=True))}
