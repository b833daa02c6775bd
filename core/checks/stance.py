"""Whether the agent puts words forward, or warns of them, quotes them, asks about them.

Part of the checks, second station of the flow. The nearest cue before the words decides: "I suggest debt funds instead
of equity" warns, "instead of a deposit I suggest equity" recommends. A cue of refusal soon after the words counts as
well ("equity is off the table"). Promise: ``recommended`` is false wherever in doubt.
"""

import re
from functools import lru_cache

from core.checks.passages import Passage, clauses, is_question, passage_at, quoted

_FOR = re.compile(
    r"\b(?:recommend(?:ed|ing)?|suggest(?:ed|ing)?|propos(?:e|ed|ing)|advis(?:e|ed|ing)|consider(?:ing)?|"
    r"allocat\w+|split(?:ting)?|invest(?:ed|ing)?|put(?:ting)?|"
    r"mov(?:e|ing)|go(?:ing)? (?:for|with)|opt(?:ing)? for|choos(?:e|ing)|pick(?:ing)?|start(?:ing)?|buy(?:ing)?|"
    r"add(?:ing)?|book(?:ed|ing)?|best|ideal|"
    r"good (?:option|choice|fit)|great (?:option|choice|fit)|worth|would (?:give|earn|suit)|will (?:give|earn|"
    r"suit|deliver)|should|could (?:use|take)|happy to|"
    r"you can|let[’']s|I[’']d|I would|offer(?:ing)?)\b|[₹$€£]\s?\d|\d\s?%",
    re.I,
)
_AGAINST = re.compile(
    r"\b(?:avoid(?:s|ed|ing)?|not|never|cannot|without|instead of|rather than|other than|apart from|exclud\w+|"
    r"rul(?:e|ed|es|ing) out|"
    r"steer(?:ing)? (?:clear|away)|stay(?:s|ing)? (?:clear|away|out)|clear of|free (?:of|from)|no|nor|neither|"
    r"none|nothing|against|except|unlike|skip(?:ping)?|"
    r"leav(?:e|ing) out|left out|away from|keep(?:s|ing)? (?:out|off|away)|off the table|unsuitable|refus\w+|"
    r"declin\w+|prohibit\w*|forbid\w*|forbidden|"
    r"since you|as you|because you|you (?:said|asked|told|mentioned|ruled|prefer|don|do not|want)|your (?:rule|"
    r"constraint|wish|preference)|"
    r"too risky|(?:is|are|was|were|does|do|did|would|will|should|could|can|must|has|have)n[’']t|can[’']t|won[’']t|"
    r"impossible|myth|misleading|unlikely)\b|\bnon\b|\w-free\b",
    re.I,
)
_REFUSED_AFTER = re.compile(
    r"^[^,;:.–—]{0,60}?\b(?:not|never|n[’']t|off the table|out of (?:the )?question|excluded|ruled out|does not|"
    r"no longer|unsuitable|too risky|"
    r"which you|that you (?:asked|ruled|said|want)|as you|you[’']ve ruled|is what you|free)\b|^\s*[-‑]\s*free\b|"
    r"^,? which you\b",
    re.I,
)
_NEGATED = re.compile(
    r"\b(?:not|never|n[’']t|cannot|no|nothing|without|rather than|instead of)(?:\s+\w+){0,3}\s*$|"
    r"n[’']t(?:\s+\w+){0,3}\s*$",
    re.I,
)
_PREFIXED = re.compile(r"\b(?:no|non|anti|without)[-‑\s]*$", re.I)


@lru_cache(maxsize=1024)
def term_pattern(term: str) -> re.Pattern[str]:
    """Finds a word or phrase whatever its case, its hyphens and the plural of its last word."""
    words = [re.escape(word) for word in re.split(r"[\s\-‐‑–]+", term.strip()) if word]
    last = words[-1]
    words[-1] = last[:-1] + r"(?:y|ies)" if last.endswith("y") else last.removesuffix("s") + r"(?:s|es)?"
    return re.compile(r"(?<!\w)" + r"[\s\-‐‑–]+".join(words) + r"(?!\w)", re.I)


def put_forward(text: str, sentence: Passage, start: int, end: int) -> bool:
    """Whether words are said as true or good: no question, no quotation, and no refusal near them."""
    if is_question(text, sentence) or quoted(text, start, end):
        return False
    if _PREFIXED.search(text[sentence.start : start]) or _REFUSED_AFTER.search(text[end : sentence.end]):
        return False
    return _nearest_cue(text[sentence.start : start]) is not False


def recommended(text: str, sentence: Passage, start: int, end: int) -> bool:
    """Whether words are put forward as advice: a cue of recommendation governs them before or after."""
    if not put_forward(text, sentence, start, end):
        return False
    if _nearest_cue(text[sentence.start : start]) is True:
        return True
    clause = passage_at(clauses(text, sentence), start) or sentence
    after = text[end : clause.end]
    return bool(
        re.search(
            r"^[^,;:]{0,40}\b(?:is|are|would be|will be)\b[^,;:]{0,30}\b(?:best|ideal|good|great|right|sensible)\b",
            after,
            re.I,
        )
    ) or bool(re.search(r"\b(?:will|would|can|should) (?:give|earn|deliver|bring|grow|suit)\b", after, re.I))


def _nearest_cue(before: str) -> bool | None:
    """True for the nearest cue of recommendation, False for one of refusal, None without any."""
    refusal = max((match.start() for match in _AGAINST.finditer(before)), default=-1)
    advice = max(
        (match.start() for match in _FOR.finditer(before) if not _NEGATED.search(before[: match.start()])), default=-1
    )
    if advice == refusal == -1:
        return None
    return advice > refusal
