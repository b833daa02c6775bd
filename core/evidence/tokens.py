"""Text as words, numbers and symbols, each with its place.

Evidence, second step. Words are compared by their folded key; what stands between them is compared by ``separators``.
Places are code points of the text that was given, so a run of tokens is a span that proves itself.
"""

import re
from typing import NamedTuple

from core.evidence.characters import FOLDS, SHAPES, folded
from core.evidence.joined import foreign_characters

_TOKEN = re.compile(
    r"[a0]m*(?:[a0m]+|n(?<=[am]n)|[.,:'](?<=0.)(?=0)|'(?=[a0])|_+(?=[a0])|z+(?=[a0m])|[*`]+(?<=[am*`])(?=a))*"
    r"|c[mz]*"
    r"|n+"
    r"|[s$]"
    r"|-(?<![a0mncp\-]-)(?=[0$])"
    r"|\*(?<=0\*)(?=0)|\*(?<=0 \*)(?= [0$])"
    r"|~(?<!~~)(?=[0$])"
    r"|#(?=[a0])|#(?<=[a0]#)"
)
LINE_MARK = r"\n[ \t]*(?:(?:#{1,6}|[-*•◦▪‣·])[ \t]+|>(?![\d.=$])[ \t]?)+"
"""The break before a line with the marks at its head: heading, list, quotation. ``>60 %`` is a number, not a mark."""

_LINE_MARK = re.compile(LINE_MARK)

WORD, NUMBER, SYMBOL, GLYPH = "word", "number", "symbol", "glyph"
"""Kinds of token; a glyph is one character of a script without spaces."""


_KINDS = {"a": WORD, "0": NUMBER, "n": NUMBER, "c": GLYPH}


class Token(NamedTuple):
    """``text[start:end]`` folds to ``key``."""

    start: int
    end: int
    key: str
    kind: str


def tokens(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of ``text[start:end]``, in order, with places in ``text``.

    Marks at the head of a line (heading, list, quotation) are not tokens; a line is known by the break before it, or
    by the start of the text.
    """
    window = text[start:end] if start or end is not None else text
    shapes = _without_line_marks(window, start == 0).translate(SHAPES)
    lowered = window.lower() if window.isascii() and "*" not in window and "`" not in window else ""
    found = []
    for match in _TOKEN.finditer(shapes):
        first, last = match.span()
        shape = shapes[first]
        key = lowered[first:last] or _key(window[first:last])
        if shape == "n":
            key = "^" + key
        found.append(Token(start + first, start + last, key or shape, _KINDS.get(shape, SYMBOL)))
    return found


def _key(word: str) -> str:
    """The word folded; the short way for ASCII, where only emphasis is taken out."""
    return word.lower().replace("*", "").replace("`", "") if word.isascii() else folded(word)


def _without_line_marks(window: str, at_line_start: bool) -> str:
    """The window with line marks blanked, one blank a character."""
    if at_line_start:
        return _LINE_MARK.sub(_blank, "\n" + window)[1:]
    return _LINE_MARK.sub(_blank, window) if "\n" in window else window


def _blank(match: re.Match[str]) -> str:
    return "\n" + " " * (len(match.group()) - 1)


def shapes_of(text: str) -> str:
    """One letter a character (see ``characters.SHAPES``)."""
    return text.translate(SHAPES)


def words_weighed(found: list[Token], text: str) -> float:
    """How many words the tokens amount to.

    A word joined by a hyphen or an apostrophe counts with its partner, a symbol does not count. In a script without
    spaces two characters weigh a word, in Thai, Lao, Khmer, Myanmar and Tibetan four.
    """
    weight, last_end = 0.0, -1
    for token in found:
        if token.kind == GLYPH:
            weight += 0.5 if text[token.start] > "\u2fff" else 0.25
        elif token.kind != SYMBOL and not _joined(text[last_end : token.start] if last_end >= 0 else " "):
            weight += 1
        last_end = token.end
    return weight


def _joined(between: str) -> bool:
    return between.translate(FOLDS) in ("-", "'")


def has_glyphs(text: str) -> bool:
    """Whether any character belongs to a script without spaces."""
    return any(map(is_glyph, foreign_characters(text)))


def is_glyph(character: str) -> bool:
    """Whether the character belongs to a script without spaces."""
    return SHAPES[ord(character)] == "c"
