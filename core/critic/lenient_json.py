"""JSON as models write it: strictly where it can be read so, else with the faults that leave no doubt of what is meant.

Critic. Forgiven are commas before a closing bracket, single quotes, Python's ``True``, ``False`` and ``None``, line
breaks and needless backslashes in a string, and a quotation mark inside one. No character of a string is changed,
since it may be evidence.
"""

import json
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

_DEEPEST = 60
"""Levels of brackets; no contract needs more than five."""


def _number(text: str) -> Decimal | str:
    """A number to the digit; one too large for any arithmetic stays the text that it is."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


class Repeated(dict[str, Any]):
    """An object that names a field more than once: the last value of each stands, and ``pairs`` has them all."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        self.pairs = tuple(pairs)
        super().__init__(pairs)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    return content if len(content) == len(pairs) else Repeated(pairs)


_STRICT = json.JSONDecoder(strict=False, parse_float=_number, parse_constant=str, object_pairs_hook=_object)
_BLANKS = re.compile(r"\s*")
_ATOM = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z]+")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_AFTER_A_STRING = re.compile(r"\s*(?:[,:\]}]|$)")


@dataclass(frozen=True)
class Decoded:
    """A value, the place after it, and whether anything had to be forgiven."""

    value: Any
    end: int
    repaired: bool


class BrokenJson(Exception):
    """No value stands here. ``place`` is where reading stopped."""

    def __init__(self, place: int, expected: str) -> None:
        self.place, self.expected = place, expected
        super().__init__(f"{expected} expected at character {place + 1}")


def decode(text: str, start: int) -> Decoded:
    """The value that begins at ``start``; ``BrokenJson`` where there is none."""
    try:
        value, end = _STRICT.raw_decode(text, start)
        return Decoded(value, end, repaired=False)
    except (ValueError, RecursionError):
        reader = _Reader(text, start)
        return Decoded(reader.value(0), reader.at, repaired=True)


class _Reader:
    """Reads one value after the other, and stands behind what it has read."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at

    def value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise BrokenJson(self.at, "no deeper bracket")
        match self._next():
            case "{":
                return self._object(depth)
            case "[":
                return self._array(depth)
            case '"' | "'":
                return self._string()
        return self._atom()

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        pairs: list[tuple[str, Any]] = []
        while self._next() != "}":
            if self._next() not in ('"', "'"):
                self._broken("a name in quotation marks")
            name = self._string()
            self._take(":")
            pairs.append((name, self.value(depth + 1)))
            self._comma_before("}")
        self.at += 1
        return _object(pairs)

    def _array(self, depth: int) -> list[Any]:
        self.at += 1
        content: list[Any] = []
        while self._next() != "]":
            content.append(self.value(depth + 1))
            self._comma_before("]")
        self.at += 1
        return content

    def _comma_before(self, closing: str) -> None:
        if self._next() != closing:
            self._take(",")

    def _string(self) -> str:
        """A string; a mark inside it ends it only where a comma, a colon or a bracket follows."""
        mark = self.text[self.at]
        self.at += 1
        parts: list[str] = []
        while not self._ends_a_string(mark):
            character = self.text[self.at : self.at + 1] or self._broken("the end of a string")
            parts.append(self._escaped() if character == "\\" else character)
            self.at += 1
        self.at += 1
        return _pairs_joined("".join(parts))

    def _ends_a_string(self, mark: str) -> bool:
        return self.text.startswith(mark, self.at) and bool(_AFTER_A_STRING.match(self.text, self.at + 1))

    def _escaped(self) -> str:
        """The character that a backslash stands for; backslash and character where it stands for none."""
        self.at += 1
        letter = self.text[self.at : self.at + 1]
        if letter == "u" and (digits := _HEX.match(self.text, self.at + 1)):
            self.at += 4
            return chr(int(digits[0], 16))
        return _ESCAPES.get(letter, "\\" + letter)

    def _atom(self) -> Any:
        found = _ATOM.match(self.text, self.at)
        if found is None or (found[0][0].isalpha() and found[0] not in _WORDS):
            self._broken("a value")
        self.at = found.end()
        return _WORDS[found[0]] if found[0] in _WORDS else _number(found[0])

    def _next(self) -> str:
        """The next character that is no blank; empty at the end."""
        blanks = _BLANKS.match(self.text, self.at)
        self.at = blanks.end() if blanks else self.at
        return self.text[self.at : self.at + 1]

    def _take(self, character: str) -> None:
        if self._next() != character:
            self._broken(f"“{character}”")
        self.at += 1

    def _broken(self, expected: str) -> NoReturn:
        raise BrokenJson(self.at, expected)


def _pairs_joined(text: str) -> str:
    """The text with the halves of each surrogate pair made one character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
