"""Who is to decide about an item that waits: given by a lead, taken back, and each time a row in the log.

An assignment says whose turn it is; it locks nothing. Whoever else has the right can still open the item and decide
about it. A decision ends it, and so does the loss of the duty that it rested on.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import Refused
from core.governance.allowed import is_a_person
from core.governance.approvers import gravest
from core.governance.log import log
from core.governance.people import Person, duties_of, local_operator, lost_duties, people
from core.governance.references import item_of, reference
from core.governance.refusals import refusals_kept
from core.governance.rights import may_settle
from core.governance.tokens import said_to_be
from core.screening.secrets import mask
from core.store.clock import now
from core.store.database import Database
from core.store.oversight_records import Assignment
from core.store.records import Item
from core.vocabulary import Duty, Kind, Severity

GIVE = frozenset({Duty.LEAD, Duty.ADMIN})
GIVE_CRITICAL_NOTES = frozenset({Duty.AUDITOR, Duty.ADMIN})
"""The duties of which any one is needed to give an item to somebody, and a critical note."""


def assign(
    database: Database,
    item_ids: Sequence[int],
    person: str | None,
    *,
    by: str,
    reason: str = "",
    at: datetime | None = None,
) -> tuple[str, ...]:
    """Give items to a person who may decide about them or, with None, to nobody in particular; all of them or none.

    Returns the references of those that changed hands. Raises ``NotFound`` for an unknown item, and ``Refused`` for an
    author without the duty, an item that does not wait, and a person who may not decide about it.
    """
    moment = at or now()
    with database.reading() as db:
        author = said_to_be(db, by)
    about = item_ids[0] if len(item_ids) == 1 and _is_known(database, item_ids[0]) else None
    with refusals_kept(database, about, "assign", author, moment), database.writing() as db:
        is_a_person(duties_of(db, author))
        said = mask(reason.strip()).text
        changed = [item for item in _items(db, item_ids) if _may_be_given(db, item, person, author)]
        for item in changed:
            _give(db, item, Assignment(item_id=item.id or 0, person=person, by=author, reason=said, at=moment))
        return tuple(map(reference, changed))


def may_assign(item_kind: str, severity: str, person: Person) -> bool:
    """Whether a person may say whose turn it is; ``severity`` is the gravest that the item ever had."""
    return bool(_givers(item_kind, severity) & person.duties)


def who_may_decide(database: Database, item_id: int) -> tuple[str, ...]:
    """Everybody to whom an item can be given, by name."""
    with database.reading() as db:
        item = db.get_one(Item, item_id)
        known = people(db) or (duties_of(db, local_operator()),)
        return tuple(one.name for one in known if one.duties and may_settle(db, item, one))


def go_along(db: DatabaseSession, earlier: Item, made: Item, by: str, at: datetime) -> None:
    """Let a newer version wait for whoever had the earlier one, where they may decide about the new words, too."""
    person, made.assignee = earlier.assignee, None
    if person and made.queued_at is not None and may_settle(db, made, duties_of(db, person)):
        said = f"went along with v{made.version}"
        _give(db, made, Assignment(item_id=made.id or 0, person=person, by=by, reason=said, at=at))


def take_back_from(db: DatabaseSession, name: str, by: str, at: datetime) -> None:
    """Give to nobody in particular what a person had been given and may no longer decide about."""
    person = duties_of(db, name)
    # The words of the index: what is assigned waits.
    theirs = select(Item).where(col(Item.assignee) == name, col(Item.queued_at).is_not(None))
    for item in db.exec(theirs.order_by(col(Item.id))).all():
        if not may_settle(db, item, person):
            said = f"{name} may no longer decide about it"
            _give(db, item, Assignment(item_id=item.id or 0, person=None, by=by, reason=said, at=at))


def _givers(kind: str, severity: str) -> frozenset[Duty]:
    return GIVE_CRITICAL_NOTES if kind == Kind.NOTE and severity == Severity.CRITICAL else GIVE


def _is_known(database: Database, item_id: int) -> bool:
    with database.reading() as db:
        return db.get(Item, item_id) is not None


def _items(db: DatabaseSession, item_ids: Sequence[int]) -> list[Item]:
    return [item_of(db, item_id) for item_id in dict.fromkeys(item_ids)]


def _may_be_given(db: DatabaseSession, item: Item, person: str | None, by: str) -> bool:
    """Whether it changes hands at all. Raises ``Refused``."""
    needed, ref = _givers(item.kind, gravest(db, item)), reference(item)
    if not needed & duties_of(db, by).duties:
        which, lost = " or ".join(sorted(needed)), lost_duties(db, by, needed)
        text = f"Only a person with the duty {which} may say who is to decide about {ref}{lost}. Nothing was assigned."
        raise Refused("role", text)
    if item.queued_at is None:
        raise Refused("does_not_wait", f"{ref} is {item.status} and waits for nobody. Nothing was assigned.")
    if person is not None and not may_settle(db, item, duties_of(db, person)):
        text = f"{mask(person).text[:120]} may not decide about {ref}, so it cannot be theirs. Nothing was assigned."
        raise Refused("cannot_decide", text)
    return item.assignee != person


def _give(db: DatabaseSession, item: Item, row: Assignment) -> None:
    log(db, row)
    item.assignee = row.person
    db.add(item)
    db.flush()
