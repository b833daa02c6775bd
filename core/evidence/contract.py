"""The answer to "where do these words stand?", as a value that carries its reasons."""

from dataclasses import dataclass

from core.vocabulary import Verdict


@dataclass(frozen=True)
class Span:
    """Words in a transcript: ``messages[turn].content[start:end]``, code points, half-open."""

    turn: int
    start: int
    end: int


@dataclass(frozen=True)
class Reason:
    """One reason behind a verdict: a stable ``code`` and a sentence for people."""

    code: str
    text: str


@dataclass(frozen=True)
class Grounding:
    """What became of a quote.

    ``spans`` are lit: one a piece (``elided``), one a place (``ambiguous``), else one; empty when not grounded.
    ``folds`` names what was folded away to find it (``hyphens``, ``markdown``, ``edge punctuation`` …).
    ``gaps`` are the words between the pieces of a shortened quote. ``nearest`` is where a quote that is not grounded
    comes closest, or where its words stand although they do not count (another speaker, the system prompt).
    ``flags`` warn about a grounded quote, such as ``negation_before_quote`` or ``negation_after_quote``.
    """

    verdict: Verdict
    spans: tuple[Span, ...] = ()
    reasons: tuple[Reason, ...] = ()
    folds: tuple[str, ...] = ()
    gaps: tuple[Span, ...] = ()
    nearest: tuple[Span, ...] = ()
    flags: tuple[Reason, ...] = ()

    @property
    def grounded(self) -> bool:
        """Whether the words stand in the transcript as claimed."""
        return self.verdict.grounded
