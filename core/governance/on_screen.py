"""What whoever decides has on the screen, as one hash: the words, the proof and the remarks.

The page sends it along with the decision; the desk makes it anew, refuses when they differ, and logs it. Twins and
contraries in force are a part of it, and what could leave where there is no room. What else the agent would read is
left out: it changes with every other decision.
"""

import json
from collections.abc import Sequence

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.beside import InForce, beside_now
from core.governance.citations import cited_episodes
from core.governance.log import sha256_of
from core.governance.policy_screens import changed_since
from core.governance.room import room_for
from core.store.asked_once import already_told
from core.store.records import Evidence, Item, Screening
from core.vocabulary import Cause, Kind

QUOTE = (Evidence.id, Evidence.quote, Evidence.speaker, Evidence.verdict, Evidence.stale, Evidence.sha256)


def screen_hash(db: DatabaseSession, item: Item, beside: Sequence[InForce] | None = None) -> str:
    """SHA-256 of what a card shows of a version, 64 hexadecimal digits.

    ``beside`` are the twins and contraries in force, where they are known already.
    """
    screened = db.get(Screening, item.id)
    said = {
        "item": [item.kind, item.number, item.version, item.status, item.severity, item.proposer],
        "content": item.content_hash,
        "quotes": _quotes(db, item),
        "remarks": list(screened.findings or ()) if screened else [],
    }
    if item.kind == Kind.BELIEF:
        said["rests on"] = [[one.id, one.withdrawn, one.held] for one in cited_episodes(db, item.id or 0)]
    found = beside_now(db, item) if beside is None else beside
    if found:
        said["beside"] = [[one.ref, one.item.version, one.finding.code, one.item.content_hash] for one in found]
    room = room_for(db, item)
    if room is not None and room.full:
        others = [[one.number, one.version, one.content_hash] for one in room.in_force]
        said["full"] = [room.most, others]
    if item.cause == Cause.POLICY:
        # The card shows what the policies say now beside what they said; another version is another card.
        said["policies"] = [[policy, now_so] for policy, _, now_so in changed_since(db, item)]
    return sha256_of(json.dumps(said, ensure_ascii=True, sort_keys=True))


def _quotes(db: DatabaseSession, item: Item) -> list[list[object]]:
    known = already_told(db, ("quotes", item.id or 0))
    if known is not None:
        return [[row.id, row.quote, row.speaker, row.verdict, row.stale, row.sha256] for row in known]
    rows = db.exec(select(*QUOTE).where(Evidence.item_id == item.id).order_by(col(Evidence.id))).all()  # type: ignore[call-overload]
    return [list(row) for row in rows]
