"""Whether a text is about one case: a person, an order, a day, or something that happened once.

Screening, vagueness. Source: Using Feedback and Reflection in Agent Workflows, "Which lessons are worth storing".
"""

import re
from collections.abc import Iterator

from core.screening.word_lists import word_list
from core.vocabulary import Scope

_PERSONS = (
    "customer|user|client|student|caller|patient|guest|passenger|traveller|traveler|member|subscriber|buyer"
    "|shopper|colleague|named|called"
)
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Mx|Miss|Dr|Prof|Shri|Smt|Señor|Señora|Herr|Frau|Mme|Monsieur)\.? [A-Z]\w+")
_PERSON_AND_NAME = re.compile(rf"\b(?:[Tt]he )?(?:{_PERSONS})s?,? ([A-Z][a-z]+)(?: [A-Z][a-z]+|'s|’s|\b)")
_FAMILY = re.compile(
    r"\b[Tt]he ([A-Z][a-z]{2,}s)(?=['’]?(?:[.,;:!?]|$)|['’]|\s(?:about|to|for|by|from|on|in|at|with|only|want|need|have"
    r"|had|were|are|ask|asked|a|an|the|their|half|before|after|that|when|if|and|into|until|back|out)\b)"
)
_OWNED = "|".join(sorted(word_list("owned_things")))
_OWNER = re.compile(
    rf"(?<=[a-z,] )([A-Z][a-z]{{2,}})['’]s (?:\w+ )?(?:{_OWNED})\b(?! (?:page|form|policy|api|tool|team)\b)"
)
_SPOKEN_TO = re.compile(
    r"\b(?:[Tt]ell|[Tt]old|[Rr]emind(?:ed)?|[Tt]hank(?:ed)?|[Gg]reet(?:ed)?|[Aa]sk(?:ed)?|[Ll]et|[Rr]epl(?:y|ied) to"
    r"|[Aa]pologi[sz]e to|[Cc]ongratulate) ([A-Z][a-z]{2,})(?=[.,;!?]|$|\s(?:that|about|to|for|whether|if|why|how|when"
    r"|what|which|the|her|his|by|and|know|pay|off|not|again|on|directly)\b)"
)
_ROLE_AND_NAME = re.compile(
    rf"\b(?:{_PERSONS}) ([A-Z][a-z]{{2,}})(?=['’]s\b|[.,;!?]|$|\s(?:to|from|in|at|on|has|had|is|was|wants|by|with|for|a"
    r"|the|her|his|again)\b)"
)
_SOMEBODY = re.compile(
    r"\b[Tt]he (?:(?:old|young|elderly|tall) )?"
    r"(?:(?:man|woman|lady|gentleman|guy|boy|girl) (?:from|with|whose|in)"
    r"|(?:couple|family) (?:from|in)|(?:man|woman|lady|gentleman) who (?:called|wrote|came|asked|bought|ordered))\b"
)
_NOBODY_NAMED = re.compile(r"^\W*(?:His|Her|He|She)\b")
_THIS_ONCE = re.compile(
    r"(?<!at )(?<!by )(?<!around )(?<!during )\bthis (?:one )?time(?=\s*(?:[.,;!?]|$))", re.IGNORECASE
)
_CAPITAL = re.compile(r"\b[A-Z][a-z]+(?=\b|'s|’s)")
_POSSESSED = re.compile(
    r"['’]s\b|\s[A-Z][a-z]+|\s(?:was|were|had|got|did|is|has|wanted|asked|said|called|complained|received|paid"
    r"|wrote)\b"
)
_DEICTIC = re.compile(
    rf"\b(?:this|that|these) (?:particular |specific |one |last )?(?:{_PERSONS}|order|ticket|complaint|booking"
    r"|reservation|refund|caller|account|invoice|shipment)(?:'s|’s)?\b",
    re.IGNORECASE,
)
_SHORT_ID = re.compile(r"(?<![\w-])(?!iso|rfc|utf|din|sha|cve|pep|http)[a-z]{2,8}[-_]\d{5,}\b")
_PREMISES = re.compile(r"\b(?:flat|apartment|suite|booth|stand|plot|locker|berth) \d+[a-z]?\b", re.IGNORECASE)
_USER_ID = re.compile(r"\b[a-z]{2,}_[a-z]{2,}_\d{3,}\b")
_HASH = re.compile(r"(?<![\w&])#[A-Za-z]*\d{3,}\w*")
_TICKET = re.compile(
    r"\b(?!ISO|RFC|UTF|SHA|HTTP|ERR|CVE|AES|IEEE|DIN|MD|GPT|PEP|COVID|E-|ECE)[A-Z]{2,5}-\d{3,}(?:-\d+)*\b"
)
_NUMBERED = re.compile(
    r"\b(?:order|ticket|reservation|booking|invoice|case|transaction|claim|shipment|tracking|account|user|customer"
    r"|session|flight|pnr|confirmation"
    r"|request|incident|complaint|contract|parcel|chat|conversation|application|enrol+ment|student|policy holder"
    r"|member|item|product|subscription|(?:repair |print )?job|locker|meter|loan|permit|licence|registration"
    r"|prescription|delivery|payment|guest|patient|tenant|voucher)"
    r"\s?(?:(?:numbers?|no\.?|ids?|code|ref(?:erence)?)\s?(?:is |was )?|:\s?)?(#?[A-Z]{0,4}-?\d[\dA-Z-]{3,}"
    r"|(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{5,8})\b",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"\s?(?:%|rupees?|rs|inr|usd|eur|gbp|dollars?|euros?|pounds?|points?|miles|days?|hours?|minutes?|seconds?|ms"
    r"|words?|characters?|tokens?|items?|times)\b",
    re.I,
)
_YEAR = re.compile(r"(?:19|20)\d\d$")
_DATED = re.compile(
    r"\b(?:yesterday|this morning|last (?:night|week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|earlier today"
    r"|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|the \d{1,2}(?:st|nd|rd|th)|\d{1,2} [A-Z][a-z]+"
    r"|[A-Z][a-z]+ \d{1,2}))\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|wasn't|weren't|had|hadn't|did|didn't|got|went|gave|told|said|made|took|forgot|sent|came|left|felt"
    r"|lost|found|paid"
    r"|bought|ran|broke|wrote|thought|knew|kept|led|cost|(?!need|speed|feed|exceed|proceed|succeed|embed"
    r"|shared?)\w{2,}ed)\b",
    re.IGNORECASE,
)
_NO_NAMES = word_list("names_that_are_words")
"""Names that are also words, months or brands; they count only beside a title, a surname or a possessive."""


def case_words(text: str, *, scope: Scope = Scope.TASK_CLASS) -> tuple[int, int] | None:
    """The place of the first words that belong to one case, or None. Scope ``user`` may name its user."""
    found = list(_numbers(text))
    if scope is not Scope.USER:
        found += [*_persons(text), *_somebody(text)]
    return min(found, default=None)


def tells_what_happened(text: str) -> bool:
    """Whether a text reports something in the past."""
    return bool(_PAST.search(text) or _DATED.search(text))


def _numbers(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (_USER_ID, _HASH, _TICKET, _SHORT_ID, _PREMISES):
        yield from (match.span() for match in pattern.finditer(text))
    for match in _NUMBERED.finditer(text):
        code = match[1]
        counted = _UNIT.match(text, match.end()) or _YEAR.match(code)
        if any(character.isdigit() for character in code) and not counted and not (code.isalnum() and code.islower()):
            yield match.span()


def _somebody(text: str) -> Iterator[tuple[int, int]]:
    """Somebody who is meant without a name: “this caller”, “the man from …”, “her parcel”, and “this time”."""
    for pattern in (_DEICTIC, _SOMEBODY, _NOBODY_NAMED, _THIS_ONCE):
        yield from (match.span() for match in pattern.finditer(text))


def _persons(text: str) -> Iterator[tuple[int, int]]:
    yield from (match.span() for match in _TITLE.finditer(text))
    for pattern in (_FAMILY, _OWNER, _SPOKEN_TO, _ROLE_AND_NAME):
        yield from (match.span(1) for match in pattern.finditer(text) if not _is_no_person(match[1]))
    for match in _PERSON_AND_NAME.finditer(text):
        if match[1].lower() in word_list("given_names") or match[0].endswith(("'s", "’s")):
            yield match.span()
    for match in _CAPITAL.finditer(text):
        if match[0].lower() in word_list("given_names") and _is_name(text, match):
            yield match.span()


def _is_no_person(word: str) -> bool:
    """Days, months, countries, teams, makers, roles, and what a screen calls its pages."""
    return word.lower() in word_list("capitalised_words") or word.endswith(("day", "days"))


def _is_name(text: str, match: re.Match[str]) -> bool:
    followed = bool(_POSSESSED.match(text, match.end()))
    begins = match.start() == 0 or text[: match.start()].rstrip(" \"'“(").endswith((".", "!", "?", ":", "\n", ";"))
    if match[0].lower() in _NO_NAMES:
        return followed and not begins
    return followed or not begins or text[match.end() : match.end() + 1] in (",", ".", ":")
