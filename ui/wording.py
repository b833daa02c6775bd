"""The words that the desk says about severities, verdicts, speakers and reasons.

A quote that stands in the transcript is "found", never more: that the words were said does not make the critique right.
"""

import re
from collections.abc import Mapping, Sequence

from core.evidence.characters import folded
from core.evidence.contract import Grounding
from core.evidence.negation import is_negation
from core.service.views import Quote
from core.transcripts.message import Message, Transcript
from core.vocabulary import RejectReason, Role, Scope, Severity, Source, Verdict

SEVERITIES = {
    Severity.CRITICAL: "Critical",
    Severity.HIGH: "High",
    Severity.MEDIUM: "Medium",
    Severity.LOW: "Low",
    Severity.POSITIVE: "Positive",
}

SPEAKERS = {
    Role.SYSTEM: "System prompt",
    Role.DEVELOPER: "Developer prompt",
    Role.USER: "User",
    Role.ASSISTANT: "Agent",
    Role.TOOL: "Tool",
    Role.OTHER: "Other",
}

SOURCES = {
    Source.CHECK: "Check",
    Source.TOOL: "Tool result",
    Source.EVALUATOR: "Evaluator",
    Source.PERSON: "Reviewer",
    Source.USER: "User",
    Source.CRITIC: "Critic",
}

SCOPES = {
    Scope.TASK_CLASS: "For task class",
    Scope.USER: "For this user only",
    Scope.AGENT: "For every task of the agent",
}

REJECT_REASONS = {
    RejectReason.NOT_TRUE: "not true",
    RejectReason.NOT_GENERAL: "not general",
    RejectReason.TOO_VAGUE: "too vague",
    RejectReason.TWIN: "a twin",
    RejectReason.AGAINST_POLICY: "against policy",
    RejectReason.UNSAFE_SOURCE: "from an unsafe source",
}

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

_REFUSED = {
    Verdict.NOT_FOUND: "quote not found",
    Verdict.CROSSES_MESSAGES: "runs over two turns",
    Verdict.OUT_OF_ORDER: "pieces stand in another order",
    Verdict.TOO_SHORT: "too short to prove anything",
    Verdict.INSIDE_WORD: "starts or ends inside a word",
    Verdict.ELISION_HIDES_NEGATION: "shortened, hides a negation",
    Verdict.ONLY_IN_BRIEFING: "only in the system prompt",
}


def speaker(message: Message) -> str:
    """Who says a message, in the desk's words."""
    if message.role is Role.OTHER and message.name:
        return message.name
    return SPEAKERS[message.role]


def evidence_words(numbers: Sequence[int], names: Mapping[int, str]) -> str:
    """Which evidence it is, and whose: ``Evidence 2 of N-0003, 5 of L-0001``."""
    said = (f"{number} of {names[number]}" if names.get(number) else str(number) for number in numbers)
    return f"Evidence {', '.join(said)}"


def verdict_words(quote: Quote, transcript: Transcript | None = None) -> str:
    """What became of a quote; ``transcript`` lets the words name who really said it and count what a gap hides."""
    found = quote.grounding
    if quote.stale:
        return "the transcript has changed since"
    if found.verdict.grounded:
        return " · ".join(("quote found", *_remarks(found, transcript)))
    if found.verdict is Verdict.ALTERED:
        return f"altered: {_what_differs(quote, transcript)}"
    if found.verdict is Verdict.WRONG_SPEAKER:
        return _who_said_it(quote, transcript)
    return _REFUSED[found.verdict]


def _remarks(found: Grounding, transcript: Transcript | None) -> list[str]:
    remarks = []
    if found.folds:
        remarks.append(f"folded: {', '.join(found.folds)}")
    if found.verdict is Verdict.ELIDED:
        hidden = hidden_words(found, transcript)
        remarks.append(f"shortened, {hidden} words hidden" if hidden else "shortened")
    if found.verdict is Verdict.AMBIGUOUS:
        remarks.append(f"stands in {len(found.spans)} places")
    return remarks


def hidden_words(found: Grounding, transcript: Transcript | None) -> int:
    """How many words the gaps of a shortened quote hide; 0 where the transcript is not at hand."""
    if transcript is None:
        return 0
    hidden = (transcript.messages[gap.turn].content[gap.start : gap.end] for gap in found.gaps)
    return sum(len(text.split()) for text in hidden)


def _what_differs(quote: Quote, transcript: Transcript | None) -> str:
    if transcript is None or not quote.grounding.nearest:
        return "words differ"
    source = " ".join(transcript.messages[s.turn].content[s.start : s.end] for s in quote.grounding.nearest)
    if _NUMBER.findall(source) != _NUMBER.findall(quote.text):
        return "a number differs"
    return "a negation differs" if _negations(source) != _negations(quote.text) else "words differ"


def _negations(text: str) -> list[str]:
    keys = (folded(word.strip('.,;:!?()“”"')) for word in text.split())
    return [key for key in keys if is_negation(key)]


def _who_said_it(quote: Quote, transcript: Transcript | None) -> str:
    claimed = SPEAKERS[quote.speaker].lower()
    if transcript is None or not quote.grounding.nearest:
        return f"not said by the {claimed}"
    really = speaker(transcript.messages[quote.grounding.nearest[0].turn])
    return f"said by the {really.lower()}, not the {claimed}"
