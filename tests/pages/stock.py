"""A desk with something to decide about, made by the real services from one invented file."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from sqlmodel import select

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.effects.outcomes import report_outcome
from core.evidence import prepare
from core.governance.acts import Request
from core.governance.desk import decide
from core.governance.drafts import AnyContent, Draft, LessonContent, NoteContent, ProcedureContent, Quoted
from core.governance.people import current_person
from core.governance.proposals import propose
from core.service import desk_views
from core.service.agents import agent_record, save_agent
from core.service.bring_in import bring_in
from core.store.database import Database
from core.store.records import Agent
from core.store.transcripts import transcript_of
from core.vocabulary import Action, Dimension, Form, Outcome, ProcedureKind, Role, Severity, Source

AT = datetime(2025, 3, 3, 14, 8, tzinfo=UTC)
LATER = AT + timedelta(days=2)
AGENT = "Cycle desk"


def messages(number: int) -> list[dict[str, object]]:
    """One invented conversation; prices and markup are in it on purpose."""
    call = {
        "id": f"c{number}",
        "type": "function",
        "function": {"name": "refund", "arguments": json.dumps({"order": number})},
    }
    return [
        {
            "role": "system",
            "content": "You are the desk of a cycling shop. Refunds end 14 days after the purchase. Name the rule.",
        },
        {
            "role": "user",
            "content": f"The light of order {number} flickers. It cost $25 and $4 post; <b>can</b> I *send* it back?",
        },
        {"role": "assistant", "content": "Let me see what I can do for you.", "tool_calls": [call]},
        {
            "role": "tool",
            "tool_call_id": f"c{number}",
            "content": '{"status": "rejected", "reason": "outside the 14-day window"}',
        },
        {
            "role": "assistant",
            "content": "Good news: I have arranged the full refund of $29. It will be on your card within five days.",
        },
        {"role": "user", "content": "Thank you, that is great!"},
        {"role": "assistant", "content": "You are welcome. Shall I look for a stronger light as well?"},
    ]


USERS = ("ann", "ben", "<i>cleo</i>")


def task_class(number: int) -> str:
    """The task class of a day's session; every fourth is about lights."""
    return "refunds" if number % 4 else "lights"


def sessions_file(count: int = 8) -> bytes:
    """JSON lines of ``count`` sessions, one a day."""
    records = [
        {
            "id": f"CD-{2290 + number}",
            "agent": AGENT,
            "user": USERS[number % len(USERS)],
            "task_class": task_class(number),
            "task": f"Send back the light of order {number}",
            "started_at": (AT + timedelta(days=number)).isoformat(),
            "messages": messages(number),
        }
        for number in range(count)
    ]
    return "\n".join(json.dumps(record) for record in records).encode()


LESSONS = (
    (
        "Before you confirm a refund, look up the date of the purchase and name the rule that decides it.",
        Severity.CRITICAL,
    ),
    ("Say that something is arranged only after the tool has answered with success.", Severity.HIGH),
    ("Name the costs that are not given back, such as shipping, before you promise a sum.", Severity.MEDIUM),
    ("Offer another product only when the refund of the first is settled.", Severity.LOW),
)
FOUND = "I have arranged the full refund of $29."
TOOL = '"rejected", "reason": "outside the 14-day window"'
LOST = "I have arranged the full refund of $92."


def fill(db: Database) -> None:
    """Sessions, lessons and notes of every severity, a held note, and procedures with a past."""
    bring_in(db, sessions_file(), "cycle-desk.jsonl")
    record = agent_record(db, AGENT)
    save_agent(
        db, type(record)(**{**record.__dict__, "base_prompt": "You are the desk of a cycling shop.", "owner": "Meera"})
    )
    for number, (text, severity) in enumerate(LESSONS):
        content = LessonContent(text=text, tags=("refund", "policy"), form=Form.INSTRUCTION)
        add(db, content, severity, number % 3 + 1, [(FOUND, Role.ASSISTANT), (TOOL, Role.TOOL)])
    add(
        db,
        LessonContent(text="Write the sum as the order has it; next time, read it once more."),
        Severity.HIGH,
        2,
        [(LOST, Role.ASSISTANT)],
    )
    for session, severity in ((1, Severity.CRITICAL), (2, Severity.CRITICAL), (3, Severity.MEDIUM)):
        add(db, note(session, severity), severity, session, [(FOUND, Role.ASSISTANT)])
    add(db, note(4, Severity.CRITICAL), Severity.CRITICAL, 4, [(LOST, Role.ASSISTANT)])
    _procedures(db)


def note(session: int, severity: Severity) -> NoteContent:
    """A note about one session."""
    return NoteContent(
        dimension=Dimension.COMPLIANCE,
        severity=severity,
        observation=f"A refund was promised outside the window, although the tool had refused it (case {session}).",
        improvement="Read the answer of the refund tool before you speak of a refund.",
    )


def add(
    db: Database,
    content: AnyContent,
    severity: Severity,
    session: int,
    quotes: list[tuple[str, Role]],
    at: datetime = LATER,
) -> int:
    """Propose an item with its quotes looked for in one session; its id."""
    with db.writing() as writing:
        agent = writing.exec(select(Agent).where(Agent.name == AGENT)).one()
        transcript = transcript_of(writing, session)
        prepared = prepare(transcript)
        quoted = tuple(
            Quoted(
                session_id=session,
                quote=text,
                speaker=role,
                sha256=transcript.sha256,
                grounding=prepared.ground(text, speaker=role),
            )
            for text, role in quotes
        )
        is_note = isinstance(content, NoteContent)
        draft = Draft(
            content=content,
            severity=severity,
            agent_id=agent.id or 0,
            task_class="refunds",
            quotes=quoted,
            origin="invented for a test",
            proposer="check claimed_not_done",
            source=Source.CHECK,
            session_id=session if is_note else None,
            user="ann" if is_note else None,
            fault=f"fault-{session}-{severity}" if is_note else "",
        )
        return propose(writing, draft, at=at + timedelta(minutes=session)).item_id


INSTRUCTIONS = (
    "Call the refund tool, read its answer, and only then say what will happen.",
    "Quote the paragraph of the refund policy that decides, with its number of days.",
)


def _procedures(db: Database) -> None:
    titles = ("Tool before promise", "Name the rule")
    for at, title in enumerate(titles):
        content = ProcedureContent(
            title=title,
            trigger="a person asks for a refund",
            instruction=INSTRUCTIONS[at],
            kind=ProcedureKind.WORKFLOW if at else ProcedureKind.RULE,
            confidence=Decimal("0.70") if at else Decimal("0.60"),
        )
        approve(
            db,
            add(db, content, Severity.HIGH, 1 + at, [(FOUND, Role.ASSISTANT)], AT - timedelta(days=2)),
            AT - timedelta(days=1),
        )
    went = (Outcome.SUCCESS, Outcome.FAILURE, None, Outcome.SUCCESS, Outcome.SUCCESS)
    for day, outcome in enumerate(went):
        when = AT + timedelta(days=day)
        user = USERS[day % len(USERS)]
        issued = issue(db, Asked(AGENT, user, task_class(day), "a refund for a light"), at=when)
        if outcome:
            report_outcome(db, issued.receipt, outcome, session_ref=f"CD-{2290 + day}", at=when)


def approve(db: Database, item_id: int, at: datetime) -> None:
    """Approve an item as the person who is at the desk."""
    me = current_person(db).name
    card = desk_views.card(db, item_id, person=me)
    decide(db, Request(item_id, Action.APPROVE, me, card.revision, card.screen_hash), at=at)
