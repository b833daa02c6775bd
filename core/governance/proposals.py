"""How a text becomes something to decide about: proposed, merged with its twin, or refused because it was rejected.

One fault gives one proposal: what checks find again becomes further evidence of the same item.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, case, func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import Refused
from core.evidence import ground
from core.governance.acts import Act
from core.governance.bodies import add_quotes, content_of, unknown_quotes, write_content
from core.governance.desk import notice
from core.governance.drafts import AnyContent, Draft, LessonContent, NoteContent, Quoted, quoted, silent_about
from core.governance.for_whom import user_named, user_of_content
from core.governance.gate import Text, keep, passed, remarked_too, twin_of
from core.governance.numbers import numbers_in_force
from core.governance.references import reference
from core.governance.reflections import of_its_form, replace_twins
from core.governance.status_writer import begin, turn
from core.screening.contract import Follows, Screened, ScreenFinding
from core.screening.secrets import mask
from core.screening.twins import folded
from core.settings import Settings
from core.store.governance_records import Return
from core.store.records import Item, LessonBody
from core.store.transcripts import transcript_of
from core.vocabulary import Action, Kind, Scope, Source, Status

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
    db: DatabaseSession, draft: Draft, *, at: datetime, rule: str | None = None, settings: Settings | None = None
) -> Proposed:
    """Store a draft as something to decide about, or merge it with the item that says the same.

    ``settings`` are those in force where none are given. Raises ``Refused`` for a text that the screens keep out;
    nothing of it is stored.
    """
    numbers = settings or numbers_in_force(db)
    if long := draft.content.too_long(numbers.lesson_characters):
        raise Refused("too_long", f"{long} Nothing was stored.")
    quotes = tuple(masked_quote(db, quote) for quote in draft.quotes)
    content = draft.content.masked if isinstance(draft.content, NoteContent) else draft.content
    user = user_named(db, content, draft.user, quotes)
    told: dict[str, object] = {"quotes": quotes, "fault": mask(draft.fault).text, "content": content, "user": user}
    draft = draft.model_copy(update=told)
    twin = _twin(db, draft)
    if twin is None:
        answer = remarked_too(passed(db, _text(draft)), (*draft.remarks, *_remarks_on_form(db, draft, rule)))
        twin = twin_of(db, answer)
        if twin is None:
            return write_new(db, draft, answer, Proposing(at, rule, numbers))
    if twin.status not in WAITING:
        return _returned(db, twin, draft, at)
    fresh = add_quotes(db, twin, draft.quotes)
    if fresh and draft.severity.rank < twin.weight:
        _graver(db, twin, draft, at)
    return Proposed(_id(twin), reference(twin), "added" if fresh else "known")


@dataclass(frozen=True)
class Proposing:
    """When something is proposed, by which rule, under which settings."""

    at: datetime
    rule: str | None
    settings: Settings


def _remarks_on_form(db: DatabaseSession, draft: Draft, rule: str | None) -> tuple[ScreenFinding, ...]:
    """What is remarked of a reflection for its scope. Raises ``Refused`` for what is no reflection of its class."""
    return of_its_form(db, draft.content, draft.agent_id, draft.task_class, by_rule=rule is not None)


def _text(draft: Draft) -> Text:
    return Text(
        draft.content, draft.agent_id, draft.task_class, draft.source, draft.quotes, user=draft.user, heard=draft.heard
    )


def _graver(db: DatabaseSession, item: Item, draft: Draft, at: datetime) -> None:
    """Raise the severity to that of the new evidence: a change that whoever saw the item before is told of."""
    content = content_of(db, item)
    graver = content.with_changes({"severity": draft.severity}) if isinstance(content, NoteContent) else content
    also: dict[str, object] = {
        "severity": draft.severity.value,
        "weight": draft.severity.rank,
        "content_hash": graver.hash,
    }
    status = Status(item.status)
    row = turn(db, item, Act(Action.PROPOSE, status, draft.proposer, at, rule="graver evidence", also=also))
    notice(db, item, row)


def masked_quote(db: DatabaseSession, quote: Quoted) -> Quoted:
    """The quote without the credentials and numbers that its words hold, looked for again where it held any."""
    masked = mask(quote.quote)
    if not masked.removed:
        return quote
    transcript = transcript_of(db, quote.session_id)
    found = ground(masked.text, transcript, speaker=quote.speaker, turn=quote.turn)
    return quoted(quote.session_id, transcript, masked.text, found, speaker=quote.speaker, turn=quote.turn)


def first_status(content: AnyContent, quotes: Sequence[Quoted], follows: Follows) -> Status:
    """Where a new version begins: held where a screen holds it, and a note also where its quotes do not stand.

    A note is open when all its words were found and one of them at least is of whom it is about; all else is proposed.
    """
    if follows is Follows.HOLD:
        return Status.HELD
    if content.becomes is not Kind.NOTE:
        return Status.PROPOSED
    speaks = silent_about(content, (quote.speaker for quote in quotes)) is None
    return Status.OPEN if speaks and all(quote.found for quote in quotes) else Status.HELD


def _twin(db: DatabaseSession, draft: Draft) -> Item | None:
    """The newest version of an item that says the same: the same fault, or the same words."""
    same = select(Item).where(Item.kind == draft.kind, Item.agent_id == draft.agent_id)
    newest = (case((col(Item.status) == Status.SUPERSEDED, 1), else_=0), col(Item.version).desc())
    if draft.kind is Kind.NOTE:
        return db.exec(
            same.where(Item.session_id == draft.session_id, Item.fault == draft.fault).order_by(*newest)
        ).first()
    same = same.where(Item.task_class == draft.task_class)
    user = user_of_content(draft.content, draft.user)
    everybodys: ColumnElement[bool] = col(Item.user).is_(None)
    if isinstance(draft.content, LessonContent):
        same = same.join(LessonBody)
        everybodys = col(LessonBody.scope) != Scope.USER
    same = same.where(everybodys if user is None else everybodys | (col(Item.user) == user))
    if draft.fault:
        found = db.exec(same.where(Item.fault == draft.fault).order_by(*newest)).first()
        if found is not None:
            return found
    if isinstance(draft.content, LessonContent):
        same = same.where(LessonBody.folded == folded(draft.content.text))
        return db.exec(same.order_by(*newest)).first()
    return None


def write_new(db: DatabaseSession, draft: Draft, answer: Screened, proposing: Proposing) -> Proposed:
    """Store a draft that every gate has passed as a new item, with what the screens said of it."""
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
        settings=proposing.settings.digest,
        created_at=proposing.at,
    )
    status = first_status(draft.content, draft.quotes, answer.follows)
    row = begin(db, item, Act(Action.PROPOSE, status, draft.proposer, proposing.at, rule=proposing.rule))
    write_content(db, _id(item), draft.content)
    add_quotes(db, item, draft.quotes)
    keep(db, item, draft.source, answer, proposing.at)
    replace_twins(db, item, answer, row)
    notice(db, item, row)
    return Proposed(_id(item), reference(item), "new")


def _returned(db: DatabaseSession, twin: Item, draft: Draft, at: datetime) -> Proposed:
    """Count a return, unless a writer has found these very quotes of the decided item again."""
    if draft.source is not Source.PERSON and draft.quotes and not unknown_quotes(db, _id(twin), draft.quotes):
        return Proposed(_id(twin), reference(twin), "known")
    session = next((quote.session_id for quote in draft.quotes), draft.session_id)
    count_return(db, twin, draft.content.headline, proposer=draft.proposer, at=at, session_id=session)
    return Proposed(_id(twin), reference(twin), "returned")


def count_return(
    db: DatabaseSession, twin: Item, text: str, *, proposer: str, at: datetime, session_id: int | None = None
) -> None:
    """Remember on a decided item that it, or a twin of it, was proposed again: what was said, and by whom."""
    twin.returns += 1
    db.add(twin)
    db.add(
        Return(
            item_id=_id(twin),
            number=twin.returns,
            at=at,
            proposer=proposer,
            text=text,
            is_twin=folded(text) != folded(twin.headline),
            session_id=session_id,
        )
    )
    db.flush()


def _id(item: Item) -> int:
    if item.id is None:
        raise ValueError("the item has not been written yet")
    return item.id
