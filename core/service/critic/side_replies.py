"""What the stored requests of one side about one session hold, counted.

Between the store and the report of a comparison. The quotes are looked for as those of a debrief; nothing is proposed,
and the screens are not asked.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlmodel import Session as DatabaseSession

from core.critic.critic_settings import CriticSettings
from core.evidence import PreparedTranscript
from core.governance.drafts import Draft, Quoted
from core.governance.proposals import first_status
from core.screening.contract import Follows
from core.service.critic.answers import cost_of
from core.service.critic.compared import SideReply
from core.service.critic.drafts import as_quoted
from core.service.critic.replies import Reply
from core.store.critic_records import CriticCall
from core.store.records import AgentSession
from core.vocabulary import CallState, Kind, Status, Writer


def side_reply(
    db: DatabaseSession,
    session: AgentSession,
    prepared: PreparedTranscript,
    calls: Sequence[CriticCall],
    settings: CriticSettings,
    *,
    due: int,
) -> SideReply:
    """What one side made of a session, of whose ``due`` requests these were planned."""
    status, detail = _standing(calls, due)
    replies = [Reply(session, prepared, call) for call in calls if call.state == CallState.ANSWERED]
    written = [one for reply in replies for one in _written(reply)]
    sources = [db.get_one(CriticCall, call.answered_from) if call.answered_from else call for call in calls]
    quotes = [quote for _, quoted in written for quote in quoted]
    costs = [cost_of(settings, call) if call.attempts else 0 for call in sources]
    spent = [call.cost for call in calls if call.asked_at]
    severities = (note.severity for reply in replies for note in _notes(reply))
    return SideReply(
        status=status,
        detail=detail,
        items=len(written),
        proven=sum(proven for proven, _ in written),
        quotes=len(quotes),
        found=sum(quote.found for quote in quotes),
        severities=tuple("unknown" if severity is None else severity.value for severity in severities),
        unreadable=sum(len(reply.read.unreadable) for reply in replies) + sum(_unstorable(one) for one in replies),
        requests=sum(call.asked_at is not None for call in calls),
        stored=sum(call.answered_from is not None for call in calls),
        tokens_prompt=sum(call.tokens_prompt or 0 for call in sources),
        tokens_completion=sum(call.tokens_completion or 0 for call in sources),
        cost=_sum(costs),
        spent=_sum(spent),
        seconds=sum(call.seconds or 0.0 for call in sources),
        models=tuple(sorted({call.model for call in sources if call.model})),
        temperatures=tuple(sorted({str(call.sent.get("temperature", "none")) for call in sources if call.sent})),
    )


def _standing(calls: Sequence[CriticCall], due: int) -> tuple[str, str]:
    """``ok`` where every request was answered; else the status of the first that was not."""
    failed = next((call for call in calls if call.state == CallState.FAILED), None)
    if failed is not None:
        return failed.status, failed.detail
    answered = sum(call.state == CallState.ANSWERED for call in calls)
    return ("ok", "") if answered == due else (SideReply.status, "")


def _written(reply: Reply) -> Iterator[tuple[bool, Sequence[Quoted]]]:
    """Each item of a reply: whether its words prove it, and its quotes."""
    if reply.call.writer == Writer.EPISODES:
        for episode in reply.written:
            quotes = [as_quoted(reply.origin, quote, None) for quote in episode.evidence]
            yield _all_found(quotes), quotes
        return
    for draft in reply.drafts:
        if isinstance(draft, Draft):
            yield _proven(draft), draft.quotes


def _proven(draft: Draft) -> bool:
    follows = min((remark.follows for remark in draft.remarks), key=lambda each: each.rank, default=Follows.PASS)
    stands = draft.content.becomes is not Kind.NOTE or first_status(draft.content, draft.quotes, follows) is Status.OPEN
    return stands and _all_found(draft.quotes)


def _all_found(quotes: Sequence[Quoted]) -> bool:
    return bool(quotes) and all(quote.found for quote in quotes)


def _unstorable(reply: Reply) -> int:
    return 0 if reply.call.writer == Writer.EPISODES else sum(isinstance(one, str) for one in reply.drafts)


def _notes(reply: Reply) -> Iterable[Any]:
    return reply.written if reply.call.writer == Writer.NOTES else ()


def _sum(amounts: Sequence[int | None]) -> int | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None
