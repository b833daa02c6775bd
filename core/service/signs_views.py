"""How people decide, over thirty days: all signs for admin and auditor, for a lead their own beside the team's."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Select, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.effects.signs import Looked, Signs, middle, signs
from core.governance.desk_settings import settings_in_force
from core.governance.people import Person
from core.governance.verdicts import KEPT, REFUSED
from core.store.clock import now
from core.store.database import Database
from core.store.records import Decision, Evidence, Item, ReadMark
from core.vocabulary import Action, Duty

DAYS = 30
SEES_ALL = frozenset({Duty.ADMIN, Duty.AUDITOR})
SEES_OWN = frozenset({Duty.LEAD})
TAKEN_BACK = (Action.SUSPEND, Action.RETIRE)


@dataclass(frozen=True)
class SignsShown:
    """The rows that somebody may see, and the team's medians by sign; ``everybody`` says that all rows are there.

    A median of fewer than three people is None: it would say too much of any one of them.
    """

    rows: tuple[Signs, ...]
    everybody: bool
    people: int
    quick_seconds: float
    medians: dict[str, float | None]


def signs_shown(database: Database, person: Person, *, at: datetime | None = None) -> SignsShown:
    """What this person may see of how people decided in the last thirty days; nothing without the duty for it."""
    since = (at or now()) - timedelta(days=DAYS)
    with database.reading() as db:
        settings = settings_in_force(db)
        found = signs(_looked(db, since), settings.quick_seconds)
    everybody = bool(person.duties & SEES_ALL)
    own = tuple(one for one in found if one.person == person.name and person.duties & SEES_OWN)
    rows = found if everybody else own
    shares = ("quick", "unopened", "partly_opened", "kept", "reversed")
    medians = {name: middle([getattr(one, name).value for one in found]) for name in shares}
    medians["run"] = middle([float(one.run) for one in found])
    may = everybody or bool(person.duties & SEES_OWN)
    return SignsShown(rows, everybody, len(found), float(settings.quick_seconds), medians if may else {})


def _looked(db: DatabaseSession, since: datetime) -> list[Looked]:
    """The verdicts of people since then, in the order of the log; endorsements count as what they endorse."""
    sides = [*KEPT, *REFUSED]
    acted = col(Decision.action).in_(sides) | (
        (col(Decision.action) == Action.ENDORSE) & col(Decision.toward).in_(sides)
    )
    query = select(Decision, Item).join(Item, col(Item.id) == Decision.item_id)
    rows = db.execute(query.where(acted, col(Decision.rule).is_(None), col(Decision.at) >= since)).all()
    rows = sorted(rows, key=lambda row: row[0].id or 0)
    ids = select(col(Decision.item_id)).where(col(Decision.at) >= since)
    back, whole = _taken_back(db, ids), _every_session(db, ids)
    return [
        Looked(
            by=row.by,
            kept=(row.toward or row.action) in KEPT,
            quotes=item.quotes,
            looked_ms=row.looked_ms,
            opened=row.opened,
            every_session=(row.item_id, row.by) in whole,
            reversed=any(later > (row.id or 0) for later in back[row.item_id]),
            in_bulk=row.batch is not None,
        )
        for row, item in rows
    ]


def _taken_back(db: DatabaseSession, ids: Select[int]) -> dict[int, list[int]]:
    """The decisions of people that took what had been kept out again, by item: undone, suspended, retired."""
    of_these = col(Decision.item_id).in_(ids)
    acts = db.execute(select(col(Decision.id), col(Decision.action)).where(of_these, col(Decision.action).in_(KEPT)))
    action_of = dict(acts.all())
    rows = db.execute(
        select(col(Decision.item_id), col(Decision.id), col(Decision.action), col(Decision.undoes))
        .where(of_these, col(Decision.rule).is_(None))
        .where(col(Decision.action).in_([*TAKEN_BACK, Action.UNDO]))
    ).all()
    undone = {undoes for *_, undoes in rows if undoes is not None}
    found: dict[int, list[int]] = defaultdict(list)
    for item_id, row_id, action, undoes in rows:
        if row_id not in undone and (action != Action.UNDO or action_of.get(undoes) in KEPT):
            found[item_id].append(row_id)
    return found


def _every_session(db: DatabaseSession, ids: Select[int]) -> set[tuple[int, str]]:
    """Which people have looked at a quote of each session of which items."""
    quotes: dict[int, dict[int, int]] = defaultdict(dict)
    found = select(col(Evidence.item_id), col(Evidence.id), col(Evidence.session_id))
    for item_id, quote, session in db.execute(found.where(col(Evidence.item_id).in_(ids))).all():
        quotes[item_id][quote] = session
    marks = db.execute(select(ReadMark).where(col(ReadMark.item_id).in_(ids))).scalars().all()
    return {
        (mark.item_id, mark.person)
        for mark in marks
        if {quotes[mark.item_id].get(one) for one in mark.opened or ()} >= set(quotes[mark.item_id].values())
    }
