"""The history of one item over all its versions, and what a person decided last."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import aliased
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.evidence.in_words import STALE, VERDICTS
from core.governance.acts import done
from core.governance.by_whom import by_whom
from core.governance.desk_settings import why, words_of_reasons
from core.governance.references import reference
from core.service.views import HistoryRow, LastDecision
from core.store.clock import now
from core.store.database import Database
from core.store.records import AgentSession, Correction, Decision, Evidence, Item, Receipt, ReceiptItem
from core.vocabulary import Action, Verdict

HISTORY = 200
_LATER = aliased(Decision)


def history(database: Database, item_id: int) -> tuple[HistoryRow, ...]:
    """Everything that happened to an item, over all its versions, oldest first."""
    with database.reading() as db:
        item = db.get_one(Item, item_id)
        same = (col(Item.kind) == item.kind, col(Item.number) == item.number)
        decided = db.execute(_decisions().where(*same).order_by(col(Decision.id)).limit(HISTORY)).all()
        read = _receipts(db, same)
        words = words_of_reasons(db)
        acts = [_decided(row[0], row[1], by_whom(db, row[0]), words) for row in decided]
        # Decisions stay in the order of the log, also where a clock went back between two of them.
        placed = list(zip(accumulate((act.at for act in acts), max), acts, strict=True))
        placed += [(row.at, row) for row in (*read, *_found(db, item))]
        return tuple(row for _, row in sorted(placed, key=lambda one: one[0]))


def last_decision(database: Database, person: str) -> LastDecision | None:
    """What this person decided last and has not taken back."""
    taken_back = select(col(_LATER.id)).where(col(_LATER.undoes) == col(Decision.id)).exists()
    mine = (col(Decision.by) == person, col(Decision.cause).is_(None), ~taken_back)
    acts = col(Decision.action).not_in([Action.UNDO, Action.PROPOSE])
    with database.reading() as db:
        row = db.execute(_decisions().where(*mine, acts).order_by(col(Decision.id).desc()).limit(1)).first()
        if row is None:
            return None
        decision, item = row
        ref = reference(item)
        can_undo = bool(item.revision == decision.revision)
        return LastDecision(decision.id or 0, ref, f"{ref} {done(decision.action)}", decision.at, can_undo)


def _decisions() -> Select[Decision, Item]:
    return select(Decision, Item).join(Item, col(Item.id) == Decision.item_id)


def _decided(decision: Decision, item: Item, who: str, words: Mapping[str, str]) -> HistoryRow:
    what = f"v{item.version} {done(decision.action)}: {decision.after}"
    return HistoryRow(decision.at, who, what, why(words, decision))


def _receipts(db: DatabaseSession, same: tuple[Any, ...]) -> list[HistoryRow]:
    query = (
        select(col(Receipt.id), col(Receipt.at), col(Item.version))
        .select_from(Receipt)
        .join(ReceiptItem)
        .join(Item)
        .where(*same)
    )
    rows: Sequence[Any] = db.execute(query.order_by(col(Receipt.at).desc()).limit(HISTORY)).all()
    return [
        HistoryRow(at, "agent", f"v{version} read in a briefing", f"receipt {receipt}") for receipt, at, version in rows
    ]


def _in_words(row: Evidence) -> str:
    return STALE if row.stale else VERDICTS[Verdict(row.verdict)]


def _found(db: DatabaseSession, item: Item) -> list[HistoryRow]:
    """How the quotes of this version stand today, and every correction of the transcripts that they stand in."""
    quotes = select(Evidence, col(AgentSession.ref)).join(AgentSession).where(col(Evidence.item_id) == item.id)
    rows = db.execute(quotes.order_by(col(Evidence.id)).limit(5)).all()
    sessions = select(col(Evidence.session_id)).where(col(Evidence.item_id) == item.id)
    fixed = select(Correction, col(AgentSession.ref)).join(AgentSession).where(col(Correction.session_id).in_(sessions))
    return [*(_corrected(*row) for row in db.execute(fixed).all()), *(_today(*row) for row in rows)]


def _corrected(row: Correction, ref: str) -> HistoryRow:
    change = f"from turn {row.turn + 1} on, {row.before_sha256[:12]} became {row.after_sha256[:12]}"
    return HistoryRow(row.at, row.by, f"{ref} corrected", change)


def _today(row: Evidence, ref: str) -> HistoryRow:
    return HistoryRow(now(), "desk", f"today: {_in_words(row)} in {ref}", f"transcript {row.sha256[:12]}")
