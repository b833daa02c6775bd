"""JSON as it really arrives: with doubled keys, NaN, endless numbers and bottomless nesting.

First station of the flow. Parsing here never guesses: what JSON leaves open is marked in the value, so that only the
record which holds it is refused.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

MOST_DIGITS = 300
"""Digits of a whole number that are read; no transcript counts further."""

DEEPEST = 200
"""Levels of nesting that are read; what lies deeper is marked."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_UNSTORABLE_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


class NotJson(ValueError):
    """The text is not JSON; the message says why, for people."""


class Unusable:
    """Stands in a parsed value where JSON gave something that cannot be used."""

    def __init__(self, why: str) -> None:
        self.why = why


def parsed(text: str) -> object:
    """The value of a JSON text, with ``Unusable`` marks inside where the text is ambiguous.

    Raises ``NotJson``.
    """
    try:
        return _bounded(_DECODER.decode(text))
    except json.JSONDecodeError as error:
        raise NotJson(f"not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}") from error
    except RecursionError as error:
        raise NotJson("JSON that is nested too deeply") from error


def flaw_in(value: object) -> str | None:
    """Why a parsed value cannot be used, None where it can."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Unusable):
            return found.why
        if isinstance(found, dict):
            waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)
    return None


def may_hold_unstorable(text: str) -> bool:
    """Whether a JSON text could hold characters that no database stores; emoji escapes say yes as well."""
    return bool(_UNSTORABLE_ESCAPE.search(text))


def mended(value: object) -> object:
    """The value with every zero character and every half of a surrogate pair replaced by U+FFFD.

    Such halves are what is left of an emoji that was cut; no text can hold them.
    """
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {mended(key): mended(inner) for key, inner in value.items()}
    return [mended(inner) for inner in value] if isinstance(value, list) else value


def strings_in(value: object) -> list[str]:
    """All texts inside a parsed value, keys included, in no particular order."""
    strings: list[str] = []
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            strings.append(found)
        elif isinstance(found, dict):
            waiting.extend(found)
            waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)
    return strings


def _bounded(value: object) -> object:
    """The same value; where it is nested too deeply, its depths are replaced by a mark."""
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        level = [inner for holder in level for inner in _members(holder) if isinstance(inner, dict | list)]
        if not level:
            return value
    mark = Unusable(f"nested deeper than {DEEPEST} levels")
    for holder in level:
        holder.clear()
        if isinstance(holder, dict):
            holder["too deep"] = mark
        else:
            holder.append(mark)
    return value


def _members(holder: object) -> Iterable[object]:
    if isinstance(holder, dict):
        return holder.values()
    return holder if isinstance(holder, list) else ()


def _object(pairs: list[tuple[str, object]]) -> object:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    keys = [key for key, _ in pairs]
    doubled = next(key for key in keys if keys.count(key) > 1)
    return Unusable(f"the key “{doubled}” stands twice in one object, so its value is not certain")


def _integer(digits: str) -> object:
    return int(digits) if len(digits) <= MOST_DIGITS else Unusable(f"a number has {len(digits)} digits")


def _constant(name: str) -> Unusable:
    return Unusable(f"{name} is not a number that JSON knows")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)
