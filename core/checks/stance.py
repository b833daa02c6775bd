"""Whether the agent puts words forward, or warns of them, quotes them, asks about them.

Part of the checks, second station of the flow. The nearest cue before the words decides: "I suggest debt funds instead
of equity" warns, "instead of a deposit I suggest equity" recommends. A refusal soon after the words counts as well
("equity is off the table"). Promise: both answers are false wherever in doubt.
"""

import re
from functools import lru_cache

from core.checks.passages import Passage, clauses, is_question, passage_at, quoted, sentences

_ADVICE = (
    r"recommend(?:ed|ing)?|suggest(?:ed|ing)?|propos(?:e|ed|ing)|advis(?:e|ed|ing)|consider(?:ing)?|allocat\w+|"
    r"split(?:ting)?|invest(?:ed|ing)?|put(?:ting)?|mov(?:e|ing)|go(?:ing)? (?:for|with)|opt(?:ing)? for|"
    r"choos(?:e|ing)|pick(?:ing)?|start(?:ing)?|buy(?:ing)?|add(?:ing)?|book(?:ed|ing)?|best|ideal|worth|"
    r"(?:good|great) (?:option|choice|fit)|(?:would|will) (?:give|earn|suit|deliver)|should|could (?:use|take)|"
    r"happy to|you can|let[’']s|I[’']d|I would|offer(?:ing)?"
)
_DENIAL = (
    r"avoid(?:s|ed|ing)?|not|never|cannot|without|instead of|rather than|other than|apart from|exclud\w+|"
    r"rul(?:e|ed|es|ing) out|steer(?:ing)? (?:clear|away)|stay(?:s|ing)? (?:clear|away|out)|clear of|free (?:of|from)|"
    r"no|nor|neither|none|nothing|against|except|unlike|skip(?:ping)?|leav(?:e|ing) out|left out|away from|"
    r"keep(?:s|ing)? (?:out|off|away)|off the table|unsuitable|refus\w+|declin\w+|prohibit\w*|forbid\w*|forbidden|"
    r"impossible|myth|misleading|unlikely|too risky|(?:can|won)[’']t|"
    r"(?:is|are|was|were|does|do|did|would|will|should|could|must|has|have)n[’']t"
)
_KNOWN_TO_USER = (
    r"since you|as you|because you|you (?:said|asked|told|mentioned|ruled|prefer|don|do not|want)|"
    r"your (?:rule|constraint|wish|preference)|out of|exit(?:ing)?|redeem\w*|sell(?:ing)?|reduc\w+|"
    r"you (?:already |currently )?(?:hold|own|have)|holdings?|currently|existing|compared (?:to|with)|versus|"
    r"risks? (?:of|in)"
)
_FOR = re.compile(rf"\b(?:{_ADVICE})\b|[₹$€£]\s?\d|\d\s?%", re.I)
_DENIED = re.compile(rf"\b(?:{_DENIAL})\b|\bnon\b|\w-free\b", re.I)
_AGAINST = re.compile(rf"\b(?:{_DENIAL}|{_KNOWN_TO_USER})\b|\bnon\b|\w-free\b", re.I)
_EMPHASIS = re.compile(
    r"\b(?:do not|don[’']t|no need to) (?:you )?worry\b|\bno (?:doubt|worries|problem)\b|\bnot only\b|\bwhy not\b", re.I
)
"""Negations that deny nothing of what follows."""
_REFUSED_AFTER = re.compile(
    r"^[^,;:.–—]{0,60}?\b(?:not|never|n[’']t|off the table|out of (?:the )?question|excluded|ruled out|no longer|"
    r"unsuitable|too risky|which you|that you (?:asked|ruled|said|want)|as you|you[’']ve ruled|is what you)\b"
    r"|^\s*[-‑]\s*free\b|^,? which you\b",
    re.I,
)
_NEGATED = re.compile(
    r"(?:\b(?:not|never|cannot|no|nothing|without|rather than|instead of)|n[’']t)(?:\s+\w+){0,3}\s*$", re.I
)
_PREFIXED = re.compile(r"\b(?:no|non|anti|without)[-‑\s]*$", re.I)
_PRAISED_AFTER = re.compile(
    r"^[^,;:]{0,40}\b(?:is|are|would be|will be)\b[^,;:]{0,30}\b(?:best|ideal|good|great|right|sensible)\b"
    r"|\b(?:will|would|can|should) (?:give|earn|deliver|bring|grow|suit)\b",
    re.I,
)
_LIST_MARK = re.compile(r"(?:\n|\\n)\s*(?:[-*•]|\d{1,2}[.)])[\s*_]*$")


@lru_cache(maxsize=1024)
def term_pattern(term: str) -> re.Pattern[str]:
    """Finds a word or phrase whatever its case, its hyphens, its apostrophes and the plural of its last word."""
    words = [re.escape(word) for word in re.split(r"[\s\-‐‑–]+", term.strip()) if word]
    if not words:
        return re.compile(r"(?!)")
    last = words[-1]
    words[-1] = last[:-1] + r"(?:y|ies)" if last.endswith("y") else last.removesuffix("s") + r"(?:s|es)?"
    joined = r"[\s\-‐‑–]+".join(re.sub(r"['’]", "['’]", word) for word in words)
    return re.compile(rf"(?<!\w){joined}(?!\w)", re.I)


def put_forward(text: str, sentence: Passage, start: int, end: int) -> bool:
    """Whether words are said as true: in no question or quotation, and nothing denies them."""
    clause = passage_at(clauses(text, sentence), start) or sentence
    if not _is_said(text, sentence, start, end) or _DENIED.search(_EMPHASIS.sub("", text[clause.start : start])):
        return False
    return _cue(text, sentence, start, _DENIED) is not False


def recommended(text: str, sentence: Passage, start: int, end: int) -> bool:
    """Whether words are put forward as advice: a cue of recommendation governs them before or after."""
    if not _is_said(text, sentence, start, end):
        return False
    clause = passage_at(clauses(text, sentence), start) or sentence
    cue = _cue(text, sentence, start, _AGAINST)
    return cue is True or (cue is None and bool(_PRAISED_AFTER.search(text[end : clause.end])))


def _is_said(text: str, sentence: Passage, start: int, end: int) -> bool:
    """Whether the agent says the words itself, and does not take them back in the same breath."""
    if is_question(text, sentence) or quoted(text, start, end):
        return False
    return not (_PREFIXED.search(text[sentence.start : start]) or _REFUSED_AFTER.search(text[end : sentence.end]))


def _cue(text: str, sentence: Passage, start: int, against: re.Pattern[str]) -> bool | None:
    """The cue that governs a place: the nearest of its sentence, else that of the line that introduces its list."""
    own = _nearest_cue(text[sentence.start : start], against)
    if own is not None:
        return own
    introduction = _introduction(text, sentence)
    return _nearest_cue(introduction.of(text), against) if introduction else None


def _introduction(text: str, sentence: Passage) -> Passage | None:
    """The sentence with a colon that introduces the list in which this one stands."""
    if not _LIST_MARK.search(text[: sentence.start]):
        return None
    earlier = [each for each in sentences(text) if each.end <= sentence.start]
    return next((each for each in reversed(earlier) if text[each.end :].lstrip(" *_").startswith(":")), None)


def _nearest_cue(before: str, against: re.Pattern[str]) -> bool | None:
    """True for the nearest cue of recommendation, False for one against, None without any."""
    before = _EMPHASIS.sub("", before)
    refusal = max((match.start() for match in against.finditer(before)), default=-1)
    advice = [match.start() for match in _FOR.finditer(before) if not _NEGATED.search(before[: match.start()])]
    if not advice and refusal == -1:
        return None
    return max(advice, default=-1) > refusal
