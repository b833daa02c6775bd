"""From a model's reply to a verdict: a second opinion on a quote, or the review of a draft within a task.

Critic. What is not said is never guessed: a reply without a clear verdict is ``Unreadable`` with its reason.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from core.critic.drafts import Unreadable, Words
from core.critic.fields import brief, text_in
from core.critic.reply_json import objects_in


class Supports(StrEnum):
    """Whether a quote supports an observation."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"


class Opinion(BaseModel):
    """A second opinion; ``why`` is empty where the reply gives no reason."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    supports: Supports
    why: Words = ""


class SelfReview(BaseModel):
    """The review of a draft: it is ok exactly when nothing is wrong with it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ok: bool
    problems: tuple[Words, ...] = ()
    fix: Words = ""

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.ok and self.problems:
            raise ValueError("it says ok and names problems")
        if not self.ok and not self.problems:
            raise ValueError("it says not ok and names no problem")
        return self


_Verdict = TypeVar("_Verdict", Opinion, SelfReview)


def parse_opinion(reply: str) -> Opinion | Unreadable:
    """The opinion that a reply gives."""
    fields = _only(reply, "supports")
    if isinstance(fields, Unreadable):
        return fields
    said = brief(fields["supports"]).casefold().strip(" .")
    if said not in set(Supports):
        return Unreadable(place=1, why=f"its supports is none of yes, partly and no but “{brief(fields['supports'])}”")
    return _made(lambda: Opinion(supports=Supports(said), why=text_in(fields, "why", "reason")))


def parse_self_review(reply: str) -> SelfReview | Unreadable:
    """The review that a reply gives."""
    fields = _only(reply, "ok")
    if isinstance(fields, Unreadable):
        return fields
    ok, problems = fields["ok"], fields.get("problems", [])
    if isinstance(ok, str) and ok.strip().casefold() in ("true", "false"):
        ok = ok.strip().casefold() == "true"
    problems = [problems] if isinstance(problems, str) and problems.strip() else problems or []
    if not isinstance(ok, bool):
        return Unreadable(place=1, why=f"its ok is neither true nor false but “{brief(ok)}”")
    if not isinstance(problems, list) or not all(isinstance(each, str) for each in problems):
        return Unreadable(place=1, why="its problems are no list of texts")
    named = tuple(each.strip() for each in problems if each.strip())
    return _made(lambda: SelfReview(ok=ok, problems=named, fix=text_in(fields, "fix")))


def _only(reply: str, name: str) -> Mapping[str, Any] | Unreadable:
    """The fields of the one object in a reply that has this field; two that differ contradict each other."""
    fitting = [each.content for each in objects_in(reply).found if name in each.content]
    if not fitting:
        return Unreadable(place=0, why=f"not an object with key {name}" if reply.strip() else "empty reply")
    if any(each[name] != fitting[0][name] for each in fitting):
        return Unreadable(place=0, why=f"two objects whose {name} differ")
    return fitting[0]


def _made(verdict: Callable[[], _Verdict]) -> _Verdict | Unreadable:
    try:
        return verdict()
    except ValidationError as error:
        return Unreadable(place=1, why=error.errors(include_input=False)[0]["msg"].removeprefix("Value error, "))
