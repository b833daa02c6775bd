"""What a quote may not overlook between two words although it is only a line break and a mark.

Evidence, part of the strict check. Beside a negation the end of a line may be all that parts an answer from the next
statement ("No⏎Refunds are possible"); before a number a mark may be its sign ("a mean of⏎> 20 kilos").
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from core.evidence.characters import folded
from core.evidence.folds import bare
from core.evidence.line_marks import marks_an_item
from core.evidence.negation import holds_negation
from core.evidence.tokens import GLYPH, NUMBER, Token, shapes_of

_ITEM = re.compile(r"\n[ \t>]*(?:[-*+•◦▪‣·]|#{1,6}|[0-9]{1,3}[.)])[ \t]")
_BLANK_LINE = re.compile(r"\n[ \t\r>]*\n")
_BEGINS = re.compile(r"(?:\A|[\n.!?:|…。！？：؟।]|\s[-–—])[\s\"'“”„«»‘’*_`~>#•◦▪‣·+-]*\Z")
_GOES_ON = re.compile(r"[^\n.!?:|…。！？：؟।]\r?\n[ \t>\"'“„«‘(*_`~]*\Z")
_AFTER_A_STOP = re.compile(r"(?:[.!…:][\"'”’)*_]*[ \t]+|\n[ \t]*(?:[-*+•]|[0-9]{1,3}[.)])[ \t]+)[\"'“*_]*\Z")
_OPENERS, _QUOTATION = '"“„«‘(', re.compile('["“”„«»’)]')
_SIGN = re.compile(r"(?P<head>\n[ \t]*)?(?P<sign>(?(head)[->]|(?<!#)#))[ \t]+\Z")
_BREAKS = dict.fromkeys((0x85, 0x2028, 0x2029), "\n")
_NEAR = 12


class Seam(NamedTuple):
    """Two neighbouring words of a text, the source or a quote, and what parts them."""

    text: str
    before: Token
    after: Token

    @property
    def between(self) -> str:
        """What parts the words; every kind of line break as one."""
        return self.text[self.before.end : self.after.start].translate(_BREAKS)


def fuses_negation(source: Seam, quote: Seam, negates: Callable[[str], bool]) -> bool:
    """Whether a quote makes one statement of two lines of which one ends or begins with a negation, or two of one."""
    broken = [seam for seam in (source, quote) if "\n" in seam.between]
    if not broken or bare(quote.between):
        return False
    before, after, answer = negates(source.before.key), negates(source.after.key), _answers(source, negates)
    if not (before or after or answer):
        return False
    if _capital(source) != _capital(quote):
        return True
    if len(broken) == 2:
        return False
    shown = after and not before and _capital(source)
    return (answer and broken[0] is source) or (_ends_a_statement(broken[0]) and not shown)


def _ends_a_statement(seam: Seam) -> bool:
    """Whether a mark of a list or a heading parts the words, or a blank line after which no sentence goes on."""
    if _ITEM.search(seam.between):
        return True
    return bool(_BLANK_LINE.search(seam.between)) and not seam.text[seam.after.start].islower()


def _answers(seam: Seam, negates: Callable[[str], bool]) -> bool:
    """Whether the word before is a whole statement that negates: "No"; of a script without spaces two characters."""
    start, end = seam.before.start, seam.before.end
    if seam.before.kind != GLYPH:
        return negates(seam.before.key) and _begins(seam.text, start) and not _begins_a_wrapped_sentence(seam)
    starts = [place for place in (start, start - 1) if _begins(seam.text, place)]
    return any(holds_negation(folded(seam.text[place:end])) for place in starts)


def _begins_a_wrapped_sentence(seam: Seam) -> bool:
    """Whether the negation may begin a sentence that the next line carries on: after a stop, or in quotation marks."""
    text, start, after = seam.text, seam.before.start, seam.text[seam.after.start : seam.after.end]
    if not text[start].isupper() or _capital(seam) or after.lower() == after.upper():
        return False
    opened = text[start - 1 : start] in _OPENERS and not _QUOTATION.search(seam.between)
    return (start > 0 and opened) or bool(_AFTER_A_STOP.search(text, max(0, start - _NEAR), start))


def _begins(text: str, start: int) -> bool:
    """Whether a statement begins at ``start``; a line alone begins none unless it has its own capital."""
    near = max(0, start - _NEAR)
    if not text[start : start + 1].isupper() and _GOES_ON.search(text, near, max(0, start)):
        return False
    return bool(_BEGINS.search(text, near, max(0, start)))


def _capital(seam: Seam) -> bool:
    """Whether the word after begins with a capital letter as a sentence does, and is not all capitals."""
    word = seam.text[seam.after.start : seam.after.end]
    return word[:1].isupper() and (len(word) == 1 or not word.isupper())


def changes_sign(source: Seam, quote: Seam) -> bool:
    """Whether a mark that may be the sign of the number after it stands in one of the two only."""
    return _sign(source) not in quote.between or _sign(quote) not in source.between


def _sign(seam: Seam) -> str:
    """The minus, bound or number sign before a number that no list, heading or mail explains; or nothing."""
    if seam.after.kind != NUMBER and shapes_of(seam.after.key[:1]) != "$":
        return ""
    match = _SIGN.search(seam.between)
    if match is None:
        return ""
    mark, words = seam.before.end + match.start("sign"), seam.after.start
    return "" if match["head"] is not None and marks_an_item(seam.text, mark, words) else match["sign"]
