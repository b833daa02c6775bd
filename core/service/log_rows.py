"""How a link of the log reads: who did what to which item, from where to where, and why in words."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from core.governance.desk_settings import why
from core.governance.policy_drafts import WITHDRAWN
from core.governance.references import episode_reference, reference
from core.service.views import LogRow
from core.store.governance_records import DeskSettingsVersion, RightsChange
from core.store.memory_records import EpisodeDecision
from core.store.oversight_records import (
    Assignment,
    BlindVerdict,
    NumbersVersion,
    PolicyDraft,
    PolicyTurnedDown,
    PolicyVersion,
)
from core.store.records import Decision, Item, Refusal
from core.vocabulary import Action


def row_of(row: Sequence[Any], words: Mapping[str, str], sealed: Collection[int] = ()) -> LogRow:
    """A row of the query of ``log_views``: the link, an earlier link of the same row, what it names, and the item.

    ``sealed`` are the blind verdicts of which nobody may read yet what was said, or by whom, by id.
    """
    link, earlier, item = row[0], row[1], row[-1]
    record = record_of(row)
    is_sealed = isinstance(record, BlindVerdict) and record.id in sealed
    said: dict[str, Any] = {
        "seq": link.seq,
        "at": link.at,
        "logged": link.logged,
        "row_id": link.row_id,
        "link": link.sha256,
        "masked": earlier is not None,
        "who": "sealed" if is_sealed else record.by,
        **_about(item),
    }
    if is_sealed:
        return LogRow(**said, action="blind verdict", sealed=True, reason="sealed until another person has said, too")
    if isinstance(record, Decision):
        return LogRow(**said, **_decision(record, words))
    if isinstance(record, Refusal):
        return LogRow(**said, action=record.action, code=record.code, text=record.text, reason=record.text)
    return LogRow(**said, **_WORDS[type(record)](record))


def record_of(row: Sequence[Any]) -> Any:
    """What the link of a row of the query names: the one table of the view that is not empty."""
    return next(one for one in row[2:-1] if one is not None)


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
        "batch": row.batch or "",
    }


def _rights(row: RightsChange) -> dict[str, Any]:
    return {
        "action": "take along" if row.what == "bundle" else "change",
        "about": f"{row.what} {row.name}",
        "before": ", ".join(row.before),
        "after": ", ".join(row.after),
        "text": row.text,
        "reason": row.text,
    }


def _settings(row: DeskSettingsVersion) -> dict[str, Any]:
    return {"action": "save", "about": f"desk settings, version {row.id}", **_because(row.reason)}


def _numbers(row: NumbersVersion) -> dict[str, Any]:
    return {"action": "save", "about": f"numbers of the rules, version {row.id}", **_because(row.reason)}


def _policy(row: PolicyVersion) -> dict[str, Any]:
    action = "withdraw" if row.withdrawn else "bring into force"
    about = f"policy {row.policy} v{row.version}"
    return {"action": action, "about": about, "second": row.second or "", **_because(row.reason)}


def _policy_draft(row: PolicyDraft) -> dict[str, Any]:
    about = f"policy {row.policy}, after v{row.base}" if row.base else f"new policy {row.policy}"
    action = "propose to withdraw" if row.body.get(WITHDRAWN) else "propose"
    return {"action": action, "about": about, **_because(row.reason)}


def _policy_turned_down(row: PolicyTurnedDown) -> dict[str, Any]:
    return {"action": "turn down", "about": f"draft {row.draft_id} of a policy", **_because(row.reason)}


def _assignment(row: Assignment) -> dict[str, Any]:
    return {"action": "assign", "after": row.person or "anybody", **_because(row.reason)}


def _verdict(row: BlindVerdict) -> dict[str, Any]:
    if row.action == Action.RELEASE:
        return {"action": "lift blindness", **_because(row.text)}
    act = "taken back" if row.action == Action.UNDO else row.action
    reason = ": ".join(part for part in (row.reason or "", row.text) if part)
    return {
        "action": f"blind verdict: {act}",
        "code": row.reason or "",
        "text": row.text,
        "reason": reason,
        "screen_hash": row.screen_hash,
    }


def _episode(row: EpisodeDecision) -> dict[str, Any]:
    return {"action": row.action, "about": f"episode {episode_reference(row.episode_id)}", **_because(row.text)}


def _because(reason: str) -> dict[str, Any]:
    return {"text": reason, "reason": reason}


_WORDS: dict[type[Any], Callable[[Any], dict[str, Any]]] = {
    RightsChange: _rights,
    DeskSettingsVersion: _settings,
    NumbersVersion: _numbers,
    PolicyVersion: _policy,
    PolicyDraft: _policy_draft,
    PolicyTurnedDown: _policy_turned_down,
    Assignment: _assignment,
    EpisodeDecision: _episode,
    BlindVerdict: _verdict,
}
