"""Brings files in: read, recognise what is already known, store the rest, and say what became of every record.

The same file twice brings in nothing new; a longer version of a known session extends it and keeps its notes; other
words for a known session are reported, or put in the place of the old ones where that is asked for; a broken record is
reported and the others go on. A dry run writes nothing.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import tzinfo
from decimal import Decimal
from functools import cached_property

from sqlalchemy import func, insert, update
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import BadRecord
from core.screening.secrets import mask
from core.service.agents import agent_for, know_facts, know_task_class, threshold_of
from core.service.corrections import From, replace_words
from core.service.masking import masked_draft, masked_transcript
from core.settings import DEFAULTS
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, AgentSession, Evidence, Feedback, Import, SessionMessage
from core.store.transcripts import as_rows, transcript_of
from core.transcripts import SessionDraft, Transcript
from core.transcripts.compare import Differs, Longer, Shorter, compare
from core.transcripts.formats import Format
from core.transcripts.names import shown_name
from core.transcripts.read import Reading, read

UNNAMED = "unnamed agent"
OURS = re.compile(r"[SLNP]-\d{4,}")
SHORT_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,19}")
BATCH = 100
"""Sessions stored in one transaction; few enough that a person's decision never waits long."""

Met = dict[tuple[str, str], Transcript]
"""Transcripts of a file so far, by agent and id."""

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class ImportRow:
    """What became of one record: ``new``, ``known``, ``extended``, ``corrected``, ``older`` or ``failed``."""

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
    def corrected(self) -> int:
        """Known sessions whose words were put in the place of other ones."""
        return self._count("corrected")

    @property
    def failed(self) -> int:
        """Records that could not be read or stored."""
        return len(self.errors)

    @property
    def summary(self) -> str:
        """One sentence for people."""
        said = [f"{self.new} would come in" if self.dry_run else f"{self.new} imported"]
        said += [f"{self.extended} extended"] if self.extended else []
        said += [f"{self.corrected} {'would be ' if self.dry_run else ''}corrected"] if self.corrected else []
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
    correct: bool = False,
    by: str = "import",
    progress: Progress | None = None,
) -> ImportReport:
    """Read a file and store what is new in it. Raises ``UnknownFormat`` or ``FileRefused``; nothing is stored then.

    ``correct`` puts other words for a known session in the place of the old ones, in the name of ``by``.
    """
    reading = read(data, name, format=format, zone=zone, limit=DEFAULTS.import_bytes)
    file = _File(shown_name(name), masked_reading(reading), correct, by)
    with database.writing() as db:
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
    reading = read(data, name, format=format, zone=zone, limit=DEFAULTS.import_bytes)
    file = _File(shown_name(name), masked_reading(reading), correct)
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
    key = (name, _own_id(draft))
    agent = db.exec(select(Agent).where(Agent.name == name)).first()
    known = _known(db, agent, draft, file) if agent else None
    before = met.get(key) or (transcript_of(db, known.id or 0) if known else None)
    met[key] = draft.transcript
    if before is None:
        return ImportRow(draft.place, "new", draft.external_id or "", "; ".join(_remarks(draft)))
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
        return ImportRow(draft.place, "new", _insert(db, import_id, agent, draft), "; ".join(_remarks(draft)))
    if known.sha256 == draft.transcript.sha256:
        return ImportRow(draft.place, "known", known.ref, _told_more(db, agent, known, draft))
    row = _compared(draft, known.ref, transcript_of(db, known.id or 0), file)
    if isinstance(row, BadRecord) or row.what not in ("extended", "corrected"):
        return row
    _told_more(db, agent, known, draft)
    if row.what == "extended":
        _extend(db, known, draft)
        return row
    followed = replace_words(db, known, draft.transcript, From(import_id, file.by, now()))
    return replace(row, detail="; ".join(filter(None, (row.detail, followed.text))))


def _own_id(draft: SessionDraft) -> str:
    """The file's own id, or the hash of the words where it has none."""
    return draft.external_id or draft.transcript.sha256


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


def _insert(db: DatabaseSession, import_id: int, agent: Agent, draft: SessionDraft) -> str:
    task_class = draft.task_class or "general"
    know_task_class(db, agent, task_class)
    know_facts(db, agent, draft.user, draft.facts)
    number = (db.exec(select(func.max(AgentSession.id))).one() or 0) + 1
    session = AgentSession(
        id=number,
        ref=_reference(db, draft, number),
        external_id=_own_id(draft),
        nameless=draft.external_id is None,
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
        remarks=_remarks(draft),
    )
    db.add(session)
    db.flush()
    _insert_messages(db, session, draft, 0)
    _insert_feedback(db, agent, session, draft)
    return session.ref


def _remarks(draft: SessionDraft) -> list[str]:
    remarks = list(draft.remarks)
    if draft.started_at is None:
        remarks.append("no start was read from the file; the time of import was taken")
    if draft.facts and not draft.user:
        remarks.append(f"{len(draft.facts)} facts were left out, because the session names no user")
    return remarks


def _reference(db: DatabaseSession, draft: SessionDraft, number: int) -> str:
    """The file's own id where it is short and free and no reference of ours, else a number."""
    own = draft.external_id or ""
    if SHORT_ID.fullmatch(own) and not OURS.fullmatch(own) and _is_free(db, own):
        return own
    return f"S-{number:04d}"


def _is_free(db: DatabaseSession, ref: str) -> bool:
    return db.exec(select(AgentSession.id).where(AgentSession.ref == ref)).first() is None


def _first_request(draft: SessionDraft) -> str:
    return next((message.content for message in draft.transcript.messages if message.role == "user"), "")[:500]


def _insert_messages(db: DatabaseSession, session: AgentSession, draft: SessionDraft, start: int) -> None:
    rows = as_rows(session.id or 0, draft.transcript, start)
    if rows:
        db.connection().execute(insert(SessionMessage), rows)


def _told_more(db: DatabaseSession, agent: Agent, known: AgentSession, draft: SessionDraft) -> str:
    """Keep what a record says of a known session beside its words, such as a reward that came later."""
    know_facts(db, agent, known.user or draft.user, draft.facts)
    added = _insert_feedback(db, agent, known, draft)
    return f"{added} further signals" if added else ""


def _insert_feedback(db: DatabaseSession, agent: Agent, session: AgentSession, draft: SessionDraft) -> int:
    """Keep the signals that are not known yet; returns how many. A score is read by the agent's threshold."""
    known = set(db.exec(select(Feedback.source, Feedback.text).where(Feedback.session_id == session.id)).all())
    fresh = {(signal.source, signal.text): signal for signal in draft.feedback}
    fresh = {key: signal for key, signal in fresh.items() if key not in known}
    for signal in fresh.values():
        exact = None if signal.score is None else Decimal(str(round(min(1.0, max(0.0, signal.score)), 2)))
        row = Feedback(
            session_id=session.id or 0,
            source=signal.source,
            good=signal.good if exact is None else exact >= threshold_of(agent),
            score=exact,
            text=signal.text,
            by="import",
            at=session.started_at,
        )
        db.add(row)
    return len(fresh)


def _compared(draft: SessionDraft, ref: str, known: Transcript, file: _File) -> ImportRow | BadRecord:
    """What a record says of a session that is known already."""
    difference = compare(known, draft.transcript)
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
    """Add the further turns. What was said before stands where it stood, so quotes keep their places."""
    _insert_messages(db, known, draft, known.turns)
    if known.nameless:
        known.external_id = draft.transcript.sha256
    known.sha256, known.turns = draft.transcript.sha256, len(draft.transcript.messages)
    db.add(known)
    of_it = col(Evidence.session_id) == known.id
    db.connection().execute(update(Evidence).where(of_it).values(sha256=known.sha256))
