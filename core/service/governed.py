"""What governance knows of one item, as a card shows it: who has it, who said yes, its versions, returns and appeal.

Between the desk and the pages; nothing is decided here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance import lifecycle
from core.governance.acts import done
from core.governance.approvers import effective, endorsers, gravest, still_may, weighty
from core.governance.blind import has_said
from core.governance.bodies import content_of, quotes_of
from core.governance.by_whom import by_whom
from core.governance.desk_settings import why, words_of_reasons
from core.governance.drafts import AnyContent
from core.governance.kept_words import kept
from core.governance.leases import Held, holder, take
from core.governance.people import Person, duties_of
from core.governance.references import all_versions
from core.governance.rights import WAITS_FOR, may_decide, may_settle
from core.governance.status_writer import moved_on
from core.governance.verdicts import REFUSED
from core.store.asked_once import already_told
from core.store.clock import day_in_words, now
from core.store.database import Database
from core.store.governance_records import Return
from core.store.records import AgentSession, Decision, Item, ReadMark
from core.vocabulary import Action, Kind, Status

RETURNS_SHOWN = 3
ENDED = (Status.REJECTED, Status.DISMISSED, Status.RETIRED, Status.SUSPENDED, Status.MERGED)
FORWARD = (
    Action.APPROVE,
    Action.RELEASE,
    Action.GRANT,
    Action.RESOLVE,
    Action.DISMISS,
    Action.REINSTATE,
    Action.ROLL_BACK,
)
"""The acts that can need two people, the likeliest first."""


@dataclass(frozen=True)
class Yes:
    """How many people an act needs, why so many, and who of them said yes already."""

    action: Action
    people: int
    because: tuple[str, ...]
    said: tuple[str, ...]


@dataclass(frozen=True)
class VersionRow:
    """One version of an item."""

    id: int
    version: int
    status: str
    proposer: str
    at: datetime


@dataclass(frozen=True)
class Change:
    """What one field says in two versions."""

    field: str
    before: str
    after: str


@dataclass(frozen=True)
class Difference:
    """What a version changes against another: fields that differ, and quotes that only one of them has."""

    against: int
    changes: tuple[Change, ...]
    quotes_gone: tuple[str, ...]
    quotes_new: tuple[str, ...]


@dataclass(frozen=True)
class ReturnRow:
    """A time at which this, or a twin of it, was proposed again after it had been decided. ``text`` is the twin's."""

    at: datetime
    proposer: str
    text: str
    session_ref: str | None


@dataclass(frozen=True)
class AppealView:
    """Why somebody asks for another look, and what they ask it about."""

    by: str
    at: datetime
    text: str
    against: str


@dataclass(frozen=True)
class Governed:
    """All of it. ``kept`` are this person's words that were not sent, by field."""

    lease: Held | None = None
    yes: tuple[Yes, ...] = ()
    versions: tuple[VersionRow, ...] = ()
    difference: Difference | None = None
    returned: int = 0
    """How often it was proposed again after it had been decided; ``returns`` are the newest of these."""
    returns: tuple[ReturnRow, ...] = ()
    appeal: AppealView | None = None
    since: datetime | None = None
    """When it came into the status that it has."""
    ended: str = ""
    """By whom it was turned down or taken out of force, when and why; empty for what waits or is in force."""
    kept: tuple[tuple[str, str], ...] = ()
    waits: bool = False
    """Whether it stands in the queue."""
    assignee: str | None = None
    """Who is to decide about it; None where anybody may."""

    @property
    def meant(self) -> int:
        """The id of the version that the bare reference means, as ``item_id_of`` answers; 0 where none is known."""
        by_rank = max(self.versions, key=lambda one: (one.status != Status.SUPERSEDED, one.version), default=None)
        return by_rank.id if by_rank else 0

    def taken_by_another(self, me: str) -> str | None:
        """What is said to somebody while another person has the item; None while it is free, or theirs."""
        return f"{self.lease.person} has it before them." if self.lease and self.lease.person != me else None

    def needs(self, action: Action) -> Yes | None:
        """What an act needs beside one person; None where one suffices."""
        return next((one for one in self.yes if one.action is action), None)


def bring_up(database: Database, item_id: int, person: str, *, at: datetime | None = None) -> Held | None:
    """Mark an item as read, and lease it to somebody who can do something about it; returns who has it now.

    Alone at the desk nothing is leased: there is nobody to keep away.
    """
    moment = at or now()
    with database.reading() as db:
        item = db.get_one(Item, item_id)
        known = db.get(ReadMark, (item_id, person)) is not None
        if known and not _leases(db, item, duties_of(db, person)):
            return holder(db, item_id, moment)
    with database.writing() as db:
        return _up(db, db.get_one(Item, item_id), duties_of(db, person), moment)


def hand_out(
    database: Database, item_ids: Sequence[int], person: str, *, in_turn: bool = False, at: datetime | None = None
) -> int | None:
    """Bring up the first of these that still waits, that this person may decide and nobody else has; else None.

    What was given to another is left to them; what was given to this person comes first, unless they go through the
    items ``in_turn``. It is asked and leased in one step, so that no item is handed to two people.
    """
    moment = at or now()
    with database.reading() as db:
        item_ids = item_ids if in_turn else _theirs_first(db, item_ids, person)
        who = duties_of(db, person)
        first = next((one for one in item_ids if _is_theirs_to_decide(db, one, who, moment)), None)
        if first is None:
            return None
        if who.single_operator and db.get(ReadMark, (first, person)) is not None:
            return first
    with database.writing() as db:
        who = duties_of(db, person)
        free = next((one for one in item_ids if _is_theirs_to_decide(db, one, who, moment)), None)
        if free is not None:
            _up(db, db.get_one(Item, free), who, moment)
        return free


def _is_theirs_to_decide(db: DatabaseSession, item_id: int, person: Person, at: datetime) -> bool:
    """Whether it is free, and this person may do what it waits for."""
    return _is_free(db, item_id, person.name, at) and may_settle(db, db.get_one(Item, item_id), person)


def _up(db: DatabaseSession, item: Item, person: Person, at: datetime) -> Held | None:
    """Mark an item as read, and lease it where this person leases it; returns who has it now."""
    item_id = item.id or 0
    if db.get(ReadMark, (item_id, person.name)) is None:
        db.add(ReadMark(item_id=item_id, person=person.name, at=at))
    return take(db, item_id, person.name, at) if _leases(db, item, person) else holder(db, item_id, at)


def _theirs_first(db: DatabaseSession, item_ids: Sequence[int], person: str) -> list[int]:
    given = select(Item.id).where(col(Item.id).in_(item_ids), Item.assignee == person)
    theirs = set(db.exec(given).all())
    return sorted(item_ids, key=lambda one: one not in theirs)


def _is_free(db: DatabaseSession, item_id: int, person: str, at: datetime) -> bool:
    """Whether it waits, is nobody else's to decide, and nobody else has it before them."""
    item = db.get(Item, item_id)
    if item is None or not _waits(item) or item.assignee not in (None, person):
        return False
    held = holder(db, item_id, at)
    return held is None or held.person == person


def _leases(db: DatabaseSession, item: Item, person: Person) -> bool:
    """Whether it waits, and this person may do anything about it but appeal; whoever only reads holds nobody up."""
    if person.single_operator or not _waits(item) or has_said(db, item, person.name):
        return False
    return may_decide(db, item, person)


def _waits(item: Item) -> bool:
    return item.queued_at is not None or item.status == Status.OPEN


def who_was_first(database: Database, item_id: int) -> str:
    """What whoever is too late is told before they press: who decided last about an item, when, why, what changed."""
    with database.reading() as db:
        return str(moved_on(db, db.get_one(Item, item_id)))


def waited_for(status: str) -> tuple[Action, ...]:
    """The act that an item in this status waits for, alone; nothing for one that waits for nobody."""
    return (WAITS_FOR[status],) if status in WAITS_FOR else ()


def waits_for(item: Item) -> tuple[Action | None, lifecycle.Move | None]:
    """The act that an item waits for, with its row of the table; nothing for one that does not wait."""
    action = WAITS_FOR.get(item.status) if _waits(item) else None
    move = lifecycle.move(Kind(item.kind), item.status, action) if action else None
    return (action, move) if isinstance(move, lifecycle.Move) else (None, None)


def governed(db: DatabaseSession, item: Item, person: Person, screen: str, against: int | None = None) -> Governed:
    """What governance knows of an item whose card has the hash ``screen``.

    ``against`` is the version to compare with; without it the one in force.
    """
    versions = all_versions(db, item)
    turned = _turned(db, item)
    return Governed(
        lease=holder(db, item.id or 0, now()),
        yes=() if person.single_operator else _yes(db, item, screen),
        versions=tuple(VersionRow(v.id or 0, v.version, v.status, v.proposer, v.created_at) for v in versions),
        difference=_difference(db, item, versions, against),
        returned=item.returns,
        returns=_returns(db, item),
        appeal=_appeal(db, item) if item.status == Status.APPEALED else None,
        since=turned.at if turned else None,
        ended=_in_words(db, turned) if turned and item.status in ENDED else "",
        kept=tuple(kept(db, item.id or 0, person.name).items()),
        waits=item.queued_at is not None,
        assignee=item.assignee,
    )


def _yes(db: DatabaseSession, item: Item, screen: str) -> tuple[Yes, ...]:
    weights, needed = None, []
    for action in FORWARD:
        move = lifecycle.move(Kind(item.kind), item.status, action)
        if isinstance(move, lifecycle.Forbidden) or not move.two_when:
            continue
        weights = weighty(db, item) if weights is None else weights
        if move.people(weights) == 1:
            continue
        because = tuple(sorted(str(one) for one in move.two_when & weights))
        said = still_may(db, endorsers(db, item, action, screen), move, gravest(db, item))
        needed.append(Yes(action, move.people(weights), because, tuple(dict.fromkeys(said))))
    return tuple(needed)


def _difference(db: DatabaseSession, item: Item, versions: Sequence[Item], against: int | None) -> Difference | None:
    others = [one for one in versions if one.id != item.id]
    if not others:
        return None
    named = [one for one in others if one.version == against]
    in_force = [one for one in others if one.status == Status.ACTIVE]
    before = [one for one in others if one.version < item.version]
    waits = [one for one in others if one.status != Status.SUPERSEDED]
    other = next(iter(named or in_force or before[-1:] or waits), None)
    return difference(db, other, item) if other else None


def difference(db: DatabaseSession, before: Item, after: Item) -> Difference:
    """What one version changes against another."""
    old, new = _said(content_of(db, before)), _said(content_of(db, after))
    fields = dict.fromkeys((*old, *new))
    changes = tuple(Change(one, old.get(one, ""), new.get(one, "")) for one in fields if old.get(one) != new.get(one))
    was = [quote.quote for quote in quotes_of(db, before.id or 0)]
    now_so = [quote.quote for quote in quotes_of(db, after.id or 0)]
    gone = tuple(quote for quote in was if quote not in now_so)
    return Difference(before.version, changes, gone, tuple(quote for quote in now_so if quote not in was))


def _said(content: AnyContent) -> dict[str, str]:
    said = content.model_dump(mode="json")
    return {field: " ".join(value) if isinstance(value, list) else str(value) for field, value in said.items()}


def _turned(db: DatabaseSession, item: Item) -> Decision | None:
    """The decision by which a version came into its status."""
    known: Sequence[Decision] | None = already_told(db, ("decisions", item.id or 0))
    if known is not None:
        return next((row for row in reversed(known) if row.before != row.after), None)
    moves = select(Decision).where(Decision.item_id == item.id, col(Decision.before) != col(Decision.after))
    return db.exec(moves.order_by(col(Decision.id).desc()).limit(1)).first()


def _returns(db: DatabaseSession, item: Item) -> tuple[ReturnRow, ...]:
    if not item.returns:
        return ()
    query = (
        select(Return, AgentSession.ref)
        .outerjoin(AgentSession, col(AgentSession.id) == Return.session_id)
        .where(Return.item_id == item.id)
        .order_by(col(Return.id).desc())
    )
    rows = db.exec(query.limit(RETURNS_SHOWN)).all()
    return tuple(ReturnRow(row.at, row.proposer, row.text if row.is_twin else "", ref) for row, ref in rows)


def _appeal(db: DatabaseSession, item: Item) -> AppealView | None:
    history = effective(db, item)
    appeal = next((row for row in reversed(history) if row.action == Action.APPEAL), None)
    if appeal is None:
        return None
    decided = [row for row in history if row.action in REFUSED]
    return AppealView(appeal.by, appeal.at, appeal.text, _in_words(db, decided[-1]) if decided else "")


def _in_words(db: DatabaseSession, decision: Decision) -> str:
    reason = why(words_of_reasons(db), decision)
    said = f"{done(decision.action)} by {by_whom(db, decision)} on {day_in_words(decision.at)}"
    return f"{said} ({reason})" if reason else said
