"""Puts corrected words in the place of a known transcript's, and lets every quote follow them.

The old words are not kept: what they proved stands in the anchors of the quotes, and that they were replaced, when, by
whom and from which file stands in the session's corrections.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.episodes import follow_corrected
from core.governance.standing import Followed, follow
from core.store.records import AgentSession, Correction, SessionMessage
from core.store.transcripts import as_rows, transcript_of
from core.transcripts import Transcript
from core.transcripts.compare import Differs, compare


@dataclass(frozen=True)
class From:
    """Where a correction comes from: the import that brought it, whose act it was, and when."""

    import_id: int
    by: str
    at: datetime


def _is_here(db: DatabaseSession, session: AgentSession, external_id: str) -> bool:
    same = select(AgentSession.id).where(AgentSession.agent_id == session.agent_id)
    return db.exec(same.where(AgentSession.external_id == external_id)).first() is not None


def replace_words(db: DatabaseSession, session: AgentSession, transcript: Transcript, source: From) -> Followed:
    """Replace what was said in a session. A debrief will look at it again."""
    own, before = session.id or 0, session.sha256
    difference = compare(transcript_of(db, own), transcript)
    db.connection().execute(delete(SessionMessage).where(col(SessionMessage.session_id) == own))
    db.connection().execute(insert(SessionMessage), as_rows(own, transcript))
    session.sha256, session.turns = transcript.sha256, len(transcript.messages)
    if session.nameless and not _is_here(db, session, transcript.sha256):
        session.external_id = transcript.sha256
    db.add(session)
    db.flush()
    followed = follow(db, own, transcript, by=source.by, at=source.at)
    follow_corrected(db, own, transcript, by=source.by, at=source.at)
    db.add(
        Correction(
            session_id=own,
            import_id=source.import_id,
            at=source.at,
            by=source.by,
            turn=difference.turn if isinstance(difference, Differs) else session.turns,
            before_sha256=before,
            after_sha256=session.sha256,
            followed=followed.moved,
            lost=followed.lost,
        )
    )
    return followed
