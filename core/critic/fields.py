"""Single values of a draft, read from whatever a model wrote in their place.

Critic. Spelling is forgiven, meaning is never guessed: a word that is not one of ours is reported, not rounded to the
nearest.
"""

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

from core.critic.drafts import Quote
from core.critic.lenient_json import Repeated, joined
from core.vocabulary import Dimension, ProcedureKind, Severity

QUOTES = ("evidence", "quotes", "quote")
"""The names that the quotes of a draft may have."""

_Read = TypeVar("_Read")
_LETTERS = re.compile(r"[^\W\d_]+")
_HUNDREDTH = Decimal("0.01")
_TAG = re.compile(r"[a-z][a-z0-9_-]{1,39}")
_TURN = re.compile(r"[^\d−–-]*(\d{1,6})\D*")
"""A number with words around it, but with no minus before it: -1 may be the last turn."""

_HALF = re.compile("[\ud800-\udfff]")
_LONGEST_SHOWN = 40
"""Characters of an unknown word that a remark repeats."""


def tidy(said: Mapping[str, Any]) -> Mapping[str, Any]:
    """An object with its names in lower case and without blanks around them; what two names had is joined."""
    names = [name.strip().casefold() for name in said]
    return said if names == list(said) else joined(zip(names, said.values(), strict=True))


def text_in(fields: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that holds words, without blanks around them; empty where none does.

    Several texts in one field, or under one name that comes twice, are one text.
    """
    texts = (_text(fields.get(name)) for name in names)
    return next((text for text in texts if text), "")


def severity_of(said: object) -> Severity | None:
    """The severity that a word names, in any case; None for every other word, and for two that differ."""
    if isinstance(said, Repeated):
        return _same([severity_of(each) for each in said])
    word = " ".join(_words(said))
    return next((each for each in Severity if each.value == word), None)


def dimension_of(said: object) -> Dimension | None:
    """The one dimension whose words are among those said: “Missed Signals”, “Constraint compliance”; else None."""
    if isinstance(said, Repeated):
        return _same([dimension_of(each) for each in said])
    words = {singular for word in _words(said) for singular in (word, word.removesuffix("s"))}
    named = [each for each in Dimension if words >= set(each.value.split("_"))]
    return named[0] if len(named) == 1 else None


def kind_of(said: object) -> ProcedureKind | None:
    """The kind of procedure that a word names; None for every other word."""
    word = " ".join(_words(said))
    return next((each for each in ProcedureKind if each.value == word.removesuffix("s")), None)


def hundredths(said: object) -> Decimal | None:
    """A number, also one written as a text, in hundredths; None for what is no finite number."""
    if isinstance(said, bool) or not isinstance(said, (int, str, Decimal)):
        return None
    try:
        number = Decimal(said.strip() if isinstance(said, str) else said).quantize(_HUNDREDTH)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def quotes_in(fields: Mapping[str, Any]) -> tuple[Quote, ...]:
    """The quotes of a draft: one text, one object with its speaker and turn, or a list of either."""
    said = next((fields[name] for name in QUOTES if name in fields), None)
    return tuple(quote for one in _each(said) for quote in _quotes(one, fields))


def tags_in(said: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tags, in lower case and none twice, of a list or of a text with commas; and a remark for each that is none."""
    parts = said.split(",") if isinstance(said, str) else _each(said) if isinstance(said, (list, Repeated)) else []
    tidy = {"-".join(part.lower().lstrip("# ").split()): part for part in parts if isinstance(part, str)}
    tags = tuple(tag for tag in tidy if _TAG.fullmatch(tag))
    wrong = [part for part in parts if not isinstance(part, str)]
    wrong += [part for tag, part in tidy.items() if tag and tag not in tags]
    return tags, tuple(remark("no_tag", part) for part in wrong)


def remark(code: str, said: object) -> str:
    """A remark that repeats the word it is about, in short: ``unknown_severity:blocker``."""
    return f"{code}:{brief(said)}"


def brief(said: object) -> str:
    """The beginning of a text or a number as it was said; of anything else its kind, since it may be large or deep.

    Half a character is shown as one that is missing.
    """
    if isinstance(said, Repeated):
        return " or ".join(map(brief, said[:_LONGEST_SHOWN]))[:_LONGEST_SHOWN]
    if isinstance(said, (dict, list)):
        return "an object" if isinstance(said, dict) else "a list"
    return _HALF.sub("\ufffd", " ".join(str(said).split())[:_LONGEST_SHOWN])


def _quotes(said: object, fields: Mapping[str, Any]) -> list[Quote]:
    """The quotes in one value, with the speaker and turn that it or its draft names; none where there are no words."""
    own = tidy(said) if isinstance(said, dict) else {}
    named = {**fields, **own}
    words = next((own[name] for name in ("quote", "words", "text") if isinstance(own.get(name), (str, Repeated))), said)
    speaker, turn = _speaker(named), _turn(named.get("turn"))
    each = [one for one in _each(words) if isinstance(one, str) and one.strip()]
    return [Quote(words=one, speaker=speaker, turn=turn) for one in each] if not isinstance(words, list) else []


def _speaker(named: Mapping[str, Any]) -> str | None:
    """Who is named as the speaker; None where two are, or the name cannot be stored."""
    said = next((named[name] for name in ("speaker", "role") if named.get(name)), None)
    name = "" if isinstance(said, Repeated) else _text(said)
    return None if not name or _HALF.search(name) else name


def _text(said: object) -> str:
    several = isinstance(said, (list, Repeated)) and all(isinstance(each, str) for each in said)
    texts = _each(said) if several or isinstance(said, str) else []
    return " ".join(text.strip() for text in texts if text.strip())


def _each(said: object) -> list[Any]:
    return list(said) if isinstance(said, (list, Repeated)) else [said]


def _same(read: list[_Read | None]) -> _Read | None:
    """What several words name, if all name the same."""
    return read[0] if all(each is read[0] for each in read) else None


def _turn(said: object) -> int | None:
    found = None if isinstance(said, bool) else _TURN.fullmatch(brief(said))
    return int(found[1]) if found and int(found[1]) > 0 else None


def _words(said: object) -> list[str]:
    return _LETTERS.findall(said.casefold()) if isinstance(said, str) else []
