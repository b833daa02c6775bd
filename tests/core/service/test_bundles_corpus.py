"""Bundles of real transcripts that nobody here wrote: whatever stands in them, the bundle fits and shows it whole."""

from pathlib import Path

import pytest
from sqlmodel import col, select

from core.errors import TutelageError
from core.evidence.contract import Span
from core.governance.drafts import Draft, NoteContent, found_at
from core.governance.proposals import propose
from core.service.bring_in import bring_in
from core.service.bundle import bundle, check_bundle
from core.service.bundle.reading import read_page
from core.service.views import NotesAsked
from core.store.database import Database
from core.store.records import AgentSession
from core.store.transcripts import transcript_of
from core.vocabulary import Dimension, Severity, Source
from tests.desk import OPERATOR, START

pytestmark = pytest.mark.corpus

LARGEST = 1_500_000
A_FILE = 6
"""Sessions of one file that are looked at."""


def readable(corpus: Path) -> list[Path]:
    files = sorted(corpus.glob("data/**/*"))
    wanted = {".json", ".jsonl", ".txt", ".csv"}
    return [one for one in files if one.suffix in wanted and one.is_file() and one.stat().st_size < LARGEST]


def noted(database: Database, session: AgentSession) -> None:
    """A critical note that quotes the whole of a session's longest turn, and the end of every other."""
    with database.writing() as db:
        transcript = transcript_of(db, session.id or 0)
        lengths = {turn: len(message.content) for turn, message in enumerate(transcript.messages) if message.content}
        if not lengths:
            return
        longest = max(lengths, key=lambda turn: lengths[turn])
        spans = [Span(longest, 0, lengths[longest])]
        spans += [Span(turn, max(0, length - 40), length) for turn, length in list(lengths.items())[:20]]
        observation = f"Something was said in {session.ref}."
        content = NoteContent(
            dimension=Dimension.CONSISTENCY,
            severity=Severity.CRITICAL,
            observation=observation,
            improvement="Say it otherwise.",
        )
        draft = Draft(
            content=content,
            severity=Severity.CRITICAL,
            agent_id=session.agent_id,
            task_class=session.task_class,
            user=session.user,
            session_id=session.id,
            fault=f"corpus:{session.ref}",
            origin="corpus v1",
            proposer="check corpus",
            quotes=tuple(found_at(session.id or 0, transcript, span) for span in dict.fromkeys(spans)),
            source=Source.CHECK,
        )
        propose(db, draft, at=START)


def test_bundles_of_real_transcripts_fit_and_show_every_turn(database: Database, corpus: Path) -> None:
    used, known = 0, 0
    for path in readable(corpus):
        try:
            bring_in(database, path.read_bytes(), path.name)
        except TutelageError:
            continue
        with database.reading() as db:
            newer = select(AgentSession).where(col(AgentSession.id) > known).order_by(col(AgentSession.id))
            rows = list(db.exec(newer).all())
        known = max((row.id or 0 for row in rows), default=known)
        for session in rows[:A_FILE]:
            noted(database, session)
        used += bool(rows)
    assert used >= 10
    text = bundle(database, NotesAsked("critical", "all"), by=OPERATOR).decode()
    found = check_bundle(text)
    assert found.broken is None
    assert found.transcripts >= 50
    page, data = read_page(text)
    assert sum(path.startswith("turn:") for path, _ in page.said) == sum(
        len(one["turns"]) for one in data["transcripts"]
    )
