"""The code checks on a draft that is not sent yet: what they find in its words, whatever else they could remark.

A check of checks, for self-review inside a task. Source: Using Feedback and Reflection in Agent Workflows, "Combine
With Code Checks". The draft is the last turn of a transcript made of what the agent was given, so every finding that
lights its words is about it.
"""

from dataclasses import replace

from core.checks import CHECKS, run
from core.checks.contract import Case, Finding
from core.transcripts.message import Message, Transcript

_SENTENCE_BY_SENTENCE = ("policy_words", "ungrounded_figures", "claimed_not_done", "unsupported_promise")
"""Checks that name one fault a turn, the worst, and judge each sentence for itself."""

_LOOKS = 6
"""How often the draft is read again without what was found: an agent may revise twice only, so it should hear all."""


def findings_on_draft(case: Case) -> list[Finding]:
    """What the checks find in the last turn of a case, each of its sentences named once."""
    found = _in_last_turn(case, run(case))
    fresh = found
    for _ in range(_LOOKS):
        case = _without(case, fresh)
        again = [finding for name in _SENTENCE_BY_SENTENCE for finding in CHECKS[name](case)]
        fresh = _in_last_turn(case, again)
        if not fresh:
            break
        found = found + fresh
    return found


def _in_last_turn(case: Case, findings: list[Finding]) -> list[Finding]:
    """The findings that light the last turn, its words first."""
    last = len(case.transcript.messages) - 1
    kept = [each for each in findings if any(span.turn == last for span in each.spans)]
    return [replace(each, spans=tuple(sorted(each.spans, key=lambda span: span.turn != last))) for each in kept]


def _without(case: Case, found: list[Finding]) -> Case:
    """The case with blanks in place of the words of the draft that were found, every other place as it was."""
    messages = case.transcript.messages
    last, draft = len(messages) - 1, messages[-1].content
    for finding in found:
        for span in finding.spans:
            if span.turn == last and finding.check in _SENTENCE_BY_SENTENCE:
                draft = draft[: span.start] + " " * (span.end - span.start) + draft[span.end :]
    changed: Message = messages[-1].model_copy(update={"content": draft})
    return replace(case, transcript=Transcript(messages=(*messages[:-1], changed)))
