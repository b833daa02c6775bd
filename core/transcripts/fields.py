"""Fields of loosely typed records, taken with care.

First station of the flow. Whatever is not what it should be raises ``Flaw``, which says the field, the kind of value
that was found and the one that was expected.
"""

import math
from collections.abc import Sequence
from typing import Any

Record = dict[str, Any]


class Flaw(ValueError):
    """What makes one record unreadable; the reader turns it into a bad record with its place."""


def kind_of(value: object) -> str:
    """What a JSON value is, in words: ``a list``, ``text``, ``nothing``."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    kinds = ((str, "text"), (list, "a list"), (dict, "an object"))
    return next((word for kind, word in kinds if isinstance(value, kind)), "something unknown")


def quoted(value: str) -> str:
    """A value as it stands in an error: in quotes, on one line, 60 characters at most."""
    line = " ".join(value.split())
    return f"“{line if len(line) <= 60 else line[:59] + '…'}”"


def object_of(value: object, what: str) -> Record:
    """The value as an object, or ``Flaw``."""
    if not isinstance(value, dict):
        raise Flaw(f"{what} must be an object; it is {kind_of(value)}")
    return value


def list_of(value: object, what: str) -> list[Any]:
    """The value as a list, or ``Flaw``."""
    if not isinstance(value, list):
        raise Flaw(f"{what} must be a list; it is {kind_of(value)}")
    return value


def text_of(record: Record, key: str, what: str = "") -> str | None:
    """The text under ``key``, a whole number as its digits, None where it is missing, null or empty; else ``Flaw``."""
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is not None and not isinstance(value, str):
        raise Flaw(f"{what}“{key}” must be text; it is {kind_of(value)}")
    return value or None


def required_text(record: Record, key: str, what: str) -> str:
    """The text under ``key``, or ``Flaw`` where there is none."""
    text = text_of(record, key, what)
    if text is None:
        raise Flaw(f"{what}“{key}” is missing")
    return text


def number_of(value: object, what: str) -> float | None:
    """A finite number, None where there is none; else ``Flaw``."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Flaw(f"{what} must be a number; it is {kind_of(value)}")
    return float(value)


def inside(value: object, *keys: str) -> Any:
    """What stands under these keys, one inside the other; None where the way is broken."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def objects_in(value: object) -> list[Record]:
    """The objects of a list, other items left out; empty where the value is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def listed(words: Sequence[str]) -> str:
    """Words for a sentence: ``“a”, “b”``."""
    return ", ".join(quoted(word) for word in words)
