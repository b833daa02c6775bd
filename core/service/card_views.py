"""One item with all that a decision needs, as the Review and Critical notes pages show it."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.briefing.asked import Asked
from core.briefing.compose import about_tokens
from core.briefing.read import brief
from core.effects.paths import paths
from core.errors import Refused
from core.governance.approvers import gravest, must_be_apart
from core.governance.beside import beside_now
from core.governance.bodies import content_of, evidence_in_words
from core.governance.drafts import AnyContent, BeliefContent, LessonContent, NoteContent, silent_about
from core.governance.gate import remarked
from core.governance.numbers import numbers_in_force
from core.governance.on_screen import screen_hash
from core.governance.people import Person, duties_of
from core.governance.references import item_of, reference
from core.service.beside_views import kin, neighbours, still_true
from core.service.blind_views import blind_shown
from core.service.critic.views import opinions, trails
from core.service.evidence_views import quotes_shown
from core.service.governed import Governed, governed, waits_for
from core.service.policy_views import policy_changes, policy_looks
from core.service.rests_on import rests_on
from core.service.room_views import no_room
from core.service.views import Card, Quote, ReadLine, Signal
from core.store.asked_once import once
from core.store.database import Database
from core.store.records import Agent, AgentSession, Evidence, Feedback, Item
from core.vocabulary import Action, Kind, Source, Status

TASK_SHOWN = 60
"""Letters of a task that a line shows."""


def card(database: Database, item_id: int, *, person: str, against: int | None = None) -> Card:
    """One item with its words, its proof, its signals and what the agent would read. Raises ``NotFound``.

    ``against`` is the version that it is compared with, where it has several.
    """
    with database.reading() as db:
        return card_in(db, item_id, person=person, against=against)


def card_in(db: DatabaseSession, item_id: int, *, person: str, against: int | None = None) -> Card:
    """The same within a transaction that only reads."""
    item = item_of(db, item_id)
    agent = db.get_one(Agent, item.agent_id)
    content = content_of(db, item)
    quotes = quotes_shown(db, item)
    beside = beside_now(db, item)
    me, screen = duties_of(db, person), screen_hash(db, item, beside)
    findings, twins_waiting = still_true(db, item, remarked(db, item_id))
    parents, into = kin(db, item)
    known = governed(db, item, me, screen, against)
    return Card(
        id=item_id,
        ref=reference(item),
        version=item.version,
        revision=item.revision,
        kind=Kind(item.kind),
        status=item.status,
        severity=item.severity,
        gravest=gravest(db, item),
        text=item.headline,
        agent=agent.name,
        user=item.user,
        task_class=item.task_class,
        created_at=item.created_at,
        proposer=item.proposer,
        origin=item.origin,
        content_hash=item.content_hash,
        screen_hash=screen,
        sessions=item.sessions,
        quotes=quotes,
        signals=_signals(db, item),
        warnings=_warnings(item, silent_about(content, (quote.speaker for quote in quotes))),
        reads=_reads(db, agent, item, quotes),
        findings=findings,
        beside=neighbours(db, item, beside),
        no_room=no_room(db, item),
        twins_waiting=twins_waiting,
        parents=parents,
        merged_into=into,
        why_off=_why_off(db, item, me, known),
        owner=item.owner,
        was_in_force=item.active_at is not None,
        trail=once(db, ("trail", item_id), lambda: trails(db, [item_id])[item_id]),
        opinions=once(db, ("opinions", item_id), lambda: opinions(db, [item_id])[item_id]),
        policy_looks=policy_looks(db, item, content),
        policy_changes=policy_changes(db, item),
        confidence_now=_confidence_now(db, item),
        rests_on=rests_on(db, item),
        governed=known,
        blind=blind_shown(db, item, me, screen),
        **_particulars(content),
    )


def _signals(db: DatabaseSession, item: Item) -> tuple[Signal, ...]:
    """What the item rests on: who remarked it, and what other sources say of the same sessions."""
    many = f"in {item.sessions} sessions" if item.sessions != 1 else "in 1 session"
    first: tuple[Signal, ...] = ()
    if item.proposer.startswith("check "):
        first = (
            Signal(Source.CHECK, Source.CHECK.reliability, f"{item.proposer.removeprefix('check ')} found it {many}"),
        )
    said = once(db, ("feedback", item.id or 0), lambda: feedback_on(db, [item.id or 0])[item.id or 0])
    return (*first, *_summed(said))


def feedback_on(db: DatabaseSession, item_ids: Sequence[int]) -> dict[int, list[Feedback]]:
    """What others said of the sessions that these items quote, oldest first, by item."""
    quoted = select(col(Evidence.item_id), col(Evidence.session_id)).where(col(Evidence.item_id).in_(item_ids))
    places = quoted.distinct().subquery()
    query = select(places.c.item_id, Feedback).join(places, places.c.session_id == col(Feedback.session_id))
    found: dict[int, list[Feedback]] = {one: [] for one in item_ids}
    for item, row in db.execute(query.order_by(col(Feedback.id))).all():
        found[item].append(row)
    return found


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
    return tuple(said)


def _reads(db: DatabaseSession, agent: Agent, item: Item, quotes: tuple[Quote, ...]) -> tuple[ReadLine, ...]:
    """The part of the briefing in which this item would stand, on the task of its first session."""
    if item.kind == Kind.NOTE:
        return ()
    first = db.get(AgentSession, quotes[0].session) if quotes else None
    asked = Asked(agent.name, item.user, item.task_class, first.task if first else item.headline)
    briefing = brief(db, agent, asked, as_if_active=item.id)
    key = reference(item)
    sections = (section for block in briefing.blocks for section in block.sections)
    around = next((one for one in sections if any(line.key == key for line in one.lines)), None)
    if around is None:
        why = next((left.why for left in briefing.left if left.key == key), "")
        return (ReadLine("", f"not read on the task “{_shortened(asked.task)}”: {why}", 0, key),) if why else ()
    new = item.status != Status.ACTIVE
    return tuple(
        ReadLine(line.text, line.why, about_tokens(line.text), line.key, new and line.key == key, line.heading)
        for line in around.lines
        if line.heading or line.key
    )


def _shortened(task: str) -> str:
    """The beginning of a task in one line, to tell it by."""
    line = " ".join(task.split())
    return line if len(line) <= TASK_SHOWN else f"{line[: TASK_SHOWN - 1].rstrip()}…"


def _why_off(db: DatabaseSession, item: Item, me: Person, known: Governed) -> str | None:
    """Why this person cannot say yes to an item now; the desk asks the same when they do."""
    action, move = waits_for(item)
    if action is None or move is None:
        return f"It is {item.status}."
    who = move.duties(gravest(db, item))
    if not who & me.duties:
        return f"Only a person with the duty {' or '.join(sorted(who))} may {action} it."
    taken = known.taken_by_another(me.name)
    if taken:
        return taken
    if action is Action.APPROVE and item.not_found:
        return f"{evidence_in_words(db, [item.id or 0])[item.id or 0].capitalize()}: edit the evidence, or reject."
    try:
        must_be_apart(db, item, move, me)
    except Refused as refused:
        return str(refused)
    blind = blind_shown(db, item, me, screen_hash(db, item))
    if blind and blind.off:
        return blind.off
    yes = known.needs(action)
    if yes and yes.said == (me.name,):
        return "You said yes; one more person must."
    return None


def _confidence_now(db: DatabaseSession, item: Item) -> Decimal | None:
    """Where a suspended procedure stands, to be stated anew when it comes back."""
    if item.kind != Kind.PROCEDURE or item.status != Status.SUSPENDED:
        return None
    return paths(db, [item.number], numbers_in_force(db))[item.number].now


def _particulars(content: AnyContent) -> dict[str, Any]:
    """The fields of a card that only one kind has."""
    if isinstance(content, NoteContent):
        said = {"dimension": content.dimension, "about": content.about, "observation": content.observation}
        return {**said, "improvement": content.improvement}
    if isinstance(content, LessonContent):
        return {"form": content.form, "scope": content.scope, "tags": content.tags}
    if isinstance(content, BeliefContent):
        return {"question": content.question}
    return {
        "title": content.title,
        "trigger": content.trigger,
        "procedure_kind": content.kind,
        "confidence": content.confidence,
    }
