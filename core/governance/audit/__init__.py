"""Whether the log is whole: the chain link by link, the rows that it names, and the state that follows from it.

An auditor's station beside the desk. It reads one snapshot in pages, changes nothing, and names the first row that does
not fit, in words. What it can prove and what it cannot stands in docs/audit.md.
"""

from itertools import chain, islice

from core.governance.audit.contract import Break, Masked, Verified
from core.governance.audit.links import cut_off, linked, unlinked
from core.governance.audit.reading import readable, tables_gone
from core.governance.audit.rights import Rights, unlike_the_log
from core.governance.audit.states import removed, states
from core.governance.log import BEGINNING, head_of
from core.store.append_only import unguarded
from core.store.database import Database

MOST = 20
"""Breaks that one audit names; whatever comes behind so many tells nothing new."""


def verify(database: Database, expected: tuple[int, str] | None = None) -> Verified:
    """Check the whole log. ``expected`` is a head that was kept elsewhere: number and hash of a link.

    Reads one snapshot and never more than a page of it at a time. Raises ``StoreBusy`` like every reader.
    """
    with database.reading() as db:
        gone = tuple(Break(None, one, None, f"the table {one}", "it is not there any more") for one in tables_gone(db))
        if gone:
            return Verified(0, BEGINNING, gone[:MOST])
        masked: list[Masked] = []
        found = chain(
            cut_off(db, expected),
            linked(db, masked),
            unlinked(db),
            removed(db),
            states(db, readable(lambda: Rights.of(db)), masked),
            unlike_the_log(db),
        )
        breaks = tuple(islice(found, MOST))
        rows, sha256 = head_of(db)
        return Verified(rows, sha256, breaks, tuple(masked), unguarded(db.connection()))


__all__ = ["Break", "Masked", "Verified", "verify"]
