"""The agents' door, mounted at ``/api`` beside the desk.

A mount of its own, so that an unknown path or a wrong method is answered as such and never with the desk's page. Health
and grounding are open; what comes out of the store, or goes into it, needs a token of that agent.
"""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from core import __version__
from core.briefing.asked import Asked
from core.errors import BadInput, TutelageError
from core.evidence import prepare
from core.governance.tokens import AgentIdentity
from core.service import grounding
from core.service.agents_door import brief_agent, outcome_of_agent, recall_for_agent, refuse_decision, token_facts
from core.service.http_bodies import LARGEST as LARGEST
from core.service.http_bodies import BriefingRequest, OutcomeRequest, RecallRequest, body_of, refusal
from core.service.recall import Question, recalled_in_words
from core.store.database import Database
from core.transcripts import Transcript
from core.transcripts.formats import Format
from core.transcripts.read import read


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
    try:
        return JSONResponse(await run_in_threadpool(_grounded, await body_of(request, GroundRequest)))
    except BadInput as error:
        return refusal(error)


async def token(request: Request) -> JSONResponse:
    """``GET /api/v1/token``: whom this token stands for, and what it may ask for."""
    return await _answered(lambda: _token_in_words(token_facts(_database(request), bearer(request))))


async def briefing(request: Request) -> JSONResponse:
    """``POST /api/v1/briefing``: the messages to put before the task, the items in them, and the receipt."""
    try:
        body = await body_of(request, BriefingRequest)
    except BadInput as error:
        return await _after_the_token(request, error)
    asked = Asked(body.agent, body.user, body.task_class, body.task)
    return await _answered(lambda: asdict(brief_agent(_database(request), bearer(request), asked)))


async def outcomes(request: Request) -> JSONResponse:
    """``POST /api/v1/outcomes``: how the session went that read a receipt; it counts once."""
    try:
        body = await body_of(request, OutcomeRequest)
    except BadInput as error:
        return await _after_the_token(request, error)

    def reported() -> dict[str, Any]:
        database, shown = _database(request), bearer(request)
        how = outcome_of_agent(database, shown, body.receipt, body.outcome, source=body.source, session=body.session)
        return _moved(asdict(how))

    return await _answered(reported)


async def recall(request: Request) -> JSONResponse:
    """``POST /api/v1/recall``: what is remembered of a user that answers a question, which layer gave it, and why."""
    try:
        body = await body_of(request, RecallRequest)
    except BadInput as error:
        return await _after_the_token(request, error)
    asked = Question(body.agent, body.question, body.user)
    return await _answered(lambda: recalled_in_words(recall_for_agent(_database(request), bearer(request), asked)))


async def decisions(request: Request) -> JSONResponse:
    """``POST /api/v1/decisions``: always refused; what is sent is not even read."""
    return await _answered(lambda: refuse_decision(_database(request), bearer(request)))


def bearer(request: Request) -> str:
    """The token that a request shows; empty where it shows none."""
    scheme, _, shown = request.headers.get("authorization", "").strip().partition(" ")
    return shown.strip() if scheme.lower() == "bearer" else ""


def agents_door(database: Database | None = None) -> Starlette:
    """The door over a database; without one, ``state.database`` is given before the first request."""
    door = Starlette(
        routes=[
            Route("/v1/health", health, methods=["GET"]),
            Route("/v1/ground", ground, methods=["POST"]),
            Route("/v1/token", token, methods=["GET"]),
            Route("/v1/briefing", briefing, methods=["POST"]),
            Route("/v1/outcomes", outcomes, methods=["POST"]),
            Route("/v1/recall", recall, methods=["POST"]),
            Route("/v1/decisions", decisions, methods=["POST"]),
        ]
    )
    door.state.database = database
    return door


def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


async def _answered(act: Callable[[], Any]) -> JSONResponse:
    try:
        return JSONResponse(await run_in_threadpool(act))
    except TutelageError as error:
        return refusal(error)


async def _after_the_token(request: Request, error: BadInput) -> JSONResponse:
    """What is wrong with a body is told to whoever shows a valid token; all others are told that first."""
    try:
        await run_in_threadpool(token_facts, _database(request), bearer(request))
    except TutelageError as refused:
        return refusal(refused)
    return refusal(error)


def _token_in_words(identity: AgentIdentity) -> dict[str, Any]:
    until = identity.expires_at.isoformat() if identity.expires_at else None
    name = identity.name.partition(":")[2]
    return {"token": name, "agent": identity.agent, "verbs": sorted(identity.verbs), "expires_at": until}


def _moved(reported: dict[str, Any]) -> dict[str, Any]:
    """Confidences are exact hundredths, written as text."""
    moved = [{**one, "before": str(one["before"]), "after": str(one["after"])} for one in reported["moved"]]
    return {**reported, "moved": moved}


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


api = agents_door()
