"""Takes credentials, card, account and identity numbers out of what comes in, before anything of it is stored.

Between reading and the store. Names, mail addresses and order numbers of a transcript stay, under the retention rule.
Every hash and every place of a quote refers to the masked words.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.bodies import content_of
from core.governance.in_force import find_anew
from core.governance.log import corrected_log
from core.governance.standing import masked_along
from core.screening.named import name_kept
from core.screening.secrets import Secret, mask
from core.service.corrections import From, replace_words
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticRun, Opinion
from core.store.database import Database
from core.store.governance_records import DeskSettingsVersion, KeptWords, Return, RightsChange
from core.store.memory_records import BeliefBody, Consolidation, Episode
from core.store.oversight_records import BlindVerdict
from core.store.records import (
    Agent,
    AgentSession,
    Decision,
    Feedback,
    Item,
    LessonBody,
    NoteBody,
    ProcedureBody,
    Receipt,
    Refusal,
    UserFact,
)
from core.store.self_review_records import SelfReview, SelfReviewRound
from core.store.transcripts import transcript_of
from core.transcripts import FactDraft, SessionDraft, Transcript
from core.transcripts.message import Message, ToolCall

BY = "masking"
NAMES = ("task_class", "task", "external_failure")
TOLD_APART = ("external_id", "agent", "user")
"""The short texts of a session beside its words, and those that tell sessions, agents and users apart."""


TEXTS: dict[Any, tuple[str, ...]] = {
    Agent: ("base_prompt",),
    Item: ("headline", "fault"),
    NoteBody: ("observation", "improvement"),
    LessonBody: ("text", "folded"),
    ProcedureBody: ("title", "trigger", "instruction"),
    BeliefBody: ("text", "question"),
    Receipt: ("task",),
    CriticRun: ("detail",),
    CriticCall: ("reply", "detail"),
    Episode: ("text",),
    Consolidation: ("detail",),
    Opinion: ("why",),
    SelfReview: ("task", "answer"),
    SelfReviewRound: ("draft", "fix"),
    Return: ("text",),
    KeptWords: ("text",),
}
"""The columns that hold what somebody wrote, beside transcripts, quotes and the log."""

IN_THE_LOG: dict[Any, str] = {
    Decision: "text",
    Refusal: "text",
    RightsChange: "text",
    DeskSettingsVersion: "reason",
    BlindVerdict: "text",
}
"""The same in the rows of the log, where masking leaves a link of its own in the chain."""


@dataclass(frozen=True)
class MaskedTranscript:
    """A transcript without its secrets, and how many of each kind were taken out."""

    transcript: Transcript
    removed: Counter[str]


def masked_transcript(transcript: Transcript) -> MaskedTranscript:
    """Every content, and every argument of a call, without secrets; a message that held none stays as it is."""
    removed: Counter[str] = Counter()
    messages = tuple(_message(message, removed) for message in transcript.messages)
    return MaskedTranscript(Transcript(messages=messages) if removed else transcript, removed)


def masked_draft(draft: SessionDraft) -> SessionDraft:
    """A session on its way in without secrets; a remark says what was taken out."""
    taken = masked_transcript(draft.transcript)
    remark = (f"{_counted(taken.removed)} masked",) if taken.removed else ()
    names: dict[str, Any] = {name: _masked(value) for name in NAMES if (value := getattr(draft, name))}
    names |= {name: name_kept(value) for name in TOLD_APART if (value := getattr(draft, name))}
    return replace(
        draft,
        transcript=taken.transcript,
        feedback=tuple(replace(signal, text=mask(signal.text).text) for signal in draft.feedback),
        facts=tuple(FactDraft(mask(fact.text).text, mask(fact.source).text) for fact in draft.facts),
        agent_record=replace(draft.agent_record, base_prompt=mask(draft.agent_record.base_prompt).text),
        remarks=(*map(_masked, draft.remarks), *remark),
        **names,
    )


def _masked(text: str) -> str:
    return mask(text).text


def mask_stored(database: Database) -> int:
    """Mask what was stored before masking was in force; returns how many sessions were changed.

    Quotes are masked with their transcripts. The database is compacted, so that no freed page keeps the old words.
    """
    with database.reading() as db:
        sessions = db.exec(select(AgentSession.id).order_by(col(AgentSession.id))).all()
    changed = 0
    for session_id in sessions:
        with database.writing() as db:
            changed += _mask_session(db, session_id or 0)
    with database.writing() as db:
        _mask_texts(db)
    database.compact()
    return changed


def _mask_session(db: DatabaseSession, session_id: int) -> bool:
    session = db.get_one(AgentSession, session_id)
    session.task = mask(session.task).text
    db.add(session)
    taken = masked_transcript(transcript_of(db, session_id))
    masked_along(db, session_id, taken.transcript)
    if not taken.removed:
        return False
    session.remarks = [*session.remarks, f"{_counted(taken.removed)} masked"]
    replace_words(db, session, taken.transcript, From(session.import_id, BY, now()))
    return True


def _mask_texts(db: DatabaseSession) -> None:
    """Every other text that somebody wrote; of two that differed only in what was taken out one stays."""
    for row in db.exec(select(Feedback)).all():
        same = (Feedback.session_id == row.session_id, Feedback.source == row.source)
        _mask_field(db, row, "text", select(Feedback).where(*same))
    for fact in db.exec(select(UserFact)).all():
        same_user = (UserFact.agent_id == fact.agent_id, UserFact.user == fact.user)
        _mask_field(db, fact, "text", select(UserFact).where(*same_user))
    for table, fields in TEXTS.items():
        for one in db.exec(select(table)).all():
            for name in fields:
                _mask_field(db, one, name)
    _mask_log(db)
    for call in db.exec(select(CriticCall)).all():
        masked = [{**said, "content": mask(said["content"]).text} for said in call.messages]
        if masked != call.messages:
            call.messages = masked
            db.add(call)
    db.flush()
    for item in db.exec(select(Item)).all():
        item.content_hash = content_of(db, item).hash
        db.add(item)
    find_anew(db)


def _mask_log(db: DatabaseSession) -> None:
    """The rows of the log that hold a secret; most logs have none, and are not touched."""
    rows = [row for table in IN_THE_LOG for row in db.exec(select(table).order_by(table.id)).all()]
    found = [row for row in rows if mask(getattr(row, IN_THE_LOG[type(row)]) or "").removed]
    if found:
        with corrected_log(db, found, now()):
            for row in found:
                _mask_field(db, row, IN_THE_LOG[type(row)])


def _mask_field(db: DatabaseSession, row: Any, name: str, others: Any = None) -> None:
    masked = mask(getattr(row, name) or "")
    if not masked.removed:
        return
    if others is not None and any(getattr(one, name) == masked.text for one in db.exec(others).all()):
        db.delete(row)
    else:
        setattr(row, name, masked.text)
        db.add(row)
    db.flush()


def _message(message: Message, removed: Counter[str]) -> Message:
    content = mask(message.content)
    removed.update(_kinds(content.removed))
    calls = tuple(_call(call, removed) for call in message.tool_calls)
    names = {"name": _name(message.name, removed), "tool_call_id": _name(message.tool_call_id, removed)}
    changed = {"content": content.text, "tool_calls": calls, **names}
    return (
        message.model_copy(update=changed)
        if any(getattr(message, name) != new for name, new in changed.items())
        else message
    )


def _name(name: str | None, removed: Counter[str]) -> str | None:
    if name is None:
        return None
    masked = mask(name)
    removed.update(_kinds(masked.removed))
    return masked.text


def _call(call: ToolCall, removed: Counter[str]) -> ToolCall:
    """A call whose arguments still are JSON where they were; a bare number becomes a text."""
    arguments = mask(call.arguments)
    call = call.model_copy(update={"name": _name(call.name, removed), "id": _name(call.id, removed)})
    if not arguments.removed:
        return call
    removed.update(_kinds(arguments.removed))
    was, text = _json(call.arguments), arguments.text
    if was is not None and _json(text) is None:
        text = json.dumps(_masked_value(was), ensure_ascii=False)
    return call.model_copy(update={"arguments": text})


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _masked_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _masked_value(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_masked_value(child) for child in value]
    if isinstance(value, str):
        return mask(value).text
    masked = mask(json.dumps(value))
    return masked.text if masked.removed else value


def _kinds(secrets: Iterable[Secret]) -> list[str]:
    return [secret.code for secret in secrets]


def _counted(removed: Counter[str]) -> str:
    kinds = ", ".join(f"{count} × {code.replace('_', ' ')}" for code, count in sorted(removed.items()))
    return f"{kinds} {'was' if removed.total() == 1 else 'were'}"
