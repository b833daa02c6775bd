"""Two ways of writing, tried on the same sessions: asked through the one door, stored apart, compared in pairs.

Beside the debriefs. Requests and prompts are stored, and nothing else: no run, item, episode or decision comes of it,
so nothing that an agent reads changes. Each request names the comparison and its side in ``about``.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, replace
from random import Random
from threading import Event, Lock

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.llm import Llm
from core.critic.model_settings import ModelSettings
from core.errors import KeyRefused, ModelNotFound, QuotaSpent, Refused, StoreBusy
from core.governance.people import duties_of
from core.service.critic.calls import Planned, ask, plan_call
from core.service.critic.caps import OVER_CAP
from core.service.critic.compared import Comparison, SessionPair, SideFigures, SideReply, figures_of, measures_of
from core.service.critic.replies import prepared_session
from core.service.critic.runs import MAY_START, sessions_to_review
from core.service.critic.settings import settings_of
from core.service.critic.side_replies import side_reply
from core.service.critic.sides import A, B, Difference, Side, Ways, differences_of, requests_of, ways_of
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.records import AgentSession
from core.vocabulary import Writer

ABOUT = "comparison"
SAMPLED_WITH = 17
"""The seed with which a sample is drawn: the same desk gives the same sample."""

_ENDING = (OVER_CAP, KeyRefused.code, ModelNotFound.code, QuotaSpent.code)
"""Statuses after which no other request would fare better."""

_OUTSIDE = "It failed outside the agent."
_NOTHING = "Nobody says that it went wrong, its task never comes back, or it has no turns."


@dataclass(frozen=True)
class Comparing:
    """A comparison to be made: of which sessions, and how each side asks, by agent."""

    writer: Writer
    sessions: tuple[AgentSession, ...]
    ways: Mapping[int, Ways]
    differences: tuple[Difference, ...]
    repeat: bool
    at_once: int
    currency: str


def comparing(
    database: Database,
    refs: Sequence[str] | None,
    *,
    writer: Writer = Writer.NOTES,
    a: Side = Side(),
    b: Side = Side(),
    repeat: bool = False,
    sample: int | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Comparing:
    """What is to be compared on the named sessions, on all, or on a ``sample`` of these. Nothing is asked.

    With ``repeat`` side b is asked anew, whatever the store has. Raises ``NotFound``, ``ModelNotConfigured``, and
    ``BadInput`` for a prompt or setting that cannot be used, and for sides that would get the same replies.
    """
    with database.reading() as db:
        sessions = sessions_to_review(db, refs)
        if sample is not None and sample < len(sessions):
            drawn = {one.id for one in Random(SAMPLED_WITH).sample(sessions, sample)}
            sessions = [one for one in sessions if one.id in drawn]
        agents = dict.fromkeys(session.agent_id for session in sessions)
        ways = ways_of(db, agents, writer, (a, b), environ)
        differences = differences_of(db, ways, repeat=repeat)
        desk = settings_of(db)
    return Comparing(writer, tuple(sessions), ways, differences, repeat, desk.requests_at_once, desk.currency)


def compare(
    database: Database,
    what: Comparing,
    *,
    by: str,
    number: int | None = None,
    told: Callable[[int, int], None] = lambda done, of: None,
) -> Comparison:
    """Ask both sides about every session, and report. ``told`` hears how many sessions are done, of how many.

    The day's cap, a refused key and Ctrl-C end it: what is on its way is waited for and stored, and the report says
    what is missing. ``number`` goes on with an earlier comparison, so that what b was asked anew then is not again.
    Raises ``Refused`` for a person without the duty lead or developer.
    """
    with database.reading() as db:
        if not duties_of(db, by).duties & MAY_START:
            raise Refused("not_your_duty", f"{by} lacks the duty lead or developer, so nothing was asked.")
    with ExitStack() as open_doors:
        settings = {way.model for pair in what.ways.values() for way in pair}
        doors = {how: open_doors.enter_context(Llm(how)) for how in settings}
        asking = _Asking(database, what, doors, number)
        asked = asking.all(told)
    return _report(what, asking, asked)


class _Asking:
    """The requests of one comparison. Shared between threads."""

    def __init__(
        self, database: Database, what: Comparing, doors: Mapping[ModelSettings, Llm], number: int | None
    ) -> None:
        self.database, self.what, self.doors, self.number = database, what, doors, number
        self.stopped: str | None = None
        self._stop, self._lock = Event(), Lock()

    def all(self, told: Callable[[int, int], None]) -> dict[str, SessionPair | str]:
        """Both sides of every session, in the order of the sessions; why, where nothing is due."""
        sessions = self.what.sessions
        with ThreadPoolExecutor(self.what.at_once) as pool:
            under_way = {pool.submit(self._session, session): session.ref for session in sessions}
            try:
                for done, _ in enumerate(as_completed(under_way), 1):
                    told(done, len(sessions))
            except KeyboardInterrupt:
                self._end("It was interrupted.")
        return {ref: job.result() for job, ref in under_way.items()}

    def _session(self, session: AgentSession) -> SessionPair | str:
        ways = self.what.ways[session.agent_id]
        if self._stop.is_set():
            return SessionPair(session.ref, SideReply(), SideReply())
        with self.database.reading() as db:
            if session.external_failure:
                return _OUTSIDE
            due = requests_of(db, session, self.what.writer, ways)
            prepared = prepared_session(db, session)
        if not due:
            return _NOTHING
        replies = []
        for side, way in enumerate(ways):
            asked, busy = self._side([pair[side] for pair in due], (A, B)[side], session.agent_id)
            with self.database.reading() as db:
                calls = [db.get_one(CriticCall, call_id) for call_id in asked]
                reply = side_reply(db, session, prepared, calls, way.settings, due=len(due))
            replies.append(replace(reply, status="store_busy", detail=busy) if busy else reply)
        return SessionPair(session.ref, *replies)

    def _side(self, due: Sequence[Planned], side: str, agent_id: int) -> tuple[list[int], str]:
        """The ids of the requests that were stored of one side, and why the store did not take one."""
        way = self.what.ways[agent_id][side == B]
        asked: list[int] = []
        for one in due:
            if self._stop.is_set():
                break
            try:
                asked.append(self._planned(one, side, agent_id))
                ask(self.database, asked[-1], way.settings, self.doors[way.model])
            except StoreBusy as error:
                return asked, str(error)
            with self.database.reading() as db:
                call = db.get_one(CriticCall, asked[-1])
            if call.status in _ENDING:
                self._end(f"{call.detail} Side {side} was being asked.")
        return asked, ""

    def _planned(self, one: Planned, side: str, agent_id: int) -> int:
        """The id of a request as it is stored, under the number of this comparison."""
        way = self.what.ways[agent_id][side == B]
        with self._lock, self.database.writing() as db:
            number = self.number or _next_number(db)
            about = f"{ABOUT} {number} {side}"
            nonce = about if self.what.repeat and side == B else ""
            call = plan_call(db, replace(one, run_id=None, about=about, nonce=nonce), way.settings, way.model)
            self.number = number
            return call.id or 0

    def _end(self, why: str) -> None:
        self.stopped = self.stopped or why
        self._stop.set()


def _next_number(db: DatabaseSession) -> int:
    """The number after that of the newest comparison."""
    query = select(col(CriticCall.about)).where(col(CriticCall.about).like(f"{ABOUT} %")).distinct()
    return 1 + max((int(about.split()[1]) for about in db.exec(query).all()), default=0)


def _report(what: Comparing, asking: _Asking, asked: Mapping[str, SessionPair | str]) -> Comparison:
    pairs = tuple(one for one in asked.values() if isinstance(one, SessionPair))
    both = [pair for pair in pairs if pair.a.reviewed and pair.b.reviewed]
    a = figures_of(A, _asked_with(what, 0), ((pair.session, pair.a) for pair in pairs))
    b = figures_of(B, _asked_with(what, 1), ((pair.session, pair.b) for pair in pairs))
    differences, remarks = _as_it_was(what, a, b)
    return Comparison(
        number=asking.number or 0,
        writer=what.writer,
        sessions=len(what.sessions),
        nothing_due=tuple((ref, one) for ref, one in asked.items() if isinstance(one, str)),
        differences=differences,
        remarks=remarks,
        a=a,
        b=b,
        pairs=pairs,
        both=len(both),
        found_in_both=(_found(pair.a for pair in both), _found(pair.b for pair in both)),
        measures=measures_of(pairs),
        stopped=asking.stopped,
        currency=what.currency,
    )


def _found(replies: Iterator[SideReply]) -> tuple[int, int]:
    every = list(replies)
    return sum(one.found for one in every), sum(one.quotes for one in every)


def _asked_with(what: Comparing, side: int) -> str:
    said = [pair[side].in_words for pair in what.ways.values()]
    return "; ".join(
        dict.fromkeys(f"{one['prompt']}, {one['model']}, temperature {one['temperature']}" for one in said)
    )


def _as_it_was(what: Comparing, a: SideFigures, b: SideFigures) -> tuple[tuple[Difference, ...], tuple[str, ...]]:
    """The differences that there were when it was asked, and what a reader should know of them."""
    differences, remarks = list(what.differences), []
    named = {one.what for one in differences}
    if "model" in named:
        remarks.append("The cost is counted with the prices of the settings, which are one model's, for both sides.")
    elif a.models and b.models and a.models != b.models:
        differences.append(Difference("model as the server names it", ", ".join(a.models), ", ".join(b.models)))
    if "temperature" in named and a.temperatures == b.temperatures == ("none",):
        differences = [one for one in differences if one.what != "temperature"]
        remarks.append("The server takes no temperature, so both sides were asked without one.")
    if what.repeat and b.stored:
        remarks.append(f"{b.stored} replies of b are those that it gave when this comparison was first made.")
    return tuple(differences), tuple(remarks)
