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
_ADVERB = (
    r" (?:(?:does|do|did|has|have|had)(?:n['’]t)?|not|never|no longer|always|often|sometimes|also|already|just|still"
    r"|even|rather|quite|very|much|both|all|\w+ly)\b"
)
"""What may stand before the verb: negations, adverbs, what makes a past of it."""

_SOON = r"[^.;,]{0,80}\b(?:back|now|today|tonight|tomorrow|soon|at once|immediately)\b"
"""What makes of a wish one for this once."""

_LIKES = (
    rf"(?:{_ADVERB}| would(?:n['’]t| not| never)\b)* (?:"
    r"likes?|liked|loves?|loved|cannot stand|can['’]t stand"
    rf"|(?:wants?|wishes|asks?|insists?) (?:always |never |not )*to be\b(?!{_SOON})"
    r"|(?:wants?|wanted|wishes|wished|asks?|asked|insists?|insisted) (?:always |never |not )*"
    r"(?:(?:me|us|the agent) (?:not |never |always )*to|for (?:all|every|each|any) \w+ to"
    r"|that (?:I|we|the agent)))"
)
_PREFERS = (
    rf"(?:['’]d)?(?:{_ADVERB}| would(?:n['’]t)?\b)* (?:"
    r"prefers?|preferred|dislikes?|disliked|hates?|hated|favou?rs?|favou?red|would rather"
    r"|(?:wanted|wished|asked|insisted|like|love) (?:(?:always|never|not) (?:always |never )?to be"
    r"|to (?:always|never|not) be|to be \w+ing"
    rf"|to be (?:called|phoned|addressed|spoken to|written to|greeted)\b(?! again\b|{_SOON})))|['’]d rather"
)
"""These hold after *would*, too, where *would like* asks for something once."""

_SAYS_SO = re.compile(
    rf"\b{_SOMEBODY}(?:{_LIKES}|{_PREFERS})\b"
    rf"|\b(?:(?:user|customer|client|student|caller|patient|guest|member|person)s?['’]s?|their|her|his) "
    r"(?:\w+ ){0,2}(?:preferences?|preferred|favou?rite|wish(?:es)?|likings?|dislikes?)\b"
    r"|\bpreferences? of (?:the|this|that) \w+",
    re.IGNORECASE,
)


def names_a_preference(text: str) -> bool:
    """Whether it says what a user likes, prefers, or asked to be done in general; what they wanted once is none."""
    return _SAYS_SO.search(plain(text).text) is not None
