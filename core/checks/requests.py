"""What an agent asks its user for, and what gives it.

Part of the checks, second station of the flow. A thing asked for is one of a closed list (an e-mail address, an order
number, a date of birth …), each with the shape of its answer, so that what was given can be told from what was only
talked about. Promise: a request that offers, confirms or asks about another person's or another order's thing is none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.checks.passages import Passage, is_question, sentences

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*"
_DATE = rf"(?:\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH} \d{{1,2}})"
_CODE = r"#?\b(?=[\w-]{0,30}\d)[A-Za-z0-9][\w-]{3,}"
_DIGITS = r"\b\d(?:[\s-]?\d){3,}"
_NAME = r"\b[A-Z][\w’'-]+ [A-Z][\w’'-]+"
_NUMBER = r"\s?(?:number|no\.?|id|code|#)"


@dataclass(frozen=True)
class Thing:
    """Something that agents ask for: how it is called, and how an answer that gives it looks."""

    name: str
    called: re.Pattern[str]
    given: re.Pattern[str]
    labelled: re.Pattern[str] | None
    """How it is given without having been asked for; None where that cannot be told."""


def _thing(name: str, called: str, given: str, *, volunteered: bool = True) -> Thing:
    label = rf"(?i:\b(?:{called}))(?:\s+(?:is|was|are|hai|would be))?\s*[:#=]?\s*"
    return Thing(
        name,
        re.compile(rf"\b(?:{called})(?!\w)", re.I),
        re.compile(given),
        re.compile(rf"{label}(?:{given})") if volunteered else None,
    )


THINGS = (
    _thing("mother's maiden name", r"mother[’']?s maiden name", r"\b[A-Z][\w’'-]+", volunteered=False),
    _thing("e-mail address", r"e-?mail(?: address| id)?", r"[\w.+-]{1,64}@[\w-]+\.[\w.-]*\w"),
    _thing(
        "phone number",
        r"(?:phone|mobile|telephone|cell|contact|callback)(?: phone)?\s?(?:number|no\.?)",
        r"\+?\d[\d\s().-]{6,18}\d",
    ),
    _thing("order number", rf"order{_NUMBER}", _CODE),
    _thing("booking number", rf"(?:reservation|booking|confirmation){_NUMBER}|PNR", rf"(?:{_CODE}|\b[A-Z0-9]{{6}}\b)"),
    _thing("user ID", r"user\s?(?:id|name)", r"\b(?=\w{0,30}[\d_])\w{4,}"),
    _thing("account number", rf"account{_NUMBER}", rf"(?:{_DIGITS}|{_CODE})"),
    _thing("customer number", rf"(?:customer|client|member(?:ship)?|student|employee){_NUMBER}", _CODE),
    _thing(
        "reference",
        rf"(?:application|case|ticket|reference|tracking|complaint|claim|loan(?: account)?){_NUMBER}",
        _CODE,
    ),
    _thing("PIN", r"PIN(?: number| code)?", r"\b\d{4,6}\b"),
    _thing("ZIP code", r"(?:zip|postal|post)\s?code|zip", r"\b\d{5}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b"),
    _thing("date of birth", r"date of birth|birth ?date|DOB", rf"(?i:{_DATE})"),
    _thing("name", r"(?:full|first and last) name|your name", _NAME, volunteered=False),
    _thing(
        "address",
        r"(?:street|shipping|billing|delivery|home|mailing) address",
        r"\b\d+\w? (?:[A-Z][\w.]+ ?){1,4}",
        volunteered=False,
    ),
)
"""Every thing that is looked for, by how agents call it; a longer name before a shorter one that it holds."""

_ASKS = re.compile(
    r"\b(?:(?:can|could|may|might) I (?:please )?(?:also )?(?:have|get|know|ask(?: you)? for)"
    r"|(?:can|could|would|will) you (?:please )?(?:also )?(?:kindly )?"
    r"(?:provide|share|tell|give|send|let me know|specify|enter|state)"
    r"|(?:please|kindly) (?:also )?(?:provide|share|tell|give|send|let me know|specify|enter|state|reply with)"
    r"|(?:I|we)(?:[’']ll| will| still)? (?:just )?need(?: to (?:know|have))?(?= (?:your|the|an?)\b)|what(?:[’']s"
    r"| is| are| was))\b",
    re.I,
)
_NO_REQUEST = re.compile(
    r"\b(?:confirm\w*|verify (?:that|your|the|if|whether|this|it)|double[- ]?check\w*|correct|another|other"
    r"|different|second|next|new|additional|each|both|"
    r"all|companion\w*|passengers?|doctor|hotel|friend|child|daughter|son|spouse|wife|husband|recipient\w*|merchant|"
    r"manufacturer|business|employer|or (?:the|your|a)|if|alternativ\w*|instead|once you|when you|after you|"
    r"as soon as you|using|with your|from your|on the card|cardholder\w*|do not|don[’']t|never)\b",
    re.I,
)
"""What makes a request one of another kind: a confirmation, a choice, a condition, another thing, somebody else's."""
_CUES = (" id", "name", "number", "mail", "pin", "zip", "code", "birth", "address", "pnr", "order no", "#")
_QUESTION_CUES = ("when", "how many", "how much", "day", "date", "time")
"""Letters of which one stands in every request, a cheap first look."""
_LONG = 300
_QUESTION = re.compile(r"\b(?P<kind>when|how many|how much|(?:what|which) (?:day|date|time)|at what time)\b", re.I)
_WHEN = (
    rf"\b(?:{_DATE}|\d{{1,2}}(?::\d\d)? ?(?:am|pm|a\.m|p\.m|o[’']clock)|\d{{1,2}}:\d\d|(?:mon|tues|wednes|thurs"
    rf"|fri|satur|sun)day|"
    r"today|tomorrow|tonight|yesterday|noon|midnight|morning|afternoon|evening)\b"
)
_MUCH = r"\d|\b(?:just one|only one|two|three|four|five|six|seven|eight|nine|ten|twelve|a couple)\b"
_OPEN = {"how many": re.compile(_MUCH, re.I), "how much": re.compile(_MUCH, re.I)}
_TIME = re.compile(_WHEN, re.I)
_FEWEST_WORDS = 4


@dataclass(frozen=True)
class Request:
    """One thing that an agent asks for, with the sentence that asks.

    ``key`` is the same for the same thing; ``name`` is how an observation calls it.
    """

    key: str
    name: str
    given: re.Pattern[str]
    passage: Passage


def requests_in(text: str) -> Iterator[Request]:
    """What a turn of the agent asks its user for, in order."""
    lower = text.lower()
    if not any(cue in lower for cue in _CUES) and not ("?" in text and any(cue in lower for cue in _QUESTION_CUES)):
        return
    for sentence in sentences(text):
        said = sentence.of(text) if sentence.end - sentence.start <= _LONG else ""
        asks = _ASKS.search(said)
        if (asks or is_question(text, sentence)) and not _NO_REQUEST.search(said):
            things = list(_called(said, asks.end())) if asks else []
            yield from (Request(thing.name, f"the {thing.name}", thing.given, sentence) for thing in things)
            if not things and is_question(text, sentence):
                yield from _open_question(said, sentence)


def _called(said: str, start: int) -> Iterator[Thing]:
    """The things that these words name; a word inside a longer name counts for the longer one alone."""
    taken: list[tuple[int, int]] = []
    for thing in THINGS:
        match = thing.called.search(said, start)
        if match and not any(first < match.end() and match.start() < last for first, last in taken):
            taken.append(match.span())
            yield thing


def _open_question(said: str, sentence: Passage) -> Iterator[Request]:
    """A question for a time or a number that concerns the user, known by its very words."""
    asked = _QUESTION.search(said)
    words = re.findall(r"\w+", said.lower())
    if asked and len(words) >= _FEWEST_WORDS and {"you", "your"} & set(words):
        given = _OPEN.get(asked.group("kind").lower(), _TIME)
        yield Request(" ".join(words), f"“{said}”", given, sentence)
