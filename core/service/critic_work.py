"""What a worker does for one debrief: says which requests are due, asks them, and writes what came of them.

The critic's side of the durable engine. Every step can be repeated: ``due`` plans a request once, ``ask`` leaves a
request alone that has its answer, and ``finish`` writes in one transaction that only a running debrief passes.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.addressed import speaks_to_reviewer
from core.critic.answer import RunStatus
from core.critic.critic_settings import CriticSettings
from core.critic.material import Material
from core.critic.parts import Part, halves, parts_of, shorter
from core.critic.second_requests import once_more, opinion_on
from core.critic.writing import request_for, tokens_beside_the_turns
from core.evidence import prepare
from core.service.agents import recurs
from core.service.critic_calls import Planned, ask, plan_call, request_of
from core.service.critic_material import feedback_on, material_of, signal
from core.service.critic_replies import Reply, to_be_asked_again
from core.service.critic_settings import model_settings, settings_of
from core.service.critic_writing import finish_run
from core.service.debrief import debrief
from core.settings import DEFAULTS, Settings
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticRun
from core.store.database import Database
from core.store.records import AgentSession, Feedback, Item
from core.vocabulary import CallState, Kind, RunState, Writer

LESSON_WRITERS = (Writer.LESSON, Writer.REFLECTION)
TEACHING = (*LESSON_WRITERS, Writer.PROCEDURES)
"""Writers that are not asked about a task that never comes back."""

TOO_LONG = (RunStatus.TOO_LONG, RunStatus.PROMPT_CUT)
FEWEST_TOKENS = 500
"""Tokens that a part may have at least, however little room the rest of a request leaves."""


@dataclass(frozen=True)
class Waiting:
    """A run that nobody has begun, and which attempt it is."""

    run_id: int
    attempt: int


@dataclass(frozen=True)
class Due:
    """A request to be sent, and the server that is to be asked."""

    call_id: int
    provider: str


class CriticWork:
    """The work of debriefs on one database. It may be shared between threads."""

    def __init__(self, database: Database, environ: Mapping[str, str] = os.environ) -> None:
        self.database = database
        self.environ = environ

    def waiting(self) -> Sequence[Waiting]:
        """Runs that are queued, oldest first."""
        with self.database.reading() as db:
            query = select(CriticRun).where(CriticRun.state == RunState.QUEUED).order_by(col(CriticRun.id))
            return tuple(Waiting(run.id or 0, run.attempt) for run in db.exec(query.limit(1_000)).all())

    def due(self, run_id: int) -> Sequence[Due]:
        """The requests of a run to be sent next; none when it has all, or is over."""
        self._checks_first(run_id)
        with self.database.writing() as db:
            run = db.get_one(CriticRun, run_id)
            if run.state == RunState.QUEUED:
                _begin(db, run)
            if run.state != RunState.RUNNING:
                return ()
            calls = _calls(db, run)
            pending = [call for call in calls if call.state in (CallState.DUE, CallState.ASKED)]
            pending = pending or self._planned(db, run, calls)
            return tuple(Due(call.id or 0, run.server) for call in pending)

    def ask(self, call_id: int) -> None:
        """Send one request, with the settings of its run and the caps in force now."""
        with self.database.reading() as db:
            run = db.get_one(CriticRun, db.get_one(CriticCall, call_id).run_id)
            settings = _with_caps(_settings(run), settings_of(db))
        ask(self.database, call_id, settings, model_settings(settings, self.environ))

    def finish(self, run_id: int) -> None:
        """Write what came of a run, and where it stands then."""
        finish_run(self.database, run_id)

    def fail(self, run_id: int, why: str) -> None:
        """Keep a fault of our own as the end of a run."""
        with self.database.writing() as db:
            run = db.get_one(CriticRun, run_id)
            if run.state in (RunState.QUEUED, RunState.RUNNING):
                run.state, run.reason, run.detail, run.ended_at = RunState.FAILED, "fault", why, now()
                db.add(run)

    def _checks_first(self, run_id: int) -> None:
        """Let the code checks look at a session that they have not seen in its present form."""
        with self.database.reading() as db:
            run = db.get_one(CriticRun, run_id)
            session = db.get_one(AgentSession, run.session_id)
            seen = run.state != RunState.QUEUED or session.debriefed_sha256 == session.sha256
        if not seen:
            debrief(self.database, [session.ref])

    def _planned(self, db: DatabaseSession, run: CriticRun, calls: Sequence[CriticCall]) -> list[CriticCall]:
        """The next requests, stored: first what every session is asked, then what follows from the replies."""
        settings = _settings(run)
        plan = Plan(db, run, settings, calls)
        wanted = list(plan.first()) or list(plan.smaller()) or list(plan.once_more()) or list(plan.opinions())
        how = model_settings(settings, self.environ)
        return [plan_call(db, one, settings, how) for one in wanted]


class Plan:
    """What is to be asked of one run, by what it was asked before."""

    def __init__(
        self, db: DatabaseSession, run: CriticRun, settings: CriticSettings, calls: Sequence[CriticCall]
    ) -> None:
        self.db, self.run, self.settings, self.calls = db, run, settings, calls
        self.session = db.get_one(AgentSession, run.session_id)
        self.material = material_of(db, self.session)
        self.numbers = in_numbers(settings)

    def first(self) -> Iterator[Planned]:
        """The requests of every writer over every part that were not sent yet."""
        place = len(self.calls)
        for writer, material, about, parts in self._wanted():
            for part in parts:
                if not any(_is(call, writer, part, about) for call in self.calls):
                    place += 1
                    yield self._request(writer, material, part, place=place, about=about)

    def smaller(self) -> Iterator[Planned]:
        """The parts of a part that the server found too long."""
        for call in self.calls:
            if call.status not in TOO_LONG or self._followed(call) or not call.first_turn:
                continue
            part = _part(call, self.material)
            split = halves(self.material.transcript, part, self.numbers.overlap_turns)
            cut = shorter(self.material.transcript, part) if split is None else None
            for smaller in split or ((cut,) if cut else ()):
                material = self._material(Writer(call.writer), call.about)
                yield self._request(
                    Writer(call.writer), material, smaller, place=call.place, about=call.about, after=call.id
                )

    def once_more(self) -> Iterator[Planned]:
        """Lessons and procedures whose reply cannot be kept, asked once more with the reason."""
        for call in self.calls:
            if call.state != CallState.ANSWERED or call.after is not None or self._followed(call):
                continue
            why = to_be_asked_again(self.db, self.session, call)
            if why is not None:
                request = once_more(request_of(self.db, call), call.reply, why)
                yield Planned(
                    writer=Writer(call.writer),
                    request=request,
                    run_id=self.run.id,
                    attempt=self.run.attempt,
                    place=call.place,
                    about=call.about,
                    after=call.id,
                    first_turn=call.first_turn,
                    last_turn=call.last_turn,
                    cut_to=call.cut_to,
                )

    def opinions(self) -> Iterator[Planned]:
        """A request for each quote of a note that was found, where the settings ask for second opinions."""
        if not self.settings.second_opinion:
            return
        asked = {call.about for call in self.calls if call.writer == Writer.OPINION}
        prepared = prepare(self.material.transcript)
        for call in self.calls:
            if call.writer != Writer.NOTES or call.state != CallState.ANSWERED:
                continue
            for opinion in Reply(self.session, prepared, call).opinions():
                if opinion.about not in asked:
                    request = opinion_on(opinion.observation, opinion.span, self.material.transcript)
                    yield Planned(
                        writer=Writer.OPINION,
                        request=request,
                        run_id=self.run.id,
                        attempt=self.run.attempt,
                        place=call.place,
                        about=opinion.about,
                    )

    def _wanted(self) -> Iterator[tuple[Writer, Material, str, Sequence[Part]]]:
        comes_back = recurs(self.db, self.session)
        for writer in self.settings.writers:
            if not comes_back and writer in TEACHING:
                continue
            if writer in LESSON_WRITERS:
                for row in lessons_from(self.db, self.session):
                    about = f"feedback {row.id}"
                    material = self._material(writer, about)
                    yield writer, material, about, self._parts(writer, material)[-1:]
            else:
                yield writer, self.material, "", self._parts(writer, self.material)

    def _material(self, writer: Writer, about: str) -> Material:
        """The material of a request; a lesson is given the one signal that it is to be made from."""
        if writer not in LESSON_WRITERS:
            return self.material
        row = self.db.get_one(Feedback, int(about.removeprefix("feedback ")))
        return self.material.model_copy(update={"feedback": (signal(row),)})

    def _parts(self, writer: Writer, material: Material) -> Sequence[Part]:
        room = self.settings.context_tokens - self.settings.token_cap
        room -= tokens_beside_the_turns(writer, material, self.numbers)
        return parts_of(material.transcript, max(FEWEST_TOKENS, room), self.numbers.overlap_turns)

    def _request(
        self, writer: Writer, material: Material, part: Part, *, place: int, about: str, after: int | None = None
    ) -> Planned:
        return Planned(
            writer=writer,
            request=request_for(writer, material, part, settings=self.numbers),
            run_id=self.run.id,
            attempt=self.run.attempt,
            place=place,
            about=about,
            after=after,
            first_turn=part.start + 1,
            last_turn=part.stop,
            cut_to=part.ends,
        )

    def _followed(self, call: CriticCall) -> bool:
        return any(other.after == call.id for other in self.calls)


def in_numbers(settings: CriticSettings) -> Settings:
    """The numbers of a request's rules, with those that the critic's settings choose."""
    chosen = {"earlier_sessions_tokens": settings.earlier_tokens, "overlap_turns": settings.overlap_turns}
    return DEFAULTS.model_copy(update=chosen)


def lessons_from(db: DatabaseSession, session: AgentSession) -> list[Feedback]:
    """The signals that a lesson may be made from: those that say that it went wrong."""
    return [row for row in feedback_on(db, session) if not row.good]


def suspicious(db: DatabaseSession, session: AgentSession) -> bool:
    """Whether a check has found something in a session, or somebody says that it went wrong."""
    of_checks = select(Item.id).where(
        Item.kind == Kind.NOTE, Item.session_id == session.id, col(Item.proposer).startswith("check ")
    )
    return db.exec(of_checks.limit(1)).first() is not None or bool(lessons_from(db, session))


def _begin(db: DatabaseSession, run: CriticRun) -> None:
    """Start a run, or end it where its session is not to be reviewed."""
    session = db.get_one(AgentSession, run.session_id)
    run.started_at = now()
    if session.sha256 != run.transcript_sha256:
        _end(run, RunState.FAILED, "transcript_changed", "The transcript has changed since; it can be debriefed anew.")
    elif session.external_failure:
        _end(run, RunState.SKIPPED, "external_failure", f"It failed outside the agent: {session.external_failure}")
    elif _settings(run).only_suspicious and not suspicious(db, session):
        nothing = "The checks found nothing, and nobody says that it went wrong."
        _end(run, RunState.SKIPPED, "nothing_suspicious", nothing)
    else:
        run.state = RunState.RUNNING
        material = material_of(db, session)
        found = speaks_to_reviewer(material.transcript)
        run.addressed = [[one.turn, one.start, one.end, one.why] for one in found]
    db.add(run)


def _end(run: CriticRun, state: RunState, reason: str, detail: str) -> None:
    run.state, run.reason, run.detail, run.ended_at = state, reason, detail, now()


def _calls(db: DatabaseSession, run: CriticRun) -> list[CriticCall]:
    """The requests of a run that count: what is answered, and what this attempt has asked."""
    rows = db.exec(select(CriticCall).where(CriticCall.run_id == run.id).order_by(col(CriticCall.id))).all()
    return [call for call in rows if call.attempt == run.attempt or call.state == CallState.ANSWERED]


def _settings(run: CriticRun) -> CriticSettings:
    return CriticSettings.model_validate(run.settings)


def _with_caps(settings: CriticSettings, desk: CriticSettings) -> CriticSettings:
    """The settings of a run with the caps that the desk has now."""
    return settings.model_copy(update={"daily_cost": desk.daily_cost, "daily_tokens": desk.daily_tokens})


def _is(call: CriticCall, writer: Writer, part: Part, about: str) -> bool:
    sent = (call.writer, call.first_turn, call.last_turn, call.cut_to, call.about)
    return call.after is None and sent == (writer, part.start + 1, part.stop, part.ends, about)


def _part(call: CriticCall, material: Material) -> Part:
    turns = len(material.transcript.messages)
    return Part(call.first_turn - 1, call.last_turn, turns, call.tokens_estimated, call.cut_to)
