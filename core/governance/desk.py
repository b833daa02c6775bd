"""The desk: the only writer of a status.

A decision is one conditional update plus one row in the log, in one transaction, and names the revision that was seen.
Whoever comes second is told who decided, when and what; the same person pressing twice decides once.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from sqlalchemy import update
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import AlreadyDecided, NotFound, Refused
from core.governance import approval, lifecycle
from core.governance.gate import keep, source_of
from core.governance.people import Person, duties_of
from core.governance.references import reference
from core.screening.secrets import mask
from core.store.clock import now
from core.store.database import Database
from core.store.records import Decision, Item, Refusal
from core.vocabulary import Action, Duty, GivesWay, Kind, RejectReason, Status

DONE = {
    Action.APPROVE: "approved",
    Action.REJECT: "rejected",
    Action.RESOLVE: "resolved",
    Action.DISMISS: "dismissed",
    Action.RELEASE: "released",
    Action.SUSPEND: "suspended",
    Action.REINSTATE: "reinstated",
    Action.RETIRE: "retired",
    Action.REOPEN: "reopened",
    Action.SUPERSEDE: "superseded",
    Action.EDIT: "edited",
    Action.PROPOSE: "proposed",
    Action.UNDO: "put back",
}


@dataclass(frozen=True)
class Request:
    """What a person asks for: the act, and what was on their screen when they asked."""

    item_id: int
    action: Action
    person: str
    revision_seen: int
    hash_seen: str
    reason: RejectReason | None = None
    text: str = ""
    confidence: Decimal | None = None
    gives_way: GivesWay | None = None
    """The choice between this item and those in force that it contradicts; keeping both needs ``text``."""


@dataclass(frozen=True)
class Decided:
    """What became of a request.

    ``already`` says that this very decision stood before; ``item_id`` is the version that an edit made, else 0.
    """

    decision_id: int
    ref: str
    status: str
    text: str
    already: bool = False
    item_id: int = 0


@dataclass(frozen=True)
class Act:
    """One change of status to be written."""

    action: Action
    after: Status
    by: str
    at: datetime
    rule: str | None = None
    reason: str | None = None
    text: str = ""
    self_approved: bool = False
    confidence: Decimal | None = None
    cause: int | None = None
    undoes: int | None = None
    also: dict[str, object] = field(default_factory=dict)
    """Other columns that change with the status."""


def decide(database: Database, request: Request, *, at: datetime | None = None) -> Decided:
    """Carry out a decision, or raise ``Refused`` with the reason; a refused attempt is kept in the log of refusals.

    Raises ``NotFound`` for an unknown item and ``AlreadyDecided`` when somebody was first.
    """
    moment = at or now()
    try:
        with refusals_kept(database, request.item_id, request.action, request.person, moment), database.writing() as db:
            return _decide(db, request, moment)
    except Refused as refused:
        if refused.code in ("conflict", "against_policy"):
            _remark_anew(database, request.item_id, moment)
        raise


def _remark_anew(database: Database, item_id: int, at: datetime) -> None:
    """Keep what the screens say now, so that the card shows both sides of a conflict that came later."""
    with database.writing() as db:
        item = _item(db, item_id)
        keep(db, item, source_of(db, item), approval.answer_now(db, item), at)


@contextmanager
def refusals_kept(database: Database, item_id: int, action: Action, person: str, at: datetime) -> Iterator[None]:
    """Keep what a rule refuses in the log of refusals, and pass it on."""
    try:
        yield
    except Refused as refused:
        with database.writing() as db:
            said = Refusal(at=at, item_id=item_id, action=action, by=person, code=refused.code, text=str(refused))
            db.add(said)
        raise


def undo(database: Database, *, decision_id: int, person: str, at: datetime | None = None) -> Decided:
    """Take a decision back with all that it brought about, as long as nothing has happened since."""
    moment = at or now()
    with database.reading() as db:
        known = db.get(Decision, decision_id)
        if known is None:
            raise NotFound("decision", decision_id)
    kept = refusals_kept(database, known.item_id, Action.UNDO, person, moment)
    with kept, database.writing() as db:
        decision = db.get_one(Decision, decision_id)
        caused = db.exec(select(Decision).where(Decision.cause == decision_id)).all()
        _may_undo(db, decision, person)
        done: list[tuple[Item, Decision]] = []
        for one in (decision, *caused):
            item = _item(db, one.item_id)
            if item.revision != one.revision:
                raise moved_on(db, item)
            back = Status(one.before) if one.before else Status.SUPERSEDED
            if back is Status.ACTIVE:
                _only_active(db, item)
            if back is Status.ACTIVE and one is decision:
                approval.fit_to_be_active(db, item)
            row = turn(db, item, Act(Action.UNDO, back, person, moment, undoes=one.id, also=_unless_active(back)))
            done.append((item, row))
        item, row = done[0]
        return Decided(_id(row), reference(item), item.status, f"{reference(item)} v{item.version} put back just now")


def begin(db: DatabaseSession, item: Item, act: Act) -> Decision:
    """Put a new version into the store with the decision that made it. ``item`` is not yet in the database."""
    if act.after not in lifecycle.BEGINS[Kind(item.kind)]:
        raise Refused("no_such_start", f"A {item.kind} cannot begin as {act.after}.")
    item.status, item.revision = act.after, 1
    db.add(item)
    db.flush()
    return _log(db, item, act, before="")


def turn(db: DatabaseSession, item: Item, act: Act) -> Decision:
    """Change a status if the item still is as it was read, and log it; else raise ``AlreadyDecided``."""
    before = item.status
    unchanged = (col(Item.id) == item.id, col(Item.revision) == item.revision, col(Item.status) == before)
    change = {"status": act.after.value, "revision": item.revision + 1, **act.also}
    if db.connection().execute(update(Item).where(*unchanged).values(**change)).rowcount != 1:
        raise moved_on(db, item)
    db.refresh(item)
    return _log(db, item, act, before=before)


def _decide(db: DatabaseSession, request: Request, at: datetime) -> Decided:
    item, person = _item(db, request.item_id), duties_of(db, request.person)
    if item.revision != request.revision_seen:
        return _same_again(db, item, request)
    move = _allowed(db, item, person, request)
    act = Act(
        request.action,
        move.after,
        person.name,
        at,
        reason=request.reason if move.needs_reason else None,
        text=mask(request.text.strip()).text,
        self_approved=person.single_operator,
        confidence=request.confidence,
        also=_when_active(item, move.after, person.name, at),
    )
    aside = _put_others_aside(db, item, person.name, at) if move.after is Status.ACTIVE else []
    if request.gives_way is GivesWay.THE_OTHER and move.after is Status.ACTIVE:
        aside += _give_way(db, item, person.name, at)
    row = turn(db, item, act)
    for one in aside:
        one.cause = row.id
        db.add(one)
    return Decided(_id(row), reference(item), item.status, f"{reference(item)} {DONE[request.action]} just now")


def _allowed(db: DatabaseSession, item: Item, person: Person, request: Request) -> lifecycle.Move:
    move = lifecycle.move(Kind(item.kind), item.status, request.action)
    if isinstance(move, lifecycle.Forbidden):
        raise _no_such_move(item, request.action, move)
    who = move.duties(item.severity)
    if not who & person.duties:
        needed = " or ".join(sorted(who))
        raise Refused("role", f"Only a person with the duty {needed} may {request.action} {reference(item)}.")
    if request.hash_seen != item.content_hash:
        raise Refused("content_changed", f"{reference(item)} was changed since it was shown. Nothing was decided.")
    if move.needs_reason and request.reason is None:
        raise Refused("reason_needed", f"To {request.action} {reference(item)}, one of the reasons must be named.")
    if move.needs_text and not request.text.strip():
        raise Refused("text_needed", f"To {request.action} {reference(item)}, a reason must be written.")
    if request.action is Action.APPROVE:
        approval.proven_and_of_another(item, person)
    if move.after is Status.ACTIVE:
        approval.fit_to_be_active(db, item, request.gives_way, request.text)
    if request.action is Action.REINSTATE and item.kind == Kind.PROCEDURE:
        approval.confidence_stated(item, request.confidence)
    return move


def _give_way(db: DatabaseSession, item: Item, person: str, at: datetime) -> list[Decision]:
    """Supersede what the item contradicts."""
    act = Act(Action.SUPERSEDE, Status.SUPERSEDED, person, at, rule=f"gave way to {reference(item)}")
    return [turn(db, other, act) for other in approval.contradicted_now(db, item)]


def _only_active(db: DatabaseSession, item: Item) -> None:
    """Refuse to bring a version back beside another that is in force."""
    for other in _in_force_beside(db, item):
        raise moved_on(db, other)


def _in_force_beside(db: DatabaseSession, item: Item) -> Sequence[Item]:
    same = (Item.kind == item.kind, Item.number == item.number, Item.status == Status.ACTIVE, Item.id != item.id)
    return db.exec(select(Item).where(*same)).all()


def _no_such_move(item: Item, action: Action, forbidden: lifecycle.Forbidden) -> Refused:
    can = " or ".join(DONE[one] for one in forbidden.possible)
    then = f"it can be {can}" if can else "nothing more can be done to it"
    return Refused("no_such_move", f"{reference(item)} is {item.status} and cannot be {DONE[action]}; {then}.")


def _same_again(db: DatabaseSession, item: Item, request: Request) -> Decided:
    last = _last(db, item)
    if last.by == request.person and last.action == request.action and last.revision == request.revision_seen + 1:
        return Decided(_id(last), reference(item), item.status, f"{reference(item)} is already {item.status}", True)
    raise moved_on(db, item)


def moved_on(db: DatabaseSession, item: Item) -> AlreadyDecided:
    """The refusal for whoever saw an earlier revision: who decided, when and what."""
    last = _last(db, item)
    done = DONE[Action(last.action)] + (f" ({last.reason.replace('_', ' ')})" if last.reason else "")
    return AlreadyDecided(reference(item), last.by, f"{last.at:%-d %b %Y, %H:%M} UTC", done)


def _put_others_aside(db: DatabaseSession, item: Item, person: str, at: datetime) -> list[Decision]:
    """Supersede the version in force before this one takes its place; the database holds one active version."""
    act = Act(Action.SUPERSEDE, Status.SUPERSEDED, person, at, rule="one active version")
    return [turn(db, other, act) for other in _in_force_beside(db, item)]


def _may_undo(db: DatabaseSession, decision: Decision, person: str) -> None:
    item = _item(db, decision.item_id)
    by_itself = decision.cause is not None or decision.rule is not None
    if decision.action in (Action.PROPOSE, Action.UNDO) or by_itself:
        raise Refused("not_undoable", f"“{decision.action}” of {reference(item)} cannot be undone.")
    if decision.by != person:
        raise Refused("not_yours", f"{reference(item)} was {DONE[Action(decision.action)]} by {decision.by}.")
    if not _duties_for(decision, item) & duties_of(db, person).duties:
        raise Refused("role", f"{person} may no longer {decision.action} {reference(item)}, nor undo it.")
    if db.exec(select(Decision).where(Decision.undoes == decision.id)).first():
        raise Refused("already_undone", f"That decision about {reference(item)} was already taken back.")


def _duties_for(decision: Decision, item: Item) -> frozenset[Duty]:
    """The duties that the act needed, by which it may be taken back."""
    if decision.action == Action.EDIT:
        return lifecycle.editors(Kind(item.kind), item.severity)
    move = lifecycle.move(Kind(item.kind), decision.before, Action(decision.action))
    if isinstance(move, lifecycle.Forbidden):
        return frozenset()
    return move.duties(item.severity)


def _when_active(item: Item, after: Status, person: str, at: datetime) -> dict[str, object]:
    if after is not Status.ACTIVE or item.active_at is not None:
        return {}
    return {"active_at": at, "owner": item.owner or person}


def _unless_active(back: Status) -> dict[str, object]:
    return {"active_at": None} if back in (Status.PROPOSED, Status.HELD) else {}


def _log(db: DatabaseSession, item: Item, act: Act, *, before: str) -> Decision:
    row = Decision(
        at=act.at,
        item_id=_id(item),
        action=act.action,
        before=before,
        after=act.after,
        revision=item.revision,
        by=act.by,
        rule=act.rule,
        reason=act.reason,
        text=act.text,
        content_hash=item.content_hash,
        self_approved=act.self_approved,
        confidence=act.confidence,
        cause=act.cause,
        undoes=act.undoes,
    )
    db.add(row)
    db.flush()
    return row


def _item(db: DatabaseSession, item_id: int) -> Item:
    item = db.get(Item, item_id)
    if item is None:
        raise NotFound("item", item_id)
    return item


def _last(db: DatabaseSession, item: Item) -> Decision:
    newest = select(Decision).where(Decision.item_id == item.id).order_by(col(Decision.id).desc()).limit(1)
    return db.exec(newest).one()


def _id(row: Item | Decision) -> int:
    if row.id is None:
        raise ValueError("the row has not been written yet")
    return row.id
