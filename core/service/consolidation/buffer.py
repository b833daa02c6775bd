"""A buffer of reflections made smaller: what is asked for it, and what comes of it."""

from collections.abc import Sequence

from sqlmodel import Session as DatabaseSession

from core.governance.debriefs import Event, moved
from core.service.consolidation.contract import Wanted
from core.store.clock import now
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.memory_records import Consolidation


def wanted(db: DatabaseSession, run: Consolidation, calls: Sequence[CriticCall]) -> Wanted:
    """The requests that a compaction needs next."""
    return Wanted()


def finish(database: Database, run_id: int) -> None:
    """End a compaction."""
    with database.writing() as db:
        run = db.get_one(Consolidation, run_id)
        if moved(run, Event.FINISH, now(), reason="nothing_to_do"):
            db.add(run)
