"""What a server's refusal means: whether to wait, to ask otherwise, to report a status, or to raise which error.

Critic. Codes are read first, then words; the words are those of OpenAI, Azure, Groq, vLLM, llama.cpp, LM Studio and
gateways before them.
"""

import re
from enum import StrEnum

from core.critic.received import Complaint, Response
from core.errors import KeyRefused, ModelBusy, ModelError, ModelNotFound, QuotaSpent, RequestNotAccepted

JSON_FAILED = "json_validate_failed"
"""Groq's code for a reply that its own JSON mode refused."""


class Failure(StrEnum):
    """What kind of refusal a response is."""

    BUSY = "busy"
    TOO_LONG = "too_long"
    FILTERED = "filtered"
    BAD_JSON = "bad_json"
    KEY = "key"
    QUOTA = "quota"
    MODEL = "model"
    REQUEST = "request"


_BY_CODE = {
    JSON_FAILED: Failure.BAD_JSON,
    "content_filter": Failure.FILTERED,
    "content_policy_violation": Failure.FILTERED,
    "context_length_exceeded": Failure.TOO_LONG,
    "exceed_context_size_error": Failure.TOO_LONG,
    "insufficient_quota": Failure.QUOTA,
    "invalid_api_key": Failure.KEY,
    "model_not_found": Failure.MODEL,
}

_TOO_LONG = re.compile(
    r"maximum context|context[ _-](length|window|size)|context the overflows|prompt (is )?too long"
    r"|input (is )?too long|(input|prompt) (token count|length) exceeds|request (entity )?too large"
    r"|reduce (the length|your message)|too many (input|prompt) tokens",
    re.I,
)

_BY_STATUS = {
    401: Failure.KEY,
    402: Failure.QUOTA,
    403: Failure.KEY,
    404: Failure.MODEL,
    405: Failure.MODEL,
    408: Failure.BUSY,
    409: Failure.BUSY,
    413: Failure.TOO_LONG,
    425: Failure.BUSY,
    429: Failure.BUSY,
}


def failure_of(response: Response, complaint: Complaint) -> Failure:
    """What kind of refusal a response with a status of 300 or more is."""
    if complaint.code in _BY_CODE:
        return _BY_CODE[complaint.code]
    if _TOO_LONG.search(complaint.said):
        return Failure.TOO_LONG
    if response.status in _BY_STATUS:
        return _BY_STATUS[response.status]
    return Failure.BUSY if response.status >= 500 else Failure.REQUEST


def may_be_about_a_parameter(response: Response) -> bool:
    """Whether another form of the same request might be accepted."""
    return response.status in (400, 415, 422, 500, 501)


def may_be_repeated(response: Response, failure: Failure) -> bool:
    """Whether the same request may be accepted later; the server's own word on it comes first."""
    told = response.headers.get("x-should-retry", "")
    return failure is Failure.BUSY and told != "false"


def error_for(
    failure: Failure, server: str, model: str, status: int, complaint: Complaint, attempts: int, retry_in: float | None
) -> ModelError:
    """The error to raise for a refusal, with the server's words, which must hold no secret any more."""
    said = f"{complaint.said or 'no reason given'} (HTTP {status})"
    match failure:
        case Failure.BUSY:
            return ModelBusy(server, said, attempts, retry_in)
        case Failure.KEY:
            return KeyRefused(server, said, attempts)
        case Failure.QUOTA:
            return QuotaSpent(server, said, attempts)
        case Failure.MODEL:
            return ModelNotFound(server, model, said, attempts)
    code = complaint.code or f"http_{status}"
    return RequestNotAccepted(server, code, said, _possible(failure, status), attempts)


def _possible(failure: Failure, status: int) -> str:
    if status < 400:
        return "Nothing is sent to an address that was not named; OPENAI_BASE_URL can be set to it."
    if failure is Failure.BAD_JSON:
        return "It was asked twice; a larger token cap, a lower reasoning effort or another model can be chosen."
    return "The settings of the model can be changed; then it can be asked again."
