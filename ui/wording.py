"""The words that the desk says about severities, verdicts, sources and reasons."""

from collections.abc import Mapping, Sequence

from core.evidence.in_words import verdict_in_words
from core.service.views import Quote
from core.transcripts.message import Transcript
from core.vocabulary import Scope, Severity, Source

SEVERITIES: dict[str, str] = {
    Severity.CRITICAL: "Critical",
    Severity.HIGH: "High",
    Severity.MEDIUM: "Medium",
    Severity.LOW: "Low",
    Severity.POSITIVE: "Positive",
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

SCOPES_SHORT = {
    Scope.TASK_CLASS: "one task class",
    Scope.USER: "one user",
    Scope.AGENT: "every task of the agent",
}

NOBODY = "nobody in particular"
"""Who a user is where none is named, in lists and fields."""


def evidence_words(numbers: Sequence[int], names: Mapping[int, str]) -> str:
    """Which evidence it is, and whose: ``Evidence 2 of N-0003, 5 of L-0001``."""
    said = (f"{number} of {names[number]}" if names.get(number) else str(number) for number in numbers)
    return f"Evidence {', '.join(said)}"


def verdict_words(quote: Quote, transcript: Transcript | None = None) -> str:
    """What became of a quote of an item, in the words that every page, export and answer uses."""
    return verdict_in_words(quote.text, quote.speaker, quote.grounding, transcript, stale=bool(quote.stale))


def as_label(text: str) -> str:
    """What somebody wrote as a widget's label, which reads Markdown: every sign that means something is escaped."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]()<>#+-.!|~$:&" else sign for sign in text)
