"""One belief as the Beliefs page shows it: its tree, its quotes with where they stand, and what made it stale."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.by_whom import by_whom
from core.governance.references import item_of
from core.governance.stale import RULE
from core.service.belief_views import belief_tree
from core.service.evidence_views import quotes_shown
from core.service.views import Quote
from core.service.views.beliefs import BeliefTree
from core.store.database import Database
from core.store.records import Decision, Item
from core.vocabulary import Cause


@dataclass(frozen=True)
class WentStale:
    """What a belief went stale of, in the words of the log, after whom, and when."""

    because: str
    who: str
    at: datetime


@dataclass(frozen=True)
class BeliefShown:
    """A belief down to its words. ``quotes`` are numbered as on its card; ``stale`` is None while it is not."""

    tree: BeliefTree
    quotes: tuple[Quote, ...]
    stale: WentStale | None = None


def belief_shown(database: Database, item_id: int) -> BeliefShown:
    """One version of a belief. Raises ``NotFound`` for what is no belief."""
    tree = belief_tree(database, item_id)
    with database.reading() as db:
        item = item_of(db, item_id)
        return BeliefShown(tree, quotes_shown(db, item), _stale(db, item))


def _stale(db: DatabaseSession, item: Item) -> WentStale | None:
    """The newest decision by which a source took it out, while it waits for a look because of that."""
    if item.cause != Cause.STALE_SOURCE:
        return None
    by_rule = select(Decision).where(Decision.item_id == item.id, Decision.rule == RULE)
    row = db.exec(by_rule.order_by(col(Decision.id).desc()).limit(1)).first()
    return WentStale(row.text, by_whom(db, row), row.at) if row else None
