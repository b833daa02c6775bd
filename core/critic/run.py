"""One request to a model, from the first attempt to its answer: waits, repetitions, and what the server will not take.

Critic. Every attempt is recorded. A cut reply is asked for once more with a larger cap, and so is one that the
server's JSON mode refused, since a cap that is too small ends in just that refusal (Self-reflection memory); a busy
server is asked again as it says.
"""

from dataclasses import dataclass, field
from typing import Any

from core.critic.accepted import CAPS, Accepted, Remembered, refused_parameter
from core.critic.answer import Answer, Attempt, Request, RunStatus, Usage
from core.critic.body import LARGEST
from core.critic.exchange import Exchange
from core.critic.failures import Failure, error_for, failure_of, may_be_about_a_parameter, may_be_repeated
from core.critic.outcome import detail_of, limits, status_of
from core.critic.received import Complaint, Completion, Response, completion
from core.critic.waiting import Clock, told_wait, wait_before
from core.errors import ModelError, ModelUnreachable, ReplyNotUnderstood

_STATUS_OF = {Failure.TOO_LONG: RunStatus.TOO_LONG, Failure.FILTERED: RunStatus.REFUSED}
"""Refusals that are an answer: there will be no other."""


@dataclass
class Run:
    """The state of one request while it is asked."""

    request: Request
    exchange: Exchange
    remembered: Remembered
    clock: Clock
    attempts: list[Attempt] = field(default_factory=list)
    repetitions: int = 0
    enlarged: bool = False
    cut: Answer | None = None
    """The answer that was cut, while a larger one is asked for."""

    def __post_init__(self) -> None:
        self.settings = self.exchange.settings
        self.server = self.settings.endpoint.shown
        self.cap = self.settings.token_cap
        self.accepted: Accepted = self.remembered.of(self.settings)
        self.started = self.clock.seconds()

    def answer(self) -> Answer:
        """What became of the request; a ``ModelError``, with what was tried, where no reply could be had."""
        try:
            while True:
                response = self._response()
                answer = self._read(response) if response.good else self._refused(response)
                if answer is not None:
                    return answer
        except ModelError as error:
            error.tried = tuple(self.attempts)
            raise

    def _response(self) -> Response:
        """The next response that is not a call to wait; waits as told before each repetition."""
        response = self._sent(waited=0.0)
        while not isinstance(response, Response) or self._to_be_repeated(response):
            response = self._sent(waited=self._wait(response))
        return response

    def _to_be_repeated(self, response: Response) -> bool:
        """Whether to wait and send the same again; not where the server failed over a parameter."""
        if response.good:
            return False
        said = self.exchange.complaint(response)
        return may_be_repeated(response, failure_of(response, said)) and self._parameter(response, said) is None

    def _wait(self, response: Response | str) -> float:
        """Wait before the next repetition, and say how long; raise where there is none."""
        self.repetitions += 1
        told = told_wait(response.headers, self.clock.now()) if isinstance(response, Response) else None
        wait = wait_before(self.repetitions, told, self.settings.longest_wait, self.clock.chance())
        if wait is None or self.repetitions >= self.settings.tries:
            raise self._given_up(response, told)
        self.clock.sleep(wait)
        return wait

    def _given_up(self, response: Response | str, told: float | None) -> ModelError:
        if isinstance(response, str):
            return ModelUnreachable(self.server, response, len(self.attempts))
        said = self.exchange.complaint(response)
        return error_for(
            Failure.BUSY, self.server, self.settings.model, response.status, said, len(self.attempts), told
        )

    def _sent(self, *, waited: float) -> Response | str:
        """Send the request once and record the attempt."""
        parameters = self._parameters()
        begun = self.clock.seconds()
        response = self.exchange.send(self.request, parameters)
        seconds = self.clock.seconds() - begun
        sent = {"model": self.settings.model, **_shown(parameters)}
        self.attempts.append(self._attempt(response, sent=sent, waited=waited, seconds=seconds))
        return response

    def _attempt(self, response: Response | str, **facts: Any) -> Attempt:
        if isinstance(response, str):
            return Attempt(status=None, said=response, **facts)
        reply = completion(response.body)
        if reply is not None:
            facts |= {"usage": reply.usage, "replied": True}
        if reply is not None and response.good:
            return Attempt(status=response.status, said=self.exchange.short(reply.finish), **facts)
        said = self.exchange.complaint(response)
        return Attempt(status=response.status, said=said.code or said.said, **facts)

    def _read(self, response: Response) -> Answer | None:
        """The answer in a completion; None where it is asked for again."""
        if response.cut:
            raise ReplyNotUnderstood(self.server, f"it is longer than {LARGEST:,} bytes", len(self.attempts))
        reply = completion(response.body)
        if reply is None:
            beginning = self.exchange.short(response.body)[:80] or "an empty body"
            raise ReplyNotUnderstood(self.server, f"it begins “{beginning}”", len(self.attempts))
        self.remembered.learn(self.settings, self.accepted)
        status = status_of(reply, self.request, self.cap if self._cap_name else None)
        detail = detail_of(status, reply, self.request, self._caps())
        answer = self._answer(status, reply, response.request_id, detail)
        if status is RunStatus.TRUNCATED and self._enlarge():
            self.cut = answer
            return None
        return answer

    def _refused(self, response: Response) -> Answer | None:
        """What follows from a refusal: another form of the request (None), a status, or an error that is raised."""
        said = self.exchange.complaint(response)
        failure = failure_of(response, said)
        if self._asks_otherwise(response, said, failure):
            return None
        if self.cut is not None and failure is not Failure.BUSY:
            return self._still_cut(self.cut)
        if failure in _STATUS_OF:
            return self._answer(_STATUS_OF[failure], None, response.request_id, said.said)
        count = len(self.attempts)
        raise error_for(failure, self.server, self.settings.model, response.status, said, count, None)

    def _asks_otherwise(self, response: Response, said: Complaint, failure: Failure) -> bool:
        """Change the request as a refusal demands, if it does: a parameter, or once the cap."""
        if failure is Failure.BAD_JSON:
            return self._once_more()
        parameter = None if failure in _STATUS_OF else self._parameter(response, said)
        if parameter is None:
            return False
        self.accepted = self.accepted.without(parameter)
        return True

    def _parameter(self, response: Response, said: Complaint) -> str | None:
        """The parameter that a refusal is about, if it may be about one."""
        if not may_be_about_a_parameter(response):
            return None
        return refused_parameter(self._parameters(), said.param, said.said)

    def _once_more(self) -> bool:
        """Whether a refused JSON reply is asked for again; it is once, with a larger cap where there is room."""
        if self.enlarged:
            return False
        self._enlarge()
        self.enlarged = True
        return True

    def _enlarge(self) -> bool:
        """Double the cap within its limit, once; whether that changed the request."""
        larger = min(2 * self.cap, self.settings.largest_token_cap)
        if self.enlarged or larger <= self.cap or self._cap_name is None:
            return False
        self.cap, self.enlarged = larger, True
        return True

    def _still_cut(self, cut: Answer) -> Answer:
        """A cut answer whose repetition was refused, with that attempt recorded."""
        seconds = self.clock.seconds() - self.started
        changed = {"attempts": tuple(self.attempts), "seconds": seconds, "detail": limits(self._caps())}
        return cut.model_copy(update=changed)

    def _answer(self, status: RunStatus, reply: Completion | None, request_id: str | None, detail: str) -> Answer:
        return Answer(
            status=status,
            text=self.exchange.written(reply.text) if reply else "",
            detail=self.exchange.short(detail),
            model=self._model_named(reply),
            sent=self.attempts[-1].sent,
            usage=reply.usage if reply else Usage(),
            seconds=self.clock.seconds() - self.started,
            request_id=self.exchange.name(request_id) if request_id else None,
            attempts=tuple(self.attempts),
        )

    def _model_named(self, reply: Completion | None) -> str:
        """The model's name as the server gives it; as asked for where it gives none."""
        named = reply.model if reply else ""
        return named if named == self.settings.model else self.exchange.name(named) or self.settings.model

    @property
    def _cap_name(self) -> str | None:
        """What the token cap is called at this server; None where it takes none."""
        return CAPS[self.accepted.cap]

    def _caps(self) -> list[int]:
        """The token caps that were sent."""
        return [each.sent[name] for each in self.attempts for name in CAPS if name and name in each.sent]

    def _parameters(self) -> dict[str, Any]:
        return self.accepted.parameters(self.settings, self.request, self.cap)


def _shown(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters as they are recorded: of a response format only its type."""
    return {name: value["type"] if name == "response_format" else value for name, value in parameters.items()}
