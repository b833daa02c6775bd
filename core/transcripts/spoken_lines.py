"""Text in which each turn begins with its speaker and a colon at the start of a line.

First station of the flow. Only the first column counts: a speaker's name in the middle of a line, or indented, is
part of what is said. The first line fixes how speakers are written (``USER:``, ``User:`` or ``user:``); other
spellings are text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.transcripts.document import numbered_lines
from core.transcripts.fields import Flaw, quoted
from core.vocabulary import Role

_SPEAKERS = {
    "system": Role.SYSTEM,
    "developer": Role.DEVELOPER,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
}
_SPEAKER = re.compile(r"(system|developer|user|assistant|tool):[ \t]?", re.IGNORECASE)
_SPELLINGS = (str.upper, str.lower, str.capitalize)


@dataclass(frozen=True)
class SpokenTurn:
    """Who spoke, what, and on which line the turn begins, from 1."""

    role: Role
    text: str
    line: int


def begins_with_speaker(text: str) -> bool:
    """Whether the first line that is not blank begins with a speaker."""
    return _first_speaker(text) is not None


def spoken_turns(text: str) -> Iterator[SpokenTurn]:
    """The turns in order; the text of a turn is verbatim, less the line breaks at its end.

    Raises ``Flaw`` where the text does not begin with a speaker.
    """
    first = _first_speaker(text)
    if first is None:
        raise Flaw(f"it begins with {quoted(text.strip())} and not with a speaker such as USER:")
    spelling = next(spelling for spelling in _SPELLINGS if spelling(first) == first)
    speaker, began, said = "", 1, list[str]()
    for number, line in numbered_lines(text):
        match = _SPEAKER.match(line)
        if not match or match.group(1) != spelling(match.group(1)):
            said.append(line)
            continue
        if speaker:
            yield _turn(speaker, said, began)
        speaker, began, said = match.group(1), number, [line[match.end() :]]
    yield _turn(speaker, said, began)


def _first_speaker(text: str) -> str | None:
    line = next((line for _, line in numbered_lines(text) if line.strip()), "")
    match = _SPEAKER.match(line)
    word = match.group(1) if match else None
    return word if word and any(spelling(word) == word for spelling in _SPELLINGS) else None


def _turn(speaker: str, said: list[str], line: int) -> SpokenTurn:
    return SpokenTurn(_SPEAKERS[speaker.lower()], "".join(said).rstrip("\r\n"), line)
