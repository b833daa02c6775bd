"""New versions of an item: other words, a corrected quote, one place picked among several.

Each is a decision of a person, makes a version with a status of its own, and leaves an approved version in force.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import BadInput, NotFound, Refused, Tombstone
from core.evidence import PreparedTranscript, at_place, ground, prepare, wording
from core.evidence.contract import Grounding, Span
from core.governance import lifecycle
from core.governance.acts import Act, Decided
from core.governance.allowed import is_a_person
from core.governance.approvers import effective, gravest
from core.governance.bodies import add_quotes, content_of, evidence_in_words, from_row, write_content
from core.governance.desk import begin, moved_on, turn
from core.governance.drafts import AnyContent, NoteContent, Quoted, quoted, unstorable
from core.governance.gate import Text, carried, keep, passed, source_of, twin_of, with_carried
from core.governance.kept_words import forget
from core.governance.leases import free_for, give_back
from core.governance.numbers import numbers_in_force
from core.governance.people import duties_of, lost_duties
from core.governance.proposals import WAITING, count_return, first_status, masked_quote
from core.governance.references import reference
from core.governance.refusals import refusals_kept
from core.governance.tokens import said_to_be
from core.screening.comparison import Relation, compare
from core.screening.likeness import Alike
from core.screening.secrets import mask
from core.store.clock import now
from core.store.database import Database
from core.store.records import Evidence, Item
from core.store.transcripts import transcript_of
from core.vocabulary import Action, Kind, Role, Status, Verdict

OF_ONE_VERSION = {"id", "active_at", "queued_at", "cause", "quotes", "not_found", "sessions", "returns"}
"""What a newer version does not take over."""


@dataclass(frozen=True)
class Asked:
    """Who asks for a new version, of what, which revision they saw, and when."""

    item_id: int
    person: str
    revision_seen: int
    at: datetime


@dataclass(frozen=True)
class AboutQuote:
    """Who settles a doubt about a quote, and which revision of its item they saw."""

    evidence_id: int
    person: str
    revision_seen: int


def edit(
    database: Database,
    *,
    item_id: int,
    person: str,
    revision_seen: int,
    changes: dict[str, Any],
    quotes: Mapping[int, str] | None = None,
    at: datetime | None = None,
) -> Decided:
    """Make a version with other words; it waits for a decision.

    ``changes`` are fields of the content, ``quotes`` the new words of quotes by their id, looked for again in their
    sessions. Raises ``Refused`` when nothing is changed or the person has not the duty, ``AlreadyDecided`` when the
    item has moved on, and ``BadInput`` for words that cannot be stored, such as an empty text.
    """
    with _asked(database, Asked(item_id, person, revision_seen, at or now())) as (db, asked):
        item = _editable(db, asked)
        old = content_of(db, item)
        content = _changed(old, changes, numbers_in_force(db).lesson_characters)
        rows = db.exec(select(Evidence).where(Evidence.item_id == item_id).order_by(col(Evidence.id))).all()
        proof, said = _corrected(db, rows, quotes or {})
        if content.hash == old.hash and not said:
            raise Refused("unchanged", f"The words of {reference(item)} are as they were; nothing was stored.")
        # Other words may prove something else, so a note that was held for its words is released by a look of its own.
        after = Status.HELD if said else Status.PROPOSED
        act = Act(Action.EDIT, after, asked.person, asked.at, text="; ".join(said))
        made = _new_version(db, item, content, proof, act)
        forget(db, item_id, asked.person)
        return made


def _corrected(
    db: DatabaseSession, rows: Sequence[Evidence], words: Mapping[int, str]
) -> tuple[list[Quoted], list[str]]:
    """The quotes of a version with some in other words, and what the log says of those."""
    proof, said = [], []
    for row in rows:
        new = words.get(row.id or 0, row.quote).strip()
        if not new:
            raise BadInput("A quote needs words; nothing was changed.")
        fresh = from_row(row) if new == row.quote else _looked_for_again(db, row, new)
        proof.append(fresh)
        if new != row.quote:
            said.append(f"“{row.quote}” became “{new}” ({fresh.grounding.verdict})")
    return proof, said


def _looked_for_again(db: DatabaseSession, row: Evidence, words: str) -> Quoted:
    transcript, speaker = transcript_of(db, row.session_id), Role(row.speaker)
    found = ground(words, transcript, speaker=speaker)
    return quoted(row.session_id, transcript, words, found, speaker=speaker)


def pick_place(database: Database, about: AboutQuote, span: Span, *, at: datetime | None = None) -> Decided:
    """Say which place a quote means: where it stands in several, or where a corrected transcript left a doubt.

    ``span`` is the first of one of the places that were found. Raises ``Refused`` for any other.
    """

    def picked(known: Quoted, prepared: PreparedTranscript) -> tuple[Grounding, str]:
        several = known.grounding.verdict is Verdict.AMBIGUOUS or known.stale is not None
        place = next((one for one in known.grounding.places if one[0] == span), None)
        where = f"turn {span.turn + 1}, characters {span.start} to {span.end}"
        if not several or place is None:
            raise Refused("no_such_place", f"The quote does not stand in several places of which one is {where}.")
        return at_place(prepared, known.quote, known.speaker, place), f"“{known.quote}”: {where}, was picked"

    return _settled(database, about, at or now(), picked)


def accept_gap(database: Database, about: AboutQuote, *, at: datetime | None = None) -> Decided:
    """Say that a shortened quote keeps its meaning, although what it leaves out negates, or a piece of it is short."""

    def accepted(known: Quoted, prepared: PreparedTranscript) -> tuple[Grounding, str]:
        found = known.grounding
        if not found.waits_for_a_reader or known.stale is not None:
            raise Refused("no_such_gap", "The quote leaves out no words that wait for somebody to read them.")
        hidden = [prepared.text(gap) for gap in found.gaps]
        reason = wording.elided(found.nearest[0].turn, hidden)
        kept = Grounding(Verdict.ELIDED, found.nearest, (reason,), found.folds, found.gaps, pieces=len(found.nearest))
        return kept, f"“{known.quote}”: the words left out were read and keep the meaning: {'; '.join(hidden)}"

    return _settled(database, about, at or now(), accepted)


Settled = Callable[[Quoted, PreparedTranscript], tuple[Grounding, str]]
"""What a quote is from now on, and what the log says of it. Raises ``Refused`` where nothing is in doubt."""


def _settled(database: Database, about: AboutQuote, at: datetime, settled: Settled) -> Decided:
    """A version in which one quote is what a person said it is; a refused attempt is kept in the log of refusals."""
    with database.reading() as db:
        row = db.get(Evidence, about.evidence_id)
        if row is None:
            raise NotFound("quote", about.evidence_id)
    with _asked(database, Asked(row.item_id, about.person, about.revision_seen, at)) as (db, asked):
        item = _editable(db, asked)
        row = db.get_one(Evidence, about.evidence_id)
        known, transcript = from_row(row), transcript_of(db, row.session_id)
        found, said = settled(known, prepare(transcript))
        turn_named = found.spans[0].turn
        fresh = quoted(row.session_id, transcript, row.quote, found, speaker=known.speaker, turn=turn_named)
        return _with_quote(db, item, row, fresh, Act(Action.EDIT, Status.PROPOSED, asked.person, at, text=said))


def _with_quote(db: DatabaseSession, item: Item, row: Evidence, fresh: Quoted, act: Act) -> Decided:
    """A version with the same words and one quote put in another's place."""
    rows = db.exec(select(Evidence).where(Evidence.item_id == item.id).order_by(col(Evidence.id))).all()
    quotes = [fresh if one.id == row.id else from_row(one) for one in rows]
    return _new_version(db, item, content_of(db, item), quotes, act)


@contextmanager
def _asked(database: Database, asked: Asked) -> Iterator[tuple[DatabaseSession, Asked]]:
    """The transaction of one new version. What is refused is logged; the return of a rejected text is counted too."""
    with database.reading() as db:
        asked = replace(asked, person=said_to_be(db, asked.person))
    try:
        with refusals_kept(database, asked.item_id, Action.EDIT, asked.person, asked.at), database.writing() as db:
            yield db, asked
    except Tombstone as told:
        with database.writing() as db:
            twin = db.get_one(Item, told.item_id)
            count_return(db, twin, told.text, proposer=asked.person, at=asked.at)
        raise


def _editable(db: DatabaseSession, asked: Asked) -> Item:
    item = db.get(Item, asked.item_id)
    if item is None:
        raise NotFound("item", asked.item_id)
    is_a_person(duties_of(db, asked.person))
    if item.revision != asked.revision_seen:
        raise moved_on(db, item)
    if item.status not in lifecycle.EDITED_FROM[Kind(item.kind)]:
        raise Refused("no_such_move", f"{reference(item)} is {item.status} and cannot be edited.")
    needed = lifecycle.editors(Kind(item.kind), gravest(db, item))
    if not needed & duties_of(db, asked.person).duties:
        lost = lost_duties(db, asked.person, needed)
        raise Refused("role", f"Only a person with the duty {min(needed)} may edit {reference(item)}{lost}.")
    free_for(db, item, reference(item), asked.person, needed, asked.at)
    return item


def _changed(old: AnyContent, changes: dict[str, Any], most: int) -> AnyContent:
    try:
        new = old.with_changes(changes)
    except ValidationError as error:
        raise unstorable(error) from error
    if long := new.too_long(most):
        raise BadInput(f"{long} Nothing was changed.")
    return new.masked if isinstance(new, NoteContent) else new


def _new_version(db: DatabaseSession, item: Item, content: AnyContent, quotes: Sequence[Quoted], act: Act) -> Decided:
    """Write the version, and put those that waited under the same number aside."""
    waiting = select(Item).where(Item.kind == item.kind, Item.number == item.number, col(Item.status).in_(WAITING))
    before = db.exec(waiting).all()
    source = source_of(db, item)
    quotes = [masked_quote(db, quote) for quote in quotes]
    _not_rejected_before(db, item, content)
    answer = passed(db, Text(content, item.agent_id, item.task_class, source, tuple(quotes), item.number))
    answer = with_carried(answer, carried(db, item, content))
    twin = twin_of(db, answer)
    if twin is not None and twin.status in (Status.REJECTED, Status.APPEALED):
        raise tombstone(db, twin, content.headline)
    if twin is not None:
        raise Refused("twin", f"{reference(twin)} says the same and is {twin.status}; nothing was stored.")
    fresh = _next(db, item, content, act)
    status = first_status(content, quotes, answer.follows)
    if status is Status.OPEN and item.status == Status.HELD and _stays_held(db, item, content, act):
        status = Status.HELD
    alone, said = duties_of(db, act.by).single_operator, mask(act.text).text
    made = Act(act.action, status, act.by, act.at, text=said, self_approved=alone, hash_before=item.content_hash)
    row = begin(db, fresh, made)
    write_content(db, fresh.id or 0, content)
    add_quotes(db, fresh, quotes)
    keep(db, fresh, source, answer, act.at)
    give_back(db, item.id or 0, act.by)
    forget(db, item.id or 0, act.by)
    for one in before:
        turn(db, one, Act(Action.SUPERSEDE, Status.SUPERSEDED, act.by, act.at, rule="a newer version", cause=row.id))
    then = "and waits for a decision" if fresh.status != Status.OPEN else "and is open"
    lost = evidence_in_words(db, [fresh.id or 0])[fresh.id or 0] if fresh.not_found else ""
    text = f"{reference(item)} is now v{fresh.version} {then}{f'; its quotes: {lost}' if lost else ''}"
    return Decided(row.id or 0, reference(item), fresh.status, text, item_id=fresh.id or 0)


def _not_rejected_before(db: DatabaseSession, item: Item, content: AnyContent) -> None:
    """Refuse other words that an earlier version had when it was rejected. Raises ``Tombstone``.

    Versions of one text are much alike. One that is no more like the rejected one than the version it is made from was
    is no return of it.
    """
    words, twins, alike = content.headline, (Relation.SAME, Relation.TWIN), Alike.by(numbers_in_force(db))
    if compare(words, item.headline).relation is Relation.SAME:
        return
    of_number = select(Item).where(Item.kind == item.kind, Item.number == item.number)
    for other in db.exec(of_number.where(col(Item.status).in_((Status.REJECTED, Status.APPEALED)))).all():
        how = compare(words, other.headline, alike=alike).relation
        nearer = how in twins and compare(item.headline, other.headline, alike=alike).relation not in twins
        if how is Relation.SAME or nearer:
            raise tombstone(db, other, words)


def _stays_held(db: DatabaseSession, item: Item, content: AnyContent, act: Act) -> bool:
    """Whether a held note is held as its next version, too: other words or proof, or held by a person.

    Whoever edits it has become its proposer, so that somebody else releases it.
    """
    into = next((row for row in reversed(effective(db, item)) if row.before != row.after), None)
    by_a_person = into is not None and into.action == Action.SUSPEND and into.rule is None
    return act.after is Status.HELD or content.hash != item.content_hash or by_a_person


def _next(db: DatabaseSession, item: Item, content: AnyContent, act: Act) -> Item:
    last = db.exec(select(func.max(Item.version)).where(Item.kind == item.kind, Item.number == item.number)).one()
    kept = item.model_dump(exclude=OF_ONE_VERSION)
    now_so: dict[str, Any] = {
        "version": (last or 0) + 1,
        "headline": content.headline,
        "content_hash": content.hash,
        "proposer": item.proposer if content.hash == item.content_hash else act.by,
    }
    if isinstance(content, NoteContent):
        now_so |= {"severity": content.severity.value, "weight": content.severity.rank}
    return Item(**{**kept, **now_so})


def tombstone(db: DatabaseSession, twin: Item, text: str) -> Tombstone:
    """The refusal of a text that was rejected before, itself or a twin of it: by whom, when and why."""
    said = moved_on(db, twin)
    return Tombstone(twin.id or 0, reference(twin), f"was {said.what} by {said.by} on {said.when}", text)
