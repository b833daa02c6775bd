"""What a code check reads and what it answers."""

from collections.abc import Callable
from dataclasses import dataclass

from core.evidence.contract import Span
from core.transcripts.message import Transcript
from core.vocabulary import Dimension, Role, Severity


@dataclass(frozen=True)
class Policy:
    """A rule of the business, read from ``data/policies/*.yaml``; it outranks every lesson."""

    id: str
    title: str
    owner: str
    version: int
    date: str
    text: str
    words: tuple[str, ...] = ()
    """Words that the agent must not put forward; empty where the policy is only text."""
    severity: Severity = Severity.HIGH
    improvement: str = ""
    trigger: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fact:
    """What is known of the user of this session, with its source."""

    text: str
    source: str


@dataclass(frozen=True)
class Case:
    """A finished agent session with all that a check may look at."""

    transcript: Transcript
    base_prompt: str = ""
    policies: tuple[Policy, ...] = ()
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Finding:
    """What a check remarks, with the words that prove it.

    ``fault`` is the merge key: findings with the same fault, in any session, speak of the same thing to learn and give
    one proposal. ``improvement`` is a general instruction; ``trigger`` says when it applies and
    ``title`` names it in a few words, for a procedure.
    """

    check: str
    fault: str
    dimension: Dimension
    severity: Severity
    about: Role
    observation: str
    spans: tuple[Span, ...]
    improvement: str
    trigger: str = ""
    title: str = ""
    tags: tuple[str, ...] = ()


Check = Callable[[Case], list[Finding]]
