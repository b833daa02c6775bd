"""Policies that leave a step to somebody or give it a time, and drafts that take the step over or put it off.

Screening, conflicts. A policy names who decides (“approved by a manager”), what it depends on, or by when; a draft
goes against it without a word of ban when the agent does it on its own, promises it, or has it looked at afterwards.
The words for that are few and closed; the object must be the policy's own.
"""

import re

from core.screening.meaning import Saying, sayings

_BY_SOMEBODY = re.compile(
    r"\b(?:is|are|be|been)(?: \w+){1,3}? by (?=[a-z])|\b(?:check|review|approval|consent|permission|sign-off|signature"
    r"|agreement|authori[sz]ation|confirmation|decision|go-ahead)s?\b(?: \w+){0,2}? (?:by|of|from) (?=[a-z])"
    r"|\b(?:goes|go|referred|passed|sent|reported|escalated|left|reserved) (?:to|for) (?=[a-z])|\bonly (?:an?|the) "
    r"|\b(?:before|without|until) ",
    re.IGNORECASE,
)
"""What stands in front of the one who decides, or of what must come first."""
_ONLY_THEY = re.compile(
    r"^\W*(?:only|nobody but|no one but) (?P<who>[^.;]{1,80}?) (?:may|can|are allowed to|is allowed to|must|shall)\b"
    r"(?P<act>.{1,200})"
    r"|^(?P<done>.{1,200}?)\bby (?P<by>[^.;]{1,80}?) (?:alone|only|exclusively)\b",
    re.IGNORECASE,
)
_DEPENDS = re.compile(
    r"\b(?:depends? on|subject to|at the discretion of|decided by|not guaranteed|no (?:claim|right|guarantee)"
    r"|if available|while stocks last)\b",
    re.IGNORECASE,
)
_IN_TIME = re.compile(
    r"\b(?:within|immediately|at once|straight away|right away|without delay|promptly|the same (?:day|shift))\b",
    re.IGNORECASE,
)
_ON_ITS_OWN = re.compile(
    r"\b(?:(?:by )?yourself|on your own|by your own decision|on your own (?:authority|initiative)|at your (?:own )?"
    r"discretion|as you see fit|on the spot|without (?:asking|involving|telling) (?:any(?:one|body)|the|an?))\b",
    re.IGNORECASE,
)
_PUT_OFF = re.compile(
    r"\b(?:later(?! than)|afterwards?|subsequently|after the fact|in retrospect|retroactively|at the end of"
    r"|(?:the )?next (?:day|morning|week|shift)|when (?:there is|you have) time)\b",
    re.IGNORECASE,
)
_PROMISES = re.compile(r"\b(?:promis|guarante|assur|pledg)\w*", re.IGNORECASE)
_CLAUSES = re.compile(r"[.;:!?\n]+|,|\b(?:and|but|then)\b")
_PASSES_ON = re.compile(
    r"\s*(?:always |please |never |do not |don't )?(?:ask|forward|escalate|transfer|pass|refer|route|consult|check"
    r"|wait)\b",
    re.IGNORECASE,
)


def taken(text: str, sentence: str) -> str:
    """The words by which a draft takes over or puts off what a policy's sentence reserves; empty where it does not."""
    shared = _stems(text) & _stems(sentence)
    return (
        _done_alone(text, sentence, shared)
        or _done_without_them(text, sentence)
        or _looked_at_later(text, sentence)
        or _past_the_time(text, sentence, shared)
        or _promised(text, sentence, shared)
    )


def _done_alone(text: str, sentence: str, shared: frozenset[str]) -> str:
    if not _BY_SOMEBODY.search(sentence) or not (shared or _same_unit(text, sentence)):
        return ""
    return _said(_ON_ITS_OWN, text)


def _done_without_them(text: str, sentence: str) -> str:
    """An act that only somebody may do, asked of the agent: verb and object are the policy's, its doer is not named."""
    match = _ONLY_THEY.search(sentence)
    if match is None:
        return ""
    doer, act = _stems(match["who"] or match["by"]), _stems(match["act"] or match["done"])
    if _stems(text) & doer or _PASSES_ON.match(text):
        return ""
    said = (saying for saying in sayings(text) if saying.positive and saying.begins in act)
    return next((saying.text for saying in said if len(act & saying.all - saying.case) >= 2), "")


def _looked_at_later(text: str, sentence: str) -> str:
    """The clause that puts something off must name whoever or whatever the policy asks for first."""
    match = _BY_SOMEBODY.search(sentence)
    if match is None:
        return ""
    comes_first = match[0].lower().startswith(("before", "until"))
    guard = _stems(sentence[: match.start()] if comes_first else sentence[match.end() :])
    late = (clause for clause in _CLAUSES.split(text) if guard & _stems(clause))
    return next((found for clause in late if (found := _said(_PUT_OFF, clause))), "")


def _past_the_time(text: str, sentence: str, shared: frozenset[str]) -> str:
    return _said(_PUT_OFF, text) if len(shared) >= 2 and _IN_TIME.search(sentence) else ""


def _promised(text: str, sentence: str, shared: frozenset[str]) -> str:
    return _said(_PROMISES, text) if len(shared) >= 2 and _DEPENDS.search(sentence) else ""


def _said(pattern: re.Pattern[str], text: str) -> str:
    """The words found in a clause that neither forbids nor passes the matter on."""
    for saying in sayings(text):
        match = pattern.search(saying.text)
        if match and saying.positive and not _PASSES_ON.match(saying.text):
            return match[0]
    return ""


def _stems(text: str) -> frozenset[str]:
    return frozenset().union(*(saying.all for saying in sayings(text)))


def _same_unit(text: str, sentence: str) -> bool:
    """Whether both count the same: “above 10 percent” and “offer 15 percent”."""
    return bool(_units(sayings(text)) & _units(sayings(sentence)) - {""})


def _units(said: tuple[Saying, ...]) -> frozenset[str]:
    return frozenset(amount.unit for saying in said for amount in saying.amounts)
