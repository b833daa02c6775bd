"""Which marks at the head of a line belong to a list, and which to the words: "up to⏎20. It is due".

Evidence. A quote may leave out the mark of a list, but never a number, a sign or a bound. A list shows itself by its
other items, or by the line that opens it.
"""

import re
from collections import Counter
from collections.abc import Iterator

from core.evidence.characters import SHAPES

_NUMBERED = re.compile(r"(?:\A|\n)[ \t]*([0-9]{1,3})[.)][ \t]+")
_PLUS = re.compile(r"(?:\A|\n)[ \t]*(\+)[ \t]+")
_OPENING = re.compile(r"(?:\A|\n[ \t\r]*|(?:\A|\n)#[^\n]*|[.:!?…。：！？*_|>][ \t\r]*)\Z")
_REST = r"[^\n]*(?:\n[ \t\r]*(?=\n)|\n[ \t]{2,}[^\s][^\n]*)*"
_NEXT_ITEM = re.compile(rf"{_REST}\n[ \t]{{0,3}}(\S)")
_LAST_ITEM = re.compile(rf"(?:\A|\n)[ \t]{{0,3}}(\S){_REST}\Z")
_LONGEST_ITEM = 400


def list_marks(text: str) -> Iterator[tuple[int, int]]:
    """The numbers and plus signs at the heads of lines that count or mark the items of a list, in order."""
    numbered = list(_NUMBERED.finditer(text))
    counted = Counter(int(match[1]) for match in numbered)
    numbers = [match.span() for match in numbered if _counts(text, match, counted)]
    signs = [match.span() for match in _PLUS.finditer(text) if marks_an_item(text, match.start(1), match.end())]
    yield from sorted(numbers + signs)


def _counts(text: str, match: re.Match[str], counted: Counter[int]) -> bool:
    """Whether a number has a neighbour at the head of another line, or begins a list."""
    number = int(match[1])
    return counted[number] > 1 or bool(counted[number - 1] or counted[number + 1]) or _opens(text, match.start())


def marks_an_item(text: str, mark: int, words: int) -> bool:
    """Whether ``text[mark]``, the first of its line, marks an item that begins at ``words``, and is no sign.

    It may be a sign only before a number or a currency. There a list is known by an item before or after it, or by how
    it begins.
    """
    if SHAPES[ord(text[words : words + 1] or "a")] not in "0n$":
        return True
    line = text.rfind("\n", 0, mark)
    if line < 0 or _opens(text, line):
        return True
    after = _NEXT_ITEM.match(text, words, words + _LONGEST_ITEM)
    before = _LAST_ITEM.search(text, max(0, line - _LONGEST_ITEM), line)
    return any(item is not None and item[1] == text[mark] for item in (before, after))


def _opens(text: str, line: int) -> bool:
    """Whether a list may begin at the break ``text[line]``: after nothing, a blank line, a heading or a closed line."""
    return bool(_OPENING.search(text, max(0, line - _LONGEST_ITEM), line))
