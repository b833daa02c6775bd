"""From a model's reply to drafts: notes, lessons, procedures, episodes.

Critic. One bad part never loses its siblings; every part that is not a draft is reported with its reason, and what is
beyond the number that a reply may have is counted. The same reply gives the same drafts.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from core.critic.drafts import AnyDraft, Drafts, EpisodeDraft, LessonDraft, NoteDraft, ProcedureDraft, Unreadable
from core.critic.fields import (
    QUOTES,
    brief,
    dimension_of,
    hundredths,
    kind_of,
    quotes_in,
    remark,
    severity_of,
    tags_in,
    text_in,
    tidy,
)
from core.critic.lenient_json import BrokenJson, Repeated, decode
from core.critic.reply_json import Objects, objects_in, why_nothing
from core.settings import DEFAULTS, Settings
from core.vocabulary import Writer


class _Unfit(Exception):
    """A part of a reply is no draft; the text says why."""


@dataclass(frozen=True)
class _Contract:
    """The object that a reply should be: the names its list may have, and the fields of which a draft has one."""

    lists: tuple[str, ...]
    marks: tuple[str, ...]
    whole: tuple[str, ...]
    """The fields that make an object a draft also where it has such a list besides."""

    may_be_blank: bool = False
    """Whether an object whose text is empty says that there is nothing to write."""

    def marks_in(self, fields: Mapping[str, Any]) -> bool:
        """Whether an object has a field of a draft."""
        return any(name in fields for name in self.marks)


_NOTES = _Contract(("notes", "reflections"), ("observation",), ("observation",))
_LESSONS = _Contract(("lessons",), ("lesson", "text"), ("lesson",), may_be_blank=True)
_PROCEDURES = _Contract(("procedures",), ("title", "instruction", "description"), ("title", "trigger"))
_EPISODES = _Contract(("episodes",), ("text", "episode"), ("episode",))

_WRAPPINGS = 4
"""Objects in which the right one may be wrapped."""

_MOST_PARTS = 1_000
"""Parts of a reply that are read; the rest is counted."""

_MOST_UNREADABLE = 10
"""Parts that cannot be read and are named; the rest is counted."""

_FEWEST_TAGS, _TAGS = 2, 3
"""Tags of a lesson. Source: Using Feedback and Reflection in Agent Workflows."""


def parse_notes(reply: str, settings: Settings = DEFAULTS) -> Drafts[NoteDraft]:
    """The notes of a reply, most severe first; one of unknown severity or dimension, or without evidence, is held."""
    read = _read(reply, _NOTES, _note)
    held = tuple(each for each in read.drafts if each.held)
    free = sorted((each for each in read.drafts if not each.held), key=_rank)
    return _within(read, free, held, settings.notes_in_reply)


def parse_lessons(reply: str) -> Drafts[LessonDraft]:
    """The lessons of a reply: one object, or a list of them; an empty lesson says that there is none."""
    return _read(reply, _LESSONS, _lesson)


def parse_procedures(reply: str, settings: Settings = DEFAULTS) -> Drafts[ProcedureDraft]:
    """The procedures of a reply, in its order, each with a confidence that a procedure may start with."""
    read = _read(reply, _PROCEDURES, lambda fields: _procedure(fields, settings))
    return _within(read, list(read.drafts), (), settings.procedures_in_reply)


def parse_episodes(reply: str) -> Drafts[EpisodeDraft]:
    """The episodes of a reply, in its order."""
    return _read(reply, _EPISODES, _episode)


def _note(fields: Mapping[str, Any]) -> NoteDraft:
    dimension, severity = dimension_of(fields.get("dimension")), severity_of(fields.get("severity"))
    quotes = quotes_in(fields)
    held = [
        *([] if dimension else [remark("unknown_dimension", fields.get("dimension", ""))]),
        *([] if severity else [remark("unknown_severity", fields.get("severity", ""))]),
        *([] if quotes else ["no_evidence"]),
    ]
    return NoteDraft(
        dimension=dimension,
        severity=severity,
        observation=_needed(fields, "observation"),
        improvement=text_in(fields, "improvement"),
        evidence=quotes,
        held=tuple(held),
    )


def _lesson(fields: Mapping[str, Any]) -> LessonDraft:
    tags, remarks = tags_in(fields.get("tags"))
    beyond = tuple(remark("tag_cut", tag) for tag in tags[_TAGS:])
    few = ("few_tags",) if len(tags) < _FEWEST_TAGS else ()
    text = _needed(fields, "lesson", "text")
    return LessonDraft(text=text, tags=tags[:_TAGS], evidence=quotes_in(fields), remarks=remarks + beyond + few)


def _procedure(fields: Mapping[str, Any], settings: Settings) -> ProcedureDraft:
    said = hundredths(fields.get("confidence"))
    lowest, highest = settings.first_confidence, settings.top_first_confidence
    confidence = lowest if said is None else min(max(said, lowest), highest)
    kind = kind_of(fields.get("kind"))
    remarks = [
        *([remark("confidence_unreadable", fields.get("confidence", ""))] if said is None else []),
        *([remark("confidence_clamped", said)] if said not in (None, confidence) else []),
        *([] if kind else [remark("unknown_kind", fields.get("kind", ""))]),
    ]
    return ProcedureDraft(
        title=_needed(fields, "title"),
        trigger=_needed(fields, "trigger"),
        instruction=_needed(fields, "instruction", "description"),
        kind=kind,
        confidence=confidence,
        evidence=quotes_in(fields),
        remarks=tuple(remarks),
    )


def _episode(fields: Mapping[str, Any]) -> EpisodeDraft:
    said = hundredths(fields.get("importance"))
    importance = said if said is not None and 0 <= said <= 1 else None
    remarks = () if importance is not None else (remark("importance_unreadable", fields.get("importance", "")),)
    text = _needed(fields, "text", "episode")
    return EpisodeDraft(text=text, importance=importance, evidence=quotes_in(fields), remarks=remarks)


def _rank(note: NoteDraft) -> int:
    return note.severity.rank if note.severity else -1


def _needed(fields: Mapping[str, Any], *names: str) -> str:
    text = text_in(fields, *names)
    if not text:
        raise _Unfit(f"it has no {names[0]}")
    return text


def _within(read: Drafts[AnyDraft], free: list[AnyDraft], held: tuple[AnyDraft, ...], most: int) -> Drafts[AnyDraft]:
    """The drafts that a reply may have, of those that are held as many again; the rest is counted."""
    cut = max(0, len(free) - most) + max(0, len(held) - most)
    return read.model_copy(update={"drafts": tuple(free[:most]), "held": held[:most], "cut": cut})


def _read(reply: str, contract: _Contract, draft: Callable[[Mapping[str, Any]], AnyDraft]) -> Drafts[AnyDraft]:
    """Every draft of a reply, without any limit."""
    objects = objects_in(reply)
    parts = [part for each in objects.found for part in _parts(each.content, contract)]
    if not parts and not any(_has_a_list(each.content, contract) for each in objects.found):
        return Drafts(error=why_nothing(reply, objects, " or ".join(contract.lists)))
    drafts: dict[str, AnyDraft] = {}
    unreadable: list[Unreadable] = []
    for place, part in enumerate(parts[:_MOST_PARTS], start=1):
        if contract.may_be_blank and _is_blank(part, contract):
            continue
        try:
            read = draft(_fields(part))
            drafts.setdefault(read.model_dump_json(), read)
        except (_Unfit, ValidationError) as error:
            unreadable.append(Unreadable(place=place, why=_why(error)))
    repaired = bool(objects.broken) or any(each.repaired for each in objects.found)
    named = _named(objects, unreadable, max(0, len(parts) - _MOST_PARTS))
    return Drafts(drafts=tuple(drafts.values()), unreadable=named, repaired=repaired)


def _named(objects: Objects, unreadable: list[Unreadable], unread: int) -> tuple[Unreadable, ...]:
    """What could not be read: the first of each kind, and how many more there are."""
    named = [Unreadable(place=0, why=f"a part of the reply is broken JSON: {why}") for why in objects.broken]
    named += unreadable[:_MOST_UNREADABLE]
    if objects.broken_besides:
        named.append(Unreadable(place=0, why=f"{objects.broken_besides:,} more places are broken JSON"))
    if len(unreadable) > _MOST_UNREADABLE:
        more = len(unreadable) - _MOST_UNREADABLE
        named.append(Unreadable(place=0, why=f"{more:,} more parts cannot be read"))
    if unread:
        named.append(Unreadable(place=0, why=f"{unread:,} more parts were not read; at most {_MOST_PARTS:,} are"))
    return tuple(named)


def _has_a_list(content: Mapping[str, Any], contract: _Contract) -> bool:
    """Whether an object, or one wrapped in it, has a list of the contract, be it empty."""
    return any(_lists_in(each.fields, contract) for level in _levels(content, contract) for each in level)


def _parts(content: Mapping[str, Any], contract: _Contract) -> Iterator[object]:
    """What should be drafts: the members of every list, an object in place of a list, and the objects themselves.

    One field of a draft makes a draft only of an object that stands alone, or alone in one other.
    """
    outside = False
    for level in _levels(content, contract):
        taken = False
        for each in level:
            names = _lists_in(each.fields, contract)
            for name in names:
                yield from _members(each.fields[name], contract)
            alone = each.alone and not names and not outside
            own = alone and contract.marks_in(each.fields)
            if own or all(_says(each.fields.get(name)) for name in contract.whole):
                yield each.fields
                taken = True
            taken = taken or bool(names)
        outside = outside or taken


@dataclass(frozen=True)
class _Wrapped:
    """An object, and whether it stands alone: at the top, or as the value of a name there."""

    fields: Mapping[str, Any]
    alone: bool


def _levels(content: Mapping[str, Any], contract: _Contract) -> Iterator[list[_Wrapped]]:
    """An object, those in it, those in these. What stands in a quote is not looked into: it may be anybody's JSON."""
    level = [_Wrapped(tidy(content), alone=True)]
    for depth in range(1 + _WRAPPINGS):
        yield level
        inner: list[_Wrapped] = []
        for each in level:
            for name, value in each.fields.items():
                if name not in contract.lists and name not in QUOTES:
                    alone = depth == 0 and isinstance(value, dict)
                    inner += [_Wrapped(tidy(one), alone) for one in _listed(value) if isinstance(one, dict)]
        level = inner


def _lists_in(fields: Mapping[str, Any], contract: _Contract) -> list[str]:
    return [name for name in contract.lists if name in fields]


def _members(said: object, contract: _Contract) -> list[Any]:
    """The members of a list, also of one that is written as a text or as an object with a name for each member."""
    opened = _opened(said)
    if isinstance(opened, dict) and not contract.marks_in(tidy(opened)):
        inner = [tidy(one) for one in opened.values() if isinstance(one, dict)]
        if any(contract.marks_in(one) for one in inner):
            return list(opened.values())
    return _listed(opened)


def _opened(said: object) -> object:
    """What a text says that is JSON as a whole; anything else as it is."""
    text = said.strip() if isinstance(said, str) else ""
    if not text.startswith(("[", "{")):
        return said
    try:
        decoded = decode(text, 0)
    except BrokenJson:
        return said
    return decoded.value if decoded.end == len(text) else said


def _listed(said: object) -> list[Any]:
    return list(said) if isinstance(said, (list, Repeated)) else [said]


def _says(said: object) -> bool:
    return bool(said.strip()) if isinstance(said, str) else bool(said)


def _is_blank(part: object, contract: _Contract) -> bool:
    """Whether a part has the text of its contract, and nothing in it."""
    fields = tidy(part) if isinstance(part, dict) else {}
    texts = [fields[name] for name in contract.marks if name in fields]
    return bool(texts) and not any(not isinstance(text, str) or text.strip() for text in texts)


def _fields(part: object) -> Mapping[str, Any]:
    if not isinstance(part, dict):
        raise _Unfit(f"it is no object but “{brief(part)}”")
    return tidy(part)


def _why(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_input=False)[0]
        return f"its {'.'.join(map(str, first['loc']))} cannot be read: {first['msg']}"
    return str(error)


READERS: Mapping[Writer, Callable[[str], Drafts[Any]]] = {
    Writer.NOTES: parse_notes,
    Writer.LESSON: parse_lessons,
    Writer.REFLECTION: parse_lessons,
    Writer.PROCEDURES: parse_procedures,
    Writer.EPISODES: parse_episodes,
    Writer.COMPACTION: parse_lessons,
}
"""How the reply of each writer is read that brings drafts."""


def read_reply(writer: Writer, reply: str, settings: Settings = DEFAULTS) -> Drafts[Any]:
    """The drafts of a writer's reply, as many as the numbers allow."""
    if writer is Writer.NOTES:
        return parse_notes(reply, settings)
    return parse_procedures(reply, settings) if writer is Writer.PROCEDURES else READERS[writer](reply)
