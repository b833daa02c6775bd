"""Whether a question asks for one event or for a pattern: the first is answered by episodes, the second by beliefs.

Source: Reflection: From Experiences to Beliefs, "When reflection helps": mixing the two layers is the usual failure.
The answer names the words that decided, so that a person can see why. English questions; others fall to the default.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_ONE_EVENT = (
    r"\b(?:when|where)\s+(?:(?:exactly|precisely)\s+)?(?:did|was|were|has|had)\b",
    r"\bhow many times\b",
    r"\bhow often did\b",
    r"\b(?:the\s+)?(?:last|first|previous|latest|most recent) time\b",
    r"\b(?:yesterday|last\s+(?:night|week|month|year))\b",
    r"\bhow long ago\b",
)
_PATTERN = (
    r"\b(?:usually|normally|typically|generally|always|never|often|mostly|regularly|habitually)\b",
    r"\bin general\b",
    r"\btends?\s+to\b",
    r"\bprefer(?:s|red|ence|ences)?\b",
    r"\bhabits?\b",
    r"\b(?:every|each)\s+time\b",
    r"\bmost of the time\b",
    r"\bhow often do(?:es)?\b",
    r"\b(?:what|how|which|why)\b.{0,40}?\bdo(?:es)?\b.{1,60}?\b(?:want|like|need|expect|care|work|react|decide|think)s?\b",
    r"\bwhat kind of\b",
)
_PERHAPS_ONE = (
    r"\b(?:which|what)\s+(?:date|day|time|session|turn|month|year)s?\b",
    r"\bthe\s+(?:last|first|previous|latest|most recent)\b",
    r"^\s*when\b",
    rf"\b(?:did|was|were|has|had)\b.*?\bon\s+(?:the\s+)?(?:\d|{_DAY}|{_MONTH})",
    r"\b\d{4}-\d{2}-\d{2}\b",
    rf"\b\d{{1,2}}\.?\s+{_MONTH}\b|\b{_MONTH}\s+\d{{1,2}}\b",
    r"^\s*(?:did|was|were|has|had)\s+(?:an?|the|this|that|these|those|any|s?he|they|we|you|i|it|there|his|her|their)\b",
    r"\bwhat (?:did|happened|was said)\b",
    r"\bwho (?:did|said|asked|told|\w+ed)\b",
    r"\b(?:exact|exactly|precise|precisely)\b",
)


class Layer(StrEnum):
    """What answers a question."""

    EPISODES = "episodes"
    BELIEFS = "beliefs"


@dataclass(frozen=True)
class Routed:
    """Which layer answers, why in a sentence, and the words of the question that decided; none for the default."""

    layer: Layer
    why: str
    words: tuple[str, ...] = ()


def route(question: str) -> Routed:
    """Where a question goes.

    A clear sign of one event (“when did”, “the last time”) outweighs one of a pattern (“usually”), and that outweighs
    a faint sign of one event (“did … on Monday”, “exactly”). With none, a pattern is asked for.
    """
    if found := _found(question, _ONE_EVENT):
        return Routed(Layer.EPISODES, f"It asks about one event: {_named(found)}.", found)
    if found := _found(question, _PATTERN):
        return Routed(Layer.BELIEFS, f"It asks about a pattern: {_named(found)}.", found)
    if found := _found(question, _PERHAPS_ONE):
        return Routed(Layer.EPISODES, f"It asks about one event: {_named(found)}.", found)
    return Routed(Layer.BELIEFS, "No word says that it asks about one event, so it is taken to ask about a pattern.")


def _found(question: str, signs: tuple[str, ...]) -> tuple[str, ...]:
    matches = (re.search(sign, question, re.IGNORECASE) for sign in signs)
    return tuple(dict.fromkeys(" ".join(found[0].split()) for found in matches if found))


def _named(found: tuple[str, ...]) -> str:
    return ", ".join(f"“{words}”" for words in found)
