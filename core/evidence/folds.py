"""What was folded away between a quote and its source, by name, and which differences between words are harmless.

Evidence. Words must be equal; what stands *between* words may differ as far as it cannot turn the meaning: never beside
a negation ("No, refunds are allowed"), never between two numbers, never a question mark.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from core.evidence.characters import DOUBLE_QUOTES, FOLDS, HYPHENS, LONG_DASHES, SHAPES, is_invisible
from core.evidence.readings import LETTER_FORMS
from core.evidence.tokens import GLYPH, LINE_MARK, NUMBER, SYMBOL, Token

PUNCTUATION, EDGE, PICTURES = "punctuation", "edge punctuation", "pictures"

LOOSE = frozenset({PUNCTUATION, PICTURES})
"""Folds that leave something out; a place that needs them stands back where another needs none."""

_LINE_MARK = re.compile(rf"\s*{LINE_MARK}|\s*\n\s*")
_LINE_HEAD = re.compile(LINE_MARK)
_EMPHASIS = re.compile(r"[*`]+|~~|(?<!\w)_+|_+(?!\w)|(?<!\S)#{1,6}(?!\S)")
_EMPTY_BOX = re.compile(r"\[[ \t]\]")
_UNDERSCORES = re.compile("_+")
REFUSING_PICTURES = frozenset("❌✖☒✗✘🚫⛔👎")
"""Pictures that say no to what stands beside them."""

_DECISIVE_PICTURES = REFUSING_PICTURES | frozenset("✅✔☑✓👍⚠")


def _without_invisible(text: str) -> str:
    return "".join(character for character in text if not is_invisible(character))


def _plain_hyphens(text: str) -> str:
    plain = "".join("-" if character in HYPHENS or character in LONG_DASHES else character for character in text)
    return re.sub("-{2,3}", "-", plain)


def _plain_quotes(text: str) -> str:
    return "".join('"' if character in DOUBLE_QUOTES else _straight(character) for character in text)


def _straight(character: str) -> str:
    return "'" if FOLDS[ord(character)] == "'" else character


def _same_case(text: str) -> str:
    return text.lower().replace("i\u0307", "i").replace("ı", "i").replace("ς", "σ")


def _without_pictures(text: str) -> str:
    return "".join(character for character in text if SHAPES[ord(character)] != "e" and not "🏻" <= character <= "🏿")


_STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("zero-width", _without_invisible),
    ("markdown", lambda text: _LINE_HEAD.sub("\n", _EMPHASIS.sub("", text))),
    ("line breaks", lambda text: _LINE_MARK.sub(" ", text)),
    ("spaces", lambda text: "".join(text.split())),
    ("hyphens", _plain_hyphens),
    ("quotes", _plain_quotes),
    ("composition", lambda text: unicodedata.normalize("NFC", text)),
    ("case", _same_case),
    (LETTER_FORMS, lambda text: unicodedata.normalize("NFKC", text).casefold()),
    (PICTURES, _without_pictures),
)


def folds_between(source: str, quote: str) -> list[str]:
    """The names of the folds that make two stretches equal, in order; ``punctuation`` where none explains the rest."""
    names: list[str] = []
    for name, step in _STEPS:
        if source == quote:
            return names
        plain = step(source), step(quote)
        if plain == (source, quote):
            continue
        if plain[0] == plain[1] or _taken(source, plain[0]) != _taken(quote, plain[1]):
            names.append(name)
        source, quote = plain
    return names if source == quote else [*names, PUNCTUATION]


def _taken(text: str, plain: str) -> Counter[str]:
    """Which characters a step took or changed."""
    return Counter(text) - Counter(plain)


def bare(separator: str, *, with_line_marks: bool = False) -> str:
    """What stands between two words, folded, without spaces, emphasis, quotation marks and the marks of new lines."""
    text = _EMPHASIS.sub("", separator)
    text = (text if with_line_marks else _LINE_MARK.sub(" ", text)).translate(FOLDS)
    return re.sub("-{2,3}", "-", re.sub(r"[\s\"'_#]+", "", text))


def harmless(source: str, quote: str, before: Token, after: Token, negates: Callable[[str], bool]) -> bool:
    """Whether two words may be parted by ``source`` in the transcript and by ``quote`` in the quote.

    ``negates`` tells of a folded word whether it negates there.
    """
    if source == quote:
        return True
    one, other = bare(source), bare(quote)
    if not _equally_open(source, quote, (before, after)) or (_EMPTY_BOX.search(quote) and "[" not in source):
        return False
    if one == other or bare(source, with_line_marks=True) == bare(quote, with_line_marks=True):
        return True
    if before.kind == NUMBER and after.kind == NUMBER:
        return False
    if negates(before.key) or negates(after.key):
        return False
    return one.count("?") == other.count("?") and _pictures_kept(one, other)


def _equally_open(source: str, quote: str, around: Sequence[Token]) -> bool:
    """Whether both part the words or both join them; beside symbols and glyphs a space is nothing."""
    if any(token.kind in (SYMBOL, GLYPH) for token in around):
        return True
    return _is_open(source) == _is_open(quote)


def _is_open(separator: str) -> bool:
    """Whether anything that is seen parts the words: a quotation mark (``½“refund``), but no mark of emphasis."""
    return bool(_EMPHASIS.sub("", separator).translate(FOLDS)) or bool(_UNDERSCORES.fullmatch(separator))


def decides(edge: str) -> bool:
    """Whether the mark before or after the quoted words says if something is so: a tick, a cross, an empty box."""
    return bool(_DECISIVE_PICTURES & set(edge)) or bool(_EMPTY_BOX.search(edge))


def _pictures_kept(source: str, quote: str) -> bool:
    """A quote may leave out pictures that decorate, not ones that decide, and may not bring its own."""
    shown = [character for character in source if SHAPES[ord(character)] == "e"]
    kept = [character for character in quote if SHAPES[ord(character)] == "e"]
    if shown == kept:
        return True
    return not kept and not _DECISIVE_PICTURES & set(shown)
