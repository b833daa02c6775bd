"""What stands around quoted words: the sentence that they belong to, and whether it asks.

Evidence. Everything here looks at a message as it stands.
"""

import re

from core.evidence.characters import SHAPES

_ENDS = ".!?。！？…؟।"
_BREAKS = _ENDS + "\n"
_BREAK = re.compile(f"[{_BREAKS}]")
_WRAPS = "\"'“”‘’«»「」『』()[]{}*_`~#>|•◦▪-–— \t\r"
_LIST_NUMBER = re.compile(r"(?:^|\n)\s*[0-9]{1,3}[.)]\s*$")
_FARTHEST = 400


def is_whole_sentence(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` is a whole sentence, line or text, quotation marks and pictures apart."""
    return _starts_sentence(text, start) and _ends_sentence(text, end)


def _starts_sentence(text: str, start: int) -> bool:
    if _LIST_NUMBER.search(text, max(0, start - 12), start):
        return True
    while start > 0 and _wraps(text[start - 1]):
        start -= 1
    if start == 0 or text[start - 1] == "\n":
        return True
    return text[start - 1] in _ENDS and (text[start - 1] not in ".!?" or not text[start].isalnum())


def _ends_sentence(text: str, end: int) -> bool:
    if text[end - 1] in _ENDS + "\n":
        return True
    while end < len(text) and _wraps(text[end]):
        end += 1
    if end == len(text) or text[end] == "\n":
        return True
    return text[end] in _ENDS and (text[end] not in ".!?" or not text[end + 1 : end + 2].isalnum())


def _wraps(character: str) -> bool:
    return character in _WRAPS or SHAPES[ord(character)] in "ez"


def is_asked(text: str, end: int) -> bool:
    """Whether a question mark follows ``text[:end]``, closing quotation marks and emphasis apart."""
    while end < len(text) and text[end] in '"”’)*_':
        end += 1
    return text[end : end + 1] in ("?", "？", "؟")


def sentence_around(text: str, start: int, end: int) -> str:
    """The sentence that holds ``text[start:end]``, at most some 400 characters to either side."""
    farthest = max(0, start - _FARTHEST)
    first = max(farthest, *(text.rfind(mark, farthest, start) + 1 for mark in _BREAKS))
    close = _BREAK.search(text, end - 1, end + _FARTHEST)
    return text[first : close.end() if close else end + _FARTHEST].strip()
