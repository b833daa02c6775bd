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

    ``spans`` are lit: one a piece (``elided``), of every place (``ambiguous``), else one; empty when not grounded.
    ``folds`` names what was folded away to find it (``hyphens``, ``markdown``, ``edge punctuation`` …).
    ``gaps`` are the words between the pieces of a shortened quote. ``nearest`` is where a quote that is not grounded
    comes closest, or where its words stand although they do not count (another speaker, the system prompt).
    ``flags`` warn about a grounded quote, such as ``negation_before_quote`` or ``negation_after_quote``. ``pieces``
    counts the spans of one place.
    """

    verdict: Verdict
    spans: tuple[Span, ...] = ()
    reasons: tuple[Reason, ...] = ()
    folds: tuple[str, ...] = ()
    gaps: tuple[Span, ...] = ()
    nearest: tuple[Span, ...] = ()
    flags: tuple[Reason, ...] = ()
    pieces: int = 1

    @property
    def waits_for_a_reader(self) -> bool:
        """Whether all pieces of a shortened quote stand in order, and only what it leaves out has to be read."""
        doubtful = (Verdict.ELISION_HIDES_NEGATION, Verdict.TOO_SHORT)
        return self.verdict in doubtful and bool(self.gaps)

    @property
    def places(self) -> tuple[tuple[Span, ...], ...]:
        """Every place where the words stand as claimed: its spans, one a piece, in order."""
        spans = self.spans or (self.nearest if self.grounded else ())
        return tuple(spans[at : at + self.pieces] for at in range(0, len(spans), self.pieces))

    @property
    def grounded(self) -> bool:
        """Whether the words stand in the transcript as claimed."""
        return self.verdict.grounded
