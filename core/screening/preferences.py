"""Whether a text speaks of what one user prefers.

Screening, scope. A reflection holds for one user only where it does, and for a task class otherwise. Source: Reflexion
buffer, "Scope policy".
"""

import re

from core.screening.plain import plain

_SOMEBODY = (
    r"(?:(?:the|this|that|these|those|our|each|every|a) )?(?:same )?"
    r"(?:(?:user|customer|client|student|caller|patient|guest|passenger|traveller|traveler|member|subscriber|buyer"
    r"|shopper|person)s?|people|they|she|he)"
)
_NOT = r"(?:does not|do not|did not|doesn['’]t|don['’]t|didn['’]t|would not|wouldn['’]t|would)"
_LIKES = (
    r"prefers?|preferred|likes?|liked|dislikes?|disliked|hates?|hated|loves?|loved|favou?rs?|favou?red|would rather"
    r"|would like to be|cannot stand|can['’]t stand"
    r"|(?:wants?|wishes|asks?|insists?) (?:always |never |not )*to be"
    r"|(?:wanted|wished|asked|insisted) (?:always|never|not) (?:always |never )?to be"
    r"|(?:wanted|wished|asked|insisted) to (?:always|never) be|(?:wanted|wished|asked|insisted) to be \w+ing"
    r"|(?:wanted|wished|asked) to be (?:called|addressed|spoken to|written to|greeted)\b(?! (?:back|again|now|today))"
    r"|(?:wants?|wanted|wishes|wished|asks?|asked|insists?|insisted) (?:always |never |not )*"
    r"(?:(?:me|us|the agent) (?:not |never |always )*to|for (?:all|every|each|any) \w+ to"
    r"|that (?:I|we|the agent))"
)
_SAYS_SO = re.compile(
    rf"\b{_SOMEBODY}(?: (?:{_NOT}|had|has|have|also|always|usually|already|\w+ly))* (?:{_LIKES})\b"
    rf"|\b(?:(?:user|customer|client|student|caller|patient|guest|member|person)s?['’]s?|their|her|his) "
    r"(?:\w+ ){0,2}(?:preferences?|preferred|favou?rite|wish(?:es)?|likings?|dislikes?)\b"
    r"|\bpreferences? of (?:the|this|that) \w+",
    re.IGNORECASE,
)


def names_a_preference(text: str) -> bool:
    """Whether it says what a user likes, prefers, or asked to be done in general; what they wanted once is none."""
    return _SAYS_SO.search(plain(text).text) is not None
