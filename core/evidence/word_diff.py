"""What differs, word by word, between a quote and the passage that comes closest.

Evidence, for the display of a near miss. Nothing is decided here; a person compares.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from core.evidence.negation import is_negation
from core.evidence.tokens import GLYPH, NUMBER, SYMBOL, Token, tokens

Kind = Literal["same", "removed", "added"]


@dataclass(frozen=True)
class DiffPart:
    """A run of words: in both (``same``), only in the passage (``removed`` by the quote), only in the quote (``added``).

    ``text`` is as it stands in the quote, or in the passage where it is ``removed``, with the white space after it.
    ``decisive`` marks a number, a measure or a negation that differs.
    """

    kind: Kind
    text: str
    decisive: bool = False


def word_diff(quote: str, passage: str) -> tuple[DiffPart, ...]:
    """The parts in reading order. The texts of ``same`` and ``added`` make up the quote, from its first character on."""
    ours, theirs = tokens(quote), tokens(passage)
    matcher = SequenceMatcher(None, [token.key for token in theirs], [token.key for token in ours], autojunk=False)
    parts: list[DiffPart] = []
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            parts.append(DiffPart("same", _text(quote, ours, start, end)))
            continue
        if first < last:
            parts.append(DiffPart("removed", _text(passage, theirs, first, last), _decides(theirs[first:last])))
        if start < end:
            parts.append(DiffPart("added", _text(quote, ours, start, end), _decides(ours[start:end])))
    return tuple(parts) or ((DiffPart("same", quote),) if quote else ())


def _text(text: str, found: Sequence[Token], start: int, end: int) -> str:
    """The words with the marks and white space that follow them; the first word takes what stands before it."""
    first = found[start].start if start else 0
    return text[first : found[end].start if end < len(found) else len(text)]


def _decides(run: Sequence[Token]) -> bool:
    if any(token.kind in (NUMBER, SYMBOL) or is_negation(token.key) for token in run):
        return True
    glyphs = "".join(token.key for token in run if token.kind == GLYPH)
    return bool(glyphs) and is_negation(glyphs)
