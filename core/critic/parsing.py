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
    brief,
    dimension_of,
    hundredths,
    kind_of,
    quotes_in,
    remark,
    severity_of,
    tags_in,
    text_in,
)
from core.critic.reply_json import Objects, objects_in
from core.settings import DEFAULTS, Settings
from core.vocabulary import Writer


class _Unfit(Exception):
    """A part of a reply is no draft; the text says why."""


@dataclass(frozen=True)
class _Contract:
    """The object that a reply should be: the names its list may have, and the fields of which a draft has one."""

    lists: tuple[str, ...]
    marks: tuple[str, ...]
    may_be_blank: bool = False
    """Whether an object whose text is empty says that there is nothing to write."""


_NOTES = _Contract(("notes", "reflections"), ("observation",))
_LESSONS = _Contract(("lessons",), ("lesson", "text"), may_be_blank=True)
_PROCEDURES = _Contract(("procedures",), ("title", "instruction", "description"))
_EPISODES = _Contract(("episodes",), ("text", "episode"))

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
    fitting = [content for each in objects.found for content in _fitting(each.content, contract)]
    if not fitting:
        return Drafts(error=_why_nothing(reply, objects, contract))
    drafts: dict[str, AnyDraft] = {}
    unreadable = [Unreadable(place=0, why=f"a part of the reply is broken JSON: {why}") for why in objects.broken]
    for place, part in enumerate(_parts(fitting, contract), start=1):
        if contract.may_be_blank and _is_blank(part, contract):
            continue
        try:
            read = draft(_fields(part))
            drafts.setdefault(read.model_dump_json(), read)
        except (_Unfit, ValidationError) as error:
            unreadable.append(Unreadable(place=place, why=_why(error)))
    repaired = bool(objects.broken) or any(each.repaired for each in objects.found)
    return Drafts(drafts=tuple(drafts.values()), unreadable=tuple(unreadable), repaired=repaired)


def _fitting(content: Mapping[str, Any], contract: _Contract) -> list[Mapping[str, Any]]:
    """The object, if it is of the contract; else those in its fields that are: models wrap what they were asked for."""
    names = {*contract.lists, *contract.marks}
    if names & content.keys():
        return [content]
    return [value for value in content.values() if isinstance(value, dict) and names & value.keys()]


def _parts(fitting: list[Mapping[str, Any]], contract: _Contract) -> Iterator[object]:
    """What should be drafts: the members of lists, an object in place of a list, or the objects themselves."""
    for content in fitting:
        name = next((name for name in contract.lists if name in content), None)
        said = content if name is None else content[name]
        yield from said if isinstance(said, list) else [said]


def _is_blank(part: object, contract: _Contract) -> bool:
    """Whether a part has the text of its contract, and nothing in it."""
    texts = [part[name] for name in contract.marks if name in part] if isinstance(part, dict) else []
    return bool(texts) and not any(not isinstance(text, str) or text.strip() for text in texts)


def _fields(part: object) -> Mapping[str, Any]:
    if not isinstance(part, dict):
        raise _Unfit(f"it is no object but “{brief(part)}”")
    return part


def _why(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_input=False)[0]
        return f"its {'.'.join(map(str, first['loc']))} cannot be read: {first['msg']}"
    return str(error)


def _why_nothing(reply: str, objects: Objects, contract: _Contract) -> str:
    """Why a reply holds nothing of its contract."""
    if not reply.strip():
        return "empty reply"
    if objects.unfinished:
        return "the reply ends in the middle of its reasoning"
    if objects.broken:
        return f"broken JSON: {objects.broken[0]}"
    return f"not an object with key {' or '.join(contract.lists)}"


READERS: Mapping[Writer, Callable[[str], Drafts[Any]]] = {
    Writer.NOTES: parse_notes,
    Writer.LESSON: parse_lessons,
    Writer.REFLECTION: parse_lessons,
    Writer.PROCEDURES: parse_procedures,
    Writer.EPISODES: parse_episodes,
}
"""How the reply of each writer is read that brings drafts."""
