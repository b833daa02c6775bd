"""The few words for a verdict, the same on every page, in every filter, export and answer.

Evidence. A quote that stands in the transcript is "found", never more: that words were said does not make the critique
right. ``wording`` has the whole sentences.
"""

import re

from core.evidence.characters import folded
from core.evidence.contract import Grounding, Span
from core.evidence.negation import is_negation
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role, Verdict

SPEAKERS = {
    Role.SYSTEM: "System prompt",
    Role.DEVELOPER: "Developer prompt",
    Role.USER: "User",
    Role.ASSISTANT: "Agent",
    Role.TOOL: "Tool",
    Role.OTHER: "Other",
}

STALE = "the transcript has changed since"

VERDICTS = {
    Verdict.EXACT: "quote found",
    Verdict.FOLDED: "quote found · folded",
    Verdict.ELIDED: "quote found · shortened",
    Verdict.AMBIGUOUS: "quote found · in several places",
    Verdict.NOT_FOUND: "quote not found",
    Verdict.ALTERED: "altered",
    Verdict.WRONG_SPEAKER: "said by another",
    Verdict.CROSSES_MESSAGES: "runs over two turns",
    Verdict.OUT_OF_ORDER: "pieces stand in another order",
    Verdict.TOO_SHORT: "too short to prove anything",
    Verdict.INSIDE_WORD: "starts or ends inside a word",
    Verdict.ELISION_HIDES_NEGATION: "shortened, hides a negation",
    Verdict.ONLY_IN_BRIEFING: "only in the system prompt",
}
"""Each verdict as a filter names it; ``verdict_in_words`` says more where the transcript is at hand."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def speaker_in_words(message: Message) -> str:
    """Who says a message."""
    if message.role is Role.OTHER and message.name:
        return message.name
    return SPEAKERS[message.role]


def verdict_in_words(
    quote: str, claimed: Role | None, found: Grounding, transcript: Transcript | None = None, *, stale: bool = False
) -> str:
    """What became of a quote that is credited to ``claimed``.

    ``transcript`` lets the words name who really said it, what differs, and how much a gap hides.
    """
    if stale:
        return STALE
    if found.verdict.grounded:
        return " · ".join(("quote found", *_remarks(found, transcript)))
    if found.verdict is Verdict.ALTERED:
        return f"altered: {_what_differs(quote, found, transcript)}"
    if found.verdict is Verdict.WRONG_SPEAKER:
        return _who_said_it(claimed, found, transcript)
    return VERDICTS[found.verdict]


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
    return sum(len(_standing(transcript, gap).split()) for gap in found.gaps)


def _standing(transcript: Transcript, span: Span) -> str:
    return transcript.messages[span.turn].content[span.start : span.end]


def _what_differs(quote: str, found: Grounding, transcript: Transcript | None) -> str:
    if transcript is None or not found.nearest:
        return "words differ"
    source = " ".join(_standing(transcript, near) for near in found.nearest)
    if _NUMBER.findall(source) != _NUMBER.findall(quote):
        return "a number differs"
    return "a negation differs" if _negations(source) != _negations(quote) else "words differ"


def _negations(text: str) -> list[str]:
    keys = (folded(word.strip('.,;:!?()“”"')) for word in text.split())
    return [key for key in keys if is_negation(key)]


def _who_said_it(claimed: Role | None, found: Grounding, transcript: Transcript | None) -> str:
    if claimed is None:
        return VERDICTS[Verdict.WRONG_SPEAKER]
    who = SPEAKERS[claimed].lower()
    if transcript is None or not found.nearest:
        return f"not said by the {who}"
    really = speaker_in_words(transcript.messages[found.nearest[0].turn])
    return f"said by the {really.lower()}, not the {who}"
