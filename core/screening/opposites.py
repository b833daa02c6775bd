"""Words that stand for one another, and words that stand against one another.

Screening, twins and conflicts. Synonyms of support work count as one word; opposites turn a sentence round.
"""

from functools import cache, lru_cache

from core.screening.stems import stem
from core.screening.word_lists import pairs

_ORDINALS = frozenset(row[0] for row in pairs("ordinals"))
_TURNING_PREFIXES = ("un", "in", "im", "non", "non-", "dis", "ir", "il", "de")


def canonical(word: str) -> str:
    """The stem that stands for a word and its synonyms."""
    stemmed = stem(word)
    return _synonyms().get(stemmed, stemmed)


@cache
def _synonyms() -> dict[str, str]:
    """From a stem to the stem of the first word in its row; a word in several rows keeps the first."""
    table: dict[str, str] = {}
    for row in pairs("synonyms"):
        for word in row:
            table.setdefault(stem(word), stem(row[0]))
    return table


@cache
def _listed_opposites() -> dict[str, frozenset[str]]:
    """From a canonical stem to those that turn a sentence round against it."""
    rows = [(canonical(first), canonical(second)) for first, second in pairs("opposites")]
    table: dict[str, set[str]] = {}
    for first, second in rows:
        table.setdefault(first, set()).add(second)
        table.setdefault(second, set()).add(first)
    return {word: frozenset(others) for word, others in table.items()}


def _graded_opposites(word: str) -> set[str]:
    """“Longest” stands against “shortest” as “long” does against “short”."""
    degree = next((ending for ending in ("est", "er") if word.endswith(ending)), "")
    if not degree:
        return set()
    base = word.removesuffix(degree)
    against = {each for form in (base, base[:-1]) for each in _listed_opposites().get(form, ())}
    return {form + degree for each in against for form in (each, each + each[-1], each.removesuffix("e"))}


@lru_cache(maxsize=20_000)
def opposites_of(word: str) -> frozenset[str]:
    """Canonical stems that mean the contrary: the listed ones, and the word with or without un-, in-, non-, dis- …"""
    made = {prefix + word for prefix in _TURNING_PREFIXES} if len(word) > 3 else set()
    cut = {word.removeprefix(prefix) for prefix in _TURNING_PREFIXES if word.startswith(prefix)}
    others = _ORDINALS - {word} if word in _ORDINALS else frozenset()
    formed = made | {rest for rest in cut if len(rest) > 3}
    return _listed_opposites().get(word, frozenset()) | _graded_opposites(word) | others | formed


DEMANDS = frozenset(canonical(word) for word in ("require", "need", "ask", "demand", "insist", "request"))
"""Verbs that ask for what “without” leaves out."""

DONE_ONCE = frozenset(
    canonical(word) for word in ("charge", "bill", "collect", "invoice", "debit", "release", "refund")
)
"""Verbs of what is done once with money: at one moment, and so at no other."""

MOMENTS = frozenset(
    canonical(word)
    for word in (
        *("booking", "reservation", "departure", "arrival", "delivery", "dispatch", "purchase", "pickup", "collection"),
        *("checkout", "signing", "renewal", "registration", "enrolment", "return", "handover", "start", "end"),
    )
)
"""Moments of a sale or a stay at which something is done."""
