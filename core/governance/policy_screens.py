"""Which version of each policy an item was screened against, kept beside what the screens remarked.

Governance. An item that was screened against another version than the one in force is looked at again by a person;
from then on the present versions stand beside it.
"""

from sqlmodel import Session as DatabaseSession

from core.governance.policies import policies_of_agent
from core.store.records import Item, Screening
from core.vocabulary import Cause

PREFIX = "policy:"


def versions_beside(db: DatabaseSession, item: Item, known: Screening | None) -> dict[str, int]:
    """What is to be kept beside an item that is screened now; what waits because of a policy keeps what it had."""
    if item.cause == Cause.POLICY and known is not None:
        return {PREFIX + policy: version for policy, version in screened_against(known).items()}
    return {PREFIX + one.id: one.version for one in policies_of_agent(db, item.agent_id)}


def screened_against(row: Screening | None) -> dict[str, int]:
    """The version of each policy against which an item was screened, by the policy's id; empty where none is known."""
    kept = row.versions if row else {}
    return {name.removeprefix(PREFIX): int(version) for name, version in kept.items() if name.startswith(PREFIX)}


def looked_at_again(db: DatabaseSession, item: Item) -> None:
    """Keep the versions of now: somebody has brought the item back into force under them."""
    _write(db, item, {PREFIX + one.id: one.version for one in policies_of_agent(db, item.agent_id)})


def was_screened_against(db: DatabaseSession, item: Item, policy: str, version: int) -> None:
    """Keep the version of a policy, where none is known of an item."""
    row = db.get(Screening, item.id)
    if policy not in screened_against(row):
        kept = {PREFIX + name: one for name, one in screened_against(row).items()}
        _write(db, item, {**kept, PREFIX + policy: version})


def changed_since(db: DatabaseSession, item: Item) -> tuple[tuple[str, int | None, int], ...]:
    """The policies of which another version is in force than the one an item was screened against: id, then, now.

    ``then`` is None for a policy that it was never screened against.
    """
    kept = screened_against(db.get(Screening, item.id))
    now_so = ((one.id, kept.get(one.id), one.version) for one in policies_of_agent(db, item.agent_id))
    return tuple(one for one in now_so if one[1] != one[2])


def _write(db: DatabaseSession, item: Item, versions: dict[str, int]) -> None:
    row = db.get(Screening, item.id)
    if row is None:
        return
    others = {name: version for name, version in row.versions.items() if not name.startswith(PREFIX)}
    row.versions = {**others, **versions}
    db.add(row)
    db.flush()
