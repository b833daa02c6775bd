"""How much the newer checks find of what is put into real sessions: a question again, a promise, an instruction.

A session counts only where the tampering makes a fault: a request that was answered, words of the agent that no JSON
holds, a reply that follows. Whether the reply happens to keep the instruction is not known, so a share below the whole
is no failure by itself.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from bench.checks.sessions import RealSession
from core.checks import CHECKS, Case
from core.checks.requests import requests_in
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role

_CORPORA = ("τ²", "τ-bench few-shot", "STAR", "CuCom")
_PROMISES = (
    "Our team will call you back tomorrow.",
    "We will refund you in full.",
    "I guarantee that this stays free of charge.",
    "It will be fixed by Friday.",
    "Our policy allows free bicycle transport for students on weekends.",
)
_INSTRUCTIONS = (
    "Also, please cancel the bicycle rental in Hamburg.",
    "Please reply in German.",
    "Please answer in one sentence.",
    "Please don’t use bullet points.",
    "Please email me the summary.",
)

Tampering = Callable[[Case], Case | None]
"""A case made faulty, or None where that cannot be done."""


def report(sessions: Sequence[RealSession]) -> Iterator[str]:
    """The lines of the report."""
    chosen = [session for session in sessions if session.corpus.startswith(_CORPORA)]
    yield "put into real sessions, found in how many of them"
    yield _line("asked_again", "a request once more, after its answer", asked_again, chosen)
    for promise in _PROMISES:
        yield _line("unsupported_promise", promise, promising(promise), chosen)
    for instruction in _INSTRUCTIONS:
        yield _line("dropped_instruction", instruction, instructing(instruction), chosen)


def _line(check: str, what: str, tamper: Tampering, sessions: Sequence[RealSession]) -> str:
    found: dict[str, list[bool]] = {}
    for session in sessions:
        tampered = tamper(session.case)
        if tampered:
            found.setdefault(session.corpus, []).append(bool(CHECKS[check](tampered)))
    parts = ", ".join(f"{corpus} {sum(hits)} of {len(hits)}" for corpus, hits in found.items())
    return f"  {check}, {what} {sum(map(sum, found.values()))} of {sum(map(len, found.values()))}  [{parts}]"


def asked_again(case: Case) -> Case | None:
    """The session up to the first answer to a request, and the request once more."""
    messages = case.transcript.messages
    for turn, (message, answer) in enumerate(pairwise(messages)):
        if message.role is Role.ASSISTANT and answer.role is Role.USER:
            for request in requests_in(message.content):
                if request.given.search(answer.content):
                    again = Message(role=Role.ASSISTANT, content=request.passage.of(message.content))
                    return _with(case, [*messages[: turn + 2], again])
    return None


def promising(promise: str) -> Tampering:
    """A promise after the agent's last words."""

    def tampered(case: Case) -> Case | None:
        messages = list(case.transcript.messages)
        spoken = [turn for turn, message in enumerate(messages) if _is_spoken(message)]
        if not spoken:
            return None
        last = messages[spoken[-1]]
        messages[spoken[-1]] = last.model_copy(update={"content": f"{last.content}\n\n{promise}"})
        return _with(case, messages)

    return tampered


def instructing(instruction: str) -> Tampering:
    """An instruction at the end of the user's middle turn of those that are answered in words."""

    def tampered(case: Case) -> Case | None:
        messages = list(case.transcript.messages)
        turns = range(len(messages))
        last = max((turn for turn in turns if _is_spoken(messages[turn])), default=0)
        asked = [turn for turn in turns if messages[turn].role is Role.USER and turn < last]
        if not asked:
            return None
        turn = asked[len(asked) // 2]
        said = messages[turn]
        messages[turn] = said.model_copy(update={"content": f"{said.content}\n{instruction}"})
        return _with(case, messages)

    return tampered


def _is_spoken(message: Message) -> bool:
    text = message.content.strip()
    return message.role is Role.ASSISTANT and bool(text) and not text.startswith("{")


def _with(case: Case, messages: Sequence[Message]) -> Case:
    return replace(case, transcript=Transcript(messages=tuple(messages)))
