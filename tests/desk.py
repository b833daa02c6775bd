"""A small desk to test with: one agent, sessions, drafts and decisions, written through the product's own doors."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from sqlalchemy import insert, text

from core.evidence.contract import Grounding, Span
from core.governance.acts import Decided, Request
from core.governance.desk import decide
from core.governance.drafts import Draft, LessonContent, NoteContent, ProcedureContent, Quoted
from core.governance.on_screen import screen_hash
from core.governance.people import local_operator
from core.governance.proposals import Proposed, propose
from core.service.agents import agent_for
from core.store.append_only import TABLES, guard, unguard
from core.store.database import Database
from core.store.records import AgentSession, Import, Item, SessionMessage
from core.store.transcripts import as_rows
from core.transcripts import AgentDraft, Message, Transcript
from core.vocabulary import Action, Dimension, GivesWay, Role, Severity, Source, Verdict

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
SAID = Transcript(
    messages=(
        Message(role="user", content="Can I get my money back?"),
        Message(role="assistant", content="Yes, the refund has been arranged for you."),
    )
)
OPERATOR = local_operator()


def agent(database: Database, name: str = "Campus Desk", base_prompt: str = "You are Campus Desk.") -> int:
    """An agent's id."""
    with database.writing() as db:
        return agent_for(db, name, AgentDraft(base_prompt)).id or 0


def session(database: Database, ref: str = "CD-1", *, days: int = 0, user: str | None = "student 1") -> int:
    """An agent session of two turns."""
    agent_id = agent(database)
    with database.writing() as db:
        file = Import(at=START, file_name="made.json", format="openai-chat", sha256="0" * 64)
        db.add(file)
        db.flush()
        row = AgentSession(
            ref=ref,
            external_id=ref,
            agent_id=agent_id,
            import_id=file.id or 0,
            user=user,
            task_class="refunds",
            task="A refund for a course",
            started_at=START + timedelta(days=days),
            turns=2,
            sha256=SAID.sha256,
            remarks=[],
        )
        db.add(row)
        db.flush()
        db.connection().execute(insert(SessionMessage), as_rows(row.id or 0, SAID))
        return row.id or 0


def quote(session_id: int, *, found: bool = True) -> Quoted:
    """The agent's promise, or words that it never said."""
    text = "the refund has been arranged" if found else "we never refund anything"
    verdict, spans = (Verdict.EXACT, (Span(1, 5, 33),)) if found else (Verdict.NOT_FOUND, ())
    grounding = Grounding(verdict, spans=spans)
    return Quoted(
        session_id=session_id, quote=text, speaker=Role.ASSISTANT, turn=1, grounding=grounding, sha256=SAID.sha256
    )


def lesson(
    database: Database,
    text: str = "Check the refund policy before you promise a refund.",
    *,
    fault: str = "",
    proposer: str = "check claimed_not_done",
    quotes: tuple[Quoted, ...] = (),
    tags: tuple[str, ...] = ("refund", "policy"),
) -> Proposed:
    """A proposed lesson."""
    content = LessonContent(text=text, tags=tags)
    return put(database, content, Severity.HIGH, fault=fault, proposer=proposer, quotes=quotes)


def procedure(database: Database, title: str = "Policy first", *, confidence: str = "0.60") -> Proposed:
    """A proposed procedure."""
    content = ProcedureContent(
        title=title,
        trigger="When a student asks for a refund",
        instruction=f"{title}: look the refund rule up before you answer.",
        confidence=Decimal(confidence),
    )
    return put(database, content, Severity.MEDIUM)


def note(
    database: Database,
    session_id: int,
    *,
    severity: Severity = Severity.HIGH,
    found: bool = True,
    fault: str = "f",
    user: str | None = "student 1",
) -> Proposed:
    """A note on a session, open when its words were found."""
    content = NoteContent(
        dimension=Dimension.COMPLIANCE,
        severity=severity,
        observation=f"A refund was promised ({fault}).",
        improvement="Look the rule up first.",
    )
    quotes = (quote(session_id, found=found),)
    return put(database, content, severity, fault=fault, quotes=quotes, user=user, session_id=session_id)


def put(
    database: Database,
    content: LessonContent | NoteContent | ProcedureContent,
    severity: Severity,
    *,
    fault: str = "",
    proposer: str = "check claimed_not_done",
    quotes: tuple[Quoted, ...] = (),
    user: str | None = None,
    session_id: int | None = None,
    at: datetime = START,
) -> Proposed:
    """A draft of any kind, proposed."""
    agent_id = agent(database)
    draft = Draft(
        content=content,
        severity=severity,
        agent_id=agent_id,
        task_class="refunds",
        fault=fault,
        origin="claimed_not_done v1",
        proposer=proposer,
        quotes=quotes,
        user=user,
        session_id=session_id,
        source=Source.CHECK,
    )
    with database.writing() as db:
        return propose(db, draft, at=at)


def item(database: Database, item_id: int) -> Item:
    """An item as it stands."""
    with database.reading() as db:
        return db.get_one(Item, item_id)


def request(
    database: Database,
    item_id: int,
    action: Action,
    *,
    person: str = OPERATOR,
    reason: str | None = None,
    text: str = "",
    confidence: Decimal | None = None,
    gives_way: GivesWay | None = None,
    yields: tuple[int, ...] | None = None,
) -> Request:
    """What a person asks for who has just looked at the item."""
    with database.reading() as db:
        row = db.get_one(Item, item_id)
        seen = (item_id, action, person, row.revision, screen_hash(db, row))
        return Request(*seen, reason, text, confidence, gives_way, yields)


def act(database: Database, item_id: int, action: Action, **said: object) -> Decided:
    """A decision of somebody who has just looked."""
    return decide(database, request(database, item_id, action, **said))  # type: ignore[arg-type]


def unchecked_statuses(database: Database, statuses: Mapping[int, str]) -> None:
    """Give items a status behind the product's back, also one that no version knows."""
    unchecked(database, "item", "status", statuses)


def unchecked(
    database: Database, table: str, column: str, values: Mapping[int, str] | Mapping[str, str], *, key: str = "id"
) -> None:
    """Put words of a closed set that no version knows into rows, by their key, as a newer schema might have."""
    sqlite = database.engine.dialect.name == "sqlite"
    guarded = [table] if table in TABLES else []
    with database.writing() as db:
        connection = db.connection()
        unguard(connection, guarded)
        lifted = (
            "PRAGMA ignore_check_constraints = ON"
            if sqlite
            else f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS ck_{table}_{column}_known"
        )
        connection.exec_driver_sql(lifted)
        for found, value in values.items():
            connection.execute(text(f"update {table} set {column} = :v where {key} = :i"), {"v": value, "i": found})
        guard(connection, guarded)
        db.commit()
        if sqlite:
            db.connection().exec_driver_sql("PRAGMA ignore_check_constraints = OFF")
