"""New versions of an item: other words, a corrected quote, one place picked among several.

Each is a decision of a person, makes a version with a status of its own, and leaves an approved version in force.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import BadInput, NotFound, Refused, Tombstone
from core.evidence import PreparedTranscript, at_place, ground, prepare, wording
from core.evidence.contract import Grounding, Span
from core.governance import lifecycle
from core.governance.acts import Act, Decided
from core.governance.allowed import is_a_person
from core.governance.approvers import gravest
from core.governance.bodies import content_of, from_row
from core.governance.drafts import AnyContent, BeliefContent, NoteContent, Quoted, quoted, unstorable
from core.governance.kept_words import forget
from core.governance.leases import free_for
from core.governance.next_version import next_version
from core.governance.numbers import numbers_in_force
from core.governance.people import duties_of, lost_duties
from core.governance.proposals import count_return
from core.governance.references import item_of, reference
from core.governance.refusals import refusals_kept
from core.governance.sources import deep_enough, quotes_behind
from core.governance.status_writer import moved_on
from core.governance.tokens import said_to_be
from core.store.clock import now
from core.store.database import Database
from core.store.records import Evidence, Item
from core.store.transcripts import transcript_of
from core.vocabulary import Action, Kind, Role, Status, Verdict


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
    with asked_for(database, Asked(item_id, person, revision_seen, at or now())) as (db, asked):
        item = editable(db, asked)
        old = content_of(db, item)
        content = changed(old, changes, numbers_in_force(db).lesson_characters)
        rows = db.exec(select(Evidence).where(Evidence.item_id == item_id).order_by(col(Evidence.id))).all()
        proof, said = _corrected(db, rows, quotes or {})
        if isinstance(content, BeliefContent) and "cites" in changes:
            content = content.with_changes({"depth": deep_enough(db, content.cites)})
            proof = quotes_behind(db, content.cites)
        if content.hash == old.hash and not said:
            raise Refused("unchanged", f"The words of {reference(item)} are as they were; nothing was stored.")
        # Other words may prove something else, so a note that was held for its words is released by a look of its own.
        after = Status.HELD if said else Status.PROPOSED
        act = Act(Action.EDIT, after, asked.person, asked.at, text="; ".join(said))
        made = next_version(db, item, content, proof, act)
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
    with asked_for(database, Asked(row.item_id, about.person, about.revision_seen, at)) as (db, asked):
        item = editable(db, asked)
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
    return next_version(db, item, content_of(db, item), quotes, act)


@contextmanager
def asked_for(
    database: Database, asked: Asked, action: Action = Action.EDIT
) -> Iterator[tuple[DatabaseSession, Asked]]:
    """The transaction of one new version. What is refused is logged; the return of a rejected text is counted too."""
    with database.reading() as db:
        asked = replace(asked, person=said_to_be(db, asked.person))
    try:
        with refusals_kept(database, asked.item_id, action, asked.person, asked.at), database.writing() as db:
            yield db, asked
    except Tombstone as told:
        with database.writing() as db:
            twin = db.get_one(Item, told.item_id)
            count_return(db, twin, told.text, proposer=asked.person, at=asked.at)
        raise


def editable(db: DatabaseSession, asked: Asked) -> Item:
    """The item of which this person may make a version now. Raises ``Refused``, ``AlreadyDecided`` or ``NotFound``."""
    item = item_of(db, asked.item_id)
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


def changed(old: AnyContent, changes: dict[str, Any], most: int) -> AnyContent:
    """The content with some fields in other words, of ``most`` characters each. Raises ``BadInput`` for any other."""
    try:
        new = old.with_changes(changes)
    except ValidationError as error:
        raise unstorable(error) from error
    if long := new.too_long(most):
        raise BadInput(f"{long} Nothing was changed.")
    return new.masked if isinstance(new, NoteContent) else new
