"""A desk on which many items wait.

A few sessions and proposals come in through the product's own doors; the rest are copies of their rows, each with
words, a decision and a link in the log of its own, so that the desk works on every one of them.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlalchemy import func, insert
from sqlmodel import Session as DatabaseSession
from sqlmodel import SQLModel, col, select

from core.evidence import prepare
from core.governance.drafts import AnyContent, Draft, LessonContent, ProcedureContent, Quoted
from core.governance.log import canonical, link_hash, sha256_of
from core.governance.proposals import propose
from core.governance.references import placed
from core.screening.twins import folded
from core.service.agents import agent_for
from core.service.bring_in import bring_in
from core.service.start import open_database
from core.store.database import Database
from core.store.governance_records import LogEntry
from core.store.records import (
    AgentSession,
    Decision,
    Evidence,
    Item,
    LessonBody,
    ProcedureBody,
    Screening,
    SessionMessage,
)
from core.store.transcripts import as_rows, transcript_of
from core.transcripts import AgentDraft, Transcript
from core.vocabulary import Kind, Role, Severity, Source

AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SHOPS = ("cycle", "garden", "music", "toy", "tool", "book", "lamp", "shoe", "tea", "paint")
FIRST_ORDER = 10_001
"""Orders have five digits, so that a copy with another number has its quotes at the same places."""

VERBS = ("Look up", "Read out", "Confirm", "Write down", "Check", "Quote", "Compare", "Open", "Name", "Count")
THINGS = (
    *("delivery date", "return window", "warranty card", "customs form", "carrier's note", "size chart", "stock list"),
    *("payment record", "gift voucher", "repair history", "battery label", "exchange rule", "pickup slot", "invoice"),
    *("loyalty balance", "shipping zone", "parcel weight", "recall notice", "colour code", "service plan", "deposit"),
)
PLACES = (
    *("in the order system", "on the supplier's page", "in the shop's handbook", "in the carrier's answer"),
    *("in the account history", "on the printed label", "in the weekly report", "in the finance tool"),
)
BEFORE = (
    *("before a refund is promised", "before the customer hangs up", "before another parcel is sent"),
    *("before the case is closed", "before a colleague takes over", "before any amount is named"),
    *("before the address is changed", "before a discount is offered", "before a new date is given"),
)
SAID = "Good news: I have arranged the full refund of order {order}, and it will be on your card within five days."
TOOL = '{{"status": "rejected", "order": "{order}", "reason": "outside the 14-day window"}}'
TALK = (
    (Role.USER, "Hello, the {shop} shop? Order {order} came with a broken part, and I would like to send it back."),
    (Role.ASSISTANT, "I am sorry to hear that. Let me look at order {order} and see which of our rules applies to it."),
    (Role.USER, "It has been on my table for three weeks now, and nobody has answered any of the mails that I wrote."),
    (Role.ASSISTANT, "That must have been annoying. Was the part broken when the parcel came, or did it break in use?"),
    (Role.USER, "It was broken from the start; there is a picture of it in my second mail, with the label beside it."),
    (Role.ASSISTANT, "Thank you. I see the picture and the label of order {order}. I ask our refund tool now."),
    (Role.TOOL, TOOL),
    (Role.ASSISTANT, SAID),
    (Role.USER, "That is great to hear, thank you! Do I have to send the broken part back to you, or can I keep it?"),
    (Role.ASSISTANT, "You can keep the part. Is there anything else that the {shop} shop can do for you today?"),
    (Role.USER, "No, that was all. I will look at my card on Friday, then. Good bye, and thanks for the quick help."),
    (Role.ASSISTANT, "Good bye, and thank you for your patience. Order {order} is closed on our side now."),
)


@dataclass(frozen=True)
class Seed:
    """The rows of one proposal and of the session that it quotes."""

    session: AgentSession
    transcript: Transcript
    item: Item
    evidence: tuple[Evidence, ...]
    screening: Screening
    decision: Decision


def filled(path: Path, size: int) -> Database:
    """A desk at ``path`` on which ``size`` items wait."""
    database = open_database(f"sqlite:///{path}")
    bring_in(database, _sessions_file(), "shops.jsonl")
    _propose_first(database)
    with database.writing() as db:
        _multiply(db, size)
    return database


def content_number(number: int) -> AnyContent:
    """What item ``number`` says: every fifth is a procedure, and no two say the same."""
    verb, thing = VERBS[number % len(VERBS)], THINGS[number // 3 % len(THINGS)]
    place, before = PLACES[number // 7 % len(PLACES)], BEFORE[number // 11 % len(BEFORE)]
    text = f"{verb} the {thing} {place} {before}, and say where it stands ({_in_letters(number)})."
    if number % 5:
        return LessonContent(text=text, tags=("refund", thing.rpartition(" ")[2].lower()))
    return ProcedureContent(
        title=f"{verb} the {thing}",
        trigger=f"a customer asks about the {thing}",
        instruction=text,
        confidence=Decimal("0.70"),
    )


def _in_letters(number: int) -> str:
    """The number as a name of shelves, since a lesson is not about one order: ``shelf bcde``."""
    return "shelf " + "".join("bcdfghjklm"[int(digit)] for digit in f"{number:05}")


def _sessions_file() -> bytes:
    return "\n".join(json.dumps(_session(number, shop)) for number, shop in enumerate(SHOPS)).encode()


def _session(number: int, shop: str) -> dict[str, Any]:
    order = FIRST_ORDER + number
    call = {
        "id": f"c{order}",
        "type": "function",
        "function": {"name": "refund", "arguments": json.dumps({"order": str(order)})},
    }
    messages: list[dict[str, Any]] = [{"role": "system", "content": f"You are the desk of the {shop} shop."}]
    for role, words in TALK:
        message: dict[str, Any] = {"role": role.value, "content": words.format(order=order, shop=shop)}
        if role is Role.TOOL:
            messages[-1]["tool_calls"] = [call]
            message["tool_call_id"] = call["id"]
        messages.append(message)
    return {
        "id": f"S-{order}",
        "agent": f"{shop.capitalize()} desk",
        "user": f"customer {number}",
        "task_class": "refunds",
        "task": f"Send back the broken part of order {order}",
        "started_at": (AT + timedelta(hours=number)).isoformat(),
        "messages": messages,
    }


def _propose_first(database: Database) -> None:
    """One lesson and one procedure of every shop, proposed as a check proposes them."""
    with database.writing() as db:
        for at, (number, shop) in enumerate((number, shop) for number in (1, 5) for shop in enumerate(SHOPS)):
            _propose(db, shop, content_number(100 * number + 10 * at + number))


def _propose(db: DatabaseSession, shop: tuple[int, str], content: AnyContent) -> None:
    place, name = shop
    session = db.exec(select(AgentSession).where(AgentSession.external_id == f"S-{FIRST_ORDER + place}")).one()
    transcript = transcript_of(db, session.id or 0)
    prepared = prepare(transcript)
    quotes = tuple(
        Quoted(
            session_id=session.id or 0,
            quote=words.format(order=FIRST_ORDER + place),
            speaker=role,
            sha256=transcript.sha256,
            grounding=prepared.ground(words.format(order=FIRST_ORDER + place), speaker=role),
        )
        for role, words in ((Role.ASSISTANT, SAID), (Role.TOOL, TOOL))
    )
    draft = Draft(
        content=content,
        severity=Severity.MEDIUM,
        agent_id=agent_for(db, f"{name.capitalize()} desk", AgentDraft("")).id or 0,
        task_class="refunds",
        quotes=quotes,
        origin="claimed_not_done v1",
        proposer="check claimed_not_done",
        source=Source.CHECK,
    )
    propose(db, draft, at=AT + timedelta(days=1, minutes=place))


def _multiply(db: DatabaseSession, size: int) -> None:
    seeds = tuple(_seeds(db))
    copies = _Copies(db)
    for number in range(len(seeds), size):
        content = content_number(number)
        kind = content.becomes
        alike = [seed for seed in seeds if seed.item.kind == kind]
        copies.add(alike[number % len(alike)], content, number)
    copies.write(db)


def _seeds(db: DatabaseSession) -> Iterator[Seed]:
    for item in db.exec(select(Item).order_by(col(Item.id))).all():
        evidence = tuple(db.exec(select(Evidence).where(Evidence.item_id == item.id)).all())
        session = db.get_one(AgentSession, evidence[0].session_id)
        decision = db.exec(select(Decision).where(Decision.item_id == item.id)).one()
        screening = db.get_one(Screening, item.id)
        yield Seed(session, transcript_of(db, session.id or 0), item, evidence, screening, decision)


class _Copies:
    """Rows to be inserted, by table, with the ids that follow those in the store."""

    TABLES = (AgentSession, SessionMessage, Item, LessonBody, ProcedureBody, Evidence, Screening, Decision, LogEntry)

    def __init__(self, db: DatabaseSession) -> None:
        self.rows: dict[type[SQLModel], list[dict[str, Any]]] = {table: [] for table in self.TABLES}
        self.next = {table: self._highest(db, table.id) for table in (AgentSession, Item, Evidence, Decision)}
        of_kind = {kind: select(func.max(Item.number)).where(Item.kind == kind) for kind in Kind}
        self.numbers = {kind: db.exec(query).one() or 0 for kind, query in of_kind.items()}
        newest = db.exec(select(LogEntry).order_by(col(LogEntry.seq).desc()).limit(1)).one()
        self.link = newest

    @staticmethod
    def _highest(db: DatabaseSession, column: Any) -> int:
        return int(db.exec(select(func.max(column))).one() or 0)

    def _id(self, table: type[SQLModel]) -> int:
        self.next[table] += 1
        return self.next[table]

    def add(self, seed: Seed, content: AnyContent, number: int) -> None:
        """A copy of a seed: another order, other words, another severity, a later time."""
        old, order = seed.session.external_id.removeprefix("S-"), str(FIRST_ORDER + number)
        session = self._copy(seed.session, old, order, id=self._id(AgentSession), place=number)
        session["ref"] = f"{session['ref']}-{number}" if order not in session["ref"] else session["ref"]
        session["started_at"] = AT + timedelta(minutes=number)
        transcript = Transcript.model_validate(_renamed(seed.transcript.model_dump(mode="json"), old, order))
        session["sha256"] = transcript.sha256
        self.rows[AgentSession].append(session)
        self.rows[SessionMessage] += as_rows(session["id"], transcript)
        item = self._item(seed, content, number, session["started_at"] + timedelta(days=1))
        for quote in seed.evidence:
            ids = {"id": self._id(Evidence), "item_id": item["id"], "session_id": session["id"]}
            self.rows[Evidence].append(self._copy(quote, old, order, **ids, sha256=session["sha256"]))
        self.rows[Screening].append(self._copy(seed.screening, old, order, item_id=item["id"]))
        self._decision(seed, item)

    def _item(self, seed: Seed, content: AnyContent, number: int, at: datetime) -> dict[str, Any]:
        severity = (Severity.HIGH, Severity.MEDIUM, Severity.MEDIUM, Severity.LOW)[number % 4]
        kind = content.becomes
        self.numbers[kind] += 1
        own = {
            "id": self._id(Item),
            "number": self.numbers[kind],
            "severity": severity.value,
            "weight": severity.rank,
            "headline": content.headline,
            "content_hash": content.hash,
            "created_at": at,
        }
        item = {**seed.item.model_dump(), **own}
        self.rows[Item].append(item)
        said = {"item_id": item["id"], **content.model_dump()}
        if isinstance(content, LessonContent):
            self.rows[LessonBody].append({**said, "tags": list(content.tags), "folded": folded(content.text)})
        else:
            self.rows[ProcedureBody].append(said)
        return item

    def _decision(self, seed: Seed, item: dict[str, Any]) -> None:
        own = {"id": self._id(Decision), "item_id": item["id"], "at": item["created_at"]}
        hashed = {"content_hash": item["content_hash"], "severity": item["severity"], "placed": placed(Item(**item))}
        row = Decision(**{**seed.decision.model_dump(), **own, **hashed})
        self.rows[Decision].append(row.model_dump())
        link = LogEntry(
            seq=self.link.seq + 1,
            at=row.at,
            logged=str(Decision.__tablename__),
            row_id=row.id or 0,
            row_sha256=sha256_of(canonical(row.model_dump())),
            before=self.link.sha256,
            sha256="",
        )
        link.sha256 = link_hash(link)
        self.link = link
        self.rows[LogEntry].append(link.model_dump())

    def _copy(self, row: SQLModel, old: str, new: str, **own: Any) -> dict[str, Any]:
        """The row with every mention of the old order's number as one of the new."""
        return {**{name: _renamed(value, old, new) for name, value in row.model_dump().items()}, **own}

    def write(self, db: DatabaseSession) -> None:
        """Insert all of them."""
        for table, rows in self.rows.items():
            if rows:
                db.connection().execute(insert(table), rows)


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, dict):
        return {key: _renamed(one, old, new) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, old, new) for one in value]
    return value
