"""Small marks: severity as shape and word, verdict as frame and words, the ring of a quote, a word diff."""

from core.evidence import word_diff as differing
from core.service.views import Quote
from core.transcripts.message import Transcript
from core.vocabulary import Verdict
from ui.tree import Node, node
from ui.wording import SEVERITIES, evidence_words, verdict_words

LINES = {Verdict.EXACT: "exact", Verdict.FOLDED: "folded", Verdict.ELIDED: "elided", Verdict.AMBIGUOUS: "exact"}
"""The line under lit words; every other verdict is drawn as a dashed frame around the nearest passage."""


def severity_mark(severity: str) -> Node:
    """Shape, word and colour; the shape is drawn by the style sheet. One that is not known here is its word alone."""
    return node(
        "span",
        f"sev {severity}",
        node("i", "shape", aria_hidden="true"),
        node("b", "", SEVERITIES.get(severity, severity)),
    )


def line_of(quote: Quote) -> str:
    """The class of the line or frame that a quote's words get."""
    return LINES.get(quote.grounding.verdict, "nearest") if not quote.stale else "nearest"


def ring(quote: Quote, *, go: bool = True, name: str = "") -> Node:
    """The quote's number; pressed, it brings the words into the light. ``name`` is the item that it belongs to."""
    number = str(quote.number)
    said = evidence_words([quote.number], {quote.number: name})
    return node(
        "button",
        f"ring {line_of(quote)}",
        number,
        data_evidence=number,
        data_go=go and number,
        aria_label=f"{said}: show where it stands",
        type="button",
    )


def verdict_badge(quote: Quote, transcript: Transcript | None = None) -> Node:
    """The verdict in words; the frame repeats the line that the words have in the transcript."""
    return node("span", f"badge {line_of(quote)}", verdict_words(quote, transcript))


def badge(words: str, look: str = "plain") -> Node:
    """A plain, ``warn`` or ``bad`` badge."""
    return node("span", f"badge {look}", words)


def word_diff(passage: str, quote: str) -> list[Node]:
    """The words of a quote, with what it adds to the passage and what it leaves out.

    Where a number or a negation differs, the words are framed besides.
    """
    tags = {"removed": "del", "added": "ins"}
    nodes: list[Node] = []
    for part in differing(quote, passage):
        words = part.text.rstrip()
        look = "decisive" if part.decisive else ""
        nodes += [words if part.kind == "same" else node(tags[part.kind], look, words), part.text[len(words) :]]
    return nodes
