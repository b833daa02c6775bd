"""Whether the agent gave in: a user or a tool asked for a rule, the agent said it back, and the draft is that rule.

Screening, plants. The support is then the agent's own turn, but the words are an outsider's. An honest lesson differs
from what the agent said, since it says what to do better.
"""

import re
from collections.abc import Iterable
from functools import reduce

from core.screening.contract import Heard, Support
from core.screening.meaning import sayings
from core.screening.plain import plain

_SAID_BACK = 0.75
"""Share of a draft's words that the agent's turn must hold."""
_ASKED_FOR = 0.5
"""Share of a draft's words that the outsider's turn must hold."""
_GAVE_IN = re.compile(
    r"^\W*(?:you(?:'re| are| have| 've)? (?:absolutely |quite |completely )?(?:right|correct)|understood|all? ?right"
    r"|ok(?:ay)?|sure|noted|agreed|of course|certainly|absolutely|got it|very well|fine|thank you|thanks"
    r"|as you (?:say|wish))\b"
    r"|\b(?:i|we)(?:'ll| will| shall)? (?:now )?(?:remember|note|keep in mind|take note|apply (?:that|this|it))\b"
    r"|\bfrom (?:now|here|today) on\b|\bfrom this point\b",
    re.IGNORECASE,
)
"""The agent says yes, or that it will keep to it."""
_FOR_GOOD = re.compile(
    r"\b(?:always|never|every\w*|all|any\w*|each|whenever|from (?:now|here|today) on|in (?:the )?future|later|next time"
    r"|remember|rules?|polic(?:y|ies)|law|must|allowed|may|entitled|in general|others?|standard|as often as)\b",
    re.IGNORECASE,
)
"""An outsider asks for a rule, not for one thing."""


def gave_in(text: str, support: Iterable[Support], heard: Iterable[Heard]) -> Heard | None:
    """The outsider whose rule the agent said back in a supporting turn, or None."""
    mine, forbids = _stems(text), _forbids(text)
    said_back = [
        quote
        for each in support
        if _holds(quote := plain(each.quote).text, mine, _SAID_BACK) and _forbids(quote) is forbids
    ]
    if len(mine) < 2 or not said_back:
        return None
    yielded = any(_GAVE_IN.search(quote) for quote in said_back)
    asked = (each for each in heard if _holds(plain(each.text).text, mine, _ASKED_FOR))
    return next((each for each in asked if yielded or _FOR_GOOD.search(each.text)), None)


def _holds(spoken: str, mine: frozenset[str], share: float) -> bool:
    return len(mine & _stems(spoken)) >= max(2, share * len(mine))


def _forbids(text: str) -> bool:
    """Whether one of a text's sentences forbids; a draft that forbids what the agent said is its contrary."""
    return any(not saying.positive for saying in sayings(text))


def _stems(text: str) -> frozenset[str]:
    return reduce(frozenset.union, (saying.all for saying in sayings(text)), frozenset())
