"""What was in force as of a moment, and what an agent would have read: one answer for pages and the command line."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from core.briefing.asked import Asked
from core.governance.as_of import Stood, stood, up_to
from core.service.briefing_views import Shown, briefing_view
from core.service.views import BriefingView
from core.store.database import Database
from core.vocabulary import Status

IN_FORCE = (Status.ACTIVE, Status.OPEN)
"""Statuses in which something can be read by an agent."""


@dataclass(frozen=True)
class Then:
    """How it was: up to which link the log was read, what was active or open, and the briefing where one was asked for.

    ``remarks`` say what is not known any more.
    """

    at: datetime
    seq: int
    in_force: tuple[Stood, ...]
    briefing: BriefingView | None
    remarks: tuple[str, ...]

    @property
    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "at": self.at,
            "link": self.seq,
            **{key: value for key, value in asdict(self).items() if key not in ("at", "seq")},
        }


def as_of(database: Database, moment: datetime, asked: Asked | None = None) -> Then:
    """How it was at a moment. Raises ``NotFound`` for an unknown agent."""
    with database.reading() as db:
        then = up_to(db, moment)
        in_force = tuple(one for one in stood(db, then) if one.status in IN_FORCE)
    if asked is None:
        return Then(moment, then.seq, in_force, None, then.remarks)
    briefing = briefing_view(database, asked, Shown(as_of=moment))
    return Then(moment, then.seq, in_force, briefing, briefing.remarks)
