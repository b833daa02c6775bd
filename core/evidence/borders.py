"""Whether a run of words begins or ends inside a word or a quantity of the text: ``non|-refundable``, ``$|1,250``.

Evidence, part of the strict check.
"""

from core.evidence.graphemes import on_border
from core.evidence.numerals import cuts_numeral
from core.evidence.tokens import GLYPH, NUMBER, SYMBOL, Token, shapes_of

_QUANTITY = frozenset("%‰+-±~<>≤≥^/×÷°≈=")


def cuts_a_word(text: str, around: list[Token], first: int, size: int) -> bool:
    """Whether the run begins or ends inside a word or a number of the text."""
    last = first + size - 1
    if first > 0 and _joined(text, around[first - 1], around[first]):
        return True
    if last + 1 < len(around) and _joined(text, around[last], around[last + 1]):
        return True
    start, end = around[first].start, around[last].end
    if cuts_numeral(text, start) or cuts_numeral(text, end):
        return True
    return not (on_border(text, start) and on_border(text, end)) or _window_cut(text, around, first, last)


def _window_cut(text: str, around: list[Token], first: int, last: int) -> bool:
    """Whether a word of the run goes on beyond what was looked at."""
    start, end = around[first].start, around[last].end
    runs_left = first == 0 and start > 0 and around[0].kind != GLYPH and text[start - 1].isalnum()
    runs_right = last + 1 == len(around) and end < len(text) and around[-1].kind != GLYPH and text[end].isalnum()
    return (runs_left and shapes_of(text[start - 1]) != "c") or (runs_right and shapes_of(text[end]) != "c")


def _joined(text: str, left: Token, right: Token) -> bool:
    """Whether two neighbours are parts of one word or one quantity: ``non|-refundable``, ``$|1,250``, ``7| %``."""
    between = text[left.end : right.start]
    glue = "".join(character for character in between if shapes_of(character) not in "z*`")
    kinds = {left.kind, right.kind}
    if SYMBOL in kinds:
        if "@" in (left.key, right.key):
            return not between
        if not between and right.kind == SYMBOL and shapes_of(right.key[:1]) == "$" and left.key in _QUANTITY:
            return True
        return not between.strip() and NUMBER in kinds and _measures(left, right, glue, text[right.end : right.end + 1])
    if GLYPH in kinds:
        return False
    if glue.isspace() and len(glue) == 1 and glue != "\n":
        return _one_number(left, right)
    if len(glue) > 1 or glue.isspace():
        return False
    return not glue or _glues(glue, left, right, text[right.start])


def _one_number(left: Token, right: Token) -> bool:
    """Whether a space parts thousands: ``10 000``."""
    groups = left.key, right.key.split(",")[0].split(".")[0]
    return all(group.isdigit() for group in groups) and len(groups[0]) <= 3 and len(groups[1]) == 3


def _measures(left: Token, right: Token, glue: str, following: str) -> bool:
    """Whether a symbol belongs to the number beside it; a space between counts as none for currency and per cent."""
    symbol = left.key if left.kind == SYMBOL else right.key
    if shapes_of(symbol[:1]) == "$":
        return left.kind == SYMBOL or not following.isdigit()
    return symbol in ("%", "‰") or (not glue and symbol in _QUANTITY)


def _glues(glue: str, left: Token, right: Token, following: str) -> bool:
    shape = shapes_of(glue)
    if shape == "-":
        return glue in "-‐‑－" or NUMBER in (left.kind, right.kind)
    if shape == "'":
        return True
    if shape == ".":
        return right.kind == NUMBER or following.islower()
    return shape in ",:" and left.kind == right.kind == NUMBER
