"""Reads at once what a bundle will ask of its notes and their sessions one by one."""

from collections import defaultdict
from collections.abc import Sequence

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.reading_ahead import of_each, read_ahead
from core.service.card_views import feedback_on
from core.service.critic.views import opinions, trails
from core.service.evidence_views import quotes_of_each
from core.store.asked_once import held, told_for_each
from core.store.governance_records import KeptWords
from core.store.oversight_records import Parent, Recurrence
from core.store.records import Agent, AgentSession, Correction, Decision, Item
from core.store.transcripts import transcripts_of
from core.vocabulary import Kind


def notes_ahead(db: DatabaseSession, item_ids: Sequence[int], person: str) -> list[Item]:
    """The notes of these ids, with all that their cards, versions and cases are made of for this person."""
    numbers = select(Item.number).where(col(Item.id).in_(item_ids), Item.kind == Kind.NOTE)
    same = select(Item).where(Item.kind == Kind.NOTE, col(Item.number).in_(numbers)).order_by(col(Item.version))
    every = db.exec(same).all()
    known = {item.id or 0: item for item in read_ahead(db, [one.id or 0 for one in every])}
    notes, versions = [known[one] for one in item_ids], defaultdict[int, list[Item]](list)
    for item in every:
        versions[item.number].append(item)
    told_for_each(db, "versions", {note.id or 0: versions[note.number] for note in notes})
    _decisions_ahead(db, notes, versions)
    _cases_ahead(db, notes, versions)
    for question, answers in (("trail", trails), ("opinions", opinions), ("quotes shown", quotes_of_each)):
        told_for_each(db, question, answers(db, item_ids))
    told_for_each(db, "feedback", feedback_on(db, item_ids))
    kept = select(KeptWords).where(col(KeptWords.item_id).in_(item_ids), KeptWords.person == person)
    told_for_each(db, f"words kept for {person}", of_each(item_ids, db.exec(kept).all()))
    merged = set(db.exec(select(Parent.item_id).where(col(Parent.item_id).in_(item_ids))).all())
    told_for_each(db, "parents", {one: () for one in item_ids if one not in merged})
    sessions = {note.session_id for note in notes if note.session_id is not None}
    held(db, db.exec(select(AgentSession).where(col(AgentSession.id).in_(sessions))).all())
    return notes


def sessions_ahead(db: DatabaseSession, session_ids: Sequence[int]) -> None:
    """These sessions with their agents, transcripts and corrections."""
    sessions = db.exec(select(AgentSession).where(col(AgentSession.id).in_(session_ids))).all()
    held(db, sessions)
    held(db, db.exec(select(Agent).where(col(Agent.id).in_({one.agent_id for one in sessions}))).all())
    told_for_each(db, "transcript", transcripts_of(db, session_ids))
    told_for_each(db, "corrections", corrections_of(db, session_ids))


def corrections_of(db: DatabaseSession, session_ids: Sequence[int]) -> dict[int, list[Correction]]:
    """What was corrected in each of these sessions, oldest first."""
    found: dict[int, list[Correction]] = {one: [] for one in session_ids}
    fixed = select(Correction).where(col(Correction.session_id).in_(session_ids)).order_by(col(Correction.id))
    for row in db.exec(fixed).all():
        found[row.session_id].append(row)
    return found


def _decisions_ahead(db: DatabaseSession, notes: Sequence[Item], versions: dict[int, list[Item]]) -> None:
    """The decisions about all versions of each note, in the order of the log."""
    number_of = {one.id or 0: number for number, some in versions.items() for one in some}
    by_number = defaultdict[int, list[Decision]](list)
    about = select(Decision).where(col(Decision.item_id).in_(number_of)).order_by(col(Decision.id))
    for row in db.exec(about).all():
        by_number[number_of[row.item_id]].append(row)
    told_for_each(db, "decisions of its versions", {note.id or 0: by_number[note.number] for note in notes})


def _cases_ahead(db: DatabaseSession, notes: Sequence[Item], versions: dict[int, list[Item]]) -> None:
    """Which notes stand in no case: those that do ask for theirs."""
    number_of = {one.id or 0: number for number, some in versions.items() for one in some}
    ids = list(number_of)
    again = {number_of[one] for one in db.exec(select(Recurrence.item_id).where(col(Recurrence.item_id).in_(ids)))}
    first = {number_of[one] for one in db.exec(select(Recurrence.case_id).where(col(Recurrence.case_id).in_(ids)))}
    told_for_each(db, "case", {note.id or 0: None for note in notes if note.number not in again})
    told_for_each(db, "recurrences", {note.id or 0: [] for note in notes if note.number not in first})
