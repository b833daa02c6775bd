"""What the Review page shows: the queue, page by page, and one item with all that a decision needs."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from sqlalchemy import and_, func, select, text
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.briefing.compose import about_tokens
from core.briefing.read import Asked, brief
from core.errors import NotFound
from core.governance import lifecycle
from core.governance.bodies import content_of, evidence_in_words
from core.governance.drafts import AnyContent, LessonContent, NoteContent, silent_about
from core.governance.gate import contradicted, remarked
from core.governance.on_screen import screen_hash
from core.governance.people import duties_of
from core.governance.references import reference
from core.service.critic.views import opinions_on, trail_of
from core.service.evidence_views import evidence_rows, quotes_shown, stands_as
from core.service.views import Card, EvidenceRow, Narrowed, Page, QueueRow, Quote, ReadLine, Signal, page_within
from core.settings import DEFAULTS
from core.store.clock import now
from core.store.database import Database
from core.store.records import QUEUE_CONDITION, Agent, AgentSession, Evidence, Feedback, Item, ReadMark
from core.vocabulary import Action, Kind, Severity, Source, Status

EVERYTHING = Narrowed()
WAITS = text(QUEUE_CONDITION)
"""What the Review page is for: proposals, and whatever a gate held."""

LONGEST_NUMBER = 10
"""Digits of a reference; a longer number names nothing and would not fit the database."""


def review_queue(
    database: Database,
    *,
    person: str,
    narrowed: Narrowed = EVERYTHING,
    page: int = 1,
    size: int = 50,
) -> Page[QueueRow]:
    """One page of what waits, worst first, then longest waiting."""
    where = _waiting(narrowed)
    order = (col(Item.weight), col(Item.created_at), col(Item.id))
    with database.reading() as db:
        total = _count(db, where)
        number = page_within(page, total, size)
        # The index alone finds the page; only the rows of the page are read.
        of_page = select(col(Item.id)).where(where).order_by(*order).limit(size).offset((number - 1) * size)
        rows = (
            select(Item, col(Agent.name), col(ReadMark.at).is_(None))
            .join(Agent, col(Agent.id) == Item.agent_id)
            .outerjoin(ReadMark, and_(col(ReadMark.item_id) == Item.id, col(ReadMark.person) == person))
            .where(col(Item.id).in_(of_page.scalar_subquery()))
            .order_by(*order)
        )
        found = db.execute(rows).all()
        proof = evidence_in_words(db, [item.id for item, _, _ in found])
        return Page(tuple(_queue_row(item, name, unread, proof) for item, name, unread in found), total, number, size)


def waiting_evidence(database: Database, narrowed: Narrowed = EVERYTHING) -> list[EvidenceRow]:
    """Every quote of what waits, for an export."""
    return evidence_rows(database, _waiting(narrowed))


def waiting_count(database: Database) -> int:
    """How many items wait on the Review page."""
    with database.reading() as db:
        return _count(db, WAITS)


def unread_count(database: Database, person: str) -> int:
    """How many of them this person has not looked at."""
    read = select(func.count()).select_from(ReadMark).join(Item, col(Item.id) == ReadMark.item_id)
    with database.reading() as db:
        known = db.execute(read.where(WAITS, col(ReadMark.person) == person)).scalar_one()
        return _count(db, WAITS) - int(known)


def mark_read(database: Database, item_id: int, person: str) -> None:
    """Remember that this person has looked at an item; no write lock is taken when it is known."""
    with database.reading() as db:
        if db.get(ReadMark, (item_id, person)) is not None:
            return
    with database.writing() as db:
        if db.get(ReadMark, (item_id, person)) is None:
            db.add(ReadMark(item_id=item_id, person=person, at=now()))


def item_id_of(database: Database, ref: str) -> int:
    """The newest version of an item by its reference, ``L-0142``. Raises ``NotFound``."""
    letter, _, digits = ref.partition("-")
    kind = next((one for one in Kind if one.letter == letter), None)
    if kind is not None and digits.isdecimal() and len(digits) < LONGEST_NUMBER:
        with database.reading() as db:
            same = select(col(Item.id)).where(col(Item.kind) == kind, col(Item.number) == int(digits))
            found = db.connection().execute(same.order_by(col(Item.version).desc()).limit(1)).scalar()
            if found is not None:
                return int(found)
    raise NotFound("item", ref)


def card(database: Database, item_id: int, *, person: str) -> Card:
    """One item with its words, its proof, its signals and what the agent would read. Raises ``NotFound``."""
    trail, opinions = trail_of(database, item_id), opinions_on(database, item_id)
    with database.reading() as db:
        item = db.get(Item, item_id)
        if item is None:
            raise NotFound("item", item_id)
        agent = db.get_one(Agent, item.agent_id)
        content = content_of(db, item)
        quotes = quotes_shown(db, item)
        return Card(
            id=item_id,
            ref=reference(item),
            version=item.version,
            revision=item.revision,
            kind=Kind(item.kind),
            status=item.status,
            severity=Severity(item.severity),
            text=item.headline,
            agent=agent.name,
            user=item.user,
            task_class=item.task_class,
            created_at=item.created_at,
            proposer=item.proposer,
            origin=item.origin,
            content_hash=item.content_hash,
            screen_hash=screen_hash(db, item),
            sessions=item.sessions,
            quotes=quotes,
            signals=_signals(db, item),
            warnings=_warnings(item, silent_about(content, (quote.speaker for quote in quotes))),
            reads=_reads(db, agent, item, quotes),
            findings=remarked(db, item_id),
            contradicts=tuple(reference(other) for other in contradicted(db, remarked(db, item_id))),
            why_off=_why_off(db, item, person),
            owner=item.owner,
            trail=trail,
            opinions=opinions,
            **_particulars(content),
        )


def _waiting(narrowed: Narrowed) -> Any:
    where: Any = WAITS
    if narrowed.evidence:
        where = and_(where, stands_as(narrowed.evidence))
    if narrowed.kind:
        where = and_(where, col(Item.kind) == narrowed.kind)
    if narrowed.agent:
        where = and_(where, col(Item.agent_id).in_(select(col(Agent.id)).where(col(Agent.name) == narrowed.agent)))
    return where


def _count(db: DatabaseSession, where: Any) -> int:
    return int(db.connection().execute(select(func.count()).select_from(Item).where(where)).scalar_one())


def _queue_row(item: Item, agent: str, unread: bool, proof: Mapping[int, str]) -> QueueRow:
    return QueueRow(
        id=item.id or 0,
        ref=reference(item),
        version=item.version,
        kind=Kind(item.kind),
        status=item.status,
        severity=Severity(item.severity),
        headline=item.headline,
        agent=agent,
        task_class=item.task_class,
        quotes=item.quotes,
        evidence=proof.get(item.id or 0, ""),
        unread=unread,
        created_at=item.created_at,
    )


def _signals(db: DatabaseSession, item: Item) -> tuple[Signal, ...]:
    """What the item rests on: who remarked it, and what other sources say of the same sessions."""
    many = f"in {item.sessions} sessions" if item.sessions != 1 else "in 1 session"
    first: tuple[Signal, ...] = ()
    if item.proposer.startswith("check "):
        first = (
            Signal(Source.CHECK, Source.CHECK.reliability, f"{item.proposer.removeprefix('check ')} found it {many}"),
        )
    sessions = select(col(Evidence.session_id)).where(col(Evidence.item_id) == item.id)
    query = select(Feedback).where(col(Feedback.session_id).in_(sessions)).order_by(col(Feedback.id))
    return (*first, *_summed(db.execute(query).scalars().all()))


def _summed(rows: Any) -> tuple[Signal, ...]:
    """Feedback of several sessions: the words where there is one, else counts by source."""
    if len(rows) <= 2:
        return tuple(Signal(Source(row.source), Source(row.source).reliability, row.text, row.good) for row in rows)
    good: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    for row in rows:
        (good if row.good else bad)[row.source] += 1
    told = [(source, bad[source], good[source]) for source in dict.fromkeys(row.source for row in rows)]
    return tuple(
        Signal(Source(source), Source(source).reliability, f"{failed} failed, {passed} passed", failed == 0)
        for source, failed, passed in told
    )


def _warnings(item: Item, silent: str | None) -> tuple[str, ...]:
    said = [silent] if silent else []
    if item.not_found:
        said.append(f"{item.not_found} of {item.quotes} quotes not found")
    if item.returns:
        said.append(f"Came back {item.returns} times after it was decided")
    return tuple(said)


def _reads(db: DatabaseSession, agent: Agent, item: Item, quotes: tuple[Quote, ...]) -> tuple[ReadLine, ...]:
    """The part of the briefing in which this item would stand, on the task of its first session."""
    if item.kind == Kind.NOTE:
        return ()
    first = db.get(AgentSession, quotes[0].session) if quotes else None
    asked = Asked(agent.name, item.user, item.task_class, first.task if first else item.headline)
    briefing = brief(db, agent, asked, DEFAULTS, as_if_active=item.id)
    key = reference(item)
    block = next((one for one in briefing.blocks if any(line.key == key for line in one.lines)), None)
    if block is None:
        why = next((why for left, why in briefing.left if left == key), "")
        return (ReadLine("", f"not read on this task: {why}", 0, key),) if why else ()
    new = item.status != Status.ACTIVE
    return tuple(
        ReadLine(line.text, line.why, about_tokens(line.text), line.key, new and line.key == key, line.heading)
        for line in block.lines
        if line.heading or line.key
    )


def _why_off(db: DatabaseSession, item: Item, person: str) -> str | None:
    action = Action.RELEASE if item.status == Status.HELD else Action.APPROVE
    move = lifecycle.move(Kind(item.kind), item.status, action)
    if isinstance(move, lifecycle.Forbidden):
        return f"It is {item.status}."
    who = move.duties(item.severity)
    me = duties_of(db, person)
    if not who & me.duties:
        return f"Only a person with the duty {' or '.join(sorted(who))} may {action} it."
    if action is Action.APPROVE and item.not_found:
        return f"{evidence_in_words(db, [item.id or 0])[item.id or 0].capitalize()}: edit the evidence, or reject."
    if action is Action.APPROVE and item.proposer == person and not me.single_operator:
        return "You proposed it; somebody else decides."
    return None


def _particulars(content: AnyContent) -> dict[str, Any]:
    """The fields of a card that only one kind has."""
    if isinstance(content, NoteContent):
        said = {"dimension": content.dimension, "about": content.about, "observation": content.observation}
        return {**said, "improvement": content.improvement}
    if isinstance(content, LessonContent):
        return {"form": content.form, "scope": content.scope, "tags": content.tags}
    return {
        "title": content.title,
        "trigger": content.trigger,
        "procedure_kind": content.kind,
        "confidence": content.confidence,
    }
