"""Words of an English sentence and their stems, so that “promising” and “promise” are one word.

Screening. A light stemmer is enough here: it only has to bring the forms of one word together.
"""

import re
from functools import cache, lru_cache

from core.screening.word_lists import pairs, word_list

WORD = re.compile(r"[^\W\d_][\w]*(?:['’-][^\W\d_]\w*)*|\d+(?:[.,:]\d+)*%?")


@cache
def _irregular() -> dict[str, str]:
    """From a form to its base; a row of the list is a base and its forms, or a word that has no ending to lose."""
    return {form: row[0] for row in pairs("irregular") for form in row[len(row) > 1 :]}


def words(text: str) -> list[str]:
    """The words and numbers of a text, lower case, in order."""
    return [match[0].lower().replace("’", "'") for match in WORD.finditer(text)]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The common form of a word's inflections; numbers stay as they are."""
    word = word.removesuffix("'s").removesuffix("'")
    base = _irregular().get(word)
    if base is not None:
        return word if base == word else stem(base)
    if "-" in word:
        head, _, tail = word.rpartition("-")
        return f"{head}-{stem(tail)}"
    if not word.isascii() or not word.isalpha() or len(word) <= 3:
        return word
    return _tidy(_without_ending(word))


def is_irregular(word: str) -> bool:
    """Whether a word is a form of another one, such as “gave”."""
    return _irregular().get(word, word) != word


_NOUN_ENDINGS = (
    ("ifications", "ifi"),
    ("ification", "ifi"),
    ("izations", "ise"),
    ("ization", "ise"),
    ("isations", "ise"),
    ("isation", "ise"),
    ("ellations", "el"),
    ("ellation", "el"),
    ("ations", "ate"),
    ("ation", "ate"),
    ("ements", "e"),
    ("ement", "e"),
    ("ments", ""),
    ("ment", ""),
    ("nesses", ""),
    ("ness", ""),
)


def _without_ending(word: str) -> str:
    for ending, instead in _NOUN_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + instead
    for ending in ("ingly", "edly", "ings", "ing", "ied", "ies", "ed", "es", "ly", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: -len(ending)] + ("i" if ending in ("ied", "ies") else "")
    return word


def _tidy(stemmed: str) -> str:
    """Doubled consonants, final e and y, and both spellings of -ise become one form."""
    if stemmed.endswith("ize"):
        stemmed = stemmed[:-3] + "ise"
    if stemmed.endswith("iz"):
        stemmed = stemmed[:-2] + "is"
    if len(stemmed) > 3 and stemmed[-1] == stemmed[-2] and stemmed[-1] not in "aeiouls":
        stemmed = stemmed[:-1]
    if len(stemmed) > 3 and stemmed[-1] == stemmed[-2] == "l":
        stemmed = stemmed[:-1]
    if len(stemmed) > 3 and stemmed.endswith("e"):
        stemmed = stemmed[:-1]
    return stemmed[:-1] + "i" if len(stemmed) > 3 and stemmed.endswith("y") else stemmed


@lru_cache(maxsize=8)
def stems_of(name: str) -> frozenset[str]:
    """The stems of a word list."""
    return frozenset(stem(word) for word in word_list(name))
