"""What a model's review of a draft says: whether it may be sent, what is wrong, and how to mend it.

Critic. Source: Using Feedback and Reflection in Agent Workflows, the self-review prompt. Spelling is forgiven, doubt is
not: a reply that contradicts itself does not say that the draft is good, and one without a verdict says nothing.
"""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.critic.drafts import Words
from core.critic.fields import brief, remark, text_in, tidy
from core.critic.lenient_json import Repeated
from core.critic.reply_json import objects_in, why_nothing

_YES, _NO = ("true", "yes", "ok", "okay", "pass", "passed", "1"), ("false", "no", "not ok", "fail", "failed", "0")
_NOTHING = re.compile(
    r"(?:none|n/?a|nil|null|nothing|empty|-+|–|no (?:problems?|issues?|fix|changes?)"
    r"(?: (?:is|are|was|were))?(?: (?:needed|required|necessary|found))?)?[.!]?",
    re.I,
)
_MOST = 20
"""Problems of one reply that are read; an agent that has to mend more should begin anew."""

CONTRADICTS = "The review calls the draft good and asks for a change all the same."
NAMELESS = "The review does not call the draft good, and names no problem."


class SelfReviewReply(BaseModel):
    """The review of one draft. With an ``error`` nothing was said, neither good nor bad."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ok: bool = False
    problems: tuple[Words, ...] = ()
    fix: Words = ""
    """One sentence that says what to change; empty where nothing is."""

    cut: int = Field(0, ge=0)
    """Problems beyond those that are read."""

    remarks: tuple[Words, ...] = ()
    repaired: bool = False
    error: Words | None = None


def parse_self_review(reply: str) -> SelfReviewReply:
    """The review in a reply. Several objects are one: it is good only if each says so and none finds anything."""
    objects = objects_in(reply)
    fitting = [one for each in objects.found for one in _fitting(each.content)]
    if not fitting:
        return SelfReviewReply(error=why_nothing(reply, objects, "ok"))
    said = [_verdict(one.get("ok")) for one in fitting]
    problems = list(dict.fromkeys(text for one in fitting for text in _problems(one)))
    fixes = list(dict.fromkeys(text for one in fitting if (text := _words(text_in(one, "fix")))))
    if objects.broken and not problems and False not in said:
        return SelfReviewReply(error=f"a part of the reply is broken JSON: {objects.broken[0]}")
    if None in said and not problems and False not in said:
        unclear = next(one.get("ok") for one in fitting if _verdict(one.get("ok")) is None)
        return SelfReviewReply(error=f"ok is neither true nor false but “{brief(unclear)}”")
    good = all(said) and not problems and not fixes
    if not good and not problems:
        problems = [CONTRADICTS if all(said) else NAMELESS]
    remarks = [remark("ok_unclear", one.get("ok", "")) for one in fitting if _verdict(one.get("ok")) is None]
    remarks += ["contradiction"] if all(said) and not good else []
    try:
        return SelfReviewReply(
            ok=good,
            problems=tuple(problems[:_MOST]),
            fix=" ".join(fixes),
            cut=max(0, len(problems) - _MOST),
            remarks=tuple(remarks),
            repaired=bool(objects.broken) or any(each.repaired for each in objects.found),
        )
    except ValidationError as error:
        return SelfReviewReply(error=f"its words cannot be stored: {error.errors(include_input=False)[0]['msg']}")


def _fitting(content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The object, if it is a review; else those in its fields that are: models wrap what they were asked for."""
    content = tidy(content)
    if "ok" in content or "problems" in content:
        return [content]
    inner = [one for value in content.values() for one in (value if isinstance(value, list) else [value])]
    named = [tidy(one) for one in inner if isinstance(one, dict)]
    return [one for one in named if "ok" in one or "problems" in one]


def _verdict(said: object) -> bool | None:
    """True or false, also as a word; None for everything else."""
    if isinstance(said, bool):
        return said
    word = " ".join(str(said).casefold().split()).strip(".!") if isinstance(said, (str, int)) else ""
    return True if word in _YES else False if word in _NO else None


def _problems(review: Mapping[str, Any]) -> list[str]:
    said = review.get("problems")
    each = said if isinstance(said, (list, Repeated)) else [said]
    return [text for one in each if (text := _words(_text(one)))]


def _text(said: object) -> str:
    if isinstance(said, dict):
        named = text_in(said, "problem", "text", "description", "issue")
        return named or "; ".join(value for value in said.values() if isinstance(value, str) and value.strip())
    return said if isinstance(said, str) else "" if said is None or said is False else brief(said)


def _words(text: str) -> str:
    """The text on one line; empty where it says that there is nothing."""
    tidy = " ".join(text.split())
    return "" if _NOTHING.fullmatch(tidy) else tidy
