"""The agents' door, mounted at ``/api`` beside the desk.

A mount of its own, so that an unknown path or a wrong method is answered as such and never with the desk's page.
"""

import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from core import __version__
from core.errors import BadInput
from core.evidence import prepare
from core.screening.secrets import mask
from core.service import grounding
from core.transcripts import Transcript
from core.transcripts.formats import Format
from core.transcripts.read import read

LARGEST = 4 * 1024 * 1024
"""Bytes that a request may have."""


class GroundRequest(BaseModel):
    """What ``POST /api/v1/ground`` takes: messages as OpenAI chat writes them, and quotes to look for in them."""

    model_config = ConfigDict(extra="forbid")

    messages: list[Any] = Field(min_length=1)
    quotes: list["AskedQuote"] = Field(min_length=1, max_length=100)


class AskedQuote(BaseModel):
    """A quote, and what is claimed of it: who said it, and in which turn, counted from 1."""

    model_config = ConfigDict(extra="forbid")

    quote: Annotated[str, Field(max_length=100_000)]
    speaker: str | None = None
    turn: int | None = None


def health(_request: Request) -> JSONResponse:
    """``GET /api/v1/health``: the process answers, and which version it is."""
    return JSONResponse({"status": "ok", "version": __version__})


async def ground(request: Request) -> JSONResponse:
    """``POST /api/v1/ground``: where quotes stand in a transcript that comes along. Reads and keeps nothing."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            return _refused(413, f"A request may have {LARGEST:,} bytes; bring longer transcripts in as a file.")
    try:
        asked = GroundRequest.model_validate_json(body)
        return JSONResponse(await run_in_threadpool(_grounded, asked))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the request"
        return _refused(400, f"{where}: {first['msg']}.")
    except BadInput as error:
        return _refused(400, str(error))


def _grounded(asked: GroundRequest) -> dict[str, Any]:
    prepared = prepare(_transcript(asked.messages))
    return {
        "answers": [grounding.answer(prepared, one.quote, speaker=one.speaker, turn=one.turn) for one in asked.quotes]
    }


def _transcript(messages: list[Any]) -> Transcript:
    record = json.dumps({"messages": messages}).encode()
    reading = read(record, "messages.json", format=Format.OPENAI_CHAT)
    if not reading.sessions:
        raise BadInput(f"The messages could not be read: {reading.errors[0].why}.")
    return reading.sessions[0].transcript


def _refused(status: int, why: str) -> JSONResponse:
    return JSONResponse({"error": mask(why).text}, status)


api = Starlette(routes=[Route("/v1/health", health, methods=["GET"]), Route("/v1/ground", ground, methods=["POST"])])
