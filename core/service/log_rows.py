"""How a link of the log reads: who did what to which item, from where to where, and why in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.governance.desk_settings import why
from core.governance.references import reference
from core.service.views import LogRow
from core.store.governance_records import DeskSettingsVersion, RightsChange
from core.store.records import Decision, Item, Refusal


def row_of(row: Sequence[Any], words: Mapping[str, str]) -> LogRow:
    """A row of the query of ``log_views``: the link, an earlier link of the same row, what it names, and the item."""
    link, earlier, item = row[0], row[1], row[5]
    record = next(one for one in row[2:5] if one is not None)
    said: dict[str, Any] = {
        "seq": link.seq,
        "at": link.at,
        "logged": link.logged,
        "row_id": link.row_id,
        "link": link.sha256,
        "masked": earlier is not None,
        "who": record.by,
        **_about(item),
    }
    if isinstance(record, Decision):
        return LogRow(**said, **_decision(record, words))
    if isinstance(record, Refusal):
        return LogRow(**said, action=record.action, code=record.code, text=record.text, reason=record.text)
    return LogRow(**said, **(_rights(record) if isinstance(record, RightsChange) else _settings(record)))


def _about(item: Item | None) -> dict[str, Any]:
    if item is None:
        return {}
    return {"ref": reference(item), "version": item.version, "item_id": item.id}


def _decision(row: Decision, words: Mapping[str, str]) -> dict[str, Any]:
    action = f"{row.action}: {row.toward}" if row.toward else row.action
    return {
        "action": action,
        "rule": row.rule,
        "self_approved": row.self_approved,
        "before": row.before,
        "after": row.after,
        "code": row.reason or "",
        "text": row.text,
        "reason": why(words, row),
        "screen_hash": row.screen_hash or "",
        "content_hash": row.content_hash,
    }


def _rights(row: RightsChange) -> dict[str, Any]:
    return {
        "action": "change",
        "about": f"{row.what} {row.name}",
        "before": ", ".join(row.before),
        "after": ", ".join(row.after),
        "text": row.text,
        "reason": row.text,
    }


def _settings(row: DeskSettingsVersion) -> dict[str, Any]:
    return {"action": "save", "about": f"desk settings, version {row.id}", "text": row.reason, "reason": row.reason}
