"""Words of an English sentence and their stems, so that “promising” and “promise” are one word.

Screening. A light stemmer is enough here: it only has to bring the forms of one word together.
"""

import re
from functools import lru_cache

from core.screening.word_lists import word_list

WORD = re.compile(r"[^\W\d_][\w]*(?:['’-][^\W\d_]\w*)*|\d+(?:[.,:]\d+)*%?")

_IRREGULAR = {
    "told": "tell", "said": "say", "gave": "give", "given": "give", "sent": "send", "paid": "pay", "made": "make",
    "took": "take", "taken": "take", "found": "find", "kept": "keep", "left": "leave", "held": "hold", "wrote": "write",
    "written": "write", "knew": "know", "known": "know", "shown": "show", "bought": "buy", "sold": "sell", "chose": "choose",
    "chosen": "choose", "spoke": "speak", "spoken": "speak", "began": "begin", "begun": "begin", "ran": "run",
    "forgot": "forget", "forgotten": "forget", "built": "build", "spent": "spend", "lost": "lose", "meant": "mean",
    "people": "person", "children": "child", "has": "have", "had": "have", "is": "be", "are": "be", "was": "be",
    "were": "be", "been": "be", "being": "be", "does": "do", "did": "do", "done": "do", "goes": "go", "went": "go",
    "gone": "go", "hidden": "hide", "withheld": "withhold", "denied": "deny", "replied": "reply", "lying": "lie",
    "news": "news", "address": "address", "bias": "bias", "status": "status", "always": "always", "during": "during",
    "business": "business", "access": "access", "process": "process", "less": "less", "proceed": "proceed", "exceed": "exceed",
    "need": "need", "feed": "feed", "speed": "speed", "embed": "embed", "thing": "thing", "string": "string", "bring": "bring",
    "nothing": "nothing", "anything": "anything", "something": "something", "everything": "everything", "morning": "morning",
    "evening": "evening", "email": "email", "returning": "returning", "data": "data", "analysis": "analyse", "analyses": "analyse", "analyzing": "analyse",
}  # fmt: skip


def words(text: str) -> list[str]:
    """The words and numbers of a text, lower case, in order."""
    return [match[0].lower().replace("’", "'") for match in WORD.finditer(text)]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The common form of a word's inflections; numbers stay as they are."""
    word = word.removesuffix("'s").removesuffix("'")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.isascii() or not word.isalpha() or len(word) <= 3:
        return word
    return _tidy(_without_ending(word))


_NOUN_ENDINGS = (
    ("ifications", "ifi"), ("ification", "ifi"), ("izations", "ise"), ("ization", "ise"), ("isations", "ise"), ("isation", "ise"),
    ("ellations", "el"), ("ellation", "el"), ("ations", "ate"), ("ation", "ate"), ("ements", "e"), ("ement", "e"),
    ("ments", ""), ("ment", ""), ("nesses", ""), ("ness", ""),
)  # fmt: skip


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
    return stemmed[:-1] + "i" if len(stemmed) > 2 and stemmed.endswith("y") else stemmed


@lru_cache(maxsize=8)
def stems_of(name: str) -> frozenset[str]:
    """The stems of a word list."""
    return frozenset(stem(word) for word in word_list(name))
