"""Other ways of checking a quote, for comparison. None of them is used by the desk."""

import re
from collections.abc import Callable

from core.transcripts.message import Transcript

_SWAPPED = {"‑": "-", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "\u00a0": " "}


def plain_check(evidence: str, text: str) -> bool:
    """The check that "Self-reflection memory" describes: some characters swapped, white space and case folded, split at
    an ellipsis, every piece of three words or more and somewhere in the text."""
    pieces = [piece.strip("\"'. ") for piece in _plainly(evidence).split("...")]
    kept = [piece for piece in pieces if piece]
    return bool(kept) and all(len(piece.split()) >= 3 and piece in _plainly(text) for piece in kept)


def _plainly(text: str) -> str:
    for fancy, plain in _SWAPPED.items():
        text = text.replace(fancy, plain)
    return " ".join(text.lower().split())


class OncePlain:
    """The lower limit of any work: the plain folding once for a transcript, then a bare search for each quote."""

    def __init__(self, text: str) -> None:
        self._text = _plainly(text)

    def found(self, evidence: str) -> bool:
        return _plainly(evidence) in self._text


def regex_collapse(evidence: str, text: str) -> bool:
    """Folding by regular expression, as many libraries do it, and a bare search."""
    return _collapsed(evidence) in _collapsed(text)


def _collapsed(text: str) -> str:
    return re.sub(r"\s+", " ", text).casefold()


def fuzzy_check() -> Callable[[str, str], bool] | None:
    """rapidfuzz's best partial alignment, accepted from 90 on; None where it is not installed."""
    try:
        from rapidfuzz import fuzz
    except ImportError:
        return None

    def accepted(evidence: str, text: str) -> bool:
        alignment = fuzz.partial_ratio_alignment(evidence.lower(), text.lower(), score_cutoff=90)
        return alignment is not None and alignment.score >= 90

    return accepted


def joined(transcript: Transcript) -> str:
    """All contents as one text, as the plain check takes them."""
    return "\n".join(message.content for message in transcript.messages)
