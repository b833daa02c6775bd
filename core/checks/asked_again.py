"""Something that the user had already given, asked for once more.

A check: from a case to findings, second station of the flow. Source of the rule: Self-reflection memory, "Communication
quality". The thing was asked for and given, or given with its name ("my order number is …"), and the agent asks for it
as if nothing had been said. A reason for asking again (not found, no match, another order, a change of mind), a request
to confirm, and a policy that asks for it every time are no fault.
"""

import re
from dataclasses import dataclass, field

from core.checks.answers import reports_failure
from core.checks.contract import Case, Finding
from core.checks.passages import clauses, passage_at, sentences, shortened
from core.checks.requests import THINGS, Request, requests_in
from core.evidence.contract import Span
from core.transcripts.message import Message
from core.vocabulary import TOLD, Dimension, Role, Severity

NAME = "asked_again"
_LONGEST_ANSWER = 2_000
"""Code points from which a user's turn is something pasted and no answer."""
_REASON = re.compile(
    r"\b(?:not (?:able|found|match\w*|valid|recogni[sz]ed|clear|work\w*|exist\w*|see)|can(?:not|[’']t)|"
    r"could(?: not|n[’']t)|unable|(?:did|does|do|is)(?: not|n[’']t)|invalid|incorrect\w*|wrong|mismatch\w*|"
    r"no (?:match|record|account|order|user|result|such|reservation|profile)\w*|errors?|fail\w*|issue|problem|trouble|"
    r"unclear|sorry|apolog\w+|typo|mistyped|misspelled|technical|lost|expired|security|re-?enter|unsuccessful|"
    r"double[- ]?check\w*|another|other|different|second|instead)\b",
    re.I,
)
"""Words of the agent that give a reason for asking again."""
_MOVED_ON = re.compile(
    r"\b(?:actually|instead|wrong|mistake|typo|correction|sorry|another|other|different|second|changed|new|oops|"
    r"my bad|not sure|don[’']t (?:know|have|remember)|can[’']t (?:find|remember)|forg[eo]t\w*|maybe|try|also|next|"
    r"which|one of)\b",
    re.I,
)
"""Words of the user that open the matter again."""
_POLICY = re.compile(
    r"\b(?:re-?verif\w+|verify again|ask (?:for (?:it|them) )?again|each time|every time|twice|once more)\b", re.I
)
_NOTHING = re.compile(
    r"\b(?:not found|no (?:match|results?|records?)|does not exist|invalid|incorrect|null|unauthori[sz]ed)\b", re.I
)
_VALUE = re.compile(r"[\d@]|\b[A-Z]{6}\b")
"""What every value that is given with its name holds."""
_EMPTY = frozenset({"", "[]", "{}", "null", "None", '""', "false", "False"})


@dataclass(frozen=True)
class _Given:
    """Where the user gave a thing, and what was given."""

    turn: int
    start: int
    value: str


@dataclass
class _Known:
    """What was asked for and what was given so far; both are forgotten where there is a reason to ask again."""

    asked: dict[str, Request] = field(default_factory=dict)
    """What the last turn asked for, by key."""
    given: dict[str, _Given] = field(default_factory=dict)

    def forget(self) -> None:
        self.asked.clear()
        self.given.clear()

    def hear(self, text: str, turn: int) -> None:
        """Take in what a turn of the user gives; a question and a pasted text give nothing."""
        moved_on = len(text) > _LONGEST_ANSWER or bool((self.given or self.asked) and _MOVED_ON.search(text))
        if moved_on:
            self.given.clear()
        if len(text) <= _LONGEST_ANSWER and (self.asked or _VALUE.search(text)):
            for key, pattern in self._patterns(text, moved_on).items():
                match = pattern.search(text)
                if match and not _MOVED_ON.search(_clause(text, match)) and not _is_another(key, text, match):
                    self.given[key] = _Given(turn, match.start(), match.group())
        self.asked.clear()

    def _patterns(self, text: str, moved_on: bool) -> dict[str, re.Pattern[str]]:
        """How things are given here: with their names, and the one that was asked for by its shape alone."""
        patterns = {thing.name: thing.labelled for thing in THINGS if thing.labelled}
        if len(self.asked) == 1 and not moved_on and not text.rstrip().endswith("?"):
            patterns |= {key: request.given for key, request in self.asked.items()}
        return patterns


def _sentence(text: str, match: re.Match[str]) -> str:
    said = passage_at(sentences(text), match.start())
    return said.of(text) if said else match.group()


def _clause(text: str, match: re.Match[str]) -> str:
    said = passage_at(sentences(text), match.start())
    clause = passage_at(clauses(text, said), match.start()) if said else None
    return clause.of(text) if clause else match.group()


def _is_another(key: str, text: str, match: re.Match[str]) -> bool:
    """Whether the sentence names another thing and not this one, so that the value is the other's."""
    said = _sentence(text, match)
    named = {thing.name for thing in THINGS if thing.called.search(said)}
    return bool(named) and key not in named


def findings(case: Case) -> list[Finding]:
    """Requests for what had been given: medium, one a turn, and a thing once a session."""
    messages, known = case.transcript.messages, _Known()
    found: dict[str, Finding] = {}
    for turn, message in enumerate(messages):
        if message.role is Role.USER:
            known.hear(message.content, turn)
        elif known.given and _reopens(message):
            known.forget()
        if message.role is Role.ASSISTANT:
            asked = {request.key: request for request in requests_in(message.content)}
            again = [each for key, each in asked.items() if key in known.given and key not in found]
            found.update({each.key: _finding(messages, turn, each, known.given[each.key]) for each in again[:1]})
            known.asked = asked or known.asked
    return list(found.values()) if found and not _asks_every_time(case) else []


def _asks_every_time(case: Case) -> bool:
    """Whether the agent was told to ask more than once."""
    told = [case.base_prompt, *(policy.text for policy in case.policies)]
    told.extend(message.content for message in case.transcript.messages if message.role in TOLD)
    return any(_POLICY.search(text) for text in told)


def _reopens(message: Message) -> bool:
    """Whether a turn of a tool or of the agent gives a reason to ask again: a failure, nothing found, no match."""
    if message.role is Role.TOOL:
        text = message.content
        return text.strip() in _EMPTY or reports_failure(message) or bool(_NOTHING.search(text[:_LONGEST_ANSWER]))
    return message.role is Role.ASSISTANT and bool(_REASON.search(message.content))


def _finding(messages: tuple[Message, ...], turn: int, request: Request, given: _Given) -> Finding:
    answer = messages[given.turn].content
    said = passage_at(sentences(answer), given.start)
    start, end = (said.start, said.end) if said else (given.start, given.start + len(given.value))
    return Finding(
        check=NAME,
        fault=f"{NAME}:detail",
        dimension=Dimension.COMMUNICATION,
        severity=Severity.MEDIUM,
        about=Role.ASSISTANT,
        observation=f"The agent asked for {request.name} although the user had given it: “{shortened(given.value)}”.",
        spans=(Span(given.turn, start, end), Span(turn, request.passage.start, request.passage.end)),
        improvement=(
            "Look through what the user has already given before you ask for a detail, and use it; ask again only with "
            "the reason why it is needed once more."
        ),
        trigger="Before asking the user for a detail",
        title="Use what was given",
        tags=("questions", "details"),
    )
