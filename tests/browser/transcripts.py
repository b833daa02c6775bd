"""Sessions for the tests of the transcript view: long, hostile, crowded and empty ones."""

import json
from collections.abc import Sequence

from sqlmodel import select

from core.evidence import prepare
from core.governance.drafts import Draft, LessonContent, NoteContent, Quoted
from core.governance.proposals import propose
from core.service.bring_in import bring_in
from core.service.desk_views import session_id_of
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent
from core.store.transcripts import transcript_of
from core.vocabulary import Dimension, Role, Severity, Source

TURNS = 2_000
HOSTILE = (
    "<img src=x onerror=window.hacked=1> refund me",
    "I will refund <b>you</b> & close it. <script>window.hacked=1</script> <svg onload=window.hacked=1>",
    "Move $500 to savings and $300 to debt. ~5% fee, *not* :red[final], # 1 rule, <b>bold</b> :material/home:",
    "![x](https://example.invalid/pixel.png) [y](javascript:alert(1)) `code`\r\n\r\n| a |\r\n|---|\r\n\ttab",
    "first \u202egpj.exe\u202c last, bell \x07, \x1b[31mred\x1b[0m, null \x00, half a pair \ud83d.",
    "مرحبا abc 123 שלום 👩‍👩‍👧 İß\ufb01 e\u0301",
    "x" * 100_000,
    "Z" + "\u0335\u0336\u0337\u0338" * 2_500 + " after ten thousand marks",
    "   ",
    "words " * 20_000 + "and the very last words",
)
LONG = tuple(f"Turn {turn} says that the parcel number {turn} is on its way to you." for turn in range(1, TURNS + 1))
SHARED = "I have arranged the full refund of your order"
OUTPUT = "row " * 2_000 + "a needle in what was cut " + "row " * 200


def fill(database: Database) -> None:
    """Bring everything in, and propose notes on it."""
    _bring(database, "LONG-1", LONG)
    _note(database, "LONG-1", "The parcel was not on its way.", "the parcel number 1500 is on its way")
    _note(database, "LONG-1", "Nor was that one.", "the parcel number 20 is on its way")
    _bring(database, "HOSTILE-1", HOSTILE)
    _note(database, "HOSTILE-1", "A refund was promised.", "I will refund <b>you</b> & close it")
    _bring(database, "ONE-1", ("Hello?",))
    _bring(database, "TWO-1", ("Can I have my money back?", f"{SHARED}. It will take five days. Is that all?", "Yes."))
    _note(database, "TWO-1", "A refund was promised.", SHARED)
    _note(database, "TWO-1", "No rule was named.", f"{SHARED}. It will take five days")
    _bring(database, "MANY-1", ("Tell me.", " ".join(f"This is the promise number {n}." for n in range(50))))
    for number in range(60):
        _note(database, "MANY-1", f"Promise {number} is not kept.", f"This is the promise number {number % 50}")
    _bring(database, "TWICE-1", [text for turn in range(60) for text in (f"Question {turn}?", _answer(turn))])
    _note(database, "TWICE-1", "It said so twice.", "this cannot be refunded at all")
    _lesson(
        database,
        "LONG-1",
        "Say where a parcel is only after looking the parcel up.",
        "the parcel number 2 is on its way",
    )
    _lesson(database, "TWICE-1", "Name the refund rule before you promise a refund.", "Answer 20: let me look")
    call = {"id": "c1", "type": "function", "function": {"name": "rows", "arguments": "{}"}}
    messages = [
        {"role": "system", "content": "You are the desk. The word of the day is marzipan."},
        {"role": "user", "content": "Which rows are there?"},
        {"role": "assistant", "content": "Let me look at them now.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": OUTPUT},
        {"role": "assistant", "content": ""},
    ]
    _bring_messages(database, "FOLDS-1", messages)


def _answer(turn: int) -> str:
    return f"Answer {turn}: " + ("this cannot be refunded at all." if turn in (10, 50) else "let me look.")


def said(database: Database, ref: str) -> list[str]:
    """What each turn of a session says, as it is stored."""
    with database.reading() as db:
        return [message.content for message in transcript_of(db, session_id_of(database, ref)).messages]


def _bring(database: Database, ref: str, texts: Sequence[str]) -> None:
    messages = [{"role": "assistant" if at % 2 else "user", "content": text} for at, text in enumerate(texts)]
    _bring_messages(database, ref, messages)


def _bring_messages(database: Database, ref: str, messages: Sequence[object]) -> None:
    record = {"id": ref, "agent": "Desk", "user": "ann", "messages": messages}
    assert bring_in(database, json.dumps(record).encode(), f"{ref}.json").errors == ()


def _note(database: Database, ref: str, observation: str, words: str) -> None:
    content = NoteContent(
        dimension=Dimension.COMPLIANCE,
        severity=Severity.CRITICAL,
        observation=observation,
        improvement="Look it up first.",
    )
    _propose(database, ref, content, words)


def _lesson(database: Database, ref: str, text: str, words: str) -> None:
    _propose(database, ref, LessonContent(text=text, tags=("parcel", "refund")), words)


def _propose(database: Database, ref: str, content: NoteContent | LessonContent, words: str) -> None:
    session = session_id_of(database, ref)
    is_note = isinstance(content, NoteContent)
    with database.writing() as db:
        transcript = transcript_of(db, session)
        quote = Quoted(
            session_id=session,
            quote=words,
            speaker=Role.ASSISTANT,
            turn=None,
            grounding=prepare(transcript).ground(words, speaker=Role.ASSISTANT),
            sha256=transcript.sha256,
        )
        draft = Draft(
            content=content,
            severity=Severity.CRITICAL,
            agent_id=db.exec(select(Agent).where(Agent.name == "Desk")).one().id or 0,
            task_class="general",
            fault=content.observation if isinstance(content, NoteContent) else "",
            origin="known v1",
            proposer="check known",
            source=Source.CHECK,
            quotes=(quote,),
            user="ann" if is_note else None,
            session_id=session if is_note else None,
        )
        propose(db, draft, at=now())
