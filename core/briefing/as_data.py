"""The text of an item as an agent reads it: one line of data, which cannot look like a heading, a role or another item.

Whatever wrote a text, it was screened before it was stored; this is the last door, and trusts nothing that is stored.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from core.screening.plain import LOOK_ALIKES
from core.vocabulary import (
    BELIEFS_HEADING,
    LESSONS_HEADING,
    NOTES_CLOSING,
    NOTES_HEADING,
    PROCEDURES_HEADING,
    REFLECTIONS_HEADING,
)

HEADINGS = (
    PROCEDURES_HEADING,
    NOTES_HEADING,
    NOTES_CLOSING,
    LESSONS_HEADING,
    REFLECTIONS_HEADING,
    BELIEFS_HEADING,
)
_HEADING = re.compile(
    "|".join(r"\s+".join(map(re.escape, heading.rstrip(":.").split())) + "[:.]?" for heading in HEADINGS), re.I
)
_TEMPLATE = re.compile(
    r"[<‹]\|[^|<>‹›]{0,400}\|[>›]|<\||\|>|<<\s*/?\s*SYS\s*>>"
    r"|\[\s*/?\s*(?:INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|SYSTEM_PROMPT)\s*\]|</?s>"
    r"|</?\s*(?:system|assistant|user|tool|developer|model|bos|eos|tool_call|tool_response|tool_result|function|function_call"
    r"|start_of_turn|end_of_turn|im_start|im_end)\b[^>]{0,400}>",
    re.I,
)
"""What chat templates mark turns with: a model could take it for the beginning of one."""

_JOINING = {"\u200c", "\u200d"}
"""They join and part letters in several scripts and signs; between Latin letters they only hide."""

_BLANK = {"\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u2800", "\u3164", "\uffa0"}
"""Characters that show nothing and are counted among letters, marks or signs."""

_UNSEEN = re.compile("[\u2065\ufff0-\ufff8\U000e0000-\U000e0fff]")
"""What Unicode keeps for characters that show nothing."""


def as_data(text: str) -> str:
    """A text in one line, without characters that are not seen, its look-alikes of headings and turns in quotes.

    What looks like one only to the eye (full width, ligatures, accents, letters of another script) is found, too.
    """
    line = text
    while True:  # what is taken away or apart brings together what can be another mark
        made = _quoted_headings(_parted_marks(_in_one_line(line)))
        if made == line:
            return line
        line = made


def _in_one_line(text: str) -> str:
    seen = _UNSEEN.sub("", text)
    return " ".join("".join(map(_seen, seen, _befores(seen), reversed(list(_befores(seen[::-1]))))).split())


def _parted_marks(line: str) -> str:
    return _replaced(line, _TEMPLATE, _parted)


def _quoted_headings(line: str) -> str:
    return _replaced(line, _HEADING, _quoted, unless=("“", "”"))


def _replaced(
    line: str, marks: re.Pattern[str], instead: Callable[[str, str], str], *, unless: tuple[str, str] | None = None
) -> str:
    """The line with what looks like a mark replaced, by its plain letters and those that the line has.

    What stands between the signs of ``unless`` is left.
    """
    plain, starts = _as_it_looks(line)
    made, last = [], 0
    for found in marks.finditer(plain):
        start, end = starts[found.start()], starts[found.end()]
        if (line[start - 1 : start], line[end : end + 1]) == unless:
            continue
        made += [line[last:start], instead(found[0], line[start:end])]
        last = end
    return "".join(made) + line[last:]


def _as_it_looks(line: str) -> tuple[str, Sequence[int]]:
    """A line in plain letters, and where the line has each of them; its end comes last."""
    if line.isascii():
        return line, range(len(line) + 1)
    letters: list[str] = []
    starts: list[int] = []
    for place, character in enumerate(line):
        alike = unicodedata.normalize("NFKD", character).translate(LOOK_ALIKES)
        plain = [one for one in alike if one not in _JOINING and not unicodedata.category(one).startswith("M")]
        letters += plain
        starts += [place] * len(plain)
    return "".join(letters), [*starts, len(line)]


def _befores(text: str) -> Iterator[str]:
    """For each character the one before it that is read: a joiner looks past other joiners."""
    before = ""
    for character in text:
        yield before
        before = before if character in _JOINING else character


def _seen(character: str, before: str, after: str) -> str:
    """A character as it is read: a break as a space, what is not seen as nothing."""
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    if character in _JOINING:
        return "" if (before + after).isascii() else character
    selects = "\ufe00" <= character <= "\ufe0f"
    return "" if category == "Cf" or character in _BLANK or selects else character


def _quoted(_: str, written: str) -> str:
    return f"“{written.rstrip(':.：．')}”"


def _parted(plain: str, _: str) -> str:
    """The same words without the brackets that make a mark of them."""
    return f"({plain.strip('<>‹›|[]/ ')})"
