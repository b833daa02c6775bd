"""Episodes made from a session's notes, where the critic wrote none: each open or resolved note that is proven is one.

Its importance follows from its severity, by the settings. Where the critic writes episodes of that session later, these
give way to them, so that one thing is not remembered twice.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.bodies import quotes_of
from core.governance.groundings import to_json
from core.governance.numbers import numbers_in_force
from core.store.clock import now
from core.store.memory_records import Citation, Episode
from core.store.records import AgentSession, Item, NoteBody
from core.vocabulary import EpisodeSource, Kind, Severity, Status

COUNTS = (Status.OPEN, Status.RESOLVED)
"""The statuses of a note that tells what happened: a resolved one did happen."""

GAVE_WAY = "the critic wrote episodes of its session"
"""Why an episode of a note was withdrawn, as it stands with it."""


def from_notes(db: DatabaseSession, session: AgentSession) -> list[Episode]:
    """Write an episode for each note of a session that has none, unless the critic wrote any; those that are new."""
    own = (Episode.session_id == session.id, Episode.source == EpisodeSource.CRITIC)
    if db.exec(select(Episode.id).where(*own).limit(1)).first() is not None:
        return []
    numbers = numbers_in_force(db)
    notes, made = _notes(db, session), []
    known = _told(db, [item.number for item, _ in notes])
    for item, body in notes:
        if item.number in known or item.severity not in set(Severity):
            continue
        row = Episode(
            agent_id=session.agent_id,
            user=session.user,
            source=EpisodeSource.NOTE,
            session_id=session.id,
            note_id=item.id,
            text=body.observation,
            importance=getattr(numbers, f"importance_of_{item.severity}"),
            quotes=[
                {"quote": one.quote, "speaker": one.speaker.value, "grounding": to_json(one.grounding)}
                for one in quotes_of(db, item.id or 0)
                if one.session_id == session.id
            ],
            true_from=session.started_at,
            at=now(),
        )
        db.add(row)
        made.append(row)
    db.flush()
    return made


def give_way_to_the_critics(db: DatabaseSession, session: AgentSession, at: datetime) -> None:
    """Withdraw the episodes of a session's notes that nothing rests on, because the critic wrote its own now.

    What they had added to the sum stays added.
    """
    cited = select(Citation.episode_id)
    of_notes = (Episode.session_id == session.id, Episode.source == EpisodeSource.NOTE)
    free = select(Episode).where(*of_notes, col(Episode.withdrawn).is_(None), col(Episode.id).not_in(cited))
    for row in db.exec(free).all():
        row.withdrawn, row.withdrawn_at = GAVE_WAY, at
        db.add(row)
    db.flush()


def _told(db: DatabaseSession, numbers: Sequence[int]) -> set[int]:
    """Those of these notes, by number, of which a version has an episode."""
    query = select(Item.number).join(Episode, col(Episode.note_id) == Item.id)
    return set(db.exec(query.where(Item.kind == Kind.NOTE, col(Item.number).in_(numbers))).all())


def _notes(db: DatabaseSession, session: AgentSession) -> list[tuple[Item, NoteBody]]:
    """The notes of a session whose words were all found, in the order in which they were written."""
    query = select(Item, NoteBody).join(NoteBody, col(NoteBody.item_id) == Item.id)
    proven = (col(Item.quotes) > 0, col(Item.not_found) == 0, col(Item.status).in_(COUNTS))
    mine = (Item.kind == Kind.NOTE, Item.session_id == session.id)
    return [(item, body) for item, body in db.exec(query.where(*mine, *proven).order_by(col(Item.id))).all()]
