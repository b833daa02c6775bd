"""What a user tells the agent to do, or how to answer, in one sentence.

Part of the checks, second station of the flow. Only what code can follow up is read: the language, length and form of a
reply, calls that are not wanted, the way in which to write back, a second request of the same turn, and an act that is
forbidden. Promise: what is asked, told of others, conditional or quoted is no instruction.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.checks.languages import NAMES
from core.checks.passages import Passage, sentences


class About(StrEnum):
    """What an instruction is about."""

    LANGUAGE = "language"
    LENGTH = "length"
    NO_LIST = "no_list"
    LIST = "list"
    NO_CALLS = "no_calls"
    CHANNEL = "channel"
    ALSO = "second_request"
    FORBIDDEN = "forbidden_act"


@dataclass(frozen=True)
class Instruction:
    """One instruction: what it is about, the sentence, and what must or must not come.

    ``wanted`` is a language, a channel, a forbidden act or a unit (``sentence``, ``word``); ``limit`` counts units;
    ``stems`` begin the words that a second request is known by.
    """

    about: About
    passage: Passage
    wanted: str = ""
    limit: int = 0
    stems: frozenset[str] = frozenset()


_LONGEST_TURN = 4_000
"""Code points from which a user's turn is something pasted and not what the user says."""
_MACHINE = re.compile(r"\s*(?:[<{\[#`]|---)")
_LONG = 300
_PLEASE = (
    r"(?:^|[,;:—–-]\s*|\b(?:and|but|so|then|hi|hello|hey|ok|okay|thanks)[,!.]?\s+)"
    r"(?:please\s+|kindly\s+|just\s+|only\s+|(?:can|could|would|will) you\s+(?:please\s+|just\s+)?)*"
)
_ANSWER = r"(?:reply|answer|respond|write(?: back)?|speak|talk|continue|explain|summari[sz]e|tell me|give me|keep)"
_COUNTS = {"one": 1, "a": 1, "a single": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_COUNT = r"(?P<count>one|a single|two|three|four|five|\d{1,3})"
_LANGUAGES = "|".join(f"(?P<{language}>{names})" for language, names in NAMES.items())
_LANGUAGE = re.compile(
    rf"{_PLEASE}(?:reply|answer|respond|write|speak|talk|continue|switch)\b[^.!?;]{{0,40}}?\b(?:in|to|auf"
    rf"|en)\s+(?:{_LANGUAGES})\b",
    re.I,
)
_LENGTH = re.compile(
    rf"{_PLEASE}{_ANSWER}\b[^.!?;]{{0,60}}?\b(?:in|to|within|under|than|most)\s+(?:just\s+|only\s+|at most\s+"
    rf"|max(?:imum)?\s+)?{_COUNT}\s+(?:short\s+|simple\s+)?(?P<unit>sentence|word)s?\b",
    re.I,
)
_NO_LIST = re.compile(
    rf"(?:{_PLEASE}(?:no|don[’']t use|do not use|avoid|skip|stop using|without(?: any)?|leave out)(?: the| any)?\s+|"
    r"\bwithout (?:any )?)(?:bullet(?:ed)?(?:[ -]?points?|s| lists?)?|lists|numbered lists?|markdown|tables)\b",
    re.I,
)
_LIST = re.compile(
    rf"{_PLEASE}(?:{_ANSWER}|list|show|put|send)\b[^.!?;]{{0,60}}?\b(?:as|in)\s+(?:a\s+)?"
    r"(?:(?:short\s+)?(?:bullet(?:ed)?|numbered)[ -]?(?:list|points?)|bullet points|bullets|table)\b",
    re.I,
)
_NO_CALLS = re.compile(
    rf"(?:{_PLEASE}|\bI )(?:do not|don[’']t|never)\s+(?:want (?:you|anyone|people) to )?(?:call|phone|ring)(?: me)?"
    r"(?:\s+back)?(?=\W*$|[.,;!]| please\b| again\b| anymore\b| at\b| on\b| during\b)"
    r"|\bno (?:phone |more )*calls?(?=\W*$|[.,;!]| please\b)",
    re.I,
)
_SEND = r"(?:send|write|reply|answer|contact|inform|notify)\b[^.!?;]{0,50}?"
_BY_MAIL = re.compile(rf"{_PLEASE}(?:e-?mail me\b|{_SEND}\b(?:by|via|through|over) e-?mail\b)", re.I)
_BY_TEXT = re.compile(
    rf"{_PLEASE}(?:text me\b|{_SEND}\b(?:by|via|through|as an?) (?:text(?: message)?|sms|whatsapp)\b)", re.I
)
_BY_CALL = re.compile(
    rf"{_PLEASE}(?:call|phone|ring) me(?= back\b| at\b| on\b| later\b| tomorrow\b| today\b|\W*$|[.,;!])", re.I
)
_BY_POST = re.compile(
    rf"{_PLEASE}(?:send|mail|ship)\b[^.!?;]{{0,50}}?\b(?:by|via|through the) (?:post|letter|regular mail)\b", re.I
)
_DO = (
    r"(?:make|book|add|cancel|change|check|send|tell|remove|update|include|find|set|schedule|order|return|exchange|"
    r"refund|look|give|let|help|explain|list|show|arrange|reserve|register|apply|close|open|quote|write|fix|move)"
)
_ALSO = re.compile(
    r"(?:\b(?:can|could|would|will) you(?: please)? also|\bplease also|\b(?:and|but) also,? (?:please |(?:can"
    r"|could) you )?"
    rf"(?={_DO}\b)|^(?:and |oh,? )?also,? (?:please |(?:can|could|would|will) you (?:please )?)?(?={_DO}\b)"
    r"|\balso,? I(?:[’']d| would) like(?: you)?(?: to)?|\balso,? I (?:need|want)(?: you)?(?: to)?"
    rf"|^(?:one more thing|another thing|while you[’']re at it|in addition)\b[^.!?;\n]{{0,80}}?(?={_DO}\b))"
    r"\s*(?P<what>[^.!?;\n]{8,200})",
    re.I,
)
_ACTS = (
    "cancel|close|refund|book|transfer|exchange|return|charge|unsubscribe|upgrade|downgrade|reschedule|reset|"
    "block|delete"
)
_FORBIDDEN = re.compile(
    rf"(?:{_PLEASE}|\bI )(?:do not|don[’']t)\s+(?:want (?:you|anyone) to )?(?P<verb>{_ACTS})\s+"
    r"(?:it|this|that|(?:my|the|this|that) (?:\w+ )?\w+|me|anything)(?=\W*$|[.,;!])",
    re.I,
)
_OPEN = re.compile(
    r"\b(?:if|unless|until|till|yet|without|before|when|whenever|in case|once|other|else|any more than|as long as)\b",
    re.I,
)
"""Words that make a prohibition one of circumstances, which code cannot follow up."""
_EVERYDAY = (
    "about above after again already also another anything around back because been before being below best both "
    "check could confirm does doing done down each either else even ever every everything find first from general "
    "get give going have having help here into just know last leave like little look made make many maybe more "
    "most much must need next number only option options other over part please possible provide really right "
    "same send share should show some something still such sure tell than thank thanks that their them then there "
    "these they thing things this those time through today under until very want well what when where whether "
    "which while will with would your yours"
)
_EVERYDAY_WORDS = frozenset(_EVERYDAY.split())
_STEM = 5
_FEWEST_STEMS = 2


@dataclass(frozen=True)
class _Form:
    """How an instruction is said; ``cues`` are letters of which one must stand in the sentence, a cheap first look."""

    about: About
    cues: tuple[str, ...]
    said: re.Pattern[str]
    wanted: str = ""


_OF_REPLIES = (
    _Form(About.LANGUAGE, ("answer", "reply", "respond", "speak", "talk", "write", "continue", "switch"), _LANGUAGE),
    _Form(About.LENGTH, ("sentence", "word"), _LENGTH),
    _Form(About.NO_LIST, ("bullet", "list", "markdown", "table"), _NO_LIST),
    _Form(About.LIST, ("bullet", "list", "table"), _LIST),
)
_OF_DEEDS = (
    _Form(About.NO_CALLS, ("call", "phone", "ring"), _NO_CALLS),
    _Form(About.CHANNEL, ("mail",), _BY_MAIL, "e-mail"),
    _Form(About.CHANNEL, ("text", "sms", "whatsapp"), _BY_TEXT, "text message"),
    _Form(About.CHANNEL, ("call", "phone", "ring"), _BY_CALL, "call"),
    _Form(About.CHANNEL, ("post", "letter", "regular mail"), _BY_POST, "post"),
    _Form(About.ALSO, ("also", "more thing", "another thing", "while you", "in addition"), _ALSO),
    _Form(About.FORBIDDEN, ("not ", "n't ", "n’t "), _FORBIDDEN),
)


def instructions_in(text: str) -> Iterator[Instruction]:
    """The instructions of one turn of the user, in order, at most one a sentence."""
    lower = text.lower()
    forms = [form for form in (*_OF_REPLIES, *_OF_DEEDS) if any(cue in lower for cue in form.cues)]
    if not forms or len(text) > _LONGEST_TURN or _MACHINE.match(text):
        return
    for sentence in sentences(text):
        said = sentence.of(text) if sentence.end - sentence.start <= _LONG else ""
        found = (_read(form, said, sentence) for form in forms)
        yield from [instruction for instruction in found if instruction][:1]


def stems_of(text: str) -> frozenset[str]:
    """The beginnings of the words of a text that say what it is about; numbers and references count whole."""
    words = re.findall(r"[^\W_]+", text.lower())
    return frozenset(
        word[:_STEM] for word in words if word not in _EVERYDAY_WORDS and (len(word) > 3 or any(map(str.isdigit, word)))
    )


def _read(form: _Form, said: str, sentence: Passage) -> Instruction | None:
    match = form.said.search(said)
    if match is None or (form in _OF_DEEDS and _OPEN.search(said)):
        return None
    match form.about:
        case About.LANGUAGE:
            return Instruction(form.about, sentence, next(name for name in NAMES if match.group(name)))
        case About.LENGTH:
            count = match.group("count").lower()
            return Instruction(form.about, sentence, match.group("unit").lower(), _COUNTS.get(count) or int(count))
        case About.FORBIDDEN:
            return Instruction(form.about, sentence, match.group("verb").lower())
        case About.ALSO:
            stems = stems_of(match.group("what"))
            return Instruction(form.about, sentence, stems=stems) if len(stems) >= _FEWEST_STEMS else None
    return Instruction(form.about, sentence, form.wanted)
