"""What people do with an episode, and what a corrected transcript does to it: withdrawn, restored, released.

Beside the desk; each in the transaction of whoever asks, with a row of the log for what a person did. An episode has no
status of its own: it stands until it is withdrawn, and what rests on it then goes stale.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import NotFound, Refused
from core.evidence import prepare
from core.governance.groundings import is_found, to_json
from core.governance.log import log
from core.governance.note_episodes import proven
from core.governance.people import duties_of, lost_duties
from core.governance.references import episode_reference, version_reference
from core.governance.stale import Walk
from core.governance.status_writer import take_out_what_rests_on
from core.screening.invisible import says_nothing
from core.screening.secrets import mask
from core.store.memory_records import Episode, EpisodeDecision
from core.store.records import AgentSession, Item
from core.transcripts.message import Transcript
from core.vocabulary import Duty, EpisodeAct, Role

NOT_IN_TRANSCRIPT = "its words no longer stand in"
"""How the reason begins for which a corrected transcript takes an episode away."""


def withdraw(
    db: DatabaseSession, episode_id: int, *, reason: str, person: str, at: datetime, contradicted_by: int | None = None
) -> Walk:
    """Say that an episode holds no more; what rests on it goes stale. Returns what was reached.

    Raises ``NotFound``, and ``Refused`` for a person without the duty lead, without a reason, for a belief, for one
    that is withdrawn already, and where no such episode contradicts it.
    """
    episode = _of_a_person(db, episode_id, person, "withdraw")
    ref = episode_reference(episode_id)
    if says_nothing(reason):
        raise Refused("text_needed", f"To withdraw {ref}, a reason must be written.")
    if episode.withdrawn is not None:
        raise Refused("withdrawn", f"{ref} was withdrawn already: {episode.withdrawn}. It can be restored.")
    said = mask(reason.strip()).text
    if contradicted_by is not None:
        _same_user(db, episode, contradicted_by)
        said = f"contradicted by {episode_reference(contradicted_by)}: {said}"
    _log(db, episode_id, EpisodeAct.WITHDRAW, said, person, at)
    return _gone(db, {episode_id: f"{said} (by {person})"}, by=person, at=at)


def restore(db: DatabaseSession, episode_id: int, *, person: str, text: str, at: datetime) -> Episode:
    """Let an episode stand again. What went stale with it waits for a person all the same.

    Raises ``NotFound``, and ``Refused`` for one that stands, for a person without the duty, and without a reason.
    """
    episode = _of_a_person(db, episode_id, person, "restore")
    ref = episode_reference(episode_id)
    if episode.withdrawn is None:
        raise Refused("stands", f"{ref} was not withdrawn, so there is nothing to restore.")
    if says_nothing(text):
        raise Refused("text_needed", f"To restore {ref}, a reason must be written.")
    if not proven(episode):
        where = db.get_one(AgentSession, episode.session_id).ref
        raise Refused("quote_not_found", f"{ref} cannot be restored: {NOT_IN_TRANSCRIPT} {where}.")
    episode.withdrawn = episode.withdrawn_at = None
    db.add(episode)
    _log(db, episode_id, EpisodeAct.RESTORE, mask(text.strip()).text, person, at)
    return episode


def release(db: DatabaseSession, episode_id: int, *, person: str, text: str, at: datetime) -> Episode:
    """Let an episode count that was held; whoever calls adds its importance to the sum.

    Raises ``NotFound``, and ``Refused`` for one that is not held, has no importance or was withdrawn, for a person
    without the duty, and without a reason.
    """
    episode = _of_a_person(db, episode_id, person, "release")
    ref = episode_reference(episode_id)
    if episode.held is None:
        raise Refused("not_held", f"{ref} is not held, so there is nothing to release.")
    if episode.withdrawn is not None:
        raise Refused("withdrawn", f"{ref} was withdrawn: {episode.withdrawn}. It can be restored first.")
    if episode.importance is None:
        raise Refused("no_importance", f"{ref} has no importance that could be read, so it counts for nothing.")
    if says_nothing(text):
        raise Refused("text_needed", f"To release {ref}, a reason must be written.")
    episode.held = None
    db.add(episode)
    _log(db, episode_id, EpisodeAct.RELEASE, mask(text.strip()).text, person, at)
    return episode


def follow_corrected(
    db: DatabaseSession, session_id: int, transcript: Transcript, *, by: str, at: datetime
) -> tuple[str, ...]:
    """Look for the words of a session's episodes in its corrected transcript; withdraw those that lost any of theirs.

    Returns their references. A quote that holds a secret is looked for in its masked words.
    """
    own = select(Episode).where(Episode.session_id == session_id).order_by(col(Episode.id))
    rows = [row for row in db.exec(own).all() if row.quotes]
    prepared = prepare(transcript) if rows else None
    gone: dict[int, str] = {}
    for row in rows:
        stood = all(map(is_found, row.quotes))
        if prepared is not None:
            row.quotes = [_looked_for_again(prepared, one) for one in row.quotes]
        db.add(row)
        if stood and row.withdrawn is None and not all(map(is_found, row.quotes)):
            gone[row.id or 0] = f"{NOT_IN_TRANSCRIPT} {db.get_one(AgentSession, session_id).ref}"
    db.flush()
    _gone(db, gone, by=by, at=at)
    return tuple(map(episode_reference, gone))


def _looked_for_again(prepared: Any, quote: Mapping[str, Any]) -> dict[str, Any]:
    words = mask(quote["quote"]).text
    return {**quote, "quote": words, "grounding": to_json(prepared.ground(words, speaker=Role(quote["speaker"])))}


def _gone(db: DatabaseSession, gone: Mapping[int, str], *, by: str, at: datetime) -> Walk:
    said = {}
    for episode_id, why in gone.items():
        row = db.get_one(Episode, episode_id)
        row.withdrawn, row.withdrawn_at = why, at
        db.add(row)
        said[episode_id] = f"{episode_reference(episode_id)} was withdrawn: {why}"
    db.flush()
    return take_out_what_rests_on(db, said, by=by, at=at) if said else Walk()


def _log(db: DatabaseSession, episode_id: int, action: EpisodeAct, said: str, person: str, at: datetime) -> None:
    log(db, EpisodeDecision(episode_id=episode_id, action=action, text=said, by=person, at=at))


def _of_a_person(db: DatabaseSession, episode_id: int, person: str, act: str) -> Episode:
    episode = db.get(Episode, episode_id)
    if episode is None:
        raise NotFound("episode", episode_reference(episode_id))
    if Duty.LEAD not in duties_of(db, person).duties:
        lost = lost_duties(db, person, {Duty.LEAD})
        raise Refused("role", f"Only a person with the duty lead may {act} {episode_reference(episode_id)}{lost}.")
    if episode.belief_id is not None:
        ref = version_reference(db.get_one(Item, episode.belief_id))
        raise Refused("is_a_belief", f"{episode_reference(episode_id)} is the belief {ref}; it is decided on Review.")
    return episode


def _same_user(db: DatabaseSession, episode: Episode, other_id: int) -> None:
    other = db.get(Episode, other_id)
    if other is None or other_id == episode.id or (other.agent_id, other.user) != (episode.agent_id, episode.user):
        ref = episode_reference(other_id)
        raise Refused("no_such_episode", f"{ref} is no other episode of the same agent and user. Nothing was changed.")
