"""Data as JSON that a model reads and that nothing in it can break out of.

Critic, before the door to the model. Read as JSON, the text gives back the data to the character. Read as a text, it
has line breaks only where this module puts them.

What stays as it is: every letter, mark, picture and punctuation of any script, so that a model can copy a quote. What
is written as a JSON escape, which loses nothing:

- what ends a line or steers a terminal: C0, DEL and C1 controls, so CR, NEL (U+0085) too, U+2028 and U+2029;
- what is not seen or turns the order of letters: every character of the category Cf (bidi controls, zero-width ones,
  soft hyphen, tags), fillers, the empty Braille cell, variation selectors. Apart are the signs that Arabic and Kaithi
  numbers are written with; U+200C and U+200D between two characters beyond ASCII, where Persian, Indic scripts and
  pictures need them; and one U+FE0E or U+FE0F behind such a character or in a key cap;
- halves of surrogate pairs, which can be neither sent nor stored;
- the first mark of what the templates of models use for the borders of turns (``<|im_start|>``, ``[INST]``, ``<think>``
  …): servers that look for these in the text of messages as well would otherwise see a turn begin.
"""

import json
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

_VISIBLE_FORMATS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
_JOINED = re.compile(
    r"(?<=[^\x00-\x7f\u200c\u200d])[\u200c\u200d](?=[^\x00-\x7f\u200c\u200d])"
    r"|(?<=[^\x00-\x7f\ufe00-\ufe0f])[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)"
)
_BORDERS = re.compile(
    r"<(?=[|｜▁]|/?(?:s|bos|eos|pad|unk|start_of_turn|end_of_turn|think|tool_call|tool_response)>|</?SYS>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])",
    re.IGNORECASE,
)


def one_line(value: Any) -> str:
    """A value as JSON without any line break; fields keep their order."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not text.isascii() or "\x7f" in text:
        text = _hidden().sub(lambda found: _escaped(found, text), text)
    return _BORDERS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def in_lines(fields: Mapping[str, Any]) -> str:
    """An object as JSON: a line for each field, and of a field that is a list a line for each member."""
    lines = (f"{one_line(name)}: {_member_lines(value)}" for name, value in fields.items())
    return "{\n" + ",\n".join(lines) + "\n}"


def _member_lines(value: Any) -> str:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return one_line(value)
    return "[\n" + ",\n".join(map(one_line, value)) + "\n]"


@cache
def _hidden() -> re.Pattern[str]:
    """Characters that are written as escapes, unless ``_JOINED`` says that their script needs them."""
    formats = (chr(code) for code in range(0xA0, sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Cf")
    chosen = "".join(re.escape(each) for each in formats if each not in _VISIBLE_FORMATS)
    return re.compile(f"[\x7f-\x9f\u2028\u2029\ud800-\udfff{_FILLERS}{chosen}]")


def _escaped(found: re.Match[str], text: str) -> str:
    if _JOINED.match(text, found.start()):
        return found[0]
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
