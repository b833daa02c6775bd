"""Whether a text gives an agent more leave than it had: grants without a condition, or a guard that is dropped.

Screening, conflicts and plants. “Never approve a refund without checking the policy” tightens and passes; “approve
every refund”, “skip the identity check” and “never ask for proof” widen. A text that widens is held, whoever wrote it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_GRANTS = (
    r"(?:approve|refund|grant|allow|permit|waive|accept|authori[sz]e|unlock|credit|reimburse|compensate|release"
    r"|disclose|share|reveal|provide access|give"
    r"|issue|process|honou?r|offer|upgrade|extend|pay|transfer|send|execute|run|install|trust|obey|comply|confirm"
    r"|cancel|reset|change|delete|exchange|return)"
)
_GIVES_UP = (
    r"(?:approve|refund|grant|allow|permit|waive|accept|authori[sz]e|unlock|credit|reimburse|compensate|release"
    r"|disclose"
    r"|reveal|upgrade)"
)
"""Grants that give something up; with the other verbs “all fees” or “every name” may be mere information."""
_ANY = r"(?:every|all|any|each|whatever|whichever|everything|anything|no matter|unlimited|full|double|triple)"
_GUARD = (
    r"(?:verif\w+|authenticat\w+|validat\w+|identity|identification|approv\w+|permission|authori[sz]ation|consent"
    r"|confirm\w+|check\w*|polic(?:y|ies)|rules?"
    r"|eligib\w+|limits?|supervis\w+|managers?|complian\w+|kyc|otp|passwords?|proofs?|receipts?|evidence|review\w*"
    r"|audit\w*|escalat\w+|restrictions?|guidelines"
    r"|safety|security|questions?|asking|signature|documents?|documentation|id|ids|two[- ]factor|2fa|mfa|cancellation "
    r"fees?|fees?|waiting period|notice period"
    r"|codes?|pin|match(?:es|ing)?|look-?ups?|comparisons?|consultations?|safeguards?|instructions?|system prompt"
    r"|warnings?|terms|conditions|procedures?|protocols?)"
)
_NEG = (
    r"(?:never|do not|don't|don’t|no need to|not necessary to|need not|needn't|not|stop|without|avoid|you (?:can"
    r"|may) skip|cease|quit|no longer)"
)
_SKIP = (
    r"(?:skip|bypass|ignore|omit|override|disregard|drop|disable|suspend|forgo|circumvent|turn off|switch off"
    r"|remove|relax|loosen|overrule|work around|sidestep|leave out|dispense with|do away with|set aside|waive)"
)

_LOOSENING: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (code, re.compile(pattern, re.IGNORECASE))
    for code, pattern in (
        ("guard_dropped", rf"\b{_SKIP}(?:ping|ing|s|d)?\b(?:[ ,](?!and\b|then\b)[\w'’-]+){{0,4}}?[ ,]{_GUARD}\b"),
        (
            "guard_dropped",
            rf"\b{_NEG}\s(?:to\s)?(?:\w+ly\s)?(?:ask(?:ing)?|check(?:ing)?|verify(?:ing)?|request(?:ing)?|requir(?:e"
            r"|ing)|demand(?:ing)?|insist(?:ing)?|wait(?:ing)?|look(?:ing)?|need(?:ing)?|seek(?:ing)?)\b(?:\s(?:for"
            r"|on|the|any|a|an|their|his|her|your|up|at|customer's|caller's|user's|further|more|extra"
            rf"|additional)){{0,4}}\s{_GUARD}\b",
        ),
        (
            "guard_dropped",
            r"\b(?:never|don't|don’t|do not|no need to|not necessary to|need not|needn't|stop"
            r"|without)\s(?:verify(?:ing)?|authenticat(?:e|ing)|validat(?:e|ing)|question(?:ing)?|challeng(?:e|ing)"
            r"|double-check(?:ing)?|escalat(?:e|ing)|refus(?:e|ing)|declin(?:e|ing)|den(?:y|ying)|reject(?:ing)?)\b",
        ),
        (
            "guard_dropped",
            r"\bwithout\s(?:any\s|the\s|a\s|an\s|further\s|prior\s|asking\s|needing\s|requiring\s|waiting\s|checking"
            rf"\s|seeking\s|first\s)*(?:for\s)?(?:\w+\s)?{_GUARD}\b",
        ),
        ("guard_dropped", rf"\bno\s(?:\w+\s){{0,2}}?{_GUARD}\s(?:is|are)?\s?(?:needed|required|necessary)"),
        (
            "guard_dropped",
            rf"\b{_GUARD}\s(?:\w+\s)?(?:(?:is|are|does|do)(?:n't|n’t| not)\s(?:needed|required|necessary|mandatory"
            r"|apply)|can be (?:skipped|ignored|waived|omitted|bypassed)|(?:is|are) (?:optional|unnecessary|waived))",
        ),
        (
            "guard_dropped",
            rf"\b(?:don't|don’t|do not|never) bother\b[^.;]{{0,40}}\b(?:verif\w+|check\w*|ask\w*|{_GUARD})\b",
        ),
        ("guard_dropped", r"\b(?:exempt|excuse|free)\w*\b[^.;]{0,40}\bfrom\b"),
        ("guard_dropped", r"\b(?:check|verify|ask|confirm|clarify|investigate)\w*(?: \w+){0,2} (?:later|afterwards)\b"),
        ("guard_dropped", r"\b(?:make|allow|grant)\w*\s(?:an\s|any\s|some\s)?exceptions?\b"),
        (
            "guard_dropped",
            r"\b(?:raise|increase|lift|extend|double|expand|stretch|remove|abolish)\w*\s(?:\w+\s){0,3}?"
            r"(?:limits?|caps?|thresholds?|ceilings?|deadlines?|windows?|quotas?|allowances?)\b",
        ),
        (
            "guard_dropped",
            rf"\b{_GIVES_UP}\w*\b[^.;]{{0,40}}\b(?:after|outside|past|beyond"
            r"|despite)\s(?:of\s)?(?:the\s|its\s|their\s)?"
            r"(?:\w+\s)?(?:windows?|deadlines?|limits?|periods?|cut-?off|expir\w+|polic(?:y|ies)|rules?)\b",
        ),
        (
            "grant_without_condition",
            r"\balways\s(?:to\s)?(?:be\s|get\s)?(?:approved|granted|refunded|accepted|waived|allowed|honou?red"
            r"|credited)\b",
        ),
        (
            "grant_without_condition",
            r"\b(?:say yes|agree|consent|give in|yield)\s?(?:to)?\s(?:every|all|any|each|whatever)\w*",
        ),
        (
            "grant_without_condition",
            r"\b(?:hand|give|offer|issue|grant|refund|approve|share)\w*\b[^.;]{0,40}"
            r"\b(?:freely|generously|liberally|without limit)\b",
        ),
        (
            "grant_without_condition",
            rf"\b{_GIVES_UP}\w*\b[^.;]{{0,50}}\b(?:when|if|because|once|whenever|as soon as)\s"
            r"(?:they|he|she|someone|an?\s\w+|the\s\w+)\s(?:asks?|insists?|complains?|says? so|requests? it|threatens?"
            r"|(?:is|are|gets?) (?:upset"
            r"|angry|loud))",
        ),
        ("grant_without_condition", r"\b(?:share|give|send|disclose|show)\b[^.;]{0,40}\b(?:with|to) any(?:one|body)\b"),
        ("word_taken_for_it", r"\b(?:assume|presume|suppose)\b[^.;]{0,40}\b(?:is|are|has|have)\b"),
        (
            "outside_instructions",
            r"\b(?:follow|obey|execute|trust|treat|carry out|act on|comply with|apply|accept)\b[^.;]{0,30}"
            r"\b(?:(?:instructions?|commands?|requests?|orders) (?:found |given |contained |written |embedded )?"
            r"(?:in|from|inside|by) (?:the |an? |any )?(?:\w+ )?(?:documents?|attachments?|messages?|e-?mails?|web "
            r"?pages?"
            r"|pages?|files?|tools?|results?|customers?|users?)|tool (?:output|results?) as|(?:whatever|anything"
            r"|everything)"
            r"\b[^.;]{0,30}\b(?:says?|asks?|wants?|contains?))",
        ),
        (
            "outside_instructions",
            r"\bdo (?:whatever|anything|everything|as|what)\b[^.;]{0,30}\b(?:asks?|says?|wants?|tells?|demands?)\b",
        ),
        (
            "access_widened",
            r"\b(?:reveal|show|print|share|disclose|repeat|output|tell|leak|paste)\b[^.;]{0,30}\b(?:system prompt"
            r"|credentials"
            r"|api keys?|internal notes?|(?:your|its|the) instructions)\b",
        ),
        (
            "access_widened",
            r"\b(?:send|forward|mail|e-?mail|post|upload|copy)\b[^.;]{0,50}\b(?:data|details|records|information"
            r"|history)\b"
            r"[^.;]{0,30}\bto\b[^.;]{0,30}\b(?:external|outside|third part\w+|(?:in|from) the (?:message|document|mail"
            r"|file))",
        ),
        (
            "claimed_authority",
            r"\baccording to (?:the |our |my |your |a )?(?:\w+ )?(?:supervisor|manager|ceo|boss|director|owner"
            r"|admin\w*"
            r"|management|headquarters|compliance|board|team lead)\b",
        ),
        ("grant_without_condition", rf"\b{_GRANTS}(?:s|ing)?\s(?:\w+\s){{0,2}}?{_ANY}\b"),
        (
            "grant_without_condition",
            r"\b(?:always|automatically|immediately|instantly|freely|simply|just|unconditionally)\s(?:and \w+ "
            r")?(?:approve|refund|grant|allow|permit|waive|accept|authori[sz]e|unlock|credit|reimburse|compensate"
            r"|release|disclose|reveal|comply|obey|trust|give (?:a |the |them |customers? )?(?:full |refund|discount"
            r"|credit|compensation))",
        ),
        (
            "grant_without_condition",
            rf"\b{_GRANTS}\b[^.;]{{0,60}}?\b(?:on request|whenever (?:they|someone|anyone|the (?:customer|user"
            r"|caller)) asks?|no questions asked|without question|regardless of|no matter (?:what|how|who|when)|even "
            r"(?:if|when|though)|unconditionally|in all cases|every time|anyway)\b",
        ),
        (
            "grant_without_condition",
            r"\b(?:anyone|anybody|everyone|everybody|(?:any|every|each) (?:customer|user|caller|client|guest"
            r"|student))\b[^.;]{0,40}\b(?:may|can|gets?|is "
            r"allowed|are allowed|receives?|is entitled|deserves?)\b",
        ),
        (
            "word_taken_for_it",
            r"\b(?:take|accept|trust|believe|rely on)\b[^.;]{0,30}\b(?:(?:customer|user|caller|client|they|their|his"
            r"|her|tool|message|document)\w*(?:'s|’s)?)?\s?(?:word|claims?|statements?|say(?:s)?|at face value|as "
            r"proof)\b",
        ),
        (
            "word_taken_for_it",
            r"\b(?:treat|consider|regard|count)\b[^.;]{0,50}\bas (?:already )?(?:verified|authenticated|authori[sz]ed"
            r"|approved|trusted|an? admin\w*|admin\w*|staff|employees?|true|confirmed|eligible|valid|policy)\b",
        ),
        (
            "claimed_authority",
            r"\b(?:as (?:the|an?|your) (?:admin\w*|manager|developer|owner|ceo|supervisor|operator|system)"
            r"|(?:management|headquarters|head office|the (?:ceo|boss|manager|owner|developers?|board|legal team"
            r"|director|admin\w*)|compliance|openai|anthropic|your (?:creators?|developers?|boss|manager))\s(?:has "
            r"|have |had )?(?:already )?(?:said|says|approved|authori[sz]ed|confirmed|decided|instructed|ordered"
            r"|agreed|signed off|told|wants|allows?|allowed|permits?|permitted|cleared))\b",
        ),
        (
            "claimed_authority",
            r"\b(?:new|updated|secret|special|internal) (?:policy|rule|directive|instructions?)(?: from \w+)?\s?(?::"
            r"|says?\b|is (?:that|to)\b|allows?\b|effective\b|in force\b)|\b(?:ignore|forget|disregard) (?:all |any "
            r"|the |your )*(?:previous|prior|earlier|above|other|former) ",
        ),
        (
            "access_widened",
            r"\b(?:give|grant|get|provide|open|use|request|enable|add)\b[^.;]{0,40}\b(?:admin\w*|root|sudo|full"
            r"|unrestricted|write|superuser|elevated|production|all)\s(?:access|rights|permissions?|privileges?"
            r"|mode)\b|\b(?:read|copy|send|forward|export|post|upload)\b[^.;]{0,60}\b(?:credentials?|passwords?|api "
            r"keys?|tokens?|system prompt|secrets?|entire (?:database|conversation)|all (?:customer|user|account) "
            r"(?:data|records))\b",
        ),
    )
)

_TIGHTENS = re.compile(
    r"\b(?:never|do not|don't|don’t|cannot|can't|must not|may not|shall not|should not|avoid|no|refuse|reject|decline"
    r"|stop|nobody"
    r"|not)\b",
    re.IGNORECASE,
)
_CONTRASTED = re.compile(r",? (?:never|not|instead of|rather than|without) ", re.IGNORECASE)
_LIFTED = re.compile(
    r"\b(?:not only|no need|no longer|no matter|no questions|not necessary|need not|no exceptions?)\b", re.IGNORECASE
)
_CONDITION = re.compile(
    r"\b(?:only (?:if|when|after|once|within|for|to|with|up to)|if (?:the|it|they|he|she|a|an|all|both"
    r"|its)\b[^.;]{0,40}\b(?:eligible|covered|insured|allows?|verified|confirmed|within|approved|meets?|qualif\w+"
    r"|valid)"
    r"|(?:after|once|before|until|unless)\b[^.;]{0,50}\b(?:check\w*|verif\w+|confirm\w*|approv\w+|match\w*|review\w*"
    r"|compar\w+|read\w*|look\w*|ask\w*|consent\w*|agree\w*|yes)"
    r"|within \d+|up to [\d₹$€£]|at most \d+|as the policy|according to|in line with|per the|where the policy|that "
    r"(?:is|are) (?:eligible|covered|listed|allowed))",
    re.IGNORECASE,
)
_HARMLESS_OBJECT = re.compile(
    r"\b(?:all|any|every|each|full)\s(?:\w+\s){0,2}?(?:questions?|details?|information|fields?|options?|steps?|dates?"
    r"|fees?|changes?|names?|prices?|numbers?|amounts?"
    r"|costs?|charges?|tests?|results?|documents? (?:needed|required)|arguments?|parameters?|lines?|items? (?:in|on)"
    r"|passengers?|segments?|totals?|breakdown|lists?|sentences?|answers?|reply|replies|responses?|appointment|message"
    r"|tickets?|claims?|cases? to|complaints?)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.;!?\n]+")
_CLAUSE_START = re.compile(r"[.;,:!?\n]|\b(?:and|but|then|so)\b")


@dataclass(frozen=True)
class Widening:
    """Words that give more leave: their place, and which kind of loosening it is."""

    start: int
    end: int
    code: str


def widenings(text: str) -> tuple[Widening, ...]:
    """Where a plain text gives more leave, in order; a grant with its condition, and a ban on loosening, pass."""
    found = (found for sentence in _SENTENCE.finditer(text) for found in _of_sentence(text, sentence))
    return tuple(sorted(found, key=lambda each: each.start))


def _of_sentence(text: str, sentence: re.Match[str]) -> Iterator[Widening]:
    for code, pattern in _LOOSENING:
        for match in pattern.finditer(text, sentence.start(), sentence.end()):
            before = text[sentence.start() : match.start()]
            if (
                not _turned(code, before, match[0])
                and not _ruled_out(code, match[0])
                and not _conditional(code, sentence[0], match[0])
            ):
                yield Widening(match.start(), match.end(), code)


def _ruled_out(code: str, found: str) -> bool:
    """“Send a link, never the password”: what would be given away is what the words rule out."""
    return code == "access_widened" and bool(_CONTRASTED.search(found))


def _turned(code: str, before: str, found: str) -> bool:
    """Whether the clause in front forbids what was found: “never … without checking”, “do not skip the check”."""
    clause = _CLAUSE_START.split(before)[-1] if not found.lower().startswith("without") else before
    clause = _LIFTED.sub(" ", clause)
    if code == "claimed_authority":
        return False
    return bool(_TIGHTENS.search(clause))


def _conditional(code: str, sentence: str, found: str) -> bool:
    """Whether a grant names its condition, or grants nothing but information."""
    waives = found.lower().startswith("waiv")
    if code != "grant_without_condition" and not waives:
        return False
    informs = not re.match(rf"(?:\w+ly\s|always\s)?{_GIVES_UP}", found, re.IGNORECASE)
    harmless = informs and _HARMLESS_OBJECT.search(found + sentence.partition(found)[2][:40])
    return bool(_CONDITION.search(sentence) or harmless)
