"""A share of the items is decided by two people, neither of whom sees what the other said, so that it can be measured
whether they agree.

Which items: chance says it when an item begins, and nothing moves it later. The first to say something says it under
seal: nothing about the item changes. When the second says the same, they have decided it; when not, both verdicts open
and a third person decides. While a verdict is sealed, nobody but its author learns what was said, or by whom
(``core.governance.sealing``). Rows are only ever added; each stands in the log.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, func, select

from core.errors import Refused
from core.governance import lifecycle
from core.governance.acts import Act
from core.governance.approvers import gravest, still_may
from core.governance.desk_settings import settings_in_force
from core.governance.log import BEGINNING, log
from core.governance.on_screen import screen_hash
from core.governance.people import Person, duties_of, people
from core.governance.references import item_of, reference
from core.governance.refusals import refusals_kept
from core.governance.tokens import said_to_be
from core.screening.invisible import says_nothing
from core.screening.secrets import mask
from core.store.clock import now
from core.store.database import Database
from core.store.governance_records import LogEntry
from core.store.oversight_records import BlindVerdict
from core.store.records import Decision, Item
from core.vocabulary import Action, Duty, Kind

LAPSED = "lapsed"
"""The reason on a row by which a verdict ends whose author had lost the duty before another one was given."""

_KEPT = "blind share"


@dataclass(frozen=True)
class Heard:
    """The verdicts that count about an item as it stands now, oldest first, one a person."""

    verdicts: tuple[BlindVerdict, ...] = ()

    @property
    def differ(self) -> bool:
        """Whether two people said different things; had they said the same, it would be decided."""
        return len(self.verdicts) > 1

    def of(self, person: str) -> BlindVerdict | None:
        """What this person said."""
        return next((one for one in self.verdicts if one.by == person), None)

    def same(self, action: Action) -> BlindVerdict | None:
        """Who said the same."""
        return next((one for one in self.verdicts if one.action == action), None)


def begins_blind(db: DatabaseSession, item: Item) -> bool:
    """Whether two people decide about a new item, neither of whom sees what the other said: by chance, never alone.

    Chance is a keyed hash of kind and number; the key is the first link of this desk's log, so that the text tells
    nothing about it.
    """
    if _KEPT not in db.info:
        several = sum(bool(one.duties) for one in people(db)) > 1
        share = settings_in_force(db).blind_share if several else 0
        first = db.exec(select(LogEntry.sha256).order_by(col(LogEntry.seq)).limit(1)).first()
        db.info[_KEPT] = (share, first or BEGINNING)
    share, key = db.info[_KEPT]
    said = hmac.digest(key.encode(), f"{item.kind} {item.number}".encode(), hashlib.sha256)
    return bool(int.from_bytes(said[:8], "big") < share * 2**64)


def is_asked(item: Item, action: str, person: Person) -> bool:
    """Whether this act upon this item is a verdict of one of two people. Alone at the desk nobody is asked twice."""
    status, verdicts = lifecycle.DECIDED_BLIND[Kind(item.kind)]
    return item.blind and item.status == status and action in verdicts and not person.single_operator


def waits_blind(item: Item) -> bool:
    """Whether the item waits for verdicts now."""
    return item.blind and item.status == lifecycle.DECIDED_BLIND[Kind(item.kind)][0]


def heard(db: DatabaseSession, item: Item, screen: str | None = None) -> Heard:
    """What was said about an item since it came into its status, about what stands on its card now.

    Other words, other proof or another remark is something that nobody said anything about: what was said has lapsed.
    """
    turned = select(func.max(Decision.revision)).where(Decision.item_id == item.id, Decision.before != Decision.after)
    since = db.exec(turned).one() or 0
    rows = db.exec(
        select(BlindVerdict)
        .where(BlindVerdict.item_id == item.id, col(BlindVerdict.revision) >= since)
        .where(BlindVerdict.screen_hash == (screen or screen_hash(db, item)))
        .order_by(col(BlindVerdict.id))
    ).all()
    return Heard(standing(rows))


def has_said(db: DatabaseSession, item: Item, person: str) -> bool:
    """Whether this person has said what they have to say about a blind item that waits."""
    return waits_blind(item) and heard(db, item).of(person) is not None


def still_heard(db: DatabaseSession, item: Item, screen: str, move: lifecycle.Move, at: datetime) -> Heard:
    """The same when another verdict is about to be given: a sealed one lapses whose author may not decide any more."""
    found = heard(db, item, screen)
    if found.differ:
        return found
    for one in found.verdicts:
        if not still_may(db, [one.by], move, gravest(db, item)):
            _say(db, item, Action.UNDO, one.by, screen, at, reason=LAPSED)
            return Heard()
    return found


def give(db: DatabaseSession, item: Item, act: Act) -> BlindVerdict:
    """Keep what one of two people says, under seal: the act that it would be."""
    said = {"reason": act.reason, "text": act.text, "looked_ms": act.looked_ms, "opened": act.opened}
    return _say(db, item, act.action, act.by, act.screen or "", act.at, **said)


def not_one_of_them(item: Item, found: Heard, person: str) -> None:
    """Refuse one of the two who differ: a third person decides. Raises ``Refused``."""
    if found.differ and found.of(person):
        first, second = (one.by for one in found.verdicts[:2])
        text = f"{first} and {second} said different things about {reference(item)}; a third person decides."
        raise Refused("own_verdict", text)


def take_back(database: Database, *, item_id: int, person: str, at: datetime | None = None) -> str:
    """Take back one's own verdict while it is sealed; returns what is said. Raises ``Refused`` where there is none."""
    moment = at or now()
    with database.reading() as db:
        who = said_to_be(db, person)
    with refusals_kept(database, item_id, "take a verdict back", who, moment), database.writing() as db:
        item = item_of(db, item_id)
        found = heard(db, item)
        mine = found.of(who) if waits_blind(item) else None
        if mine is None or found.differ:
            raise Refused("no_verdict", f"Nothing that {who} said about {reference(item)} is under seal.")
        _say(db, item, Action.UNDO, who, mine.screen_hash, moment)
        return f"What you said about {reference(item)} is taken back; it waits for you again."


def lift(database: Database, *, item_id: int, person: str, reason: str, at: datetime | None = None) -> str:
    """End the blindness of one item, so that it is decided like any other; what was said opens and counts for nothing.

    Returns what is said. Raises ``Refused`` for a person without the duty admin, without a reason, and for an item
    that is not blind.
    """
    moment = at or now()
    with database.reading() as db:
        who = said_to_be(db, person)
    with refusals_kept(database, item_id, "lift blindness", who, moment), database.writing() as db:
        item = item_of(db, item_id)
        if Duty.ADMIN not in duties_of(db, who).duties:
            raise Refused("role", f"Only a person with the duty admin may lift the blindness of {reference(item)}.")
        if not item.blind:
            raise Refused("not_blind", f"{reference(item)} is not decided blind; nothing was lifted.")
        if says_nothing(reason):
            raise Refused("text_needed", f"To lift the blindness of {reference(item)}, a reason must be written.")
        _say(db, item, Action.RELEASE, who, screen_hash(db, item), moment, text=mask(reason.strip()).text)
        item.blind = False
        db.add(item)
        db.flush()
        return f"{reference(item)} is decided like any other item from now on."


def _say(
    db: DatabaseSession,
    item: Item,
    action: Action,
    by: str,
    screen: str,
    at: datetime,
    **said: Any,
) -> BlindVerdict:
    about = {"item_id": item.id or 0, "revision": item.revision, "salt": secrets.token_hex(16)}
    row = BlindVerdict.model_validate({**about, "action": action, "by": by, "screen_hash": screen, "at": at, **said})
    log(db, row)
    return row


def standing(rows: Iterable[BlindVerdict]) -> tuple[BlindVerdict, ...]:
    """The newest verdict of each person that was not taken back, in the order in which they were given."""
    newest: dict[str, BlindVerdict] = {}
    for row in rows:
        if row.action == Action.RELEASE:
            continue
        newest.pop(row.by, None)
        if row.action != Action.UNDO:
            newest[row.by] = row
    return tuple(newest.values())
