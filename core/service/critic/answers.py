"""What became of a request: read before any lock is taken, and stored with its tokens and its cost.

Between the critic's door and the store. A reply is kept without credentials; one that cannot be read is a failure, and
one that came and does not count its tokens is counted roughly, so that caps hold.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session as DatabaseSession

from core.critic.accepted import CAPS
from core.critic.answer import Answer, Attempt, RunStatus, Usage
from core.critic.beliefs import parse_beliefs, parse_questions
from core.critic.critic_settings import CriticSettings
from core.critic.parsing import READERS
from core.critic.reply_json import objects_in
from core.critic.self_review_reply import parse_self_review
from core.critic.tokens import estimate
from core.errors import ModelError
from core.screening.secrets import Masked, mask
from core.store.clock import now
from core.store.critic_records import CriticCall
from core.vocabulary import CallState, Writer

MASKED = "masked"
"""Under this name a call's ``read`` counts the credentials that were taken out of its reply."""

COUNTED = "counted"
"""Under this name a call's ``read`` says that its tokens were ``estimated``: the server named none for a reply."""

UNREADABLE = "unreadable"
"""Status of a request whose reply came, but not in the form that was asked for."""


def why_unreadable(writer: Writer, reply: str) -> str | None:
    """Why nothing can be read in a reply; None where something can, be it that there is nothing."""
    if writer is Writer.SELF_REVIEW:
        return parse_self_review(reply).error
    if writer is Writer.QUESTIONS:
        return parse_questions(reply, 1).error
    if writer is Writer.BELIEFS:
        return parse_beliefs(reply, 1).error
    if writer in READERS:
        read = READERS[writer](reply)
        nothing = read.unreadable and not (read.drafts or read.held)
        return f"no part of it: {read.unreadable[0].why}" if nothing else read.error
    return None if objects_in(reply).found else "no JSON object stands in it"


@dataclass(frozen=True)
class Became:
    """What became of a request, looked at before any lock is taken: a reply may take long to read."""

    answer: Answer | ModelError
    reply: Masked
    unreadable: str | None


def looked_at(writer: Writer, answer: Answer | ModelError) -> Became:
    """An answer without credentials, and why it cannot be read if it cannot."""
    reply = mask("" if isinstance(answer, ModelError) else answer.text)
    whole = isinstance(answer, Answer) and answer.status is RunStatus.OK
    return Became(answer, reply, why_unreadable(writer, reply.text) if whole else None)


def store_answer(db: DatabaseSession, call: CriticCall, became: Became, settings: CriticSettings) -> None:
    """Keep what became of a request, unless another worker was first."""
    if call.state != CallState.ASKED:
        return
    call.answered_at = now()
    if isinstance(became.answer, ModelError):
        call.state, call.status = CallState.FAILED, became.answer.code
        call.detail = mask(str(became.answer)).text
        _count(call, became.answer.tried, None, settings)
    else:
        _keep(call, became.answer, became, settings)
    db.add(call)


def _keep(call: CriticCall, answer: Answer, became: Became, settings: CriticSettings) -> None:
    """The facts of an answer. Every attempt that brought a reply is paid for."""
    reply = became.reply
    call.reply, call.sent, call.model = reply.text, dict(answer.sent), answer.model
    call.read = {MASKED: len(reply.removed)} if reply.removed else {}
    said = "" if answer.status is RunStatus.OK else answer.in_words
    call.status, call.detail = answer.status, mask(f"{said} {_further(answer)}".strip()).text
    if became.unreadable:
        call.status, call.detail = UNREADABLE, f"The reply could not be read: {became.unreadable}."
    call.state = CallState.ANSWERED if call.status == RunStatus.OK else CallState.FAILED
    call.seconds, call.request_id = answer.seconds, answer.request_id
    _count(call, answer.attempts, answer.text, settings)


def _count(call: CriticCall, attempts: Sequence[Attempt], reply: str | None, settings: CriticSettings) -> None:
    """The tokens of all attempts, and what they cost. A reply without a count is estimated, so that caps hold."""
    call.attempts = [attempt.model_dump(mode="json") for attempt in attempts]
    texts = [*[None] * (len(attempts) - 1), reply]
    pairs = zip(attempts, texts, strict=bool(attempts))
    used = [_estimated(call, one, text) if _uncounted(one) else one.usage for one, text in pairs]
    if any(map(_uncounted, attempts)):
        call.read = {**call.read, COUNTED: "estimated"}
    call.tokens_prompt, call.tokens_completion = _sum(one.prompt for one in used), _sum(one.completion for one in used)
    call.tokens_reasoning, call.tokens_cached = _sum(one.reasoning for one in used), _sum(one.cached for one in used)
    call.cost = cost_of(settings, call) if any(one.replied for one in attempts) else 0


def cost_of(settings: CriticSettings, call: CriticCall) -> int | None:
    """What the counted tokens of a request cost by these settings, in millionths; None where a price is not known."""
    sent = call.tokens_estimated if call.tokens_prompt is None else call.tokens_prompt
    return settings.cost(sent, call.tokens_completion or 0, call.tokens_cached or 0)


def _uncounted(attempt: Attempt) -> bool:
    """Whether a reply came for which the server names no tokens at all."""
    return attempt.replied and attempt.usage.prompt is None and attempt.usage.completion is None


def _estimated(call: CriticCall, attempt: Attempt, reply: str | None) -> Usage:
    """The tokens of a reply, roughly. Where its text is not at hand it was cut, so it has as many as its cap."""
    caps = [attempt.sent[name] for name in CAPS if name and name in attempt.sent]
    return Usage(prompt=call.tokens_estimated, completion=caps[0] if reply is None and caps else estimate(reply or ""))


def _further(answer: Answer) -> str:
    """What is known of an answer beside its status; a finish reason alone says nothing more."""
    reasons = {attempt.said for attempt in answer.attempts}
    return "" if answer.detail in reasons else answer.detail


def _sum(counts: Any) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
