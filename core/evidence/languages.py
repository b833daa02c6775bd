"""In which language a text is likely written, for words that negate in one language and are harmless in another.

Evidence. A guess from everyday words and letters; where it is in doubt, every language that may be meant counts.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent / "turning_words.toml"
_WORD = re.compile(r"[^\W\d_]+")
_SURE = 2
"""Everyday words that a guess needs."""

REACH = 400
"""Characters to either side of a quote that tell its language."""


@cache
def language_data() -> dict[str, dict[str, Any]]:
    """The lists of every language, as they stand in ``turning_words.toml``."""
    return tomllib.loads(_DATA.read_text(encoding="utf-8"))


def listed(language: str, key: str) -> list[str]:
    """The entries of one list of a language."""
    return [entry for part in language_data()[language].get(key, "").split(",") if (entry := " ".join(part.split()))]


def likely_languages(text: str) -> frozenset[str]:
    """The languages that the text may be written in; all of them where too little tells."""
    words, letters = set(_WORD.findall(text.lower())), set(text)
    scores = {language: len(words & telling) + len(letters & own) for language, (telling, own) in _telling().items()}
    best = max(scores.values())
    if best < _SURE:
        return frozenset(language_data())
    return frozenset(language for language, score in scores.items() if score == best)


@cache
def _telling() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Of every language its everyday words and its letters."""
    return {
        language: (frozenset(listed(language, "telling")), frozenset(listed(language, "letters")))
        for language in language_data()
    }
