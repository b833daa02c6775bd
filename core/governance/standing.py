"""What becomes of quotes when the transcript that they stand in is corrected or masked.

A quote follows its words. Where it cannot, it is stale: an open note is held and leaves the briefing, and an approved
lesson or procedure is suspended once none of its quotes stands any more. Source: the design, "Evidence" and
"Governance", rules that only take away.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.evidence import (
    Anchor,
    Grounding,
    PreparedTranscript,
    Reason,
    Span,
    Stale,
    anchor,
    at_place,
    prepare,
    recheck,
)
from core.governance import lifecycle
from core.governance.acts import Act
from core.governance.bodies import from_row, quotes_of, rewrite
from core.governance.drafts import Quoted
from core.governance.references import reference
from core.governance.status_writer import turn
from core.screening.secrets import mask
from core.store.records import Evidence, Item
from core.transcripts.message import Transcript
from core.vocabulary import Action, Cause, Kind, Verdict

RULE = "stale source"
"""The name of the automatic rule, as it stands in the log."""


@dataclass(frozen=True)
class Followed:
    """What became of a session's quotes: how many moved, were found anew or were lost, and which items went out."""

    moved: int = 0
    found: int = 0
    lost: int = 0
    out: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """One clause for people; empty where nothing changed."""
        counts = ((self.moved, "moved with the words"), (self.found, "found now"), (self.lost, "lost"))
        said = [f"{_quotes(count)} {what}" for count, what in counts if count]
        if self.out:
            said.append(f"{', '.join(self.out)} left the briefing")
        return "; ".join(said)


def follow(db: DatabaseSession, session_id: int, transcript: Transcript, *, by: str, at: datetime) -> Followed:
    """Look for every quote of a session in its corrected transcript, and take out what no longer stands on words."""
    rows = db.exec(select(Evidence).where(Evidence.session_id == session_id).order_by(col(Evidence.id))).all()
    if not rows:
        return Followed()
    prepared, moved, found, lost = prepare(transcript), 0, 0, 0
    for row in rows:
        before = from_row(row)
        after = restood(before, prepared)
        moved += before.found and after.found and before.grounding.spans != after.grounding.spans
        found += after.found and not before.found
        lost += before.found and not after.found
        rewrite(row, after)
        db.add(row)
    db.flush()
    return Followed(moved, found, lost, _taken_out(db, {row.item_id for row in rows}, by, at))


def masked_along(db: DatabaseSession, session_id: int, transcript: Transcript) -> None:
    """Mask the quotes of a session together with its transcript.

    A quote that holds a secret, or has one beside it, is looked for in the masked words, and its anchors are made anew:
    the old ones would keep what was taken out. Every other one is left as it is.
    """
    prepared = prepare(transcript)
    for row in db.exec(select(Evidence).where(Evidence.session_id == session_id)).all():
        quote = from_row(row)
        kept_words = (quote.quote, *(one.prefix + one.exact + one.suffix for one in quote.anchors))
        if not any(mask(words).removed for words in kept_words):
            continue
        words = mask(row.quote).text
        if words != row.quote and _is_quoted(db, row, words):
            db.delete(row)
            db.flush()
            continue
        row.quote = words
        first = quote.anchors[0].turn if quote.anchors and quote.grounding.verdict is not Verdict.AMBIGUOUS else None
        turn_named = first if quote.turn is None else quote.turn
        fresh = prepared.ground(row.quote, speaker=quote.speaker, turn=turn_named)
        kept = quote.model_copy(update={"quote": row.quote, "sha256": transcript.sha256})
        rewrite(row, _at(kept, fresh, transcript))
        db.add(row)
    db.flush()


def _is_quoted(db: DatabaseSession, row: Evidence, words: str) -> bool:
    same = select(Evidence.id).where(Evidence.item_id == row.item_id, Evidence.session_id == row.session_id)
    return db.exec(same.where(Evidence.quote == words)).first() is not None


def restood(quote: Quoted, prepared: PreparedTranscript) -> Quoted:
    """The same quote in a corrected transcript: where it stands now, or why it is stale.

    A quote that had not been found is looked for anew. One that had been found keeps its place, moved with its words;
    it must still be what the verdict's rule accepts there.
    """
    transcript = prepared.transcript
    fresh = prepared.ground(quote.quote, speaker=quote.speaker, turn=quote.turn)
    kept = quote.model_copy(update={"sha256": transcript.sha256})
    if not quote.anchors or (quote.grounding.verdict is Verdict.AMBIGUOUS and fresh.grounded):
        return _at(kept, fresh, transcript)
    where = _anchored(quote.anchors, transcript)
    if isinstance(where, Reason):
        return _stale(kept, fresh, where)
    if not fresh.grounded:
        return _stale(kept, fresh, fresh.reasons[0])
    if where in fresh.places:
        return _at(kept, at_place(prepared, quote.quote, quote.speaker, where), transcript)
    return _stale(kept, fresh, Reason("several", "The words stand otherwise now; a person says which place is meant."))


def _anchored(anchors: Iterable[Anchor], transcript: Transcript) -> tuple[Span, ...] | Reason:
    """Where all anchored words stand now, or why one of them does not."""
    spans = []
    for stored in anchors:
        now = recheck(stored, transcript)
        if isinstance(now, Stale):
            return now.reason
        spans.append(now.span)
    return tuple(spans)


def _at(quote: Quoted, found: Grounding, transcript: Transcript) -> Quoted:
    anchors = tuple(anchor(span, transcript) for span in found.spans)
    return quote.model_copy(update={"grounding": found, "anchors": anchors, "stale": None})


def _stale(quote: Quoted, fresh: Grounding, why: Reason) -> Quoted:
    """The anchors still say what stood there; what comes nearest now is shown, and lit as no more than that."""
    nearest = replace(fresh, spans=(), gaps=(), nearest=fresh.spans or fresh.nearest, reasons=(why,))
    return quote.model_copy(update={"grounding": nearest, "stale": why.text})


def _taken_out(db: DatabaseSession, item_ids: set[int], by: str, at: datetime) -> tuple[str, ...]:
    """Count anew what was not found, and take out what stands on no words any more."""
    out = []
    for item in db.exec(select(Item).where(col(Item.id).in_(item_ids)).order_by(col(Item.id))).all():
        item.not_found = sum(not quote.found for quote in quotes_of(db, item.id or 0))
        db.add(item)
        db.flush()
        move = lifecycle.move(Kind(item.kind), item.status, Action.SUSPEND)
        if isinstance(move, lifecycle.Move) and _lost(item):
            turn(db, item, Act(Action.SUSPEND, move.after, by, at, rule=RULE, suspended_for=Cause.STALE_SOURCE))
            out.append(reference(item))
    return tuple(out)


def _lost(item: Item) -> bool:
    """A note needs all its words; what was learned from many sessions stands while any of its quotes does."""
    return item.not_found > 0 if item.kind == Kind.NOTE else item.not_found == item.quotes


def _quotes(count: int) -> str:
    return "1 quote" if count == 1 else f"{count} quotes"
