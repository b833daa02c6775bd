"""Which requests a debrief needs, by the requests that it has: every writer over every part, then what follows.

The critic's side of the store. Plans only: nothing is stored or sent here. What follows from replies are the smaller
parts of one that was too long, a lesson that is asked for once more, and second opinions.
"""

from collections.abc import Iterator, Sequence

from sqlmodel import Session as DatabaseSession

from core.critic.answer import RunStatus
from core.critic.critic_settings import CriticSettings
from core.critic.material import Material
from core.critic.model_settings import ModelSettings
from core.critic.parts import Part, halves, outline_of, parts_of, shorter
from core.critic.second_requests import once_more, opinion_on
from core.critic.writing import request_for, tokens_beside_the_turns
from core.evidence import prepare
from core.governance.numbers import numbers_in_force
from core.service.agents import recurs
from core.service.critic.calls import Planned, key_of, request_of
from core.service.critic.material import about_feedback, feedback_id, feedback_on, material_of, signal
from core.service.critic.replies import Reply, to_be_asked_again
from core.settings import Settings
from core.store.critic_records import CriticCall
from core.store.records import AgentSession, Feedback
from core.vocabulary import CallState, Reliability, Source, Writer

LESSON_WRITERS = (Writer.LESSON, Writer.REFLECTION)
TEACHING = (*LESSON_WRITERS, Writer.PROCEDURES)
"""Writers that are not asked about a task that never comes back."""

TOO_LONG = (RunStatus.TOO_LONG, RunStatus.PROMPT_CUT)
FEWEST_TOKENS = 500
"""Tokens that a part may have at least, however little room the rest of a request leaves."""


class Plan:
    """What is to be asked about a session, by the ``calls`` of its run so far; without a run, what would be."""

    def __init__(
        self,
        db: DatabaseSession,
        session: AgentSession,
        settings: CriticSettings,
        how: ModelSettings,
        calls: Sequence[CriticCall] = (),
        *,
        run_id: int | None = None,
        attempt: int = 1,
    ) -> None:
        self.db, self.session, self.settings, self.how, self.calls = db, session, settings, how, calls
        self.run_id, self.attempt = run_id, attempt
        self.material = material_of(db, session)
        self.numbers = in_numbers(settings, numbers_in_force(db))

    def first(self) -> Iterator[Planned]:
        """The requests of every writer over every part that were not sent yet."""
        place = len(self.calls)
        for writer, material, about, parts in self._wanted():
            for part in parts:
                asked = self._asked(writer, part, about)
                if any(call.attempt == self.attempt for call in asked):
                    continue
                wanted = self._request(writer, material, part, place=place + 1, about=about)
                if not any(call.key == key_of(self.how, wanted.request) for call in asked):
                    place += 1
                    yield wanted

    def smaller(self) -> Iterator[Planned]:
        """The parts of a part that the server found too long; none once a debrief has had its most requests."""
        room = self.settings.most_requests - len(self.calls)
        for call in self.calls:
            if room < 2 or call.status not in TOO_LONG or self._followed(call) or not call.first_turn:
                continue
            part = _part(call, self.material)
            outline = part.ends is not None and part.cut is None
            split = None if outline else halves(self.material.transcript, part, self.numbers.overlap_turns)
            cut = shorter(self.material.transcript, part) if split is None else None
            for smaller in split or ((cut,) if cut else ()):
                room -= 1
                material = self._material(call.about)
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
                    run_id=self.run_id,
                    attempt=self.attempt,
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
            for opinion in Reply(self.session, prepared, call, numbers=self.numbers).opinions():
                if opinion.about not in asked:
                    request = opinion_on(opinion.observation, opinion.span, self.material.transcript)
                    yield Planned(
                        writer=Writer.OPINION,
                        request=request,
                        run_id=self.run_id,
                        attempt=self.attempt,
                        place=call.place,
                        about=opinion.about,
                    )

    def _wanted(self) -> Iterator[tuple[Writer, Material, str, Sequence[Part]]]:
        comes_back = recurs(self.db, self.session)
        for writer in self.settings.writers:
            if not comes_back and writer in TEACHING:
                continue
            signals = lessons_from(self.db, self.session, writer) if writer in LESSON_WRITERS else None
            for about in [""] if signals is None else map(about_feedback, signals):
                material = self._material(about)
                yield writer, material, about, self._parts(writer, material)

    def _material(self, about: str) -> Material:
        """The material of a request; a lesson is given the one signal that it is to be made from."""
        of = feedback_id(about)
        if of is None:
            return self.material
        return self.material.model_copy(update={"feedback": (signal(self.db.get_one(Feedback, of)),)})

    def _parts(self, writer: Writer, material: Material) -> Sequence[Part]:
        """The parts in which a session is sent.

        A lesson has one, since one signal makes one lesson: the whole session, its long texts cut where they must be.
        Where even that is too long it is the end of the session, where what went wrong mostly shows.
        """
        beside = self.settings.token_cap + tokens_beside_the_turns(writer, material, self.numbers)
        room = max(FEWEST_TOKENS, self.settings.context_tokens - beside)
        parts = parts_of(material.transcript, room, self.numbers.overlap_turns)
        if writer not in LESSON_WRITERS or len(parts) < 2:
            return parts
        outline = outline_of(material.transcript, room)
        return (outline,) if outline else parts[-1:]

    def _request(
        self, writer: Writer, material: Material, part: Part, *, place: int, about: str, after: int | None = None
    ) -> Planned:
        return Planned(
            writer=writer,
            request=request_for(writer, material, part, settings=self.numbers),
            run_id=self.run_id,
            attempt=self.attempt,
            place=place,
            about=about,
            after=after,
            first_turn=part.start + 1,
            last_turn=part.stop,
            cut_to=part.ends,
        )

    def _asked(self, writer: Writer, part: Part, about: str) -> list[CriticCall]:
        """The calls that may be a request that is wanted. An answer of another attempt must be to its very words.

        In one attempt what goes along may change while it runs; then what was asked stands.
        """
        wanted = (None, writer, part.start + 1, part.stop, part.ends, about)
        return [
            call
            for call in self.calls
            if wanted == (call.after, call.writer, call.first_turn, call.last_turn, call.cut_to, call.about)
        ]

    def _followed(self, call: CriticCall) -> bool:
        return any(other.after == call.id for other in self.calls)


def in_numbers(settings: CriticSettings, numbers: Settings) -> Settings:
    """The numbers of a request's rules, those in force but for what the critic's settings choose."""
    chosen = {"earlier_sessions_tokens": settings.earlier_tokens, "overlap_turns": settings.overlap_turns}
    return numbers.model_copy(update=chosen)


def lessons_from(db: DatabaseSession, session: AgentSession, writer: Writer = Writer.LESSON) -> list[Feedback]:
    """The signals that a lesson may be made from: those that say that it went wrong.

    A reflection needs an evaluator's: a check, a tool, a score or a person. Source: Reflexion buffer, "Refusal rules".
    """
    wrong = [row for row in feedback_on(db, session) if not row.good]
    return [row for row in wrong if writer is not Writer.REFLECTION or is_an_evaluators(row)]


def is_an_evaluators(signal: Feedback) -> bool:
    """Whether a signal is of high reliability: of a check, a tool, an evaluator or a person at the desk."""
    return Source(signal.source).reliability is Reliability.HIGH


def _part(call: CriticCall, material: Material) -> Part:
    turns = len(material.transcript.messages)
    return Part(call.first_turn - 1, call.last_turn, turns, call.tokens_estimated, call.cut_to)
