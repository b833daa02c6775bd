"""Figures that the agent gave and that stand in no source it could have had.

A check: from a case to findings, second station of the flow. Source of the rule: Using Feedback and Reflection, "Does
every fact in the draft match a tool result exactly?". A figure is known when it stands in a tool answer, a user turn,
a policy, the base prompt or a fact before that turn, or follows from such figures by a little arithmetic. Questions,
examples, quotations and the agent's own proposals are not statements of fact and are passed over.

Where nothing is known of what the agent was told (no base prompt, no system message, no policy), a rule that it states
may stand there: then only codes and amounts of this very case are judged.
"""

import re
from collections.abc import Iterator

from core.checks.arithmetic import is_about
from core.checks.contract import Case, Finding
from core.checks.figures import Figure, figures
from core.checks.known import Known
from core.checks.passages import Passage, is_question, passage_at, proof_at, quoted, sentences
from core.evidence.contract import Span
from core.transcripts.message import Transcript
from core.vocabulary import TOLD, Dimension, Role, Severity

NAME = "ungrounded_figures"
_SHOWN = 3
"""Sentences lit and figures named in one finding; more would not change the decision."""
_HIGH = ("amount", "percentage", "code")
_EXAMPLE = re.compile(
    r"\be\.g\b|\bfor (?:example|instance)\b|\bsuch as\b|\bsay,|\bsuppose\b|\bassum\w+|\bexample\b|\bimagine\b|"
    r"\bformat\b|\blike this\b",
    re.I,
)
_GENERAL = re.compile(
    r"\b(?:per|each|every|any|all|usually|typically|generally|standard|minimum|maximum|up to|policy|rules?)\b", re.I
)
_ADDRESS = re.compile(r"(?:://|\bwww\.|(?:^|[\s\"'(])\.{0,2}/\w)[^\s\"'()]*$")
_AROUND = 60
_ABOUT = re.compile(
    r"(?:\babout|\baround|\broughly|\bapprox\w*\.?|\bnearly|\balmost|\bclose to|[~≈])\s?(?:₹|\$|€|£)?$", re.I
)
_PROPOSAL = re.compile(
    r"\b(?:recommend|suggest|propos|consider|allocat|split|put|invest|set aside|keep|mov|start|park|plan)\w*\b|"
    r"\bI[’']d\b|\bcould\b|\bcan (?:search|look|check|try|offer|schedule|book|expand|also)\b|"
    r"\bwould you\b|\bhow about\b|\bif you\b|\bgoal\b|\btarget\b|\boption to\b",
    re.I,
)
_ARTICLES = {
    "amount": "an amount",
    "percentage": "a percentage",
    "code": "a reference number",
    "duration": "a period",
    "date": "a date",
    "time": "a time of day",
    "number": "a figure",
}
_NOWHERE = "no tool answer, user turn, policy or fact before that holds"
_WORTH = {"amount": 0, "percentage": 1, "code": 2, "duration": 3, "date": 4, "time": 5, "number": 6}


def findings(case: Case) -> list[Finding]:
    """One finding a turn with figures from nowhere: high for amounts, percentages and codes, else medium."""
    known, told_nothing = _told(case), _told_nothing(case)
    found = []
    for turn, message in enumerate(case.transcript.messages):
        if message.role is Role.ASSISTANT:
            unknown = _unknown(message.content, known)
            if told_nothing:
                unknown = [each for each in unknown if _is_of_this_case(message.content, each)]
            if unknown:
                found.append(_finding(case.transcript, turn, unknown))
        known.add(message.content)
        for call in message.tool_calls:
            known.add(call.arguments, operands=False)
        if message.time:
            known.add(message.time.date().isoformat(), operands=False)
    return found


def _told(case: Case) -> Known:
    known = Known()
    for text in (case.base_prompt, *(fact.text for fact in case.facts), *(policy.text for policy in case.policies)):
        known.add(text)
    return known


def _told_nothing(case: Case) -> bool:
    told = any(message.role in TOLD for message in case.transcript.messages)
    return not (told or case.base_prompt.strip() or case.policies)


def _is_of_this_case(text: str, figure: Figure) -> bool:
    """Whether a figure can hardly be part of a rule: a code, or an amount that is not said of each and every case."""
    around = text[max(0, figure.start - _AROUND) : figure.end + _AROUND]
    return figure.kind == "code" or (figure.kind == "amount" and not _GENERAL.search(around))


def _unknown(text: str, known: Known) -> list[Figure]:
    """The figures of a turn that are stated as fact and have no source, in order."""
    beside = figures(text)
    unknown = []
    for figure in beside:
        if known.knows(figure, beside) or _is_rounded(text, figure, known):
            known.take(figure)
        elif _is_stated(text, figure):
            unknown.append(figure)
    return unknown


def _is_rounded(text: str, figure: Figure, known: Known) -> bool:
    """Whether the agent rounds a known number and says so."""
    return bool(_ABOUT.search(text[max(0, figure.start - _AROUND) : figure.start])) and all(
        is_about(value, known.numbers) for value in figure.values
    )


def _is_stated(text: str, figure: Figure) -> bool:
    sentence = passage_at(sentences(text), figure.start)
    if (
        sentence is None
        or _in_address(text, figure)
        or is_question(text, sentence)
        or quoted(text, figure.start, figure.end)
    ):
        return False
    said = sentence.of(text)
    if _EXAMPLE.search(said) or text.startswith('":', figure.end):
        return False
    if figure.kind in ("amount", "date", "time", "duration") and _PROPOSAL.search(said):
        return False
    return figure.kind != "number" or _is_telling(figure)


def _in_address(text: str, figure: Figure) -> bool:
    """Whether the figure is part of a web address or a file's path."""
    return bool(_ADDRESS.search(text[max(0, figure.start - _AROUND) : figure.start]))


def _is_telling(figure: Figure) -> bool:
    """Whether a bare number is long or precise enough to be worth a look; a year is not."""
    plain, value = figure.text.isdigit(), figure.values[0]
    if plain and 1900 <= value <= 2100:
        return False
    return len(figure.text.replace(",", "")) >= 4


def _finding(transcript: Transcript, turn: int, unknown: list[Figure]) -> Finding:
    worst = min(unknown, key=lambda figure: _WORTH[figure.kind])
    named = list(dict.fromkeys(figure.text for figure in sorted(unknown, key=lambda each: _WORTH[each.kind])))[:_SHOWN]
    figures_named = " and ".join(f"“{text}”" for text in named)
    return Finding(
        check=NAME,
        fault=f"{NAME}:{worst.kind}",
        dimension=Dimension.CONSISTENCY,
        severity=Severity.HIGH if worst.kind in _HIGH else Severity.MEDIUM,
        about=Role.ASSISTANT,
        observation=f"The agent gave {figures_named}, which {_NOWHERE}.",
        spans=tuple(_proofs(transcript.messages[turn].content, turn, worst, unknown)),
        improvement=_improvement(_ARTICLES[worst.kind]),
        trigger=f"Before stating {_ARTICLES[worst.kind]} to the user",
        title=f"A source for {_ARTICLES[worst.kind]}",
        tags=("figures", worst.kind),
    )


def _improvement(article: str) -> str:
    return (
        f"State {article} only when a tool answer, a policy or the user has given it; "
        "otherwise say that it has to be looked up."
    )


def _proofs(text: str, turn: int, worst: Figure, unknown: list[Figure]) -> Iterator[Span]:
    """The sentences with figures from nowhere, the weightiest figure's first, without repetition."""
    passages: dict[Passage, None] = {}
    for figure in (worst, *unknown):
        if proof := proof_at(text, figure.start):
            passages[proof] = None
    for passage in list(passages)[:_SHOWN]:
        yield Span(turn, passage.start, passage.end)
