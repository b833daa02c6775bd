"""What an agent promises, and what it says that the rules are.

Part of the checks, second station of the flow. A promise is a statement about what will be ("our team will call you
back"), a guarantee, or a rule ("our policy allows …"). What is asked, offered, conditional, denied or quoted is none.
Promise: a promise's passage is the sentence that makes it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.checks.passages import Passage, is_question, quoted, sentences


@dataclass(frozen=True)
class PromiseKind:
    """A kind of promise: the words that make it, and the words in a source that can support it."""

    name: str
    cues: tuple[str, ...]
    """Letters of which one stands in every such promise, a cheap first look."""
    made: re.Pattern[str]
    support: re.Pattern[str]
    of_this_case: bool
    """Whether it speaks of this very case even where nothing is known of prompt and policies."""


def _kind(name: str, cues: str, made: str, support: str, *, of_this_case: bool = True) -> PromiseKind:
    return PromiseKind(name, tuple(cues.split("|")), re.compile(made, re.I), re.compile(support, re.I), of_this_case)


_PEOPLE = (
    r"team|agent|representative|specialist|manager|supervisor|engineer|technician|colleague|advisor|department|expert"
)
_SOMEONE = rf"(?:some(?:one|body)|(?:an?|our|the|your|one of our) (?:[\w-]+ ){{0,3}}?(?:{_PEOPLE})s?)(?: \w+){{0,3}}?"
_WILL = (
    r"(?: will| shall|[’']ll| (?:is|are) going to)(?: (?:also|then|soon|shortly|definitely|certainly|surely|gladly))?"
)
_CONTACT = (
    r"(?:(?:call|phone|contact|notify|inform|update) you|reach out(?: to you)?|get back to you|get in touch|be"
    r" in touch|"
    r"follow up with you|call back)"
)
_GIFT = r"(?:refund|reimbursement|compensation|voucher|discount|goodwill|upgrade)"
_DONE = (
    r"(?:resolved|fixed|repaired|delivered|shipped|processed|ready|completed|credited|restored|done|approved"
    r"|released|"
    r"arrive|active|activated|unblocked|back)"
)
_SOON = (
    r"(?:today|tonight|tomorrow|this (?:week|afternoon|evening|morning)|by (?:noon|midnight|(?:mon|tues|wednes"
    r"|thurs|fri|"
    r"satur|sun)day)|within (?:an|the|\d+|one|two|three)(?:(?:[-–]| to )\d+)? (?:hour|minute|day|next|working"
    r"|business)s?|"
    r"in (?:an|\d+|one|two) (?:hour|minute)s?|immediately|right away|asap)"
)
KINDS = (
    _kind(
        "guarantee",
        "guarantee|promise|assure",
        r"\b(?:I|we)(?: can| do| personally| hereby)? (?:guarantee|promise)\b(?! (?:you )?(?:to|that)? ?(?:do"
        r"|try|my|our|I[’']ll)\b)"
        r"|\b(?:you are|you[’']re|it is|it[’']s|that is|that[’']s|is|are) (?:fully |100 ?% |absolutely )?guaranteed\b"
        r"|\bI (?:can )?assure you(?: that)? (?:you|your|this|it|the|nothing|no one)\b[^.!?\n]{0,30}?\b(?:will"
        r"|won[’']t)\b",
        r"guarantee|promis|assur|warrant|ensure",
    ),
    _kind(
        "contact",
        "call|phone|contact|notify|inform you|update you|reach out|back to you|in touch|follow up|hear ",
        rf"\b{_SOMEONE}{_WILL} {_CONTACT}\b|\b(?:I|we){_WILL} {_CONTACT}\b"
        rf"|\byou{_WILL} (?:hear (?:back )?from|be (?:contacted|called)|(?:get|receive) (?:a |an )?(?:phone"
        rf" )?call(?:[- ]?back)?)\b",
        r"\bcall|contact|reach out|follow[- ]?up|get back|in touch|notif|escalat|transfer|ticket|\bcase\b"
        r"|callback|report|"
        r"complain|dispute|schedul|appoint|engineer|technician|remind|handoff|hand_off|submit",
    ),
    _kind(
        "money",
        "refund|reimburse|compensat|waive|voucher|discount|goodwill|upgrade|your money|your deposit|your fund",
        rf"\b(?:we|I|the (?:company|bank|airline)){_WILL} (?:fully )?(?:refund|reimburse|compensate|waive)\b"
        rf"|\byou{_WILL} (?:receive|get|be given) (?:[\w$€£₹.,-]+ ){{0,4}}?{_GIFT}\b"
        rf"|\byou{_WILL} be (?:fully )?(?:refunded|reimbursed|compensated)\b"
        rf"|\byour (?:money|deposit|funds?){_WILL} be (?:returned|refunded|back|safe)\b",
        r"refund|reimburs|compensat|credit|waiv|voucher|discount|goodwill|upgrade|certificate|money back|return"
        r"|cancel",
    ),
    _kind(
        "time",
        "today|tonight|tomorrow|this |by |within |in |immediately|right away|asap",
        rf"\b(?:will|[’']ll|going to) (?:be )?(?:\w+ ){{0,2}}?{_DONE}\b[^.!?\n]{{0,40}}?\b{_SOON}\b",
        _SOON,
    ),
    _kind(
        "rule",
        "polic|rules|terms|entitled|always|never",
        r"\b(?:our|the|company|bank|store|airline|return|refund|cancellation) polic(?:y|ies) (?:\w+ )?(?:allows?"
        r"|permits?|"
        r"states?|says?|guarantees?|entitles?|grants?|covers?|lets?|gives?|requires?|is that|prohibits?|forbids?)\b"
        r"|\b(?:per|under|according to|as per|in line with) (?:our|the|company) (?:\w+ )?(?:polic(?:y|ies)"
        r"|rules?|terms)\b"
        r"|\byou(?:[’']re| are) entitled to\b"
        r"|\bwe (?:always|never) (?:charge|refund|allow|offer|require|accept|share|waive|match)\b",
        r"",
        of_this_case=False,
    ),
)
"""Every kind of promise, the heaviest first."""

_NO_PROMISE = re.compile(
    r"\b(?:if|once|when|whenever|after|until|till|unless|whether|as soon as|in case|provided|assuming|would"
    r"|should|could|"
    r"can|may|might|can(?:not|[’']t)|not|never|no|n[’']t|nor|neither|without|try|trying|best|hope\w*|expect\w*"
    r"|likely|"
    r"usually|typically|normally|generally|estimat\w*|approximately|about|around|shall we|please|let me|let[’']s"
    r"|example|"
    r"subject to|depend\w*|possib\w+|potential\w*|attempt|aim|intend|plan(?:s|ned)?|say|says|said|asked"
    r"|wanted)\b|n[’']t\b",
    re.I,
)
"""Words before or around a promise that make it a hope, a condition, a denial or somebody else's."""
_STAYING = re.compile(r"\b(?:moment|minutes?|seconds?|hold|wait|meanwhile|bear with)\b", re.I)
"""Words of a turn in which "I will get back to you" means the next turn."""
_CONDITION_AFTER = re.compile(
    r"\b(?:if|once|unless|provided|subject to|depending|as soon as|when|after|should you)\b", re.I
)
_NO_RULE = re.compile(
    r"\b(?:if|whether|unless|not|cannot|no|never allow|unable|neither|depend\w*|confirm|check|may)\b|n[’']t\b|^\W*\(",
    re.I,
)
"""What makes a sentence about a rule a refusal, a condition or a remark; refusing promises nothing."""
_LONG = 300


@dataclass(frozen=True)
class Promise:
    """Something that the agent promises: its kind, the words that make it, and the sentence."""

    kind: PromiseKind
    words: str
    passage: Passage


@lru_cache(maxsize=2048)
def promises(text: str) -> tuple[Promise, ...]:
    """The promises of one turn, at most one a sentence, in order."""
    lower = text.lower()
    kinds = [kind for kind in KINDS if any(cue in lower for cue in kind.cues) and kind.made.search(text)]
    if not kinds:
        return ()
    return tuple(promise for sentence in sentences(text) for promise in _first(text, sentence, kinds))


def _first(text: str, sentence: Passage, kinds: list[PromiseKind]) -> Iterator[Promise]:
    said = sentence.of(text)
    if len(said) > _LONG or is_question(text, sentence):
        return
    for kind in kinds:
        match = kind.made.search(said)
        staying = match and kind.name == "contact" and "back" in match.group() and _STAYING.search(text)
        if match and not staying and _is_made(said, match, kind):
            yield Promise(kind, match.group(), sentence)
            return


def _is_made(said: str, match: re.Match[str], kind: PromiseKind) -> bool:
    before, after = said[: match.start()], said[match.end() :]
    if _CONDITION_AFTER.search(after) or quoted(said, match.start(), match.end()):
        return False
    if kind.name == "rule":
        return not _NO_RULE.search(said)
    return not _NO_PROMISE.search(before)
