"""The sessions that the measurements of the critic work on: real ones where there are any, else invented ones."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlmodel import select

from bench.evidence.corpus import quote_sets, transcripts
from core.service.bring_in import bring_in
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.records import Evidence, Item
from core.transcripts import Transcript
from core.vocabulary import Writer
from tests.critic_desk import critic_desk


def real_transcripts() -> Iterator[Transcript]:
    """Every transcript of the corpus that ``TUTELAGE_CORPUS`` names."""
    return transcripts()


def brought_in(database: Database, count: int) -> list[str]:
    """References of so many sessions, invented, each with words of its own."""
    records = [
        {
            "id": f"b{number}",
            "agent": "bench",
            "user": f"user {number}",
            "messages": [
                {"role": "user", "content": f"Can I still return order {number}? It came last week."},
                {"role": "assistant", "content": f"Order {number} can be returned within thirty days of its arrival."},
            ],
        }
        for number in range(count)
    ]
    report = bring_in(database, json.dumps(records).encode(), "bench.json")
    return [row.ref for row in report.rows]


def judged_sessions(folder: Path) -> Iterator[str]:
    """Chats whose quotes real judges wrote, each three of them a note, and what became of every one."""
    database = Database(f"sqlite:///{folder}/bench.db")
    database.migrate()
    became: Counter[str] = Counter()
    sent = lost = 0
    with critic_desk(database) as desk:
        desk.settings(writers=["notes"], context_tokens=1_000_000)
        for quotes in list(quote_sets("quotes-spiral"))[:20]:
            said = [{"role": one.role.value, "content": one.content} for one in quotes.transcript.messages]
            for number, three in enumerate(_in_threes(quotes.quotes)):
                notes = [_note(quote, place) for place, quote in enumerate(three)]
                desk.answers[Writer.NOTES] = {"notes": notes}
                ref = desk.bring(*said, {"role": "user", "content": f"Round {number}."}, id=f"{quotes.name}-{number}")
                [run] = desk.debrief(ref)
                parts = run.calls[0].became
                sent, lost = sent + len(three), lost + len(three) - len(parts) - len(run.calls[0].unreadable)
                became.update(str(part["what"]) for part in parts)
    with database.reading() as db:
        verdicts = Counter(db.exec(select(Evidence.verdict)).all())
        states = Counter(db.exec(select(Item.status).where(Item.proposer == "critic")).all())
        assert db.exec(select(CriticCall)).first() is not None
    database.close()
    yield f"replies: {sent} notes with a judge's quote, {lost} lost; {dict(became)}"
    yield f"  notes by status {dict(states)}; quotes by verdict {dict(verdicts)}"


def _in_threes(quotes: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [quotes[at : at + 3] for at in range(0, min(len(quotes), 30), 3)]


def _note(quote: str, place: int) -> dict[str, Any]:
    return {
        "dimension": ("communication", "consistency", "completeness")[place],
        "severity": "medium",
        "observation": f"The reply flatters instead of answering, place {place}.",
        "evidence": [{"quote": quote, "speaker": "assistant"}],
        "improvement": "Say what is known before you agree with it.",
    }
