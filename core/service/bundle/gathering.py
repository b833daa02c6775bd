"""Gathers what a bundle holds from one state of the store: notes, their words, their cases, the log about them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session as DatabaseSession

from core import __version__
from core.errors import NotFound
from core.governance.approvers import decisions_of
from core.governance.audit.links import MASK
from core.governance.bodies import content_of
from core.governance.cases import case_of, recurrences_of
from core.governance.log import head_of
from core.governance.references import all_versions, reference, version_reference
from core.service.bundle.ahead import corrections_of, notes_ahead, sessions_ahead
from core.service.bundle.contract import MOST, CardKept, Contents, Link, Made, NoteKept, SessionKept, Version
from core.service.bundle.logged import links_by_number, policy_links
from core.service.card_views import card_in
from core.service.case_views import CaseNote, CaseView, case_in
from core.service.session_views import notes
from core.service.views import Card, NotesAsked, Quote
from core.store.asked_once import once
from core.store.clock import time_in_words
from core.store.database import Database
from core.store.records import Agent, AgentSession, Item
from core.store.transcripts import transcript_of
from core.vocabulary import Kind


def of_note(database: Database, item_id: int, *, by: str, at: datetime) -> Contents:
    """What a bundle of one note holds. Raises ``NotFound``."""
    with database.reading() as db:
        item = db.get(Item, item_id)
        if item is None or item.kind != Kind.NOTE:
            raise NotFound("note", item_id)
        about = reference(item)
    return _gathered(database, [item_id], by, at, about, 0)


def of_notes(database: Database, asked: NotesAsked, *, by: str, at: datetime) -> Contents:
    """What a bundle of all notes of a filter holds, newest first, ``MOST`` of them at most."""
    page = notes(database, asked, page=1, size=MOST)
    parts = (asked.severity or "every severity", asked.state, asked.agent, asked.evidence)
    about = f"notes: {', '.join(part for part in parts if part)}"
    return _gathered(database, [row.id for row in page.rows], by, at, about, page.total - len(page.rows))


def _gathered(
    database: Database, item_ids: Sequence[int], by: str, at: datetime, about: str, left_out: int
) -> Contents:
    """All of it is read from one state of the store, in a few statements however many notes there are."""
    with database.reading() as db:
        seq, sha256 = head_of(db)
        items = notes_ahead(db, item_ids, by)
        cards = [card_in(db, item_id, person=by) for item_id in item_ids]
        number, kept = 0, list[NoteKept]()
        links: dict[int, Link] = {}
        cases = {
            item.id or 0: [one for one in (case_of(db, item), *recurrences_of(db, item)) if one is not None]
            for item in items
        }
        by_number = links_by_number(db, [*items, *(one for some in cases.values() for one in some)], seq)
        for one in cards:
            item = db.get_one(Item, one.id)
            quotes = tuple(_numbered(quote, number + place) for place, quote in enumerate(one.quotes, 1))
            number += len(quotes)
            mine = by_number.get(item.number, [])
            theirs = [link for other in cases[one.id] for link in by_number.get(other.number, ())]
            policies = tuple(db.get_one(Agent, item.agent_id).policies)
            of_policies = _of_policies(db, policies, seq)
            links |= {link.seq: link for link in (*mine, *theirs, *of_policies)}
            kept.append(
                NoteKept(
                    card=_card(one),
                    number=item.number,
                    versions=_versions(db, item),
                    quotes=quotes,
                    case=_case(case_in(db, item, at)),
                    links=tuple(link.seq for link in mine),
                    policies=tuple(link.seq for link in of_policies),
                )
            )
        sessions = dict.fromkeys(quote.session for note in kept for quote in note.quotes)
        sessions |= dict.fromkeys(
            session for one in cards if (session := db.get_one(Item, one.id).session_id) is not None
        )
        sessions_ahead(db, list(sessions))
        return Contents(
            made=Made(by, at, __version__, (seq, sha256), about, left_out),
            notes=tuple(kept),
            sessions=tuple(_session(db, session_id) for session_id in sessions),
            links=tuple(links[seq] for seq in sorted(links)),
        )


def _card(one: Card) -> CardKept:
    """Of a card only what the page shows."""
    return CardKept(
        id=one.id,
        ref=one.ref,
        version=one.version,
        status=one.status,
        severity=one.severity,
        dimension=one.dimension,
        agent=one.agent,
        user=one.user,
        task_class=one.task_class,
        observation=one.observation,
        improvement=one.improvement,
        opinions=one.opinions,
    )


def _case(case: CaseView) -> CaseView:
    """A case without what is not shown of its other notes."""
    first = _other(case.first) if case.first else None
    return replace(case, first=first, recurrences=tuple(map(_other, case.recurrences)))


def _other(note: CaseNote) -> CaseNote:
    return replace(note, observation="", screen="")


def _of_policies(db: DatabaseSession, policies: tuple[str, ...], last: int) -> list[Link]:
    return once(db, ("policy links", policies), lambda: policy_links(db, policies, last))


def _numbered(quote: Quote, number: int) -> Quote:
    return Quote(**{**vars(quote), "number": number})


def _versions(db: DatabaseSession, item: Item) -> tuple[Version, ...]:
    return tuple(_version(db, one) for one in all_versions(db, item))


def _version(db: DatabaseSession, item: Item) -> Version:
    """A version with its words as they stand now, and the hash of those that its last decision was about.

    The two differ where secrets were masked in them since.
    """
    content = content_of(db, item)
    decided = decisions_of(db, item)[-1].content_hash
    masked = content.hash != decided and MASK in content.canonical
    return Version(
        item=item.id or 0,
        name=version_reference(item),
        status=item.status,
        revision=item.revision,
        said=content.canonical,
        sha256=decided,
        masked=masked,
    )


def _session(db: DatabaseSession, session_id: int) -> SessionKept:
    session = db.get_one(AgentSession, session_id)
    fixed = once(db, ("corrections", session_id), lambda: corrections_of(db, [session_id])[session_id])
    return SessionKept(
        id=session_id,
        ref=session.ref,
        agent=db.get_one(Agent, session.agent_id).name,
        user=session.user,
        task=session.task,
        started_at=session.started_at,
        transcript=once(db, ("transcript", session_id), lambda: transcript_of(db, session_id)),
        sha256=session.sha256,
        corrections=tuple(
            f"corrected by {row.by} on {time_in_words(row.at)}, from turn {row.turn + 1} on: "
            f"{row.before_sha256} became {row.after_sha256}"
            for row in fixed
        ),
    )
