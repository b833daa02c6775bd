"""Words that a policy or the user has ruled out, and that the agent put forward all the same.

A check: from a case to findings, second station of the flow. Source of the rule: Self-reflection memory, "Constraint
compliance". A policy's words may not be put forward at all; a user's constraint is broken by a recommendation. Warning
of the thing, asking about it, leaving it out, and repeating the user's words are no breach.
"""

from collections.abc import Iterator

from core.checks.constraints import Constraint, constraint_of_fact, constraints_of_user
from core.checks.contract import Case, Finding, Policy
from core.checks.passages import Passage, clauses, passage_at, sentences
from core.checks.stance import put_forward, recommended, term_pattern
from core.evidence.contract import Span
from core.transcripts.message import Message, Transcript
from core.vocabulary import Dimension, Role, Severity

NAME = "policy_words"
_PROOF_WORDS = 4
"""A clause with fewer words is too short to prove anything; then the sentence is shown."""


def findings(case: Case) -> list[Finding]:
    """Findings for breached policies (their severity) and user constraints (critical). One a turn, the worst first."""
    stated = list(constraints_of_user(case.transcript))  # first, since they bring the user's words as evidence
    stated.extend(each for fact in case.facts if (each := constraint_of_fact(fact.text)))
    found = (_worst_of_turn(case, stated, turn) for turn in range(len(case.transcript.messages)))
    return [finding for finding in found if finding]


def _worst_of_turn(case: Case, constraints: list[Constraint], turn: int) -> Finding | None:
    message = case.transcript.messages[turn]
    if message.role is not Role.ASSISTANT:
        return None
    found = [*_against_user(case.transcript, constraints, turn), *_against_policies(case.policies, message, turn)]
    return min(found, key=lambda finding: finding.severity.rank, default=None)


def _against_policies(policies: tuple[Policy, ...], message: Message, turn: int) -> Iterator[Finding]:
    for policy in policies:
        for word in policy.words:
            for sentence, start, end in _places(message.content, word):
                if put_forward(message.content, sentence, start, end):
                    yield _policy_finding(policy, word, _proof(message.content, turn, sentence, start))


def _against_user(transcript: Transcript, constraints: list[Constraint], turn: int) -> Iterator[Finding]:
    text = transcript.messages[turn].content
    for constraint in constraints:
        if constraint.since >= turn:
            continue
        for term in constraint.terms:
            if constraint.span and _taken_back(transcript, constraint, term, turn):
                continue
            for sentence, start, end in _places(text, term):
                if recommended(text, sentence, start, end):
                    yield _constraint_finding(constraint, term, _proof(text, turn, sentence, start))


def _taken_back(transcript: Transcript, constraint: Constraint, term: str, turn: int) -> bool:
    """Whether the user came back to the thing after ruling it out; then the last word is not ours to judge."""
    later = transcript.messages[constraint.since + 1 : turn]
    return any(term_pattern(term).search(message.content) for message in later if message.role is Role.USER)


def _places(text: str, term: str) -> Iterator[tuple[Passage, int, int]]:
    for match in term_pattern(term).finditer(text):
        if sentence := passage_at(sentences(text), match.start()):
            yield sentence, match.start(), match.end()


def _proof(text: str, turn: int, sentence: Passage, position: int) -> Span:
    """The clause around the words, or the sentence where the clause is too short to prove anything."""
    clause = passage_at(clauses(text, sentence), position)
    if clause is None or len(clause.of(text).split()) < _PROOF_WORDS:
        clause = sentence
    return Span(turn, clause.start, clause.end)


def _policy_finding(policy: Policy, word: str, proof: Span) -> Finding:
    improvement = policy.improvement or f"Never put “{word}” forward: the policy “{policy.title}” does not allow it."
    return Finding(
        check=NAME,
        fault=f"{NAME}:{policy.id}",
        dimension=Dimension.COMPLIANCE,
        severity=policy.severity,
        about=Role.ASSISTANT,
        observation=f"The agent put “{word}” forward, which “{policy.title}” (version {policy.version}) rules out.",
        spans=(proof,),
        improvement=improvement,
        trigger=policy.trigger,
        title=policy.title,
        tags=policy.tags or ("policy", "wording"),
    )


def _constraint_finding(constraint: Constraint, term: str, proof: Span) -> Finding:
    return Finding(
        check=NAME,
        fault=f"{NAME}:user_constraint",
        dimension=Dimension.COMPLIANCE,
        severity=Severity.CRITICAL,
        about=Role.ASSISTANT,
        observation=f"The agent put “{term}” forward although the user had ruled it out.",
        spans=(proof, constraint.span) if constraint.span else (proof,),
        improvement="Read the limits that the user has set before you propose an offer; keep every offer inside them.",
        trigger="Before recommending anything to a user with stated constraints",
        title="Only what the user left open",
        tags=("constraints", "advice"),
    )
