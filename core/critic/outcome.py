"""What became of a reply that did come: whole, cut, refused, empty, or an answer to a part of what was sent.

Critic. Only a whole reply is read; each other one has a status of its own and a line that says more.
"""

from core.critic.answer import Request, RunStatus
from core.critic.received import Completion
from core.critic.tokens import looks_cut, prompt_estimate

_CUT = ("length", "max_tokens", "max_output_tokens", "model_length")
"""Finish reasons by which servers say that the cap was reached."""

_WITHHELD = ("content_filter", "safety", "refusal")
"""Finish reasons by which servers say that a reply was withheld."""


def status_of(reply: Completion, request: Request, cap: int | None) -> RunStatus:
    """What became of a reply to a request with this token cap, None where none was sent.

    A cut is looked for before an empty text, which may be its effect.
    """
    if looks_cut(request, reply.usage.prompt):
        return RunStatus.PROMPT_CUT
    if reply.finish in _CUT or (cap is not None and (reply.usage.completion or 0) >= cap):
        return RunStatus.TRUNCATED
    if reply.refusal or reply.finish in _WITHHELD:
        return RunStatus.REFUSED
    return RunStatus.OK if reply.text.strip() else RunStatus.EMPTY


def detail_of(status: RunStatus, reply: Completion, request: Request, caps: list[int]) -> str:
    """More about a status: counts of tokens, the caps that were sent, the words of a refusal, or the finish reason."""
    match status:
        case RunStatus.PROMPT_CUT:
            return f"about {prompt_estimate(request):,} tokens were sent, {reply.usage.prompt:,} were read"
        case RunStatus.TRUNCATED:
            return limits(caps)
        case RunStatus.REFUSED:
            return reply.refusal or reply.text.strip() or reply.finish
    return reply.finish


def limits(caps: list[int]) -> str:
    """The token limits of a cut reply, in the order in which they were tried."""
    if not caps:
        return "the server's own token limit"
    return "token limit " + ", then ".join(f"{cap:,}" for cap in dict.fromkeys(caps))
