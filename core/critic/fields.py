"""Single values of a draft, read from whatever a model wrote in their place.

Critic. Spelling is forgiven, meaning is never guessed: a word that is not one of ours is reported, not rounded to the
nearest.
"""

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from core.critic.drafts import Quote
from core.vocabulary import Dimension, ProcedureKind, Severity

_LETTERS = re.compile(r"[^\W\d_]+")
_HUNDREDTH = Decimal("0.01")
_TAG = re.compile(r"[a-z][a-z0-9_-]{1,39}")
_TURN = re.compile(r"\D*(\d{1,6})\D*")
_LONGEST_SHOWN = 40
"""Characters of an unknown word that a remark repeats."""


def text_in(fields: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that holds words, without blanks around them; empty where none does."""
    values = (fields.get(name) for name in names)
    return next((value.strip() for value in values if isinstance(value, str) and value.strip()), "")


def severity_of(said: object) -> Severity | None:
    """The severity that a word names, in any case; None for every other word."""
    word = " ".join(_words(said))
    return next((each for each in Severity if each.value == word), None)


def dimension_of(said: object) -> Dimension | None:
    """The one dimension whose words are among those said: “Missed Signals”, “Constraint compliance”; else None."""
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
    said = fields.get("evidence", fields.get("quotes", fields.get("quote")))
    each = said if isinstance(said, list) else [said]
    read = (_quote(one, fields) for one in each)
    return tuple(quote for quote in read if quote is not None)


def tags_in(said: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tags, in lower case and none twice, of a list or of a text with commas; and a remark for each that is none."""
    parts = said if isinstance(said, list) else said.split(",") if isinstance(said, str) else []
    tidy = {"-".join(part.lower().lstrip("# ").split()): part for part in parts if isinstance(part, str)}
    tags = tuple(tag for tag in tidy if _TAG.fullmatch(tag))
    wrong = [part for part in parts if not isinstance(part, str)]
    wrong += [part for tag, part in tidy.items() if tag and tag not in tags]
    return tags, tuple(remark("no_tag", part) for part in wrong)


def remark(code: str, said: object) -> str:
    """A remark that repeats the word it is about, in short: ``unknown_severity:blocker``."""
    return f"{code}:{brief(said)}"


def brief(said: object) -> str:
    """The beginning of a text or a number as it was said; of anything else its kind, since it may be large or deep."""
    if isinstance(said, (dict, list)):
        return "an object" if isinstance(said, dict) else "a list"
    return " ".join(str(said).split())[:_LONGEST_SHOWN]


def _quote(said: object, fields: Mapping[str, Any]) -> Quote | None:
    """A quote, with the speaker and turn that it or its draft names; None where there are no words."""
    own = said if isinstance(said, dict) else {}
    words = next((own[name] for name in ("quote", "words", "text") if isinstance(own.get(name), str)), said)
    if not isinstance(words, str) or not words.strip():
        return None
    named = {**fields, **own}
    return Quote(words=words, speaker=text_in(named, "speaker", "role") or None, turn=_turn(named.get("turn")))


def _turn(said: object) -> int | None:
    found = None if isinstance(said, bool) else _TURN.fullmatch(brief(said))
    return int(found[1]) if found and int(found[1]) > 0 else None


def _words(said: object) -> list[str]:
    return _LETTERS.findall(said.casefold()) if isinstance(said, str) else []
