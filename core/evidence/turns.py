"""Whether the meaning of quoted words is turned: by what a gap hides, or by what stands just before or after them.

Evidence. Everything here looks at a message as it stands, and no farther than the clause.
"""

import re
from collections.abc import Iterator, Sequence

from core.evidence.characters import folded
from core.evidence.folds import REFUSING_PICTURES, bare
from core.evidence.languages import REACH
from core.evidence.negation import Turning, holds_negation, may_turn
from core.evidence.readings import decoded, rendered
from core.evidence.tokens import GLYPH, Token, tokens

_NEW_BLOCK = re.compile(r"\n[ \t\r]*\n|\n[ \t]*(?:[-*•#>]|[0-9]{1,3}[.)])[ \t]")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)]?\s")
_SHORT_LINE = re.compile(r"(?:\A|\n)[^\n]*\n[^\w\n]*\Z")
_CROSSES = "".join(REFUSING_PICTURES)
_CROSS_BEFORE = re.compile(rf"[{_CROSSES}][\ufe0f🏻-🏿 \t\u00a0\"'“”«‘’(*_`]*\Z")
_CROSS_AFTER = re.compile(rf"[\ufe0f \t\u00a0\"'“”»‘’)*_`|:-]*[{_CROSSES}][^\w\n]*(?:\n|\Z)")
_CLOSES = re.compile(r"[^\w\s][\s\"'*_]*\Z")
_KANA = re.compile("[ぁ-ん]")
_CLAUSE = 60
"""Characters in which the words nearest to a quote stand."""

_WITH_WHAT_IS_PUT_IN = 140
"""The same where a phrase was put between them and the quote."""

_NEAR = 2
"""Words, beside light ones, between which and a quote a negation still belongs to the quote."""

_GLYPHS_NEAR = 4
"""The same in a script without spaces."""

_MARKS = 12
"""Characters that marks between a picture and a quote may take."""

_LONGEST_PUT_IN = 8
_PAIRS = frozenset({(",", ","), ("-", "-"), ("(", ")"), ("(", "),"), ("،", "،")})
"""What opens and closes a phrase that is put into a clause."""


def hides_negation(content: str, start: int, end: int) -> bool:
    """Whether a word of ``content[start:end]`` turns the meaning, alone or with the words that follow (“only | if”).

    The text is read as it stands in a message and with its escapes resolved (``\\nnot``).
    """
    hidden = content[start:end]
    turning = Turning(lambda: _around(content, start, end))
    if any(_holds_negation_of_glyphs(text) for text in {hidden, decoded(hidden).text}):
        return True
    read = tokens(content, start, min(len(content), end + _CLAUSE))
    inside = sum(token.start < end for token in read)
    if any(first < inside for first, _ in turning.places(_keys(read))):
        return True
    return any(turning.places(_keys(tokens(decoded(hidden).text))))


def negation_just_before(content: str, start: int) -> bool:
    """Whether a word just before ``content[start:]`` in the same clause turns its meaning: "must never | approve".

    So does a cross. A short line of its own, such as a heading, turns nothing in the next that has its own capital.
    """
    if _CROSS_BEFORE.search(content, max(0, start - _MARKS), start):
        return True
    if content[start].isupper() and _SHORT_LINE.search(content, max(0, start - _CLAUSE), start):
        return False
    reach = _WITH_WHAT_IS_PUT_IN if _CLOSES.search(content, max(0, start - 4), start) else _CLAUSE
    tail = _SENTENCE_END.split(rendered(decoded(content[max(0, start - reach) : start])).text)[-1]
    read = tokens(tail) if may_turn(tail) else []
    if not read:
        return False
    turning = Turning(lambda: _around(content, start, start))
    words = _clause_before(tail, read, turning)
    if words and words[-1].kind == GLYPH:
        return holds_negation("".join(token.key for token in words[-_GLYPHS_NEAR:]))
    turned = list(_turned(words, turning))
    if not turned:
        return False
    near = len(words) - _reach([token.key for token in reversed(words)], turning)
    return any(last >= near for _, last in turned)


def negation_just_after(content: str, end: int) -> bool:
    """Whether a word just after ``content[:end]`` in its clause, or a cross, turns it: "the refund | is barred"."""
    if _CROSS_AFTER.match(content, end, end + _CLAUSE):
        return True
    if not content[end - 1].isalnum() and _parted(content[end - 1]):
        return False
    head = _SENTENCE_END.split(decoded(content[end : end + _CLAUSE]).text)[0]
    read = tokens(head) if may_turn(head) else []
    if not read or _parted(head[: read[0].start]):
        return False
    if read[0].kind == GLYPH:
        return _glyphs_negate(head, read)
    words = _clause_after(head, read)
    turning = Turning(lambda: _around(content, end, end))
    near = any(first < _NEAR for first, _ in _turned(words, turning))
    return near and not turning.uses(words[0].key.partition("'")[0], "joining", "parting")


def _holds_negation_of_glyphs(text: str) -> bool:
    return not text.isascii() and holds_negation(folded(text))


def _keys(read: Sequence[Token]) -> list[str]:
    return ["" if token.kind == GLYPH else token.key for token in read]


def _around(content: str, start: int, end: int) -> str:
    return content[max(0, start - REACH) : end + REACH]


def _turned(words: Sequence[Token], turning: Turning) -> Iterator[tuple[int, int]]:
    """The first and the last of the words that turn the meaning, unless a word beside them lifts that."""
    for first, last in turning.places(_keys(words)):
        beside = [token.key for token in (*words[max(0, first - 1) : first], *words[last + 1 : last + 2])]
        elided = words[first].key.partition("'")[2]  # « n'hésitez »
        if not any(turning.uses(key.rpartition("'")[2], "lifting") for key in (*beside, elided)):
            yield first, last


def _reach(keys: Sequence[str], turning: Turning) -> int:
    """How many words, the nearest first, are near: two, light ones apart."""
    heavy = 0
    for place, key in enumerate(keys):
        heavy += not turning.uses(key, "light")
        if heavy > _NEAR:
            return place
    return len(keys)


def _clause_before(tail: str, read: Sequence[Token], turning: Turning) -> list[Token]:
    """The words at the end of ``tail`` that belong to one clause, a phrase put in between passed over."""
    last = len(read) - 1
    put_in = _parted(tail[read[last].end :])
    if put_in:
        last = _before_what_is_put_in(tail, read, turning)
    first = last
    while first > 0 and not _parted(tail[read[first - 1].end : read[first].start]):
        first -= 1
    words = list(read[first : last + 1]) if last >= 0 else []
    if put_in and len(words) == 1 and turning.uses(words[0].key, "answers"):
        return []
    return words


def _before_what_is_put_in(tail: str, read: Sequence[Token], turning: Turning) -> int:
    """The last word before a phrase between two commas, dashes or brackets that ends the tail; -1 where none does."""
    closing = bare(tail[read[-1].end :])
    for place in range(len(read) - 2, max(-1, len(read) - 2 - _LONGEST_PUT_IN), -1):
        between = tail[read[place].end : read[place + 1].start]
        if _parted(between):
            joined = closing == "," and turning.uses(read[place + 1].key, "joining")
            return place if (bare(between), closing) in _PAIRS and not joined else -1
    return -1


def _clause_after(head: str, read: Sequence[Token]) -> list[Token]:
    """The words at the beginning of ``head`` that belong to one clause."""
    for place in range(1, len(read)):
        if _parted(head[read[place - 1].end : read[place].start]):
            return list(read[:place])
    return list(read)


def _glyphs_negate(head: str, read: Sequence[Token]) -> bool:
    """Whether the clause goes on to a negation. A Japanese verb ends its clause; elsewhere it must follow at once."""
    clause = _clause_after(head, read)
    text = head[: clause[-1].end]
    return holds_negation(folded(text if _KANA.search(text) else text[:_GLYPHS_NEAR]))


def _parted(between: str) -> bool:
    """Whether what stands between two words ends a clause or a line of a list."""
    if between == " ":
        return False
    return bool(bare(between)) or bool(_NEW_BLOCK.search(between))
