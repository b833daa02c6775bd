"""How a text becomes something to decide about: proposed, merged with its twin, or refused because it was rejected.

One fault gives one proposal: what checks find again becomes further evidence of the same item.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from pydantic import ValidationError
from sqlalchemy import func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import BadInput, NotFound, Refused
from core.governance import lifecycle
from core.governance.bodies import content_of, quotes_of
from core.governance.desk import Act, Decided, begin, reference, turn
from core.governance.drafts import AnyContent, Draft, LessonContent, NoteContent, ProcedureContent, Quoted
from core.governance.groundings import to_json
from core.governance.people import duties_of
from core.screening.twins import folded
from core.settings import DEFAULTS, Settings
from core.store.clock import now
from core.store.database import Database
from core.store.records import Evidence, Item, LessonBody, NoteBody, ProcedureBody
from core.vocabulary import Action, Duty, Kind, Severity, Status

WAITING = (Status.PROPOSED, Status.HELD, Status.OPEN)


@dataclass(frozen=True)
class Proposed:
    """What became of a draft.

    ``what`` is ``new``; ``added`` (a waiting proposal got further evidence); ``known`` (nothing new in it); or
    ``returned`` (the same was decided before, and its return was counted).
    """

    item_id: int
    ref: str
    what: str


def propose(
    db: DatabaseSession, draft: Draft, *, at: datetime, rule: str | None = None, settings: Settings = DEFAULTS
) -> Proposed:
    """Store a draft as something to decide about, or merge it with the item that says the same."""
    twin = _twin(db, draft)
    if twin is None:
        return _new(db, draft, at, rule, settings)
    if twin.status not in WAITING:
        return _returned(db, twin, draft)
    fresh = _add_evidence(db, twin, draft.quotes)
    if fresh and draft.severity.rank < twin.weight:
        twin.severity, twin.weight = draft.severity, draft.severity.rank
    db.add(twin)
    return Proposed(_id(twin), reference(twin), "added" if fresh else "known")


def edit(
    database: Database,
    *,
    item_id: int,
    person: str,
    revision_seen: int,
    changes: dict[str, object],
    at: datetime | None = None,
) -> Decided:
    """Make a new version with other words; it waits for a decision, and an approved version stays in force until then.

    Raises ``Refused`` when the words are unchanged, the item has moved on or the person has not the duty, and
    ``BadInput`` for words that cannot be stored, such as an empty text.
    """
    moment = at or now()
    with database.writing() as db:
        item = db.get(Item, item_id)
        if item is None:
            raise NotFound("item", item_id)
        _may_edit(db, item, person, revision_seen)
        old = content_of(db, item)
        content = _changed(old, changes)
        if content.hash == old.hash:
            raise Refused("unchanged", f"The words of {reference(item)} are as they were; nothing was stored.")
        fresh = _next_version(db, item, content, person)
        quotes = quotes_of(db, item_id)
        status = _start(fresh.kind, quotes)
        row = begin(db, fresh, Act(Action.EDIT, status, person, moment))
        _write_body(db, fresh, content)
        _add_evidence(db, fresh, quotes)
        if item.status in WAITING:
            turn(db, item, Act(Action.SUPERSEDE, Status.SUPERSEDED, person, moment, rule="edited", cause=row.id))
        text = f"{reference(item)} is now v{fresh.version} and waits for a decision"
        return Decided(row.id or 0, reference(item), fresh.status, text)


def _changed(old: AnyContent, changes: dict[str, object]) -> AnyContent:
    try:
        return old.with_changes(changes)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"][:1]) or "content"
        raise BadInput(f"The {field} cannot be stored: {first['msg']}. Nothing was changed.") from error


def _twin(db: DatabaseSession, draft: Draft) -> Item | None:
    """The newest version of an item that says the same: the same fault, or the same words."""
    same = select(Item).where(Item.kind == draft.kind, Item.agent_id == draft.agent_id)
    newest = col(Item.version).desc()
    if draft.kind is Kind.NOTE:
        return db.exec(
            same.where(Item.session_id == draft.session_id, Item.fault == draft.fault).order_by(newest)
        ).first()
    same = same.where(Item.task_class == draft.task_class)
    if draft.fault:
        found = db.exec(same.where(Item.fault == draft.fault).order_by(newest)).first()
        if found is not None:
            return found
    if isinstance(draft.content, LessonContent):
        same = same.join(LessonBody).where(LessonBody.folded == folded(draft.content.text))
        return db.exec(same.order_by(newest)).first()
    return None


def _new(db: DatabaseSession, draft: Draft, at: datetime, rule: str | None, settings: Settings) -> Proposed:
    number = db.exec(select(func.max(Item.number)).where(Item.kind == draft.kind)).one() or 0
    item = Item(
        kind=draft.kind,
        number=number + 1,
        status="",
        severity=draft.severity,
        weight=draft.severity.rank,
        headline=draft.content.headline,
        agent_id=draft.agent_id,
        user=draft.user,
        task_class=draft.task_class,
        session_id=draft.session_id,
        fault=draft.fault,
        origin=draft.origin,
        proposer=draft.proposer,
        owner=draft.owner,
        content_hash=draft.content.hash,
        settings=settings.digest,
        created_at=at,
    )
    begin(db, item, Act(Action.PROPOSE, _start(draft.kind, draft.quotes), draft.proposer, at, rule=rule))
    _write_body(db, item, draft.content)
    _add_evidence(db, item, draft.quotes)
    return Proposed(_id(item), reference(item), "new")


def _returned(db: DatabaseSession, twin: Item, draft: Draft) -> Proposed:
    """Count a return, unless these very quotes stand on the decided item already."""
    known = {(quote.session_id, quote.quote) for quote in quotes_of(db, _id(twin))}
    if all((quote.session_id, quote.quote) in known for quote in draft.quotes) and draft.quotes:
        return Proposed(_id(twin), reference(twin), "known")
    twin.returns += 1
    db.add(twin)
    return Proposed(_id(twin), reference(twin), "returned")


def _next_version(db: DatabaseSession, item: Item, content: AnyContent, person: str) -> Item:
    last = db.exec(select(func.max(Item.version)).where(Item.kind == item.kind, Item.number == item.number)).one()
    kept = item.model_dump(exclude={"id", "active_at", "quotes", "not_found", "sessions", "returns"})
    now_so: dict[str, object] = {
        "version": (last or 0) + 1,
        "headline": content.headline,
        "content_hash": content.hash,
        "proposer": person,
    }
    if isinstance(content, NoteContent):
        now_so |= {"severity": content.severity.value, "weight": content.severity.rank}
    return Item(**{**kept, **now_so})


def _may_edit(db: DatabaseSession, item: Item, person: str, revision_seen: int) -> None:
    if item.status not in lifecycle.EDITED_FROM[Kind(item.kind)]:
        raise Refused("no_such_move", f"{reference(item)} is {item.status} and cannot be edited.")
    if item.revision != revision_seen:
        raise Refused("moved_on", f"{reference(item)} was decided since it was shown. Nothing was stored.")
    needed = {Duty.AUDITOR} if item.kind == Kind.NOTE and item.severity == Severity.CRITICAL else {Duty.LEAD}
    if not needed & duties_of(db, person).duties:
        raise Refused("role", f"Only a person with the duty {min(needed)} may edit {reference(item)}.")


def _start(kind: Kind | str, quotes: Iterable[Quoted]) -> Status:
    """A note is open when all its words were found, else held; everything else is proposed."""
    if kind != Kind.NOTE:
        return Status.PROPOSED
    return Status.OPEN if all(quote.grounding.grounded for quote in quotes) else Status.HELD


def _write_body(db: DatabaseSession, item: Item, content: AnyContent) -> None:
    fields = content.model_dump()
    if isinstance(content, NoteContent):
        fields.pop("severity")
        db.add(NoteBody(item_id=_id(item), **fields))
    elif isinstance(content, LessonContent):
        db.add(LessonBody(item_id=_id(item), **{**fields, "tags": list(content.tags)}, folded=folded(content.text)))
    elif isinstance(content, ProcedureContent):
        db.add(ProcedureBody(item_id=_id(item), **fields))
    db.flush()


def _add_evidence(db: DatabaseSession, item: Item, quotes: Iterable[Quoted]) -> int:
    """Write the quotes that the item does not have yet; returns how many."""
    known = {(quote.session_id, quote.quote) for quote in quotes_of(db, _id(item))}
    fresh = [quote for quote in quotes if (quote.session_id, quote.quote) not in known]
    for quote in fresh:
        row = Evidence(
            item_id=_id(item),
            session_id=quote.session_id,
            quote=quote.quote,
            speaker=quote.speaker,
            turn=quote.turn,
            verdict=quote.grounding.verdict,
            grounding=to_json(quote.grounding),
            sha256=quote.sha256,
        )
        db.add(row)
    item.quotes += len(fresh)
    item.not_found += sum(not quote.grounding.grounded for quote in fresh)
    item.sessions = len({session for session, _ in known} | {quote.session_id for quote in fresh})
    db.add(item)
    db.flush()
    return len(fresh)


def _id(item: Item) -> int:
    if item.id is None:
        raise ValueError("the item has not been written yet")
    return item.id
