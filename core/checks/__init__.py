"""Code checks: evaluators that need no model, second station of the flow.

From a finished agent session to findings, each with the words that prove it: ``messages[turn].content[start:end]`` is
the sentence or clause itself. Promise: the same case gives the same findings, at most one a check and turn, and at
most a few of one fault in a session.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.checks import (
    asked_again,
    claimed_not_done,
    dropped_instruction,
    leaked_format,
    missed_signals,
    policy_words,
    ungrounded_figures,
    unsupported_promise,
)
from core.checks.contract import Case, Check, Fact, Finding, Policy
from core.settings import DEFAULTS


@dataclass(frozen=True)
class CodeCheck:
    """A check with the version of its rules; the version grows whenever it may find something else."""

    name: str
    version: int
    find: Check

    def __call__(self, case: Case, of_a_fault: int = DEFAULTS.findings_of_fault) -> list[Finding]:
        """The findings of this check in the order of turns, ``of_a_fault`` at most, no words twice."""
        return _few(case, self.find(case), of_a_fault)


CHECKS: Mapping[str, CodeCheck] = MappingProxyType(
    {
        check.name: check
        for check in (
            CodeCheck(policy_words.NAME, 2, policy_words.findings),
            CodeCheck(ungrounded_figures.NAME, 1, ungrounded_figures.findings),
            CodeCheck(claimed_not_done.NAME, 1, claimed_not_done.findings),
            CodeCheck(missed_signals.NAME, 2, missed_signals.findings),
            CodeCheck(leaked_format.NAME, 1, leaked_format.findings),
            CodeCheck(asked_again.NAME, 1, asked_again.findings),
            CodeCheck(unsupported_promise.NAME, 1, unsupported_promise.findings),
            CodeCheck(dropped_instruction.NAME, 1, dropped_instruction.findings),
        )
    }
)
"""Every check by its name, in the order in which they run."""


def run(case: Case, of_a_fault: int = DEFAULTS.findings_of_fault) -> list[Finding]:
    """The findings of every check on a case, check by check and in the order of turns."""
    return [finding for check in CHECKS.values() for finding in check(case, of_a_fault)]


def _few(case: Case, findings: list[Finding], most: int) -> list[Finding]:
    """The first few findings of each fault, those with the same words as an earlier one left out."""
    kept: list[Finding] = []
    for finding in findings:
        same = [each for each in kept if each.fault == finding.fault]
        if len(same) < most and _proof(case, finding) not in [_proof(case, each) for each in same]:
            kept.append(finding)
    return kept


def _proof(case: Case, finding: Finding) -> str:
    """The words that prove a finding, with case and blanks folded."""
    span = finding.spans[0]
    return " ".join(case.transcript.messages[span.turn].content[span.start : span.end].lower().split())


__all__ = ["CHECKS", "Case", "CodeCheck", "Fact", "Finding", "Policy", "run"]
