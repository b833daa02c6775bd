"""Whether a text speaks of what one user prefers.

Screening, scope. A reflection holds for one user only where it does, and for a task class otherwise. Source: Reflexion
buffer, "Scope policy".
"""

import re

from core.screening.plain import plain

_SOMEBODY = (
    r"(?:(?:the|this|that|our|each|every|a) )?(?:same )?(?:user|customer|client|student|caller|patient|guest|passenger"
    r"|traveller|traveler|member|subscriber|buyer|shopper|person|they|she|he)"
)
_LIKES = (
    r"prefers?|preferred|likes?|liked|dislikes?|disliked|favou?rs?|favou?red|would rather|would like to be|cannot stand"
    r"|(?:wants?|wanted|wishes|wished|asks?|asked|insists?|insisted) (?:always |never |not )*"
    r"(?:to be|(?:me|us|the agent) (?:not |never |always )*to|for (?:all|every|each|any) \w+ to"
    r"|that (?:I|we|the agent))"
)
_SAYS_SO = re.compile(
    rf"\b{_SOMEBODY}(?: (?:had|has|have|also|always|usually|clearly|explicitly|already))* (?:{_LIKES})\b"
    rf"|\b(?:(?:user|customer|client|student|caller|patient|guest|member|person)s?['’]s?|their|her|his) "
    r"(?:\w+ ){0,2}(?:preferences?|preferred|favou?rite|wish(?:es)?|likings?|dislikes?)\b"
    r"|\bpreferences? of (?:the|this|that) \w+",
    re.IGNORECASE,
)


def names_a_preference(text: str) -> bool:
    """Whether it says what a user likes, prefers, or asked to be done in general; what they wanted once is none."""
    return _SAYS_SO.search(plain(text).text) is not None
