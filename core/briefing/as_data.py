"""The text of an item as an agent reads it: one line of data, which cannot look like a heading, a role or another item.

Whatever wrote a text, it was screened before it was stored; this is the last door, and trusts nothing that is stored.
"""

import re
import unicodedata

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


def as_data(text: str) -> str:
    """A text in one line, without characters that are not seen, its look-alikes of headings and turns in quotes.

    What looks like one only in other forms of the same letters (full width, ligatures) is written in the plain ones.
    """
    line = " ".join("".join(map(_seen, text, ["", *text[:-1]], [*text[1:], ""])).split())
    plain = unicodedata.normalize("NFKC", line)
    if _HEADING.search(plain) or _TEMPLATE.search(plain):
        line = " ".join(plain.split())
    return _HEADING.sub(_quoted, _TEMPLATE.sub(_parted, line))


def _seen(character: str, before: str, after: str) -> str:
    """A character as it is read: a break as a space, what is not seen as nothing."""
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    if character in _JOINING:
        return "" if (before + after).isascii() else character
    selects = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return "" if category == "Cf" or character in _BLANK or selects else character


def _quoted(found: re.Match[str]) -> str:
    return f"“{found[0].rstrip(':.')}”"


def _parted(found: re.Match[str]) -> str:
    """The same words without the brackets that make a mark of them."""
    return f"({found[0].strip('<>‹›|[]/ ')})"
