"""What is shown of policies: on a card, in the list of the Policies page, and one policy with all its versions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.checks.contract import Policy
from core.errors import NotFound
from core.governance.drafts import AnyContent, NoteContent
from core.governance.gate import as_policy_text
from core.governance.policies import agents_with, as_policy, policies_of_agent, policies_of_desk, recorded, version_of
from core.governance.policy_adoption import folder_problems
from core.governance.policy_drafts import WITHDRAWN, draft_as_policy, waiting_drafts, would_leave
from core.governance.policy_screens import changed_since, screened_against
from core.governance.references import version_reference
from core.screening.policy_check import PolicyLook, look_at_policies
from core.service.views import PolicyChange
from core.store.asked_once import once
from core.store.clock import now
from core.store.database import Database
from core.store.oversight_records import PolicyDraft, PolicyVersion
from core.store.records import Agent, Item, Screening
from core.vocabulary import Cause, PolicyOrigin, Status

ASIDE = (Status.SUSPENDED, Status.HELD)


@dataclass(frozen=True)
class PolicyItem:
    """An item that a policy took, or would take, out of the briefing."""

    id: int
    ref: str
    kind: str
    headline: str
    agent: str


@dataclass(frozen=True)
class PolicyRow:
    """One policy of the list. ``waiting`` items were suspended for it and wait; ``drafts`` wait for a second person."""

    policy: Policy
    origin: str
    withdrawn: bool
    at: datetime | None
    agents: tuple[str, ...]
    waiting: int
    drafts: int


@dataclass(frozen=True)
class VersionView:
    """One version: what it said, who made it and who agreed, when and why."""

    policy: Policy
    origin: str
    withdrawn: bool
    by: str
    second: str | None
    reason: str
    at: datetime


@dataclass(frozen=True)
class DraftView:
    """A change that waits: what it would say, and what would leave the briefing. ``problem`` says why it cannot be."""

    id: int
    policy: str
    base: int
    by: str
    reason: str
    at: datetime
    withdraws: bool
    would_be: Policy | None
    before: Policy | None
    leaves: tuple[PolicyItem, ...]
    problem: str = ""


@dataclass(frozen=True)
class PolicyView:
    """One policy with its versions, newest first, and what waits because of it."""

    row: PolicyRow
    versions: tuple[VersionView, ...]
    waiting: tuple[PolicyItem, ...]


def policy_looks(db: DatabaseSession, item: Item, content: AnyContent) -> tuple[PolicyLook, ...]:
    """Each policy in force for an item's agent beside what the agent would be told."""
    note = isinstance(content, NoteContent)
    text = content.improvement if isinstance(content, NoteContent) else content.headline
    policies = map(as_policy_text, policies_of_agent(db, item.agent_id))
    return look_at_policies(text, policies, () if note else content.further.values())


def policy_changes(db: DatabaseSession, item: Item) -> tuple[PolicyChange, ...]:
    """What changed since an item was screened, where it waits because of a policy."""
    if item.cause != Cause.POLICY:
        return ()
    in_force = {one.id: one for one in policies_of_agent(db, item.agent_id)}
    return tuple(
        PolicyChange(name, in_force[name].title, then, now_so, _text_of(db, name, then), in_force[name].text)
        for name, then, now_so in changed_since(db, item)
    )


def _text_of(db: DatabaseSession, policy: str, version: int | None) -> str:
    row = version_of(db, policy, version) if version is not None else None
    return row.text if row else ""


def policy_rows(database: Database) -> tuple[PolicyRow, ...]:
    """Every policy, those in force first, by id."""
    with database.reading() as db:
        known = recorded(db)
        in_force = policies_of_desk(db)
        gone = [as_policy(row) for _, row in sorted(known.items()) if row.withdrawn]
        gone = [one for one in gone if one.id not in {policy.id for policy in in_force}]
        return tuple(_row(db, one, known.get(one.id)) for one in (*in_force, *gone))


def problems_of_folder(database: Database) -> tuple[str, ...]:
    """What is wrong with the folder of policy files."""
    with database.reading() as db:
        return folder_problems(db)


def policy_view(database: Database, policy: str) -> PolicyView:
    """One policy. Raises ``NotFound``."""
    row = next((one for one in policy_rows(database) if one.policy.id == policy), None)
    if row is None:
        raise NotFound("policy", policy)
    with database.reading() as db:
        of_policy = select(PolicyVersion).where(PolicyVersion.policy == policy)
        versions = db.exec(of_policy.order_by(col(PolicyVersion.id).desc())).all()
        return PolicyView(row, tuple(map(_version, versions)), _items(db, _waiting(db, policy)))


def drafts_that_wait(database: Database, policy: str | None = None) -> tuple[DraftView, ...]:
    """The changes that wait for a second person, oldest first."""
    with database.reading() as db:
        known = recorded(db)
        return tuple(_draft(db, row, known.get(row.policy)) for row in waiting_drafts(db, policy))


def _row(db: DatabaseSession, policy: Policy, known: PolicyVersion | None) -> PolicyRow:
    return PolicyRow(
        policy=policy,
        origin=known.origin if known else PolicyOrigin.FILE,
        withdrawn=bool(known and known.withdrawn and known.version >= policy.version),
        at=known.at if known else None,
        agents=tuple(agent.name for agent in agents_with(db, policy.id)),
        waiting=len(_waiting(db, policy.id)),
        drafts=sum(draft.policy == policy.id for draft in once(db, "drafts", lambda: waiting_drafts(db))),
    )


def _waiting(db: DatabaseSession, policy: str) -> list[Item]:
    """What stands aside because of a policy, and was screened against another version of it than the one in force."""
    in_force = next((one.version for one in policies_of_desk(db) if one.id == policy), None)
    agents = [agent.id for agent in agents_with(db, policy)]
    rows = once(db, "aside because of a policy", lambda: _aside(db))
    theirs = ((item, row) for item, row in rows if item.agent_id in agents)
    return [item for item, row in theirs if screened_against(row).get(policy) != in_force]


def _aside(db: DatabaseSession) -> Sequence[tuple[Item, Screening | None]]:
    """Everything that stands aside because of a policy, whichever it is."""
    aside: tuple[Any, ...] = (col(Item.status).in_(ASIDE), Item.cause == Cause.POLICY)
    query = select(Item, Screening).outerjoin(Screening, col(Screening.item_id) == Item.id).where(*aside)
    return db.exec(query.order_by(col(Item.id))).all()


def _items(db: DatabaseSession, items: Sequence[Item]) -> tuple[PolicyItem, ...]:
    of_items = select(Agent.id, Agent.name).where(col(Agent.id).in_({item.agent_id for item in items}))
    names = dict(db.exec(of_items).all())
    return tuple(
        PolicyItem(item.id or 0, version_reference(item), item.kind, item.headline, names[item.agent_id])
        for item in items
    )


def _version(row: PolicyVersion) -> VersionView:
    return VersionView(as_policy(row), row.origin, row.withdrawn, row.by, row.second, row.reason, row.at)


def _draft(db: DatabaseSession, row: PolicyDraft, known: PolicyVersion | None) -> DraftView:
    in_force = 0 if known is None or known.withdrawn else known.version
    moved = f"It was made on v{row.base}, and v{in_force} is in force." if in_force != row.base else ""
    return DraftView(
        id=row.id or 0,
        policy=row.policy,
        base=row.base,
        by=row.by,
        reason=row.reason,
        at=row.at,
        withdraws=bool(row.body.get(WITHDRAWN)),
        would_be=None if row.body.get(WITHDRAWN) else draft_as_policy(row, known, now()),
        before=as_policy(known) if known and not known.withdrawn else None,
        leaves=_items(db, would_leave(db, row)),
        problem=moved,
    )
