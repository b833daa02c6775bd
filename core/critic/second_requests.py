"""Requests that follow another: a lesson once more, a second opinion, and the review of a draft within a task.

Critic, before the door to the model. A second opinion is asked without the first one's severity or advice, and without
saying who made the observation.
"""

from enum import StrEnum
from typing import Any

from core.critic.answer import Request, Said
from core.critic.material import Draft
from core.critic.prompts import prompt
from core.critic.shapes import OPINION, SELF_REVIEW
from core.critic.turn_data import ends_of, turn_data
from core.critic.writing import facts_data, policies_data, request_of
from core.evidence.contract import Span
from core.transcripts import Transcript
from core.vocabulary import Writer

AROUND = 2
"""Turns shown before and after the one that a quote stands in."""

_LONGEST_NEIGHBOUR = 1_000
"""Characters shown of the beginning and of the end of a turn around a quote."""

_LONGEST_TURN = 3_000
"""Characters shown before and after a quote in its own turn."""


class OnceMore(StrEnum):
    """Why a lesson is asked for a second time."""

    VAGUE = "vague"
    ONE_CASE = "one_case"
    SECRET = "secret"
    PERSONAL_DATA = "personal_data"
    WRONG_FORM = "wrong_form"
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"

    @property
    def in_words(self) -> str:
        """What the model is told."""
        return _WHY[self]


_WHY = {
    OnceMore.VAGUE: "It does not say what to do. Name one action, what it is done to, and when: “Check … before …”.",
    OnceMore.ONE_CASE: "It is about this one case. Say it for every case of this kind: no name, number, date or place.",
    OnceMore.SECRET: "It holds a password, key or other credential. Say it in general, without any of its characters.",
    OnceMore.PERSONAL_DATA: "It holds personal data. Say it in general, without anything that points to a person.",
    OnceMore.WRONG_FORM: "It does not have the form that was asked for.",
    OnceMore.TOO_LONG: "It is longer than one sentence. Keep the one action that matters most.",
    OnceMore.UNREADABLE: "No JSON object with the fields that were asked for could be read in it.",
}


def once_more(request: Request, reply: str, why: OnceMore) -> Request:
    """The same request with its reply, and the wish to write it again."""
    wish = f"This reply cannot be kept. {why.in_words} Reply once more, with the one JSON object alone."
    more = (Said(role="assistant", content=reply), Said(role="user", content=wish))
    return request.model_copy(update={"messages": (*request.messages, *more)})


def opinion_on(observation: str, quoted: Span, transcript: Transcript) -> Request:
    """Whether quoted words support an observation: the words, their turn, and the turns around it."""
    messages = transcript.messages
    around = range(max(0, quoted.turn - AROUND), min(len(messages), quoted.turn + AROUND + 1))
    data = {
        "transcript": [
            _quoted_turn(transcript, quoted)
            if turn == quoted.turn
            else turn_data(messages[turn], turn, _LONGEST_NEIGHBOUR)
            for turn in around
        ],
        "quote": {
            "turn": quoted.turn + 1,
            "speaker": messages[quoted.turn].role.value,
            "text": messages[quoted.turn].content[quoted.start : quoted.end],
        },
        "observation": observation,
    }
    return request_of(prompt(Writer.OPINION), data, OPINION)


def review_of(draft: Draft) -> Request:
    """The checklist for an answer before it is given."""
    data = {
        "policies": policies_data(draft.policies),
        "user_facts": facts_data(draft.facts),
        "task": draft.task,
        "tool_results": [result.model_dump() for result in draft.tool_results],
        "draft": draft.text,
    }
    return request_of(prompt(Writer.SELF_REVIEW), data, SELF_REVIEW)


def _quoted_turn(transcript: Transcript, quoted: Span) -> dict[str, Any]:
    """The turn of a quote; of a long text, what stands around the quote."""
    message = transcript.messages[quoted.turn]
    start, stop = max(0, quoted.start - _LONGEST_TURN), min(len(message.content), quoted.end + _LONGEST_TURN)
    data = turn_data(message.model_copy(update={"content": ""}), quoted.turn, _LONGEST_NEIGHBOUR)
    before = {"left_out_before": start} if start else {}
    after = {"left_out_behind": len(message.content) - stop} if stop < len(message.content) else {}
    return data | before | ends_of("text", message.content[start:stop], None) | after
