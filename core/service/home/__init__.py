"""What Home shows: what waits for somebody, what has changed since they were here, what is wrong or about to be.

Every figure is bounded: it comes through an index and stops counting, or looks at the newest rows only and says so.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import select

from core.governance.numbers import numbers_in_force
from core.governance.people import Person
from core.service.home.changed import what_changed
from core.service.home.facts import Asked, Fact
from core.service.home.figures import Figure, figures
from core.service.home.wait import what_waits
from core.service.home.wrong import what_is_wrong
from core.service.queue_counts import QueueCounts
from core.service.visits import away_since
from core.store.database import Database
from core.store.records import AgentSession

__all__ = ["Fact", "Figure", "Home", "home_view"]

FIRST_VISIT = timedelta(days=7)
"""How far back somebody looks who was never here before."""


@dataclass(frozen=True)
class Home:
    """The three columns, most urgent first, and the figures below them; ``since`` is when this person left."""

    since: datetime
    waits: tuple[Fact, ...]
    changed: tuple[Fact, ...]
    wrong: tuple[Fact, ...]
    figures: tuple[Figure, ...]
    is_new: bool = False
    """Whether no agent session has come in yet."""


def home_view(database: Database, person: Person, counts: QueueCounts, at: datetime) -> Home:
    """All of it for one person at one moment; ``counts`` are those that stand on every page."""
    since = away_since(database, person.name) or at - FIRST_VISIT
    with database.reading() as db:
        asked = Asked(db, person, since, at, numbers_in_force(db))
        waits, changed, wrong = what_waits(asked, counts), what_changed(asked), what_is_wrong(asked)
        is_new = not waits and db.exec(select(AgentSession.id).limit(1)).first() is None
        return Home(since, waits, changed, wrong, figures(db, at), is_new)
