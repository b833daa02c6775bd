"""What an agent says that it has done.

Part of the checks, second station of the flow. A claim is a statement about the past or the state reached ("I have
cancelled …", "your refund has been processed"). What is planned, offered, asked, negated, conditional, quoted, or done
by somebody else is no claim. Promise: a claim's passage is the sentence that makes it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.checks.actions import KINDS, ActionKind
from core.checks.passages import Passage, is_question, proof_at, quoted, sentences

_PARTICIPLES = "|".join(kind.participles for kind in KINDS)
_ADVERBS = (
    r"(?:\s+(?:now|just|already|also|all|successfully|successfuly|both|since|then|gone ahead and|went ahead and|"
    r"formally|duly|therefore))*"
)
_OWN = re.compile(
    rf"\b(?:I|we)(?:\s+have|[’']ve)?{_ADVERBS}\s+(?:gone ahead and\s+|went ahead and\s+)?(?P<verb>{_PARTICIPLES})\b",
    re.I,
)
_PASSIVE = re.compile(
    rf"\b(?:ha(?:s|ve)|[’']s){_ADVERBS}\s+been{_ADVERBS}\s+(?P<verb>{_PARTICIPLES})\b"
    rf"|\b(?:is|are|was|were|[’']re|am)\s+(?:now|successfully|all){_ADVERBS}\s+(?P<state>{_PARTICIPLES})\b",
    re.I,
)
_HANDING_OVER = re.compile(
    r"\byou are (?:now )?being (?P<verb>transferred|connected)\b"
    r"|\b(?:I am|I[’']m) (?:now )?(?P<state>transferring|connecting) you\b",
    re.I,
)
_DONE_BY_OTHERS = re.compile(
    r"\bby (?:the (?:airline|seller|bank|merchant|carrier|system|customer|user|university|school|provider|"
    r"fund house)|you)\b"
    r"|\b(?:you|they|he|she|it)(?:[’']ve| have| had)? (?:already )?$",
    re.I,
)
_NO_CLAIM_BEFORE = re.compile(
    r"\b(?:if|once|when|whenever|after|until|till|unless|before|whether|as soon as|in case|provided|assuming|"
    r"would|should|could|can|cannot|can[’']t|may|might|must|will|[’']ll|shall|to be|to have|had|need|please|"
    r"confirm that|ensure|make sure|not|never|no|n[’']t|nothing|none|neither|without|yet to|only|any|which|that|"
    r"who|let me|let[’']s|going to|plan to|"
    r"ready to|happy to|in order to|example|e\.g|appears?|seems?|shows?|showing|indicates?|see|says?|found|status)\b",
    re.I,
)
_NO_CLAIM_AFTER = re.compile(r"^\W*(?:yet\b|\?|or not\b|if\b|until\b|only (?:if|after|when|once)\b|unless\b)", re.I)
_THINGS = {"refund": "refunded", "cancellation": "cancelled", "booking": "booked", "reservation": "booked"}
_THING = re.compile(rf"\b({'|'.join(_THINGS)})\b(?! (?:request|process))", re.I)
_NEAR = 20
_NEXT_WORDS = 60
_LOOKING = re.compile(r"^\W*(?:\w+ ){0,3}(?:checks?|search(?:es)?|reviews?|verification|look-?ups?)\b", re.I)
"""What is completed here is reading, which changes nothing and needs no tool that does."""


@dataclass(frozen=True)
class Claim:
    """An action that the agent says is done: its kind, the verb as said, and the sentence."""

    kind: ActionKind
    verb: str
    passage: Passage
    passive: bool
    """Whether the sentence speaks of a state reached and not of the agent's own act."""


@lru_cache(maxsize=2048)
def claims(text: str) -> tuple[Claim, ...]:
    """The claims of one turn, at most one a sentence, in order."""
    return tuple(claim for sentence in sentences(text) for claim in _first_claim(text, sentence))


def kind_of(verb: str) -> ActionKind:
    """The kind of action that a participle speaks of."""
    return next(kind for kind in KINDS if re.fullmatch(kind.participles, verb, re.I))


def _first_claim(text: str, sentence: Passage) -> Iterator[Claim]:
    if is_question(text, sentence):
        return
    for pattern in (_HANDING_OVER, _OWN, _PASSIVE):
        for match in pattern.finditer(text, sentence.start, sentence.end):
            if _is_claim(text, sentence, match):
                yield _claim(text, sentence, match, pattern)
                return


def _claim(text: str, sentence: Passage, match: re.Match[str], pattern: re.Pattern[str]) -> Claim:
    verb = match.group("verb") or match.groupdict().get("state") or ""
    kind = kind_of("transferred") if pattern is _HANDING_OVER else kind_of(verb)
    if not kind.stems:
        kind = _kind_of_thing(text, sentence, match) or kind
    return Claim(kind, verb.lower(), proof_at(text, match.start()) or sentence, passive=pattern is _PASSIVE)


def _kind_of_thing(text: str, sentence: Passage, match: re.Match[str]) -> ActionKind | None:
    """The kind that the thing names where the verb says little: "your refund has been processed" is about a refund."""
    near = text[sentence.start : match.start()] if match.re is _PASSIVE else text[match.end() : match.end() + _NEAR]
    named = _THING.search(near)
    return kind_of(_THINGS[named.group(1).lower()]) if named else None


def _is_claim(text: str, sentence: Passage, match: re.Match[str]) -> bool:
    before, after = text[sentence.start : match.start()], text[match.end() : sentence.end]
    if _NO_CLAIM_BEFORE.search(before) or _NO_CLAIM_AFTER.search(after) or _LOOKING.search(after):
        return False
    by_others = _DONE_BY_OTHERS.search(before) or _DONE_BY_OTHERS.search(after[:_NEXT_WORDS])
    return not (by_others or quoted(text, match.start(), match.end()))
