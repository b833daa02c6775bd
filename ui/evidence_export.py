"""Quotes as rows of a file: what was quoted of whom, where it stands, and by what verdict, in the desk's words."""

from collections.abc import Sequence

from core.service.views import EvidenceRow
from ui.wording import verdict_words

COLUMNS = (
    "item",
    "version",
    "status",
    "session",
    "quote",
    "speaker",
    "verdict",
    "in_words",
    "places",
    "reasons",
    "transcript_sha256",
)


def evidence_table(rows: Sequence[EvidenceRow]) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """Names of the columns, and a row for each quote. A place is ``[turn from 1, start, end]``, in code points."""
    return COLUMNS, [_row(one) for one in rows]


def _row(one: EvidenceRow) -> Sequence[object]:
    quote, found = one.quote, one.quote.grounding
    places = [[span.turn + 1, span.start, span.end] for span in found.spans]
    reasons = [quote.stale] if quote.stale else [reason.text for reason in (*found.reasons, *found.flags)]
    verdict = "stale" if quote.stale else found.verdict.value
    said = (quote.session_ref, quote.text, quote.speaker, verdict, verdict_words(quote), places, reasons, one.sha256)
    return (one.ref, one.version, one.status, *said)
