"""What a memory says of its consolidation, so that one work can carry out each of them."""

from collections.abc import Sequence
from typing import Protocol

from sqlmodel import Session as DatabaseSession

from core.service.critic.asking import Wanted
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.memory_records import Consolidation


class Consolidating(Protocol):
    """One memory's part of a run. Each function may be called twice, also by two processes at once."""

    def wanted(self, db: DatabaseSession, run: Consolidation, calls: Sequence[CriticCall]) -> Wanted:
        """The requests that follow from those that count, in a transaction that only reads; empty at the end.

        ``calls`` are all of them over: what any attempt has an answer to, and what this one has failed at. A request
        needs a writer, its words, ``about`` and ``place``; of which run it is, and of which attempt, is filled in. Not
        called for a run without a ``server``, which asks no model.
        """

    def finish(self, database: Database, run_id: int) -> None:
        """Write what came of a run and end it (``runs.end``), in one transaction; one that is over stays as it is."""
