"""What a user has ruled out, read from the known facts and from the user's own words.

Part of the checks, second station of the flow. Source of the rule: Self-reflection memory, "Were the user's stated
constraints respected?". Promise: only plain prohibitions are read ("never recommend equity or stock market
investments", "no phone calls, ever"); a wish or a preference is not a prohibition.
"""

import re
from dataclasses import dataclass

from core.checks.passages import sentences
from core.evidence.contract import Span
from core.transcripts.message import Transcript
from core.vocabulary import Role

_VERBS = (
    r"(?:to\s+)?(?:recommend|suggest|propose|offer|mention|invest(?:ing)?(?: my money)? in|"
    r"put (?:me|us|anything|money|my money) (?:in|into|on)|book|sell|buy|use|advise|include|consider|choose|pitch|"
    r"push|send|assign)(?:ing|ed)?(?:\s+(?:me|us|him|her|them|the user|any|a|an))*\s+"
)
_IN_FACT = re.compile(
    rf"\b(?:never|must not|do not|don[’']t|should not|avoid(?:s|ing)?|no)\s+{_VERBS}(?P<what>[^.;:(\n]+)"
    r"|\b(?:rul(?:es|ed)|ruling) out (?P<out>[^.;:(\n]+)"
    rf"|\b(?:hard )?constraint:\s*(?:no|avoid|never)\s+(?!{_VERBS})(?P<short>[^.;:(\n]+)",
    re.I,
)
_IN_TURN = re.compile(
    rf"\b(?:never|please (?:do not|don[’']t)|do not(?: ever)?|don[’']t(?: ever)?)\s+{_VERBS}(?P<what>[^.;:(\n,–—]+)"
    r"|\bI(?:[’']ve| have)? (?:ruled?|completely ruled) out (?P<out>[^.;:(\n,–—]+)"
    r"|\bno (?P<short>[\w -]{3,40}?),? (?:ever|never|at all|under any circumstances)\b",
    re.I,
)
_SPLIT = re.compile(r"\s*(?:,|/|\bor\b|\band\b|\bnor\b)\s*", re.I)
_TAIL = re.compile(
    r"\s+(?:to|for|with|because|since|unless|as|at|in|on|again|please|ever|anymore|any more|of any kind)\b.*$", re.I
)
_HEAD = re.compile(r"^(?:any|all|the|a|an|more|other|kind of|such|my|our|his|her|their)\s+", re.I)
_GENERIC = re.compile(
    r"\s+(?:investments?|products?|funds?|options?|exposure|schemes?|instruments?|related|linked|plans?|items?|"
    r"services?)$",
    re.I,
)
_TOO_GENERAL = re.compile(
    r"it|that|this|them|anything|something|one|investments?|products?|options?|money|me|us|you", re.I
)


@dataclass(frozen=True)
class Constraint:
    """Terms that the user has ruled out. ``said`` is the sentence; ``span`` where the user said it, None for a fact."""

    terms: tuple[str, ...]
    said: str
    span: Span | None = None

    @property
    def since(self) -> int:
        """The turn after which it holds; -1 for a fact, which holds from the start."""
        return self.span.turn if self.span else -1


def constraint_of_fact(text: str) -> Constraint | None:
    """The prohibition that a fact states, or None."""
    terms = _terms(_IN_FACT, text)
    return Constraint(terms, text) if terms else None


def constraints_of_user(transcript: Transcript) -> tuple[Constraint, ...]:
    """The prohibitions that the user stated in this session, each from its turn on."""
    found = []
    for turn, message in enumerate(transcript.messages):
        if message.role is Role.USER:
            for sentence in sentences(message.content):
                said = sentence.of(message.content)
                if terms := _terms(_IN_TURN, said):
                    found.append(Constraint(terms, said, Span(turn, sentence.start, sentence.end)))
    return tuple(found)


def _terms(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    terms: dict[str, None] = {}
    for match in pattern.finditer(text):
        objects = next(group for group in match.groups() if group)
        terms.update({term: None for part in _SPLIT.split(objects) if (term := _plain(part))})
    return tuple(terms)


def _plain(part: str) -> str:
    """A ruled-out thing without articles and without general nouns; empty where nothing distinct is left."""
    term = _TAIL.sub("", part.strip(" \"'“”’."))
    while shorter := _HEAD.sub("", term):
        if shorter == term:
            break
        term = shorter
    term = _GENERIC.sub("", term).strip()
    return "" if _TOO_GENERAL.fullmatch(term) or len(term) < 3 or len(term.split()) > 4 else term
