"""How far a sentence reaches: only here, everywhere, or whatever comes.

Screening, twins and conflicts. Two sentences with the same words contradict each other when one narrows what the
other leaves wide.
"""

import re

_ONLY = re.compile(
    r"\b(?:only|solely|exclusively|unless|except)\b|\bthe (?:first|last)\b(?=[^,.;]*\bonly\b)", re.IGNORECASE
)
_WHATEVER = re.compile(r"\beven\b|\bregardless\b|\b(?:in (?:all|any) cases?|in any event)\b", re.IGNORECASE)
_ANYONE = re.compile(r"\b(?:any|every)(?:one|body)\b", re.IGNORECASE)
_WITHOUT_LIMIT = re.compile(r"\b(?:always|every|each|all|any(?:one|body)?|every(?:one|body))\b", re.IGNORECASE)
_ALSO = re.compile(r"\b(?:and|also|too|plus|or|as well)\b", re.IGNORECASE)
ANY_KIND = re.compile(r"\b(?:any|no) (?:kind of |sort of |other )?([a-z-]+)", re.IGNORECASE)
"""What is spoken of as a whole class."""


def reach_of(sentence: str) -> frozenset[str]:
    """Whether it holds ``only`` in some cases, in ``every`` one, for ``anyone``, ``whatever`` comes, or ``also``
    elsewhere.
    """
    kinds = (("only", _ONLY), ("whatever", _WHATEVER), ("every", _WITHOUT_LIMIT), ("anyone", _ANYONE), ("also", _ALSO))
    return frozenset(name for name, pattern in kinds if pattern.search(sentence))
