"""What stands around quoted words: the sentence they belong to, the negation just before them, what a gap hides.

Evidence. Everything here looks at a message as it stands.
"""

import re

from core.evidence.characters import SHAPES, folded
from core.evidence.folds import bare
from core.evidence.negation import WORDS, holds_negation, is_negation
from core.evidence.readings import decoded, may_be_encoded
from core.evidence.tokens import GLYPH, tokens

_ENDS = ".!?。！？…؟।"
_BREAKS = _ENDS + "\n"
_BREAK = re.compile(f"[{_BREAKS}]")
_WRAPS = "\"'“”‘’«»「」『』()[]{}*_`~#>|•◦▪-–— \t\r"
_LIST_NUMBER = re.compile(r"(?:^|\n)\s*[0-9]{1,3}[.)]\s*$")
_NEGATING = re.compile(r"(?<!\w)(?:" + "|".join(sorted(WORDS)) + r")(?!\w)|n't")
_CLAUSE = 80
_FARTHEST = 400


def hides_negation(text: str) -> bool:
    """Whether any word of ``text`` negates, as it stands in a message or once its escapes are resolved (``\\nnot``)."""
    return any(_negates(reading) for reading in {text, decoded(text).text})


def _negates(text: str) -> bool:
    if not text.isascii() and holds_negation(folded(text)):
        return True
    return any(token.kind != GLYPH and is_negation(token.key) for token in tokens(text))


def negation_just_before(text: str, start: int) -> bool:
    """Whether one of the two words before ``text[start:]`` in the same clause negates: "must never | approve"."""
    tail = text[max(0, start - _CLAUSE) : start]
    if may_be_encoded(tail):
        tail = decoded(tail).text
    if not _may_negate(tail):
        return False
    before = tokens(tail)[-2:]
    following = len(tail)
    for token in reversed(before):
        if bare(tail[token.end : following]):
            return False
        if token.kind != GLYPH and is_negation(token.key):
            return True
        following = token.start
    glyphs = folded(tail[before[0].start :]) if before and before[-1].kind == GLYPH else ""
    return holds_negation(glyphs)


def _may_negate(text: str) -> bool:
    """A quick look at the last words; where it says no, none of them negates."""
    last = folded(" ".join(text.split()[-4:]))
    return bool(_NEGATING.search(last)) or (not last.isascii() and holds_negation(last))


def is_whole_sentence(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` is a whole sentence, line or text, quotation marks and pictures apart."""
    return _starts_sentence(text, start) and _ends_sentence(text, end)


def _starts_sentence(text: str, start: int) -> bool:
    if _LIST_NUMBER.search(text, max(0, start - 12), start):
        return True
    while start > 0 and _wraps(text[start - 1]):
        start -= 1
    return start == 0 or text[start - 1] == "\n" or text[start - 1] in _ENDS


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
