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
    r"<\|[^|<>]{0,80}\|>|<<\s*/?\s*SYS\s*>>|\[\s*/?\s*INST\s*\]|</?s>|</?\s*(?:system|assistant|user|tool|start_of_turn|end_of_turn|im_start|im_end)\b[^>]{0,80}>",
    re.I,
)
"""What chat templates mark turns with: a model could take it for the beginning of one."""
_JOINING = {"\u200c", "\u200d"}
"""They join and part letters in several scripts, and hide nothing by themselves."""


def as_data(text: str) -> str:
    """A text in one line, without characters that are not seen, its look-alikes of headings and turns in quotes."""
    seen = "".join(_seen(character) for character in text)
    line = " ".join(seen.split())
    return _HEADING.sub(_quoted, _TEMPLATE.sub(_parted, line))


def _seen(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category == "Cf" and character not in _JOINING else character


def _quoted(found: re.Match[str]) -> str:
    return f"“{found[0].rstrip(':.')}”"


def _parted(found: re.Match[str]) -> str:
    """The same words without the brackets that make a mark of them."""
    return f"({found[0].strip('<>|[]/ ')})"
