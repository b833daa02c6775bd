"""How an audit names a row of the log: ``decision 41, L-0007 v2 approved by Ann on 27 Nov 2026, 14:08 UTC``."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session as DatabaseSession

from core.governance.acts import DONE_WITH_EPISODES, done, in_words
from core.governance.references import episode_reference, version_reference
from core.store.clock import time_in_words
from core.store.records import Item
from core.vocabulary import Kind


def named(db: DatabaseSession, table: str, row: Mapping[str, Any]) -> str:
    """A row of the log in words."""
    what = {
        "decision": _decision,
        "refusal": _refusal,
        "rights_change": _rights,
        "policy_version": _policy,
        "policy_draft": _policy,
        "assignment": _assignment,
        "blind_verdict": _verdict,
        "episode_decision": _episode,
    }
    said = what.get(table, _saved)(db, row)
    return f"{table.replace('_', ' ')} {row['id']}, {said} on {time_in_words(row['at'])}"


def gone(table: str, row_id: int, at: datetime) -> str:
    """A row that is there no longer, by what its link says."""
    return f"{table.replace('_', ' ')} {row_id}, logged on {time_in_words(at)}"


def version_in_words(item: Item | None, item_id: int | None) -> str:
    """An item's version as people name it; by its number in the store where it is gone."""
    known = item is not None and item.kind in set(Kind)
    return version_reference(item) if item and known else f"item {item_id}"


def _decision(db: DatabaseSession, row: Mapping[str, Any]) -> str:
    rule = f"the rule “{row['rule']}”, after " if row["rule"] else ""
    return f"{_item(db, row['item_id'])} {done(row['action'])} by {rule}{row['by']}"


def _refusal(db: DatabaseSession, row: Mapping[str, Any]) -> str:
    about = f" {_item(db, row['item_id'])}" if row["item_id"] is not None else ""
    return f"{row['by']} was refused to {in_words(row['action'])}{about} ({row['code']})"


def _rights(db: DatabaseSession, row: Mapping[str, Any]) -> str:
    if row["what"] == "bundle":
        return f"evidence of {row['name']} taken along by {row['by']}"
    return f"what {row['what']} {row['name']} may do, changed by {row['by']}"


def _policy(db: DatabaseSession, row: Mapping[str, Any]) -> str:
    second = f" and {row['second']}" if row.get("second") else ""
    return f"of {row['policy']}, by {row['by']}{second}"


def _assignment(db: DatabaseSession, row: Mapping[str, Any]) -> str:
    return f"{_item(db, row['item_id'])} given to {row['person'] or 'nobody'} by {row['by']}"


def _verdict(db: DatabaseSession, row: Mapping[str, Any]) -> str:
    return f"about {_item(db, row['item_id'])}"  # who said something may be sealed


def _episode(db: DatabaseSession, row: Mapping[str, Any]) -> str:
    act = DONE_WITH_EPISODES.get(row["action"], row["action"])
    return f"{episode_reference(row['episode_id'])} {act} by {row['by']}"


def _saved(db: DatabaseSession, row: Mapping[str, Any]) -> str:
    return f"saved by {row['by']}"


def _item(db: DatabaseSession, item_id: int) -> str:
    return version_in_words(db.get(Item, item_id), item_id)
