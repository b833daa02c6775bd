"""Invented views for tests of what people see, and for the gallery."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from core.evidence.contract import Grounding, Reason, Span
from core.service.views import Card, Mark, Page, PathPoint, ProcedureRow, QueueRow, Quote, ReadLine, SessionRow, Signal
from core.transcripts.message import Message, ToolCall, Transcript
from core.vocabulary import Form, Kind, ProcedureKind, Reliability, Role, Scope, Severity, Source, Verdict

NOW = datetime(2026, 11, 30, 9, 12, tzinfo=UTC)

TRANSCRIPT = Transcript(
    messages=(
        Message(role=Role.SYSTEM, content="You are the desk of a cycling shop. Refunds end after 14 days. " * 12),
        Message(
            role=Role.USER,
            content="The light I bought flickers. Costs were $25 and $4 shipping, <b>can</b> I send it back?",
        ),
        Message(
            role=Role.ASSISTANT,
            content="Let me look that up.",
            tool_calls=(ToolCall(name="find_order", arguments={"mail": "ann@example.org"}, id="c1"),),
        ),
        Message(
            role=Role.TOOL, name="find_order", tool_call_id="c1", content='{"order": 88, "bought": "2 Nov", "days": 27}'
        ),
        Message(
            role=Role.ASSISTANT,
            content="Good news: you are still inside the 14-day window, so I have arranged the full refund. "
            "It will be on your card within five working days.\n\nShall I look for a stronger light?",
            tool_calls=(ToolCall(name="refund", arguments={"order": 88}, id="c2"),),
        ),
        Message(
            role=Role.TOOL,
            name="refund",
            tool_call_id="c2",
            failed=True,
            content='{"status": "rejected", "reason": "outside the window"}',
        ),
        Message(role=Role.USER, content="Great, thank you! And yes please."),
        Message(role=Role.TOOL, name="search", content="light " * 900),
        Message(role=Role.ASSISTANT, content="The Beam 40 has a steady 40 lux. It costs $39."),
    )
)


def span(turn: int, words: str) -> Span:
    """Where these words stand in the sample transcript."""
    start = TRANSCRIPT.messages[turn].content.index(words)
    return Span(turn, start, start + len(words))


def quote(number: int, text: str, grounding: Grounding, speaker: Role = Role.ASSISTANT, session: int = 1) -> Quote:
    """A quote of the sample session."""
    return Quote(number, number, session, f"S-{session:04d}", text, speaker, grounding)


FOUND = quote(
    1,
    "you are still inside the 14–day window, so I have arranged the full refund",
    Grounding(
        Verdict.FOLDED,
        (span(4, "you are still inside the 14-day window, so I have arranged the full refund"),),
        folds=("hyphens",),
    ),
)
REJECTED = quote(
    2,
    '"rejected", "reason": "outside the window"',
    Grounding(Verdict.EXACT, (span(5, '"rejected", "reason": "outside the window"'),)),
    Role.TOOL,
)
SHORTENED = quote(
    3,
    "It will be … five working days",
    Grounding(
        Verdict.ELIDED,
        (span(4, "It will be"), span(4, "five working days")),
        gaps=(span(4, " on your card within "),),
    ),
)
ALTERED = quote(
    4,
    "The Beam 40 has a steady 50 lux.",
    Grounding(
        Verdict.ALTERED,
        reasons=(Reason("number_differs", "The transcript says 40 where the quote says 50."),),
        nearest=(span(8, "The Beam 40 has a steady 40 lux."),),
    ),
)
WRONG = quote(
    5,
    "can I send it back?",
    Grounding(
        Verdict.WRONG_SPEAKER,
        reasons=(Reason("wrong_speaker", "The user said these words."),),
        nearest=(span(1, "I send it back?"),),
    ),
)

SESSION = SessionRow(
    1, "S-0001", "Cycle desk", "ann", "refunds", NOW - timedelta(days=3), 9, "complaint", 2, "Send a lamp back"
)

READS = (
    ReadLine("Lessons from previous tasks (follow them where they apply):", "2 most relevant", 11, heading=True),
    ReadLine(
        "- Before you confirm a refund, look up the date of the purchase and name the rule that decides it.",
        "would be added",
        24,
        "L-0142",
        new=True,
    ),
    ReadLine("- Give the order number when you hand over.", "shares “order” with the task", 9, "L-0104"),
)


def card(quotes: tuple[Quote, ...] = (FOUND, REJECTED, SHORTENED), **changes: object) -> Card:
    """A lesson that waits; ``changes`` replace fields."""
    fields: dict[str, object] = {
        "id": 142,
        "ref": "L-0142",
        "version": 1,
        "revision": 1,
        "kind": Kind.LESSON,
        "status": "proposed",
        "severity": Severity.CRITICAL,
        "gravest": Severity.CRITICAL,
        "agent": "Cycle desk",
        "user": None,
        "task_class": "refunds",
        "text": "Before you confirm a refund, look up the date of the purchase and name the rule that decides it. "
        "If either is unknown, say that it has to be checked first.",
        "created_at": NOW - timedelta(hours=3),
        "proposer": "check: claimed but not done",
        "origin": "from feedback of 26 Nov",
        "content_hash": "9c1e40aa77",
        "screen_hash": "9c1e40aa77",
        "sessions": 3,
        "quotes": quotes,
        "signals": (Signal(Source.TOOL, Reliability.HIGH, "refund said “rejected”"),),
        "warnings": ("near twin: L-0097 says “Check the refund policy before you confirm”; approving keeps both.",),
        "reads": READS,
        "form": Form.INSTRUCTION,
        "scope": Scope.TASK_CLASS,
        "tags": ("refund", "policy"),
    }
    return Card(**(fields | changes))  # type: ignore[arg-type]


def queue() -> Page[QueueRow]:
    """Seven rows of all severities."""
    headlines = (
        (Severity.CRITICAL, Kind.LESSON, card().text, True, False),
        (Severity.CRITICAL, Kind.NOTE, "A refund was promised outside the window.", True, False),
        (Severity.HIGH, Kind.LESSON, "Say that something is cancelled only after the tool has answered.", True, False),
        (
            Severity.HIGH,
            Kind.PROCEDURE,
            "IF a client rules something out THEN leave it out of every proposal.",
            False,
            False,
        ),
        (
            Severity.MEDIUM,
            Kind.LESSON,
            "I sent the person away because I did not read the end date; next time, look it up.",
            True,
            True,
        ),
        (Severity.LOW, Kind.LESSON, "Offer the corrected certificate as a link in the same message.", False, False),
        (Severity.POSITIVE, Kind.NOTE, "The order number was given before it was asked for.", False, False),
    )
    rows = tuple(
        QueueRow(
            142 - at,
            f"{kind.letter}-{142 - at:04d}",
            1,
            kind,
            "proposed",
            severity,
            text,
            "Cycle desk",
            "refunds",
            at % 3 + 1,
            "quote not found" if lost else "quote found",
            unread,
            NOW - timedelta(hours=3 * at * at + 1),
        )
        for at, (severity, kind, text, unread, lost) in enumerate(headlines)
    )
    return Page(rows, 7, 1, 50)


def procedure() -> ProcedureRow:
    """A procedure whose path has a success, a failure, a session without an outcome and a recovery."""
    day = datetime(2026, 3, 1, 10, tzinfo=UTC)
    steps = (
        ("start", "0.60", True),
        ("success", "0.68", True),
        ("failure", "0.53", False),
        ("no outcome", None, False),
        ("success", "0.61", True),
    )
    path = tuple(
        PathPoint(
            day + timedelta(days=at),
            what,
            Decimal(value) if value else None,
            inside,
            at or None,
            f"S-{at:04d}" if at else "",
        )
        for at, (what, value, inside) in enumerate(steps)
    )
    return ProcedureRow(
        7,
        "P-0007",
        1,
        1,
        "active",
        "Worst case first",
        "any proposal",
        "Say what could be lost first.",
        ProcedureKind.WORKFLOW,
        "Cycle desk",
        None,
        Decimal("0.61"),
        True,
        2,
        1,
        path,
        (Mark(day, "approved by Meera"),),
    )
