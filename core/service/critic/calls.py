"""Requests to the model as rows: planned, paid for, asked, and answered from the store where the same was asked before.

Between the store and the critic's door. What a request may cost is reserved in one transaction, the model is asked
outside any, and what became of it is stored in another. A row is asked until it has an answer, and never after.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.answer import Answer, Request, RunStatus, Said
from core.critic.critic_settings import CriticSettings
from core.critic.llm import Llm
from core.critic.model_settings import ModelSettings
from core.critic.prompts import prompt_of
from core.critic.shapes import SHAPES
from core.critic.tokens import most_in_prompt, prompt_estimate
from core.errors import ModelError, StoreBusy
from core.screening.secrets import mask
from core.service.critic.answers import looked_at, store_answer
from core.service.critic.caps import over_cap
from core.service.critic.settings import model_settings, settings_of
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticPrompt
from core.store.database import Database
from core.vocabulary import CallState, Writer

PARAMETERS = {"model", "temperature", "token_cap", "largest_token_cap", "reasoning_effort"}
"""What a reply depends on beside address, shape and messages."""

STORE_TRIES = 12
"""How often a reply is tried to be stored while the store is busy; each try waits for some seconds."""


@dataclass(frozen=True)
class Planned:
    """One request to be stored: what it asks, and where it belongs."""

    writer: Writer
    request: Request
    run_id: int | None = None
    consolidation_id: int | None = None
    attempt: int = 1
    place: int = 0
    about: str = ""
    after: int | None = None
    first_turn: int = 0
    last_turn: int = 0
    cut_to: int | None = None
    nonce: str = ""
    """Where it is set, only a request with the same nonce is answered from the reply to this one."""


@dataclass(frozen=True)
class AskedNow:
    """What became of a request that was asked at once. Only with status ``ok`` there is a reply to be read."""

    call_id: int
    status: str
    reply: str
    detail: str
    model: str


def key_of(settings: ModelSettings, request: Request, nonce: str = "") -> str:
    """SHA-256 of all that a reply depends on: address, model, parameters, shape, messages; and of a nonce, if any."""
    how = {
        "address": settings.endpoint.named,
        "model": settings.model,
        "temperature": settings.temperature,
        "token_cap": settings.token_cap,
        "largest_token_cap": settings.largest_token_cap,
        "reasoning_effort": settings.reasoning_effort,
        "shape": request.shape.model_dump() if request.shape else None,
        "messages": [said.model_dump() for said in request.messages],
        **({"nonce": nonce} if nonce else {}),
    }
    return hashlib.sha256(json.dumps(how, sort_keys=True).encode()).hexdigest()


def plan_call(db: DatabaseSession, planned: Planned, settings: CriticSettings, how: ModelSettings) -> CriticCall:
    """Store a request that is due, with the prompt that it begins with."""
    request = planned.request
    used = prompt_of(request.messages[0].content, planned.writer)
    if db.get(CriticPrompt, used.sha256) is None:
        db.add(CriticPrompt(sha256=used.sha256, writer=planned.writer, text=used.text, at=now()))
        db.flush()
    call = CriticCall(
        run_id=planned.run_id,
        consolidation_id=planned.consolidation_id,
        attempt=planned.attempt,
        place=planned.place,
        writer=planned.writer,
        about=planned.about,
        after=planned.after,
        first_turn=planned.first_turn,
        last_turn=planned.last_turn,
        cut_to=planned.cut_to,
        key=key_of(how, request, planned.nonce),
        prompt_sha256=used.sha256,
        messages=[said.model_dump() for said in request.messages[1:]],
        parameters=how.model_dump(mode="json", include=PARAMETERS),
        state=CallState.DUE,
        tokens_estimated=prompt_estimate(request),
        tokens_reserved=most_in_prompt(request),
        reserved=most_cost(settings, how, request),
    )
    db.add(call)
    db.flush()
    return call


def request_of(db: DatabaseSession, call: CriticCall) -> Request:
    """The request of a stored call, byte for byte as it was planned."""
    first = Said(role="system", content=db.get_one(CriticPrompt, call.prompt_sha256).text)
    said = tuple(Said.model_validate(message) for message in call.messages)
    return Request(messages=(first, *said), shape=SHAPES[Writer(call.writer)])


def ask(database: Database, call_id: int, settings: CriticSettings, llm: Llm) -> None:
    """Ask one stored request, and store what became of it. A call that is over is left as it is.

    Nothing is raised for what a server or a model does: it is stored as the call's status.
    """
    with database.writing() as db:
        call = db.get_one(CriticCall, call_id)
        if call.state in (CallState.ANSWERED, CallState.FAILED):
            return
        if _answered_before(db, call) or over_cap(db, call, settings):
            return
        call.state, call.asked_at = CallState.ASKED, now()
        db.add(call)
        request, writer = request_of(db, call), Writer(call.writer)
    try:
        became = looked_at(writer, _answer(llm, request))
    except Exception as error:
        leave(database, call_id, "fault", f"{type(error).__name__}: {error}")
        raise
    for left in reversed(range(STORE_TRIES)):
        try:
            with database.writing() as db:
                store_answer(db, db.get_one(CriticCall, call_id), became, settings)
            return
        except StoreBusy:
            if not left:
                raise


def leave(database: Database, call_id: int, code: str, why: str) -> None:
    """Keep why a request got no answer and cost nothing, so that nothing stays reserved for it."""
    with database.writing() as db:
        call = db.get_one(CriticCall, call_id)
        if call.state in (CallState.DUE, CallState.ASKED):
            call.state, call.status, call.detail, call.cost = CallState.FAILED, code, mask(why).text, 0
            db.add(call)


def ask_now(
    database: Database,
    *,
    agent_id: int,
    writer: Writer,
    request: Request,
    about: str = "",
    environ: Mapping[str, str] = os.environ,
) -> AskedNow:
    """Ask a request at once, under the settings of an agent, and keep it. Raises ``ModelNotConfigured``."""
    with database.reading() as db:
        settings = settings_of(db, agent_id)
    how = model_settings(settings, environ)
    with database.writing() as db:
        call_id = plan_call(db, Planned(writer, request, about=about), settings, how).id or 0
    with Llm(how) as llm:
        ask(database, call_id, settings, llm)
    with database.reading() as db:
        call = db.get_one(CriticCall, call_id)
        return AskedNow(call_id, call.status, call.reply, call.detail, call.model)


def stored_answer(db: DatabaseSession, key: str, *, for_memory: bool) -> CriticCall | None:
    """The call that was sent with this key and answered whole, if there is one.

    What becomes memory takes only answers that were asked ``for_memory``, never those of a comparison.
    """
    same = (CriticCall.key == key, CriticCall.state == CallState.ANSWERED, CriticCall.status == RunStatus.OK)
    fresh = col(CriticCall.answered_from).is_(None)
    mine = (col(CriticCall.run_id).is_not(None) | col(CriticCall.consolidation_id).is_not(None),) if for_memory else ()
    return db.exec(select(CriticCall).where(*same, *mine, fresh).limit(1)).first()


def most_cost(settings: CriticSettings, how: ModelSettings, request: Request) -> int | None:
    """The most that a request may cost, in millionths; None where a price is not known."""
    return settings.cost(2 * most_in_prompt(request), how.token_cap + how.largest_token_cap)


def _answered_before(db: DatabaseSession, call: CriticCall) -> bool:
    """Take the answer of the same request where it was whole, and say whose it is."""
    found = stored_answer(db, call.key, for_memory=bool(call.run_id or call.consolidation_id))
    if found is None:
        return False
    call.state, call.status, call.reply, call.model = CallState.ANSWERED, found.status, found.reply, found.model
    call.answered_from, call.cost, call.seconds = found.id, 0, 0.0
    call.asked_at = call.answered_at = now()
    db.add(call)
    return True


def _answer(llm: Llm, request: Request) -> Answer | ModelError:
    try:
        return llm.ask(request)
    except ModelError as error:
        return error
