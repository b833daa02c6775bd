"""Files of episodes: JSON lines of our own, and the memory of a generative agent, events and reflections with evidence.

Reads only. The second form is that of Park et al., Generative Agents: nodes with a poignancy from 1 to 10, and under
``filling`` the nodes that a reflection rests on.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from core.errors import BadInput
from core.memory.confidence import CENT, ONE, ZERO
from core.screening.invisible import says_nothing

LONGEST_NAME, LONGEST_TEXT = 200, 10_000
"""Characters of a name, and of the text of an episode, at most."""


@dataclass(frozen=True)
class EpisodeRecord:
    """One episode of a file. Without an importance it is kept and held."""

    external_id: str
    text: str
    importance: Decimal | None
    at: datetime
    agent: str | None = None
    user: str | None = None


@dataclass(frozen=True)
class ReflectionRecord:
    """A reflection of a file: what it concludes, and the nodes that it names as evidence, as they stand there."""

    external_id: str
    text: str
    importance: Decimal | None
    at: datetime
    depth: int
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class EpisodeFile:
    """What was read: episodes, reflections by depth, and what could not be read, by place."""

    episodes: tuple[EpisodeRecord, ...]
    reflections: tuple[ReflectionRecord, ...] = ()
    errors: tuple[tuple[str, str], ...] = ()


class _Unfit(Exception):
    """A record is no episode; the text says why."""


def read_episodes(data: bytes, most: int) -> EpisodeFile:
    """The episodes of a file of at most ``most`` bytes. Raises ``BadInput`` for one that is too long or of no form."""
    if len(data) > most:
        raise BadInput(f"The file has {len(data):,} bytes; {most:,} at most are read. Nothing was stored.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"The file is not UTF-8 (byte {error.start}). Nothing was stored.") from error
    nodes = _nodes(text)
    return _memory(nodes) if nodes is not None else _lines(text)


def importance_of(said: object) -> Decimal | None:
    """A share in hundredths; None for what is none."""
    if isinstance(said, bool) or not isinstance(said, (int, float, str, Decimal)):
        return None
    try:
        value = Decimal(str(said)).quantize(CENT)
    except InvalidOperation:
        return None
    return value if value.is_finite() and ZERO <= value <= ONE else None


def _nodes(text: str) -> Mapping[str, Any] | None:
    """The nodes of a generative agent's memory; None for a file of another form."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return None
    nodes = whole.get("nodes", whole) if isinstance(whole, dict) else None
    if not isinstance(nodes, dict) or not nodes:
        return None
    known = all(isinstance(one, dict) and "description" in one and "poignancy" in one for one in nodes.values())
    return nodes if known else None


def _memory(nodes: Mapping[str, Any]) -> EpisodeFile:
    episodes, reflections, errors = list[EpisodeRecord](), list[ReflectionRecord](), list[tuple[str, str]]()
    for name, node in nodes.items():
        try:
            text, at = _text(node.get("description")), _time(node.get("created"))
            importance = _poignancy(node.get("poignancy"))
            evidence = _filling(node.get("filling")) if node.get("type") == "thought" else ()  # a talk holds its lines
            if evidence:  # a plan is a thought that rests on nothing
                reflections.append(ReflectionRecord(name, text, importance, at, _depth(node.get("depth")), evidence))
            else:
                episodes.append(EpisodeRecord(name, text, importance, at))
        except _Unfit as error:
            errors.append((name, str(error)))
    episodes.sort(key=lambda one: one.at)
    reflections.sort(key=lambda one: (one.depth, one.at))
    return EpisodeFile(tuple(episodes), tuple(reflections), tuple(errors))


def _lines(text: str) -> EpisodeFile:
    episodes, errors = list[EpisodeRecord](), list[tuple[str, str]]()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            episodes.append(_record(json.loads(line), number))
        except (_Unfit, ValueError, RecursionError) as error:
            why = str(error) if isinstance(error, _Unfit) else "it is no JSON"
            errors.append((f"line {number}", why))
    if not episodes and errors:
        raise BadInput(f"No episode could be read: {errors[0][0]}: {errors[0][1]}. Nothing was stored.")
    return EpisodeFile(tuple(episodes), (), tuple(errors))


def _record(said: Any, number: int) -> EpisodeRecord:
    if not isinstance(said, dict):
        raise _Unfit("it is no object")
    unknown = sorted(said.keys() - {"id", "agent", "user", "text", "importance", "at"})
    if unknown:
        raise _Unfit(f"it has a field “{unknown[0]}”, which is unknown")
    importance = importance_of(said.get("importance"))
    if importance is None:
        raise _Unfit("its importance is no number from 0 to 1")
    name = said.get("id")
    if isinstance(name, bool) or not isinstance(name, (str, int, type(None))):
        raise _Unfit("its id is no text")
    return EpisodeRecord(
        external_id=str(name or f"line {number}"),
        text=_text(said.get("text")),
        importance=importance,
        at=_time(said.get("at")),
        agent=_name(said.get("agent"), "agent"),
        user=_name(said.get("user"), "user"),
    )


def _text(said: object) -> str:
    text = " ".join(said.split()) if isinstance(said, str) else ""
    if says_nothing(text) or "\x00" in text or any("\ud800" <= one <= "\udfff" for one in text):
        raise _Unfit("it has no text that can be stored")
    if len(text) > LONGEST_TEXT:
        raise _Unfit(f"its text has {len(text):,} characters, {LONGEST_TEXT:,} at most")
    return text


def _name(said: object, field: str) -> str | None:
    """A name as it stands, to the character: two that differ in a blank are two. A whole number is read as text."""
    if said is None or said == "":
        return None
    if isinstance(said, int) and not isinstance(said, bool):
        said = str(said)
    if not isinstance(said, str) or says_nothing(said):
        raise _Unfit(f"its {field} is no text")
    if len(said) > LONGEST_NAME or "\x00" in said:
        raise _Unfit(f"its {field} is no name of {LONGEST_NAME} characters at most")
    return said


def _time(said: object) -> datetime:
    if said is None or said == "":
        raise _Unfit("it has no time")
    if not isinstance(said, str):
        raise _Unfit("its time is no text such as 2026-11-03T09:00:00+00:00")
    try:
        found = datetime.fromisoformat(said)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _Unfit(f"“{said[:40]}” is no time such as 2026-11-03T09:00:00+00:00") from error


def _filling(said: object) -> tuple[str, ...]:
    """The names of the nodes that a node rests on, each once."""
    if said is None or said == "":
        return ()
    if not isinstance(said, list):
        raise _Unfit("its filling is no list")
    if not all(isinstance(one, (str, int)) and not isinstance(one, bool) for one in said):
        raise _Unfit("its filling names something that is no node")
    return tuple(dict.fromkeys(map(str, said)))


def _depth(said: Any) -> int:
    """How deep a reflection lies; 1 where nothing is said."""
    if said is None:
        return 1
    whole = isinstance(said, int) or (isinstance(said, float) and said.is_integer())
    if isinstance(said, bool) or not whole or said < 0:
        raise _Unfit("its depth is no whole number")
    return int(said) or 1


def _poignancy(said: object) -> Decimal | None:
    """1 to 10 as hundredths: 7 is 0.70."""
    if isinstance(said, bool) or not isinstance(said, (int, float)) or not 1 <= said <= 10:
        return None
    return (Decimal(str(said)) / 10).quantize(CENT)
