"""Advice to give something away: an order that grants, pays or offers, and names nothing that is looked at first.

Screening, plants. Of a critic alone: its notes are read before anyone has decided about them, and a user who talks it
into something wants just this. What a check or a person writes is not suspected.
"""

import re

from core.screening.contract import Follows, Place, Screen, ScreenFinding
from core.screening.plain import plain
from core.vocabulary import Severity

_GIVE = (
    r"(?:refund|reimburs|repay|pay|credit|compensat|grant|giv|offer|approv|waiv|upgrad|discount|issu|send|transfer|accept"
    r"|allow|extend|unlock|replac|honou?r|fulfil|comply|agree|provid|hand|process|handl|arrang|mak|do|apply|book|push|settl|clear|issu)(?:l?ing|e|y)?"
)
_BESIDE = r"(?:please |always |keep |just |simply |still |also |immediately |at once )*"
_GIVES = re.compile(
    rf"(?:^|[.;:,!] ?|\band |\bthen |\bto ){_BESIDE}{_GIVE}\b",
    re.IGNORECASE,
)
_WORTH = re.compile(
    r"\b(?:refund\w*|reimburs\w*|repay\w*|money|voucher|credits?|discount|compensation|cash|gift|coupon|upgrade|free"
    r"|pay(?:s|ing|ment)?|fees?|amount|balance|points|bonus|exception|access|what(?:ever)? (?:the|this|a|any|every)"
    r" \w+ (?:asks?|wants?|demands?|says?)|[€$£₹]\s?\d|\d+ (?:euros?|dollars?|pounds?|rupees?|percent|%))",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"\b(?:before|after|only|unless|until|provided|first|verif\w+|authenticat\w+|check\w*|confirm\w+|polic(?:y|ies)"
    r"|rules?|eligib\w+|look\w* up|lookup|identity|proofs?|receipts?|records?|limits?|managers?|supervisors?|ask"
    r"|conditions?|terms)\b",
    re.IGNORECASE,
)


def generous_findings(text: str, part: str = "text") -> list[ScreenFinding]:
    """A finding for the first sentence of a part that gives something away and names nothing to look at first."""
    text = plain(text).text
    for sentence in re.finditer(r"[^.!?\n]+", text):
        words = sentence[0]
        if _GIVES.search(words) and _WORTH.search(words) and not _FIRST.search(words):
            return [_finding(words.strip(), sentence.start(), sentence.end(), part)]
    return []


def _finding(words: str, start: int, end: int, part: str) -> ScreenFinding:
    return ScreenFinding(
        Screen.PLANT,
        "untrusted_source:gives_away",
        Severity.HIGH,
        words,
        Place(start, end, part),
        f"It tells the agent to give something and names nothing to look at first: “{words}”.",
        "A person looks at this one draft and releases or rejects it.",
        Follows.HOLD,
    )
