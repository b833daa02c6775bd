"""Brings files in: read, recognise what is already known, store the rest, and say what became of every record.

The same file twice brings in nothing new; a longer version of a known session extends it and keeps its notes; a broken
record is reported and the others go on. A dry run does all of it and takes it back.
"""

import hashlib
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import datetime, tzinfo
from decimal import Decimal

from sqlalchemy import func, insert, update
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import BadRecord
from core.service.agents import agent_for, know_facts, know_task_class
from core.settings import DEFAULTS
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, AgentSession, Evidence, Feedback, Import, SessionMessage
from core.store.transcripts import as_rows, transcript_of
from core.transcripts import SessionDraft
from core.transcripts.compare import Differs, Longer, Shorter, compare
from core.transcripts.formats import Format
from core.transcripts.names import shown_name
from core.transcripts.read import Reading, read

SHORT_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,19}")
BATCH = 100
"""Sessions stored in one transaction; few enough that a person's decision never waits long."""

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class ImportRow:
    """What became of one record: ``new``, ``known``, ``extended``, ``older`` or ``failed``."""

    place: int
    what: str
    ref: str
    detail: str = ""


@dataclass(frozen=True)
class ImportReport:
    """What became of a file."""

    file: str
    format: str
    rows: tuple[ImportRow, ...]
    errors: tuple[str, ...]
    blank: int = 0
    dry_run: bool = False

    @property
    def new(self) -> int:
        """Sessions that came in."""
        return self._count("new")

    @property
    def known(self) -> int:
        """Sessions that were here already, in this or a longer version."""
        return self._count("known") + self._count("older")

    @property
    def extended(self) -> int:
        """Known sessions that got further turns."""
        return self._count("extended")

    @property
    def failed(self) -> int:
        """Records that could not be read or stored."""
        return len(self.errors)

    @property
    def summary(self) -> str:
        """One sentence for people."""
        said = [f"{self.new} would come in" if self.dry_run else f"{self.new} imported"]
        said += [f"{self.extended} extended"] if self.extended else []
        said += [f"{self.known} already there"] if self.known else []
        said += [f"{self.failed} failed ({'; '.join(self.errors[:3])})"] if self.errors else []
        return ", ".join(said) + f" · {self.format}"

    def _count(self, what: str) -> int:
        return sum(row.what == what for row in self.rows)


def bring_in(
    database: Database,
    data: bytes,
    name: str,
    *,
    format: Format | None = None,
    agent: str | None = None,
    zone: tzinfo | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Read a file and store what is new in it. Raises ``UnknownFormat`` or ``FileRefused``; nothing is stored then."""
    reading = read(data, name, format=format, zone=zone, limit=DEFAULTS.import_bytes)
    report = _store_all(database.writing, reading, data, shown_name(name), agent, progress)
    with database.writing() as db:
        row = db.exec(select(Import).where(Import.sha256 == _sha256(data)).order_by(col(Import.id).desc())).first()
        if row is not None:
            row.report = asdict(report)
            db.add(row)
    return report


def dry_run(
    database: Database,
    data: bytes,
    name: str,
    *,
    format: Format | None = None,
    agent: str | None = None,
    zone: tzinfo | None = None,
) -> ImportReport:
    """What ``bring_in`` would do; nothing is written."""
    reading = read(data, name, format=format, zone=zone, limit=DEFAULTS.import_bytes)
    with database.trying() as db:
        rows = _store_batch(db, _import_row(db, reading, data, shown_name(name)), reading.sessions, agent)
    return _report(reading, shown_name(name), rows, dry=True)


def _store_all(
    transaction: Callable[[], AbstractContextManager[DatabaseSession]],
    reading: Reading,
    data: bytes,
    name: str,
    agent: str | None,
    progress: Progress | None,
) -> ImportReport:
    rows: list[ImportRow | BadRecord] = []
    with transaction() as db:
        import_id = _import_row(db, reading, data, name)
    for start in range(0, len(reading.sessions), BATCH):
        with transaction() as db:
            rows += _store_batch(db, import_id, reading.sessions[start : start + BATCH], agent)
        if progress:
            progress(min(start + BATCH, len(reading.sessions)), len(reading.sessions))
    return _report(reading, name, rows, dry=False)


def _report(reading: Reading, name: str, rows: list[ImportRow | BadRecord], *, dry: bool) -> ImportReport:
    errors = sorted([*reading.errors, *(row for row in rows if isinstance(row, BadRecord))], key=lambda one: one.place)
    kept = tuple(row for row in rows if isinstance(row, ImportRow))
    return ImportReport(name, reading.format.value, kept, tuple(map(str, errors)), reading.blank, dry)


def _import_row(db: DatabaseSession, reading: Reading, data: bytes, name: str) -> int:
    row = Import(at=now(), file_name=name, format=reading.format.value, sha256=_sha256(data), report={})
    db.add(row)
    db.flush()
    return row.id or 0


def _store_batch(
    db: DatabaseSession, import_id: int, drafts: tuple[SessionDraft, ...], agent: str | None
) -> list[ImportRow | BadRecord]:
    return [_store(db, import_id, draft, agent) for draft in drafts]


def _store(db: DatabaseSession, import_id: int, draft: SessionDraft, agent_name: str | None) -> ImportRow | BadRecord:
    agent = agent_for(db, agent_name or draft.agent or "unnamed agent", draft.agent_record)
    known = _known(db, agent, draft, import_id)
    if known is None:
        return ImportRow(draft.place, "new", _insert(db, import_id, agent, draft), "; ".join(draft.remarks))
    if known.sha256 == draft.transcript.sha256:
        return ImportRow(draft.place, "known", known.ref)
    return _merge(db, known, draft)


def _known(db: DatabaseSession, agent: Agent, draft: SessionDraft, import_id: int) -> AgentSession | None:
    """The stored session that this record speaks of: by its own id, else by its words."""
    mine = select(AgentSession).where(AgentSession.agent_id == agent.id)
    if draft.external_id:
        return db.exec(mine.where(AgentSession.external_id == draft.external_id)).first()
    same = db.exec(mine.where(AgentSession.sha256 == draft.transcript.sha256)).first()
    return same or _shorter_known(db, agent, draft, import_id)


def _shorter_known(db: DatabaseSession, agent: Agent, draft: SessionDraft, import_id: int) -> AgentSession | None:
    """A session without an id of its own is extended by a longer one that begins with it, from a file of that name."""
    name = db.get_one(Import, import_id).file_name
    query = select(AgentSession).join(Import).where(AgentSession.agent_id == agent.id, Import.file_name == name)
    nameless = (col(AgentSession.external_id).startswith("sha256:"), AgentSession.import_id != import_id)
    shorter = query.where(*nameless, AgentSession.turns < len(draft.transcript.messages))
    for session in db.exec(shorter.order_by(col(AgentSession.turns).desc())).all():
        if draft.transcript.prefix_sha256(session.turns) == session.sha256:
            return session
    return None


def _insert(db: DatabaseSession, import_id: int, agent: Agent, draft: SessionDraft) -> str:
    task_class = draft.task_class or "general"
    know_task_class(db, agent, task_class)
    if draft.user:
        know_facts(db, agent, draft.user, draft.facts)
    number = (db.exec(select(func.max(AgentSession.id))).one() or 0) + 1
    session = AgentSession(
        id=number,
        ref=_reference(db, draft, number),
        external_id=draft.external_id or f"sha256:{draft.transcript.sha256}",
        agent_id=agent.id or 0,
        import_id=import_id,
        user=draft.user,
        task_class=task_class,
        task=draft.task or _first_request(draft),
        started_at=draft.started_at or now(),
        place=draft.place,
        turns=len(draft.transcript.messages),
        sha256=draft.transcript.sha256,
        external_failure=draft.external_failure,
        remarks=[*draft.remarks, *([] if draft.started_at else ["no time in the file; the time of import was taken"])],
    )
    db.add(session)
    db.flush()
    _insert_messages(db, session, draft, 0)
    _insert_feedback(db, session, draft)
    return session.ref


def _reference(db: DatabaseSession, draft: SessionDraft, number: int) -> str:
    own = draft.external_id or ""
    if SHORT_ID.fullmatch(own) and db.exec(select(AgentSession.id).where(AgentSession.ref == own)).first() is None:
        return own
    return f"S-{number:04d}"


def _first_request(draft: SessionDraft) -> str:
    return next((message.content for message in draft.transcript.messages if message.role == "user"), "")[:500]


def _insert_messages(db: DatabaseSession, session: AgentSession, draft: SessionDraft, start: int) -> None:
    rows = as_rows(session.id or 0, draft.transcript, start)
    if rows:
        db.connection().execute(insert(SessionMessage), rows)


def _insert_feedback(db: DatabaseSession, session: AgentSession, draft: SessionDraft) -> None:
    known = set(db.exec(select(Feedback.source, Feedback.text).where(Feedback.session_id == session.id)).all())
    for signal in draft.feedback:
        if (signal.source, signal.text) not in known:
            db.add(_feedback(session, signal.source, signal.good, signal.text, signal.score, session.started_at))
            known.add((signal.source, signal.text))


def _feedback(session: AgentSession, source: str, good: bool, text: str, score: float | None, at: datetime) -> Feedback:
    exact = None if score is None else Decimal(str(round(min(1.0, max(0.0, score)), 2)))
    return Feedback(session_id=session.id or 0, source=source, good=good, text=text, score=exact, by="import", at=at)


def _merge(db: DatabaseSession, known: AgentSession, draft: SessionDraft) -> ImportRow | BadRecord:
    difference = compare(transcript_of(db, known.id or 0), draft.transcript)
    if isinstance(difference, Shorter):
        return ImportRow(draft.place, "older", known.ref, "a shorter version of what is here")
    if isinstance(difference, Differs):
        turn = difference.turn + 1
        why = f"{known.ref} is here already and differs from turn {turn}; it was left as it is"
        return BadRecord(draft.place, why, unit="record")
    if isinstance(difference, Longer):
        _extend(db, known, draft)
        return ImportRow(draft.place, "extended", known.ref, f"{difference.turns} further turns")
    return ImportRow(draft.place, "known", known.ref)


def _extend(db: DatabaseSession, known: AgentSession, draft: SessionDraft) -> None:
    """Add the further turns. What was said before stands where it stood, so quotes keep their places."""
    _insert_messages(db, known, draft, known.turns)
    if known.external_id.startswith("sha256:"):
        known.external_id = f"sha256:{draft.transcript.sha256}"
    known.sha256, known.turns = draft.transcript.sha256, len(draft.transcript.messages)
    db.add(known)
    _insert_feedback(db, known, draft)
    of_it = col(Evidence.session_id) == known.id
    db.connection().execute(update(Evidence).where(of_it).values(sha256=known.sha256))


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
