"""What agents send: bodies within their limit, checked field by field, and answers that say what was wrong."""

from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse

from core.errors import BadInput, NotFound, Refused, StoreBusy, TutelageError
from core.screening.secrets import mask
from core.vocabulary import Outcome

LARGEST = 4 * 1024 * 1024
"""Bytes that a request may have."""

UNKNOWN_TOKEN = frozenset({"no_token", "unknown_token", "revoked_token", "expired_token"})
"""Refusals that another token could mend: 401. All others are 403, whatever is shown."""

Body = TypeVar("Body", bound=BaseModel)


class TooLong(BadInput):
    """A request has more bytes than it may."""

    def __init__(self) -> None:
        super().__init__(f"A request may have {LARGEST:,} bytes; bring longer transcripts in as a file.")


def _storable(text: str) -> str:
    if "\x00" in text:
        raise ValueError("it holds U+0000, which cannot be stored")
    return text


Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_storable)]


class BriefingRequest(BaseModel):
    """What ``POST /api/v1/briefing`` takes."""

    model_config = ConfigDict(extra="forbid", strict=True)

    agent: Name
    user: Name | None = None
    task_class: Name | None = None
    task: Annotated[str, Field(max_length=100_000), AfterValidator(_storable)] = ""


class RecallRequest(BaseModel):
    """What ``POST /api/v1/recall`` takes: a question about one user, or about sessions of nobody in particular."""

    model_config = ConfigDict(extra="forbid", strict=True)

    agent: Name
    user: Name | None = None
    question: Annotated[str, Field(min_length=1, max_length=10_000), AfterValidator(_storable)]


class OutcomeRequest(BaseModel):
    """What ``POST /api/v1/outcomes`` takes. ``session`` is the reference of the session that read the receipt."""

    model_config = ConfigDict(extra="forbid")

    receipt: Name
    outcome: Outcome
    source: Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_storable)] = "agent"
    session: Name | None = None


async def body_of(request: Request, kind: type[Body]) -> Body:
    """The body of a request. Raises ``BadInput`` for one that is too long, no JSON, or not what is asked for."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            raise TooLong()
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the request"
        raise BadInput(f"{where}: {first['msg'].removeprefix('Value error, ')}.") from error


def refusal(error: TutelageError) -> JSONResponse:
    """What is answered for an error: words, a code where there is one, and nothing that is secret."""
    # Where the database stands is nothing that an agent needs to know.
    text = "The store did not answer. Nothing was changed; it can be tried again."
    said: dict[str, Any] = {"error": text if isinstance(error, StoreBusy) else mask(str(error)).text}
    if isinstance(error, Refused):
        said["code"] = error.code
    status = _status(error)
    return JSONResponse(said, status, {"WWW-Authenticate": "Bearer"} if status == 401 else None)


def _status(error: TutelageError) -> int:
    if isinstance(error, TooLong):
        return 413
    if isinstance(error, BadInput):
        return 400
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, StoreBusy):
        return 503
    if isinstance(error, Refused) and error.code in UNKNOWN_TOKEN:
        return 401
    return 409 if isinstance(error, Refused) and error.code in ("duplicate", "other_user", "other_task") else 403
