"""What a model's review of a draft says: whether it may be sent, what is wrong, and how to mend it.

Critic. Source: Using Feedback and Reflection in Agent Workflows, the self-review prompt. Spelling is forgiven, doubt is
not: a reply that says more than was asked for, or two things at once, does not say that the draft is good. Problems
that can be read in it are kept; where there are none, nothing was said.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.critic.drafts import Words
from core.critic.fields import brief, remark, text_in
from core.critic.lenient_json import Doubled
from core.critic.reply_json import Objects, objects_in, why_nothing

_YES, _NO = ("true", "yes", "ok", "okay", "pass", "passed", "1"), ("false", "no", "not ok", "fail", "failed", "0")
_NOTHING = re.compile(
    r"(?:none|n/?a|nil|null|nothing|empty|-+|–|no (?:problems?|issues?|fix|changes?)"
    r"(?: (?:is|are|was|were))?(?: (?:needed|required|necessary|found))?)?[.!]?",
    re.I,
)
_PROBLEMS = ("problems", "problem", "issues", "issue")
"""Names under which models give what they found; only the first was asked for."""

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


@dataclass(frozen=True)
class _Review:
    """One object of a reply. ``doubts`` are the reasons for which it cannot be taken at its word."""

    ok: bool | None
    said: object
    problems: tuple[str, ...]
    fixes: tuple[str, ...]
    doubts: tuple[str, ...]


def parse_self_review(reply: str) -> SelfReviewReply:
    """The review in a reply. Several objects are one: it is good only if each says so and none finds anything."""
    objects = objects_in(reply)
    doubts = _doubts_about(objects)
    reviews: list[_Review] = []
    for each in objects.found:
        inner = _reviews_in(each.content)
        reviews += map(_review, inner)
        doubts += [] if inner or not each.content else ["an object stands in it that is no review"]
    if not reviews:
        return SelfReviewReply(error=why_nothing(reply, objects, "ok"))
    doubts += [doubt for one in reviews for doubt in one.doubts]
    doubts += ["one part of it calls the draft good, another does not"] if len({one.ok for one in reviews}) > 1 else []
    problems = list(dict.fromkeys(text for one in reviews for text in one.problems))
    if doubts and not problems:
        return _kept(error=doubts[0])
    fixes = list(dict.fromkeys(text for one in reviews for text in one.fixes))
    called_good = all(one.ok for one in reviews)
    good = called_good and not (problems or fixes or doubts)
    if not good and not problems:
        problems = [CONTRADICTS if called_good else NAMELESS]
    remarks = [remark("ok_unclear", one.said) for one in reviews if one.ok is None]
    remarks += ["contradiction"] if called_good and not good else []
    return _kept(
        ok=good,
        problems=tuple(problems[:_MOST]),
        fix=" ".join(fixes),
        cut=max(0, len(problems) - _MOST),
        remarks=tuple(remarks),
        repaired=bool(objects.broken) or any(each.repaired for each in objects.found),
    )


def _kept(**fields: Any) -> SelfReviewReply:
    try:
        return SelfReviewReply(**fields)
    except ValidationError as error:
        why = error.errors(include_input=False)[0]["msg"].removeprefix("Value error, ")
        return SelfReviewReply(error=f"its words cannot be stored: {why}")


def _doubts_about(objects: Objects) -> list[str]:
    """Why a reply as a whole cannot be taken at its word, whatever its objects say."""
    doubts = [f"a part of the reply is broken JSON: {why}" for why in objects.broken[:1]]
    if not doubts and ("{" in objects.beside or "}" in objects.beside):
        doubts.append("a part of the reply is broken JSON: a brace stands outside its objects")
    return doubts + (["the reply ends in the middle of its reasoning"] if objects.unfinished else [])


def _reviews_in(content: dict[str, Any]) -> list[dict[str, Any]]:
    """The object, if it is a review; else those in its fields, if nothing else is: models wrap what was asked for."""
    if _is_review(content):
        return [content]
    inner = [one for _, value in _pairs(content) for one in (value if isinstance(value, list) else [value])]
    reviews = [one for one in inner if isinstance(one, dict) and _is_review(one)]
    return reviews if len(reviews) == len(inner) else [content] if reviews else []


def _is_review(content: dict[str, Any]) -> bool:
    return any(_name(name) in ("ok", *_PROBLEMS) for name in content)


def _review(content: dict[str, Any]) -> _Review:
    """One object, field by field. A field that was not asked for may be there only if it is empty."""
    said: list[object] = []
    problems: list[str] = []
    fixes: list[str] = []
    doubts: list[str] = []
    names: set[str] = set()
    for written, value in _pairs(content):
        name = _name(written)
        if name in names:
            doubts.append(f"“{brief(name)}” stands in it twice")
        names.add(name)
        if name == "ok":
            said.append(value)
        elif name in (*_PROBLEMS, "fix"):
            texts, clear = _texts(value)
            (fixes if name == "fix" else problems).extend(texts)
            doubts += [] if clear else [f"what stands under “{name}” cannot be read"]
        elif not _is_empty(value):
            problems += [text for one in _reviews_within(value) for text in one]
            doubts.append(f"it has a field that was not asked for, “{brief(written)}”")
    verdicts = {_verdict(one) for one in said} or {None}
    ok = verdicts.pop() if len(verdicts) == 1 else None
    unclear = said[-1] if said else None
    if ok is None and len(said) < 2:
        doubts.insert(0, f"ok is neither true nor false but “{brief(unclear)}”")
    return _Review(ok, unclear, tuple(problems), tuple(fixes), tuple(doubts))


def _pairs(content: dict[str, Any]) -> list[tuple[str, Any]]:
    """The fields as they were written, one that stands there twice also twice."""
    return list(content.pairs if isinstance(content, Doubled) else content.items())


def _name(written: str) -> str:
    return written.strip().casefold()


def _verdict(said: object) -> bool | None:
    """True or false, also as a word; None for everything else."""
    if isinstance(said, bool):
        return said
    word = " ".join(str(said).casefold().split()).strip(".!") if isinstance(said, (str, int)) else ""
    return True if word in _YES else False if word in _NO else None


def _texts(said: object) -> tuple[list[str], bool]:
    """What is named in a field, and whether all that stands there could be read: words, or the word for nothing."""
    each = said if isinstance(said, list) else [said]
    texts = [_text(one) for one in each]
    clear = all(text or _is_nothing(one) for one, text in zip(each, texts, strict=True))
    return [text for text in texts if text], clear


def _text(said: object) -> str:
    """The words of one member: those under a name that says so, else all that stand in it, however deep."""
    named = _words(text_in(said, "problem", "text", "description", "issue")) if isinstance(said, dict) else ""
    return named or "; ".join(text for one in _within(said) if isinstance(one, str) and (text := _words(one)))


def _is_nothing(said: object) -> bool:
    """Whether a member says that there is no problem; an object or a number but 0 leaves that open."""
    if isinstance(said, list):
        return not said or all(isinstance(one, str) or one is None for one in said)
    return said is None or said is False or said in (0, {}) or isinstance(said, str)


def _is_empty(value: object) -> bool:
    """Whether a field that was not asked for says nothing at all."""
    return value is None or value in ([], {}) or (isinstance(value, str) and not _words(value))


def _reviews_within(value: object) -> Iterator[list[str]]:
    """The problems of every review that stands in a value, however deep."""
    for one in _within(value):
        if isinstance(one, dict):
            yield from (_texts(inner)[0] for name, inner in _pairs(one) if _name(name) in _PROBLEMS)


def _within(value: object) -> Iterator[object]:
    """The value and all that stands in it, in order; without recursion, since a reply may be deep."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, dict):
            waiting += [inner for _, inner in reversed(_pairs(one))]
        elif isinstance(one, list):
            waiting += reversed(one)


def _words(text: str) -> str:
    """The text on one line; empty where it says that there is nothing."""
    tidy = " ".join(text.split())
    return "" if _NOTHING.fullmatch(tidy) else tidy
