"""Questions that episodes can answer, and beliefs that rest on them: what is asked, and what stands in the reply.

Critic, before and behind the door to the model. Statements carry numbers of their own, from 1, so that a model need not
copy long ids; whoever keeps the reply leads them back. Source: Reflection: From Experiences to Beliefs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.critic.answer import Request
from core.critic.drafts import Unreadable
from core.critic.fields import brief, text_in, tidy
from core.critic.lenient_json import BrokenJson, Repeated, decode_strictly
from core.critic.prompts import prompt
from core.critic.reply_json import objects_in, why_nothing
from core.critic.shapes import SHAPES
from core.critic.tokens import prompt_estimate
from core.critic.writing import request_of
from core.vocabulary import Writer

_LONGEST = 600
"""Characters of a question, or of a belief as it is shown, that are read."""


_LONGEST_LIST = 100_000
"""Characters of a reply in which a bare list is looked for."""


@dataclass(frozen=True)
class Statement:
    """An episode as a model reads it: what happened, when, and whether it was concluded from others."""

    text: str
    at: datetime
    concluded: bool = False


@dataclass(frozen=True)
class SaidQuestions:
    """The questions of a reply, each once, in its order; ``cut`` counts those beyond the most. Or why none."""

    questions: tuple[str, ...] = ()
    cut: int = 0
    error: str | None = None


@dataclass(frozen=True)
class SaidBelief:
    """A belief as a reply has it: its words, and what it cites, whatever that is."""

    text: str
    cites: tuple[object, ...]


@dataclass(frozen=True)
class SaidBeliefs:
    """The beliefs of a reply in its order; ``cut`` counts those beyond the most. Or why nothing can be read."""

    beliefs: tuple[SaidBelief, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    cut: int = 0
    error: str | None = None


def ask_questions(statements: Sequence[Statement], most: int, room: int) -> tuple[Request, int]:
    """What is asked of the newest statements, and how many of them fit into ``room`` tokens; the newest come first."""
    count = len(statements)
    while True:
        data = {"questions_wanted": most, "statements": _numbered(statements[:count])}
        request = request_of(prompt(Writer.QUESTIONS), data, SHAPES[Writer.QUESTIONS])
        if count <= 2 or prompt_estimate(request) <= room:
            return request, count
        count = max(2, count * 9 // 10)


def ask_beliefs(question: str, statements: Sequence[Statement], most: int) -> Request:
    """What is asked of the statements for one question."""
    data = {"question": question, "conclusions_wanted": most, "statements": _numbered(statements)}
    return request_of(prompt(Writer.BELIEFS), data, SHAPES[Writer.BELIEFS])


def parse_questions(reply: str, most: int) -> SaidQuestions:
    """The questions of a reply: the list of an object, also one of objects, or a bare list of texts."""
    objects = objects_in(reply)
    found = [tidy(each.content) for each in objects.found]
    lists = [each["questions"] for each in found if "questions" in each]
    if not lists and not found and (bare := _bare_list(reply)) is not None:
        lists = [bare]
    if not lists:
        return SaidQuestions(error=why_nothing(reply, objects, "questions"))
    said: list[str] = [_question(one) for each in lists for one in _each(each)]
    asked = tuple(dict.fromkeys(one for one in said if one))
    return SaidQuestions(asked[:most], max(0, len(asked) - most))


def parse_beliefs(reply: str, most: int) -> SaidBeliefs:
    """The beliefs of a reply; a part without words is named, and its siblings go on."""
    objects = objects_in(reply)
    parts = [part for each in objects.found for part in _parts(tidy(each.content))]
    empty = any(name in tidy(each.content) for each in objects.found for name in _LISTS)
    if not parts and not empty and _bare_list(reply) != []:
        return SaidBeliefs(error=why_nothing(reply, objects, "beliefs"))
    beliefs, unreadable = list[SaidBelief](), list[Unreadable]()
    for place, part in enumerate(parts, 1):
        fields = tidy(part) if isinstance(part, dict) else {}
        text = text_in(fields, "belief", "insight", "text")
        if text:
            beliefs.append(SaidBelief(text, tuple(_cites(fields))))
        else:
            why = "it has no belief" if fields else f"it is no object but “{brief(part)}”"
            unreadable.append(Unreadable(place=place, why=why))
    return SaidBeliefs(tuple(beliefs[:most]), tuple(unreadable[:most]), max(0, len(beliefs) - most))


_LISTS = ("beliefs", "insights")
_CITES = ("cites", "evidence_ids", "evidence", "citations")


def _numbered(statements: Sequence[Statement]) -> list[dict[str, Any]]:
    return [
        {
            "number": number,
            "day": f"{one.at:%Y-%m-%d}",
            "text": one.text,
            **({"concluded": True} if one.concluded else {}),
        }
        for number, one in enumerate(statements, 1)
    ]


def _question(said: object) -> str:
    text = text_in(tidy(said), "question", "text") if isinstance(said, dict) else said
    return " ".join(text.split())[:_LONGEST] if isinstance(text, str) and not _half(text) else ""


def _parts(fields: Mapping[str, Any]) -> Iterator[object]:
    """What should be beliefs: the members of a list, or the object itself."""
    names = [name for name in _LISTS if name in fields]
    for name in names:
        yield from _each(fields[name])
    if not names and any(name in fields for name in ("belief", "insight")):
        yield fields


def _cites(fields: Mapping[str, Any]) -> list[object]:
    said: object = next((fields[name] for name in _CITES if name in fields), [])
    return [one for one in _each(said) if one is not None]


def _each(said: object) -> list[Any]:
    return list(said) if isinstance(said, (list, Repeated)) else [said]


def _bare_list(reply: str) -> list[Any] | None:
    """The list that a reply holds in place of an object; None where there is none."""
    start = reply.find("[")
    if start < 0 or len(reply) > _LONGEST_LIST:
        return None
    try:
        decoded = decode_strictly(reply, start)
    except BrokenJson:
        return None
    said: list[Any] = decoded.value
    beside = (reply[:start] + reply[decoded.end :]).replace("```json", "").replace("```", "").strip()
    return said if all(isinstance(one, str) for one in said) and (said or not beside) else None


def _half(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)
