"""Brings files in: read, recognise what is already known, store the rest, and say what became of every record.

The same file twice brings in nothing new; a longer version of a known session extends it and keeps its notes; other
words for a known session are reported, or put in the place of the old ones where that is asked for; a broken record is
reported and the others go on. A dry run writes nothing.
"""

import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import tzinfo
from functools import cached_property

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import BadRecord, Refused
from core.governance.numbers import numbers
from core.governance.people import duties_of
from core.governance.standing import follow
from core.screening.secrets import mask
from core.service.agents import agent_for
from core.service.corrections import From, replace_words
from core.service.import_report import ImportReport, ImportRow
from core.service.masking import masked_draft, masked_transcript
from core.service.stored_sessions import insert_messages, insert_session, own_id, remarks_on, told_more
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, AgentSession, Import
from core.store.transcripts import transcript_of
from core.transcripts import SessionDraft, Transcript
from core.transcripts.compare import Differs, Longer, Shorter, compare
from core.transcripts.formats import Format
from core.transcripts.names import shown_name
from core.transcripts.read import Reading, read
from core.vocabulary import Duty

UNNAMED = "unnamed agent"
CORRECTORS = frozenset({Duty.LEAD, Duty.DEVELOPER, Duty.ADMIN})
BATCH = 100
"""Sessions stored in one transaction; few enough that a person's decision never waits long."""

Met = dict[tuple[str, str], Transcript]
"""Transcripts of a file so far, by agent and id."""

Progress = Callable[[int, int], object]


def bring_in(
    database: Database,
    data: bytes,
    name: str,
    *,
    format: Format | None = None,
    agent: str | None = None,
    zone: tzinfo | None = None,
    correct: bool = False,
    by: str = "import",
    progress: Progress | None = None,
) -> ImportReport:
    """Read a file and store what is new in it. Raises ``UnknownFormat`` or ``FileRefused``; nothing is stored then.

    ``correct`` puts other words for a known session in the place of the old ones, in the name of ``by``; raises
    ``Refused`` for somebody without one of the duties ``CORRECTORS``.
    """
    reading = read(data, name, format=format, zone=zone, limit=numbers(database).import_bytes)
    file = _File(mask(shown_name(name)).text, masked_reading(reading), correct, by)
    with database.writing() as db:
        if correct and not CORRECTORS & duties_of(db, by).duties:
            raise Refused(
                "role", f"{by} may not correct what is here; that needs a duty at the desk. Nothing was stored."
            )
        import_id = _import_row(db, file, data)
    report = _store_all(database, file, import_id, agent, progress)
    with database.writing() as db:
        db.get_one(Import, import_id).report = asdict(report)
    return report


def dry_run(
    database: Database,
    data: bytes,
    name: str,
    *,
    format: Format | None = None,
    agent: str | None = None,
    zone: tzinfo | None = None,
    correct: bool = False,
) -> ImportReport:
    """What ``bring_in`` would do; nothing is written."""
    reading = read(data, name, format=format, zone=zone, limit=numbers(database).import_bytes)
    file = _File(mask(shown_name(name)).text, masked_reading(reading), correct)
    met: Met = {}
    with database.reading() as db:
        rows = [_foreseen(db, file, draft, agent, met) for draft in file.reading.sessions]
    return _report(file.reading, file.name, rows, dry=True)


def masked_reading(reading: Reading) -> Reading:
    """What was read from a file without credentials, card, account and identity numbers."""
    return replace(reading, sessions=tuple(map(masked_draft, reading.sessions)))


@dataclass(frozen=True)
class _File:
    """The file at hand: its name as it is shown, what was read from it, whether it corrects, and who brings it."""

    name: str
    reading: Reading
    correct: bool
    by: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        """Hashes of its transcripts: a session that the file still holds as itself is not extended by another."""
        return frozenset(draft.transcript.sha256 for draft in self.reading.sessions)


def _foreseen(
    db: DatabaseSession,
    file: _File,
    draft: SessionDraft,
    agent_name: str | None,
    met: dict[tuple[str, str], Transcript],
) -> ImportRow | BadRecord:
    """What would become of a record, after those before it in the same file."""
    name = agent_name or draft.agent or UNNAMED
    key = (name, own_id(draft))
    agent = db.exec(select(Agent).where(Agent.name == name)).first()
    known = _known(db, agent, draft, file) if agent else None
    before = met.get(key) or (transcript_of(db, known.id or 0) if known else None)
    met[key] = draft.transcript
    if before is None:
        return ImportRow(draft.place, "new", draft.external_id or "", "; ".join(remarks_on(draft)))
    row = _compared(draft, known.ref if known else draft.external_id or "", before, file)
    if isinstance(row, BadRecord) or row.what == "older":
        met[key] = before
    return row


def _store_all(
    database: Database, file: _File, import_id: int, agent: str | None, progress: Progress | None
) -> ImportReport:
    rows: list[ImportRow | BadRecord] = []
    drafts = file.reading.sessions
    for start in range(0, len(drafts), BATCH):
        with database.writing() as db:
            rows += [_store(db, import_id, draft, agent, file) for draft in drafts[start : start + BATCH]]
        if progress:
            progress(min(start + BATCH, len(drafts)), len(drafts))
    return _report(file.reading, file.name, rows, dry=False)


def _report(reading: Reading, name: str, rows: list[ImportRow | BadRecord], *, dry: bool) -> ImportReport:
    errors = sorted([*reading.errors, *(row for row in rows if isinstance(row, BadRecord))], key=lambda one: one.place)
    kept = tuple(row for row in rows if isinstance(row, ImportRow))
    said = tuple(mask(str(error)).text for error in errors)
    return ImportReport(name, reading.format.value, kept, said, reading.blank, dry)


def _import_row(db: DatabaseSession, file: _File, data: bytes) -> int:
    digest = hashlib.sha256(data).hexdigest()
    row = Import(at=now(), file_name=file.name, format=file.reading.format.value, sha256=digest, report={})
    db.add(row)
    db.flush()
    return row.id or 0


def _store(
    db: DatabaseSession, import_id: int, draft: SessionDraft, agent_name: str | None, file: _File
) -> ImportRow | BadRecord:
    agent = agent_for(db, agent_name or draft.agent or UNNAMED, draft.agent_record)
    known = _known(db, agent, draft, file)
    if known is None:
        return ImportRow(draft.place, "new", insert_session(db, import_id, agent, draft), "; ".join(remarks_on(draft)))
    if known.sha256 == draft.transcript.sha256:
        return ImportRow(draft.place, "known", known.ref, told_more(db, agent, known, draft))
    row = _compared(draft, known.ref, transcript_of(db, known.id or 0), file)
    if isinstance(row, BadRecord) or row.what not in ("extended", "corrected"):
        return row
    told_more(db, agent, known, draft)
    if row.what == "extended":
        _extend(db, known, draft)
        return row
    followed = replace_words(db, known, draft.transcript, From(import_id, file.by, now()))
    return replace(row, detail="; ".join(filter(None, (row.detail, followed.text))))


def _known(db: DatabaseSession, agent: Agent, draft: SessionDraft, file: _File) -> AgentSession | None:
    """The stored session that this record speaks of: by its own id, else by its words."""
    mine = select(AgentSession).where(AgentSession.agent_id == agent.id)
    if draft.external_id:
        return db.exec(mine.where(AgentSession.external_id == draft.external_id)).first()
    same = db.exec(mine.where(AgentSession.sha256 == draft.transcript.sha256)).first()
    return same or _shorter_known(db, agent, draft, file)


def _shorter_known(db: DatabaseSession, agent: Agent, draft: SessionDraft, file: _File) -> AgentSession | None:
    """A session without an id of its own is extended by a longer one that begins with it, from a file of that name."""
    query = select(AgentSession).join(Import).where(AgentSession.agent_id == agent.id, Import.file_name == file.name)
    shorter = query.where(col(AgentSession.nameless), AgentSession.turns < len(draft.transcript.messages))
    for session in db.exec(shorter.order_by(col(AgentSession.turns).desc())).all():
        begins_so = draft.transcript.prefix_sha256(session.turns) == session.sha256
        if begins_so and session.sha256 not in file.words:
            return session
    return None


def _compared(draft: SessionDraft, ref: str, known: Transcript, file: _File) -> ImportRow | BadRecord:
    """What a record says of a session that is known already."""
    difference = compare(known, draft.transcript)
    if isinstance(difference, Shorter) and file.correct:
        fewer = f"{difference.missing} turn{'s' * (difference.missing > 1)} fewer"
        return ImportRow(draft.place, "corrected", ref, fewer)
    if isinstance(difference, Shorter):
        return ImportRow(draft.place, "older", ref, "a shorter version of what is here")
    if isinstance(difference, Differs):
        if file.correct or masked_transcript(known).transcript.sha256 == draft.transcript.sha256:
            return ImportRow(draft.place, "corrected", ref, f"differs from turn {difference.turn + 1}")
        why = f"{ref} is here already and differs from turn {difference.turn + 1}; it was left as it is"
        return BadRecord(draft.place, f"{why}, and can be corrected", unit="record")
    if isinstance(difference, Longer):
        return ImportRow(draft.place, "extended", ref, f"{len(difference.turns)} further turns")
    return ImportRow(draft.place, "known", ref)


def _extend(db: DatabaseSession, known: AgentSession, draft: SessionDraft) -> None:
    """Add the further turns. Quotes keep their places, and what was not found yet is looked for in the new turns."""
    insert_messages(db, known, draft, known.turns)
    if known.nameless:
        known.external_id = draft.transcript.sha256
    known.sha256, known.turns = draft.transcript.sha256, len(draft.transcript.messages)
    db.add(known)
    follow(db, known.id or 0, draft.transcript, by="import", at=now())
