"""What stays sealed about a blind item, and from whom: the log, its refusals and its exports ask here.

Also who has said what they have to say, and who is missing, neither of which tells anybody what was said.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy.orm import aliased
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import Refused
from core.governance import lifecycle
from core.governance.acts import Request, in_words
from core.governance.blind import Heard, has_said, heard, is_asked, standing
from core.governance.people import Person, duties_of, people
from core.governance.references import reference
from core.governance.refusals import keep_refusal, refusals_kept
from core.governance.rights import open_to
from core.store.asked_once import once
from core.store.database import Database
from core.store.oversight_records import BlindVerdict
from core.store.records import Item
from core.vocabulary import Action, Kind, Status

SEALED = "blind verdict"
"""What a refused verdict is called in the log of refusals: which of the two it was stays sealed."""

WAITING = (Status.PROPOSED, Status.OPEN, Status.HELD)
_OTHER = aliased(Item)


def sealed_verdicts(db: DatabaseSession) -> frozenset[int]:
    """The rows that nobody may read yet, by id: those of an item that still waits, about which not two people spoke.

    What was said about an earlier version stays sealed, too, while a later one waits blind.
    """
    return once(db, "sealed verdicts", lambda: _sealed_verdicts(db))


def _sealed_verdicts(db: DatabaseSession) -> frozenset[int]:
    same = (_OTHER.kind == Item.kind, _OTHER.number == Item.number, col(_OTHER.blind).is_(True))
    waits = select(_OTHER.id).where(*same, col(_OTHER.status).in_(WAITING)).exists()
    rows = db.exec(
        select(BlindVerdict)
        .join(Item, col(Item.id) == BlindVerdict.item_id)
        .where(waits, BlindVerdict.action != Action.RELEASE)
        .order_by(col(BlindVerdict.id))
    ).all()
    said: dict[tuple[int, int, str], list[BlindVerdict]] = defaultdict(list)
    for row in rows:
        said[row.item_id, row.revision, row.screen_hash].append(row)
    return frozenset(row.id or 0 for some in said.values() if len(standing(some)) < 2 for row in some)


def not_said_otherwise(db: DatabaseSession, item: Item, request: Request, who: str) -> None:
    """Refuse somebody who says something else than they said under seal, and log nothing: that they did is sealed.

    Raises ``Refused``.
    """
    found = _under_seal(db, item, request.action, who)
    mine = found.of(who) if found else None
    if mine and mine.action != request.action:
        text = f"You said to {in_words(mine.action)} {reference(item)}; to say otherwise, take that back first."
        raise Refused("verdict_given", text)


@contextmanager
def refusals_sealed(database: Database, item_id: int, ref: str, act: str, who: str, at: datetime) -> Iterator[None]:
    """Keep what a rule refuses in the log of refusals; of a verdict only that one was refused, not which it was.

    ``ref`` and ``act`` are how the item and what is tried are named, the act as ``sealed_act`` does.
    """
    if act != SEALED:
        with refusals_kept(database, item_id, act, who, at):
            yield
        return
    try:
        yield
    except Refused as refused:
        said = Refused(refused.code, f"A verdict about {ref}, which is decided blind, was refused; which is sealed.")
        keep_refusal(database, item_id, SEALED, who, said, at)
        raise


def sealed_act(db: DatabaseSession, item: Item, action: str, who: str) -> str:
    """How an act upon an item is named where others can read it: that of a verdict stays sealed."""
    return action if _under_seal(db, item, action, who) is None else SEALED


def _under_seal(db: DatabaseSession, item: Item, action: str, who: str) -> Heard | None:
    """What was said already, where an act upon an item would be a verdict under seal; None where it would be none."""
    if not item.blind or not is_asked(item, action, duties_of(db, who)):
        return None
    found = heard(db, item)
    return None if found.differ else found


def said_by(db: DatabaseSession, person: str) -> frozenset[int]:
    """The items that wait, and about which this person has said what they have to say: they wait for others."""
    spoke = select(BlindVerdict.item_id).where(BlindVerdict.by == person)
    theirs = select(Item).where(col(Item.id).in_(spoke), col(Item.blind).is_(True), col(Item.status).in_(WAITING))
    rows = db.exec(theirs).all()
    return frozenset(item.id or 0 for item in rows if has_said(db, item, person))


def able(db: DatabaseSession, item: Item) -> tuple[str, ...]:
    """Who may say something about an item: everybody with a duty for it who need not be apart from it."""
    status, verdicts = lifecycle.DECIDED_BLIND[Kind(item.kind)]
    names = []
    for person in people(db):
        if any(_may(db, item, person, status, action) for action in verdicts):
            names.append(person.name)
    return tuple(names)


def who_is_missing(db: DatabaseSession, item: Item) -> str:
    """Why nobody can go on with a blind item that waits, in words; empty while there are people enough.

    Says nothing about who has said something already.
    """
    may = able(db, item)
    found = heard(db, item)
    if found.differ:
        left = [name for name in may if not found.of(name)]
        two = " and ".join(one.by for one in found.verdicts[:2])
        return "" if left else f"{two} differ, and there is no third person who may decide"
    if len(may) >= 2:
        return ""
    return f"two people must say, and only {may[0]} may" if may else "two people must say, and nobody may"


def _may(db: DatabaseSession, item: Item, person: Person, status: Status, action: Action) -> bool:
    move = lifecycle.move(Kind(item.kind), status, action)
    return isinstance(move, lifecycle.Move) and open_to(db, item, move, person)
