"""JSON as models write it: strictly where it can be read so, else with the faults that leave no doubt of what is meant.

Critic. Forgiven are commas before a closing bracket, single quotes, Python's ``True``, ``False`` and ``None``, line
breaks and needless backslashes in a string, a quotation mark inside one, and a name that comes twice. No character of
a string is changed, since it may be evidence, and no value of a name that comes twice is lost.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

_DEEPEST = 60
"""Levels of brackets; no contract needs more than five."""

_DIGITS = 400
"""Digits of a whole number that is read as one; the conversion of a longer one takes more than linear time."""


def _number(text: str) -> Decimal | str:
    """A number to the digit; one too large for any arithmetic stays the text that it is."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def _whole_number(text: str) -> int | Decimal | str:
    return int(text) if len(text) <= _DIGITS else _number(text)


_BLANKS = re.compile(r"\s*")
_ATOM = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z]+")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.S)
_BODY = {mark: re.compile(rf"(?:[^{mark}\\]++|\\.|{mark}(?!\s*+(?:[,:\]}}]|\Z)))*+", re.S) for mark in ('"', "'")}
"""What stands in a string: a mark inside it ends it only where a comma, a colon or a bracket follows."""


class Repeated(tuple[Any, ...]):
    """The single values of a name that comes more than once in one object, where they differ: nobody knows which."""

    __slots__ = ()


class Doubled(dict[str, Any]):
    """An object in which a name comes more than once, its values joined; ``pairs`` has all of them as they stand."""

    def __init__(self, values: dict[str, Any], pairs: tuple[tuple[str, Any], ...]) -> None:
        self.pairs = pairs
        super().__init__(values)


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


class TooDeep(BrokenJson):
    """The brackets go deeper than anything can be read strictly."""


def decode(text: str, start: int) -> Decoded:
    """The value that begins at ``start``; ``BrokenJson`` where there is none."""
    try:
        return decode_strictly(text, start)
    except BrokenJson:
        return decode_leniently(text, start)


def decode_strictly(text: str, start: int) -> Decoded:
    """The value that begins at ``start``, if it has no fault but a name that comes twice."""
    pairs = _Pairs()
    decoder = json.JSONDecoder(
        strict=False,
        parse_float=_number,
        parse_int=_whole_number,
        parse_constant=str,
        object_pairs_hook=pairs.object_of,
    )
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise BrokenJson(error.pos, error.msg) from None
    except RecursionError:
        raise TooDeep(start, "no deeper bracket") from None
    return Decoded(value, end, repaired=pairs.repeated)


def decode_leniently(text: str, start: int, until: int | None = None) -> Decoded:
    """The value that begins at ``start``; no value inside it is begun beyond ``until``."""
    reader = _Reader(text, start, len(text) if until is None else until)
    return Decoded(reader.value(0), reader.at, repaired=True)


def joined(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """An object of names and values. What stands under a name that comes twice is joined, and the object ``Doubled``.

    Empty values give way to others. Lists and objects become one list; single values that differ are ``Repeated``.
    """
    said = tuple(pairs)
    values: dict[str, list[Any]] = {}
    for name, value in said:
        values.setdefault(name, []).append(value)
    content = {name: each[0] if len(each) == 1 else _one_of(each) for name, each in values.items()}
    return content if len(content) == len(said) else Doubled(content, said)


def _one_of(values: list[Any]) -> Any:
    full = [value for value in values if not _is_empty(value)]
    if not full:
        return next((value for value in values if isinstance(value, list)), values[0])
    if any(isinstance(value, (list, dict)) for value in full):
        return (
            full[0]
            if len(full) == 1
            else [one for each in full for one in (each if isinstance(each, list) else [each])]
        )
    single = [one for each in full for one in (each if isinstance(each, Repeated) else [each])]
    different = {(type(each), str(each)): each for each in single}
    return single[0] if len(different) == 1 else Repeated(different.values())


def _is_empty(value: Any) -> bool:
    return value is None or (
        isinstance(value, (str, list, dict)) and not (value.strip() if isinstance(value, str) else value)
    )


class _Pairs:
    """Makes objects, and knows whether a name came twice in one."""

    def __init__(self) -> None:
        self.repeated = False

    def object_of(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        plain = dict(pairs)
        if len(plain) == len(pairs):
            return plain
        self.repeated = True
        return joined(pairs)


class _Reader:
    """Reads one value after the other, and stands behind what it has read."""

    def __init__(self, text: str, at: int, until: int) -> None:
        self.text, self.at, self.until = text, at, until

    def value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            self._broken("no deeper bracket")
        if self.at > self.until:
            self._broken("fewer characters with faults before the end")
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
        content: list[tuple[str, Any]] = []
        while self._next() != "}":
            if self._next() not in ('"', "'"):
                self._broken("a name in quotation marks")
            name = self._string()
            self._take(":")
            content.append((name, self.value(depth + 1)))
            self._comma_before("}")
        self.at += 1
        return joined(content)

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
        mark, begin = self.text[self.at], self.at + 1
        body = _BODY[mark].match(self.text, begin)
        self.at = body.end() if body else begin
        if not self.text.startswith(mark, self.at):
            self._broken("the end of a string")
        said = self.text[begin : self.at]
        self.at += 1
        return _pairs_joined(_ESCAPED.sub(_unescaped, said)) if "\\" in said else said

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


def _unescaped(found: re.Match[str]) -> str:
    """The character that a backslash stands for; backslash and character where it stands for none."""
    return chr(int(found[1], 16)) if found[1] else _ESCAPES.get(found[2], found[0])


def _pairs_joined(text: str) -> str:
    """The text with the halves of each surrogate pair made one character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
