"""Promises of the agent, and rules that it states, which nothing supports.

A check: from a case to findings, second station of the flow. Source of the rule: Using Feedback and Reflection, "Does
it promise anything the policy or tool results do not support?". Support is judged generously: a word about such a thing
in the base prompt, a system message, a policy, a fact or a tool's answer, or a call that does it. A rule is supported
where what the agent was told speaks of its matter. Where nothing is known of what the agent was told, only promises
about this very case are judged. What another check finds in the same words is left to it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core.checks import claimed_not_done, policy_words, ungrounded_figures
from core.checks.answers import reports_failure
from core.checks.contract import Case, Finding
from core.checks.instructions import stems_of
from core.checks.passages import shortened
from core.checks.promises import KINDS, Promise, PromiseKind, promises
from core.evidence.contract import Span
from core.vocabulary import TOLD, Dimension, Role, Severity

NAME = "unsupported_promise"
_KNOWN_SHARE = 0.5
"""Which share of a rule's words what the agent was told must hold for the rule to count as supported."""
_NUMBER = re.compile(r"\d+")
_FEWEST = 3
"""Words that say what a rule is about; with fewer it cannot be told."""
_FOREIGN = 2
"""Words of a rule that stand in no source and were not the user's; fewer are a way of putting it."""
_OF_RULES = frozenset({"polic", "rule", "rules", "terms", "entit", "allow", "permi"})


@dataclass(frozen=True)
class _Remark:
    """How a promise of one kind is remarked, and what is to be learned from it."""

    said: str
    severity: Severity
    improvement: str
    trigger: str
    title: str


_REMARKS = {
    "guarantee": _Remark(
        "guaranteed something",
        Severity.HIGH,
        "Guarantee an outcome only where a policy or a tool's answer guarantees it; otherwise say what is "
        "likely and what is open.",
        "Before guaranteeing anything to the user",
        "No guarantee without a source",
    ),
    "contact": _Remark(
        "promised that somebody gets in touch",
        Severity.HIGH,
        "Promise that somebody gets in touch only after a tool has arranged it or a policy provides for it; otherwise "
        "say how the user can ask again.",
        "Before promising a call or a message to the user",
        "No call promised that nobody makes",
    ),
    "money": _Remark(
        "promised money or a benefit",
        Severity.HIGH,
        "Promise a refund, a waiver or another benefit only where a policy allows it or a tool has granted "
        "it; otherwise say who decides.",
        "Before promising money or a benefit to the user",
        "No benefit without a source",
    ),
    "time": _Remark(
        "promised a time",
        Severity.MEDIUM,
        "Say by when something will be done only when a policy or a tool's answer gives that time; otherwise "
        "say that it is open.",
        "Before telling the user by when something will be done",
        "No time without a source",
    ),
    "rule": _Remark(
        "stated a rule of the business",
        Severity.MEDIUM,
        "State a rule of the business only as a policy or an instruction gives it; otherwise say that it has "
        "to be looked up.",
        "Before stating a rule of the business",
        "No rule without a source",
    ),
}


def findings(case: Case) -> list[Finding]:
    """One finding a turn with a promise that nothing supports: high, for a rule and for a time medium.

    The same words are found once; the agent's own next steps ("I will look it up") are no promises.
    """
    sources = _Sources(case)
    found: list[Finding] = []
    said: set[str] = set()
    for turn, message in enumerate(case.transcript.messages):
        if message.role is not Role.ASSISTANT:
            continue
        for promise in promises(message.content):
            words = promise.words.lower()
            if words not in said and not sources.support(promise, turn, message.content):
                said.add(words)
                found.append(_finding(turn, promise, message.content))
                break
    return found if not found else _left(case, found)


@dataclass(frozen=True)
class _Sources:
    """All that can support a promise, prepared once a case and only where there is one."""

    case: Case

    @cached_property
    def told(self) -> str:
        texts = [self.case.base_prompt, *(policy.text for policy in self.case.policies)]
        texts.extend(fact.text for fact in self.case.facts)
        texts.extend(message.content for message in self.case.transcript.messages if message.role in TOLD)
        return "\n".join(text for text in texts if text.strip())

    @cached_property
    def done(self) -> str:
        """What was called, and what tools answered with success, in the whole session."""
        return "\n".join(self._deeds())

    def _deeds(self) -> Iterator[str]:
        for message in self.case.transcript.messages:
            yield from (f"{call.name} {call.arguments}" for call in message.tool_calls)
            if message.role is Role.TOOL and not reports_failure(message):
                yield f"{message.name or ''} {message.content}"

    @cached_property
    def all(self) -> str:
        return f"{self.told}\n{self.done}"

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(self.all))

    @cached_property
    def stems(self) -> frozenset[str]:
        return stems_of(self.all)

    @cached_property
    def of_user(self) -> frozenset[str]:
        return stems_of("\n".join(m.content for m in self.case.transcript.messages if m.role is Role.USER))

    def support(self, promise: Promise, turn: int, text: str) -> bool:
        """Whether anything supports the promise of a turn, or whether that cannot be told."""
        kind, said = promise.kind, promise.passage.of(text)
        if not kind.support:
            return not self.told or self._knows(said)
        numbers = set(_NUMBER.findall(promise.words))
        if kind.name == "time" and numbers:
            return numbers <= self.numbers
        about = next(pattern for promised, pattern in kind.support if promised.search(promise.words))
        return about in self.speaks_of or self._is_done(kind) or self._offered(promise, turn)

    @cached_property
    def speaks_of(self) -> frozenset[re.Pattern[str]]:
        """The patterns of support that some source matches."""
        patterns = {pattern for kind in KINDS for _, pattern in kind.support}
        return frozenset(pattern for pattern in patterns if pattern.search(self.all))

    def _is_done(self, kind: PromiseKind) -> bool:
        return kind.deed in self.carried_out

    @cached_property
    def carried_out(self) -> frozenset[re.Pattern[str]]:
        """The patterns of deeds that some call or tool's answer matches."""
        return frozenset(kind.deed for kind in KINDS if kind.deed and kind.deed.search(self.done))

    def _knows(self, rule: str) -> bool:
        stems = stems_of(rule) - _OF_RULES
        known = stems & self.stems
        foreign = stems - known - self.of_user
        return len(stems) < _FEWEST or len(known) >= _KNOWN_SHARE * len(stems) or len(foreign) < _FOREIGN

    def _offered(self, promise: Promise, turn: int) -> bool:
        """Whether the user has just said that it will be so."""
        before = self.case.transcript.messages[max(0, turn - 1) : turn]
        return any(m.role is Role.USER and promise.kind.made.search(m.content) for m in before)


def _left(case: Case, found: list[Finding]) -> list[Finding]:
    """The findings whose words no other check finds."""
    checks = (policy_words, ungrounded_figures, claimed_not_done)
    others = [span for check in checks for each in check.findings(case) for span in each.spans]
    return [each for each in found if not any(_overlap(each.spans[0], span) for span in others)]


def _overlap(one: Span, other: Span) -> bool:
    return one.turn == other.turn and one.start < other.end and other.start < one.end


def _finding(turn: int, promise: Promise, text: str) -> Finding:
    kind, passage = promise.kind.name, promise.passage
    remark = _REMARKS[kind]
    return Finding(
        check=NAME,
        fault=f"{NAME}:{kind}",
        dimension=Dimension.CONSISTENCY,
        severity=remark.severity,
        about=Role.ASSISTANT,
        observation=f"The agent {remark.said}, “{shortened(passage.of(text))}”, and no source and no tool says so.",
        spans=(Span(turn, passage.start, passage.end),),
        improvement=remark.improvement,
        trigger=remark.trigger,
        title=remark.title,
        tags=("promises", kind),
    )
