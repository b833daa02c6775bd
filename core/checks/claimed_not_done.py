"""Actions that the agent says are done, with no successful tool answer behind them.

A check: from a case to findings, second station of the flow. Source of the rule: Using Feedback and Reflection, "Does
it promise anything the policy or tool results do not support?".

A claim stands where a tool of its kind answered with success before the agent's stretch ended (the stretch ends at the
next user turn). A session without any tool, in the transcript or in the prompt, is plain talk: nothing can be said
about it and nothing is found.
"""

import itertools
import re
from dataclasses import dataclass
from functools import cached_property

from core.checks.actions import ActionKind, plain_name, tools_named_in
from core.checks.answers import ToolAnswer, tool_answers, unanswered_calls
from core.checks.claims import Claim, claims
from core.checks.contract import Case, Finding
from core.checks.passages import shortened
from core.evidence.contract import Span
from core.vocabulary import TOLD, Dimension, Role, Severity

NAME = "claimed_not_done"
_SHOWN_ANSWER = 300
"""Code points of a refusing tool answer that are lit; the rest of a long one proves nothing more."""
_REFERENCE = re.compile(r"\"(#?(?=[A-Z0-9-]*[A-Z])[A-Z0-9-]{5,})\"")
_EXCEPTED = re.compile(r"\b(?:except|apart from|other than|but not|not including|instead of|unlike)\b.*", re.I | re.S)
_ADMITS_FAILURE = re.compile(r"\b(?:could not|couldn[’']t|unable|failed|not able|errors?|went wrong|rejected)\b", re.I)


def findings(case: Case) -> list[Finding]:
    """Findings for claims without a deed: high, or critical where the tool had refused. One a turn, the worst first."""
    record = _Record(case)
    if not record.has_tools:
        return []
    found = (_worst_of_turn(case, record, turn) for turn in _agent_turns(case))
    return [finding for finding in found if finding]


@dataclass(frozen=True)
class _Record:
    """What the transcript says about tools, prepared once a case."""

    case: Case

    @cached_property
    def answers(self) -> tuple[ToolAnswer, ...]:
        return tool_answers(self.case.transcript)

    @cached_property
    def has_tools(self) -> bool:
        messages = self.case.transcript.messages
        if any(message.tool_calls or message.role is Role.TOOL for message in messages):
            return True
        told = [self.case.base_prompt, *(message.content for message in messages if message.role in TOLD)]
        return any(tools_named_in(text) for text in told)

    @cached_property
    def stretches(self) -> tuple[tuple[int, int], ...]:
        """For each turn, the first turn after the last user turn and the next user turn."""
        roles = [message.role for message in self.case.transcript.messages]
        users = [-1, *(turn for turn, role in enumerate(roles) if role is Role.USER), len(roles)]
        bounds = {}
        for last, following in itertools.pairwise(users):
            bounds.update(dict.fromkeys(range(last + 1, following + 1), (last + 1, following)))
        return tuple(bounds[turn] for turn in range(len(roles)))

    def deeds(self, kind: ActionKind, before: int) -> list[ToolAnswer]:
        """Answers before this turn of tools that can do this kind of action."""
        return [
            each
            for each in self.answers
            if each.turn < before and each.name and kind.done_by(each.name, each.arguments)
        ]

    def may_be_done_unseen(self, kind: ActionKind, start: int, end: int) -> bool:
        """Whether an answer without a tool's name, or a call without an answer, may be the deed."""
        unnamed = any(each.name is None and not each.failed and start <= each.turn < end for each in self.answers)
        unanswered = unanswered_calls(self.case.transcript)
        return unnamed or any(turn < end and kind.done_by(call.name, call.arguments) for turn, call in unanswered)

    def reported_state(self, claim: Claim, start: int, end: int) -> bool:
        """Whether a tool spoke of this state in these turns, and it is passed on; a field's name does not count."""
        stem = claim.verb[: max(4, len(claim.verb) - 3)]
        spoken = re.compile(rf"\b{re.escape(stem)}[a-z]*\b(?![\w\"]*\s*:)", re.I)
        return any(spoken.search(each.text) for each in self.answers if start <= each.turn < end and not each.failed)

    @cached_property
    def references(self) -> frozenset[str]:
        """References that calls were made for, such as order and reservation numbers."""
        return frozenset(found for each in self.answers for found in _REFERENCE.findall(each.arguments))

    def speaks_of_another(self, sentence: str, done: list[ToolAnswer]) -> bool:
        """Whether the sentence names references, and none of them was part of what was done."""
        sentence = _EXCEPTED.sub("", sentence)
        named = {each for each in self.references if re.search(rf"(?<!\w){re.escape(each)}(?!\w)", sentence)}
        return bool(named) and not any(each in deed.arguments or each in deed.text for each in named for deed in done)

    def said_before(self, kind: ActionKind, before: int) -> bool:
        """Whether an earlier turn made a claim of this kind; a repetition is not a second fault."""
        earlier = self.case.transcript.messages[:before]
        return any(each.kind is kind for m in earlier if m.role is Role.ASSISTANT for each in claims(m.content))


def _agent_turns(case: Case) -> list[int]:
    return [turn for turn, message in enumerate(case.transcript.messages) if message.role is Role.ASSISTANT]


def _worst_of_turn(case: Case, record: _Record, turn: int) -> Finding | None:
    text = case.transcript.messages[turn].content
    found = [finding for claim in claims(text) if (finding := _judged(record, turn, text, claim))]
    return min(found, key=lambda finding: finding.severity.rank, default=None)


def _judged(record: _Record, turn: int, text: str, claim: Claim) -> Finding | None:
    """A finding where the claim has no deed, None where it has one or where none can be expected."""
    start, end = record.stretches[turn]
    deeds = record.deeds(claim.kind, end)
    now = [each for each in deeds if each.turn >= start] or deeds
    refusals = [each for each in now if each.failed and claim.kind.done_by(each.name or "")]
    if refusals and all(each.failed for each in now):
        return None if _ADMITS_FAILURE.search(text) else _finding(turn, text, claim, refusal=refusals[-1])
    done = [each for each in deeds if not each.failed]
    another = bool(done) and record.speaks_of_another(claim.passage.of(text), done)
    if (done and not another) or _is_excused(record, turn, claim, another):
        return None
    return _finding(turn, text, claim, another=another)


def _is_excused(record: _Record, turn: int, claim: Claim, another: bool) -> bool:
    """Whether the deed may be there unseen, was claimed before, or is a state that a tool reported."""
    start, end = record.stretches[turn]
    if record.may_be_done_unseen(claim.kind, start, end) or (not another and record.said_before(claim.kind, turn)):
        return True
    return record.reported_state(claim, -1 if claim.passive else start, end)


def _finding(
    turn: int, text: str, claim: Claim, *, refusal: ToolAnswer | None = None, another: bool = False
) -> Finding:
    kind, passage = claim.kind, claim.passage
    spans = [Span(turn, passage.start, passage.end)]
    why = "but no tool that does this had answered before."
    if another:
        why = "but the tool had done this only for something else."
    if refusal:
        spans.append(Span(refusal.turn, 0, min(len(refusal.text), _SHOWN_ANSWER)))
        why = f"although {plain_name(refusal.name or 'the tool')} had refused it."
    return Finding(
        check=NAME,
        fault=f"{NAME}:{kind.name}",
        dimension=Dimension.CONSISTENCY,
        severity=Severity.CRITICAL if refusal else Severity.HIGH,
        about=Role.ASSISTANT,
        observation=f"The agent said “{shortened(passage.of(text))}”, {why}",
        spans=tuple(span for span in spans if span.end > span.start),
        improvement=(
            f"Say that something is {kind.saying} only after the tool that does it has answered with success; "
            "until then say what is still to be done."
        ),
        trigger=f"Before telling the user that something is {kind.saying}",
        title=f"The tool first, then “{kind.saying}”",
        tags=("actions", kind.name),
    )
