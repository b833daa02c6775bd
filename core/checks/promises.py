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
    """A kind of promise: the words that make it, and what a source must speak of to support it."""

    name: str
    cues: tuple[str, ...]
    """Letters of which one stands in every such promise, a cheap first look."""
    made: re.Pattern[str]
    support: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = ()
    """What is promised, and the words about it that a source must hold; the first that fits counts. A kind without any
    is judged by its very words."""
    deed: re.Pattern[str] | None = None
    """Words of a call, or of what a tool answered, that carry the promise out."""


def _kind(name: str, cues: str, made: str, *, support: dict[str, str] | None = None, deed: str = "") -> PromiseKind:
    pairs = ((re.compile(said, re.I), re.compile(source, re.I)) for said, source in (support or {}).items())
    return PromiseKind(
        name, tuple(cues.split("|")), re.compile(made, re.I), tuple(pairs), re.compile(deed, re.I) if deed else None
    )


_PEOPLE = "(?:team|agent|representative|specialist|manager|supervisor|engineer|technician|colleague|advisor|department)"
_SOMEONE = rf"(?:some(?:one|body)|(?:an?|our|the|your|one of our) (?:[\w-]+ ){{0,3}}?{_PEOPLE}s?)(?: \w+){{0,3}}?"
_SURELY = r"(?: (?:also|then|soon|shortly|definitely|certainly|surely|gladly))?"
_WILL = rf"(?: will| shall|[’']ll| (?:is|are) going to){_SURELY}"
_TOUCH = (
    r"(?:(?:call|phone|contact|notify|inform|update) you|reach out(?: to you)?|get back to you|get in touch|"
    r"be in touch|follow up with you|call back)"
)
_HEARS = r"(?:hear (?:back )?from|be (?:contacted|called)|(?:get|receive) (?:a |an )?(?:phone )?call(?:[- ]?back)?)"
_GIFT = r"(?:refund|reimbursement|compensation|voucher|discount|goodwill|upgrade)"
_DONE = (
    r"(?:resolved|fixed|repaired|delivered|shipped|processed|ready|completed|credited|restored|done|approved|released|"
    r"arrive|active|activated|unblocked|back)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_UNIT = r"(?:hour|minute|day|next|working|business)s?"
_SOON = (
    rf"(?:today|tonight|tomorrow|this (?:week|afternoon|evening|morning)|by (?:noon|midnight|{_DAY})|"
    rf"within (?:an|the|\d+|one|two|three)(?:(?:[-–]| to )\d+)? {_UNIT}|in (?:an|\d+|one|two) (?:hour|minute)s?|"
    r"immediately|right away|asap)"
)
_RULES = r"(?:polic(?:y|ies)|rules?|terms)"
_SAYS = r"(?:allow|permit|state|say|guarantee|entitle|grant|cover|let|give|require|prohibit|forbid)s?|gives|is that"
KINDS = (
    _kind(
        "guarantee",
        "guarantee|promise|assure",
        r"\b(?:I|we)(?: can| do| personally| hereby)? (?:guarantee|promise)\b"
        r"(?! (?:you )?(?:to|that)? ?(?:do|try|my|our|I[’']ll)\b)"
        r"|\b(?:you are|you[’']re|it is|it[’']s|that is|that[’']s|is|are) (?:fully |100 ?% |absolutely )?guaranteed\b"
        r"|\bI (?:can )?assure you(?: that)? (?:you|your|this|it|the|nothing|no one)\b"
        r"[^.!?\n]{0,30}?\b(?:will|won[’']t)\b",
        support={"": "guarantee|promis|assur|warrant|ensure"},
    ),
    _kind(
        "contact",
        "call|phone|contact|notify|inform you|update you|reach out|back to you|in touch|follow up|hear ",
        rf"\b{_SOMEONE}{_WILL} {_TOUCH}\b|\b(?:I|we){_WILL} {_TOUCH}\b|\byou{_WILL} {_HEARS}\b",
        support={
            "": r"call(?:s|ed|ing)?[- ]?back|call (?:you|the (?:user|customer|client|caller)|them)|reach(?:es)? out|"
            r"follow[- ]?up|gets? back|in touch|notif|back office|\btickets?\b|"
            r"contact(?:s|ed)? (?:you|them|(?:the )?(?:user|customer|client)s?)"
        },
        deed=r"call_?back|contact|follow_?up|notif|escalat|transfer|ticket|\bcase\b|case_|report|complain|dispute|schedul|"
        r"appoint|engineer|technician|remind|hand_?off|submit",
    ),
    _kind(
        "money",
        "refund|reimburse|compensat|waive|voucher|discount|goodwill|upgrade|your money|your deposit|your fund",
        rf"\b(?:we|I|the (?:company|bank|airline)){_WILL} (?:fully )?(?:refund|reimburse|compensate|waive)\b"
        rf"|\byou{_WILL} (?:receive|get|be given) (?:[\w$€£₹.,-]+ ){{0,4}}?{_GIFT}\b"
        rf"|\byou{_WILL} be (?:fully )?(?:refunded|reimbursed|compensated)\b"
        rf"|\byour (?:money|deposit|funds?){_WILL} be (?:returned|refunded|back|safe)\b",
        support={
            "waive": "waiv",
            "voucher|discount|goodwill": "voucher|discount|goodwill|certificate|coupon",
            "upgrade": "upgrad",
            "compensat": "compensat|certificate|goodwill",
            "": "refund|reimburs|money back|return|cancel|credit",
        },
    ),
    _kind(
        "time",
        "today|tonight|tomorrow|this |by |within |in |immediately|right away|asap",
        rf"\b(?:will|[’']ll|going to) (?:be )?(?:\w+ ){{0,2}}?{_DONE}\b[^.!?\n]{{0,40}}?\b{_SOON}\b",
        support={
            "today|tonight": "today|tonight|same day|same-day",
            "tomorrow": "tomorrow|next day|next-day|24 hours",
            "this (?:week|afternoon|evening|morning)": "this week|afternoon|evening|morning|same day",
            _DAY: _DAY,
            "immediately|right away|asap": "immediate|right away|asap|at once|instant",
            "": _UNIT,
        },
    ),
    _kind(
        "rule",
        "polic|rules|terms|entitled|always|never",
        rf"\b(?:our|the|company|bank|store|airline|return|refund|cancellation) polic(?:y|ies) (?:\w+ )?(?:{_SAYS})\b"
        rf"|\b(?:per|under|according to|as per|in line with) (?:our|the|company) (?:\w+ )?{_RULES}\b"
        r"|\byou(?:[’']re| are) entitled to\b"
        r"|\bwe (?:always|never) (?:charge|refund|allow|offer|require|accept|share|waive|match)\b",
    ),
)
"""Every kind of promise, the heaviest first."""

_NO_PROMISE = re.compile(
    r"\b(?:if|once|when|whenever|after|until|till|unless|whether|as soon as|in case|provided|assuming|would|should|"
    r"could|can|may|might|cannot|not|never|no|nor|neither|without|try|trying|best|hope\w*|expect\w*|likely|usually|typically|"
    r"normally|generally|estimat\w*|approximately|about|around|please|let me|let[’']s|example|subject to|depend\w*|"
    r"possib\w+|potential\w*|attempt|aim|intend|plan(?:s|ned)?|say|says|said|asked|wanted)\b|n[’']t\b",
    re.I,
)
"""Words before a promise that make it a hope, a condition, a denial or somebody else's."""
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
