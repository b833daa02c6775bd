"""Answers where quoted words stand, to programs: the same answer from the command line and over HTTP.

Nothing is read from the store and nothing is kept.
"""

from typing import Any

from core.errors import BadInput
from core.evidence import Grounding, PreparedTranscript, Span
from core.evidence.in_words import verdict_in_words
from core.transcripts import Transcript
from core.vocabulary import Role


def answer(
    prepared: PreparedTranscript, quote: str, *, speaker: str | None = None, turn: int | None = None
) -> dict[str, Any]:
    """Where ``quote`` stands, as plain JSON values. ``turn`` counts from 1, as people do.

    Every place carries its ``turn`` (from 1), its ``message`` (the index from 0), ``start`` and ``end`` in code points,
    half-open, and the ``words`` that stand there. Raises ``BadInput`` for a turn or a speaker that there is none of.
    """
    transcript = prepared.transcript
    _asked_rightly(transcript, speaker, turn)
    found = prepared.ground(quote, speaker=speaker, turn=None if turn is None else turn - 1)
    claimed = Role(speaker) if speaker in set(Role) else None
    return {
        "grounded": found.grounded,
        "verdict": found.verdict.value,
        "in_words": verdict_in_words(quote, claimed, found, transcript),
        "spans": [_place(span, transcript) for span in found.spans],
        "gaps": [_place(span, transcript) for span in found.gaps],
        "nearest": [_place(span, transcript) for span in found.nearest],
        "pieces": found.pieces,
        "folds": list(found.folds),
        "reasons": _said(found),
        "flags": [{"code": flag.code, "text": flag.text} for flag in found.flags],
        "transcript_sha256": transcript.sha256,
    }


def _said(found: Grounding) -> list[dict[str, str]]:
    return [{"code": reason.code, "text": reason.text} for reason in found.reasons]


def _place(span: Span, transcript: Transcript) -> dict[str, Any]:
    words = transcript.messages[span.turn].content[span.start : span.end]
    return {"turn": span.turn + 1, "message": span.turn, "start": span.start, "end": span.end, "words": words}


def _asked_rightly(transcript: Transcript, speaker: str | None, turn: int | None) -> None:
    turns = len(transcript.messages)
    if turn is not None and not 1 <= turn <= turns:
        raise BadInput(f"There is no turn {turn}; the transcript has {turns}, counted from 1.")
    speakers = {str(message.role) for message in transcript.messages} | {one.speaker for one in transcript.messages}
    if speaker is not None and speaker not in speakers | set(Role):
        raise BadInput(f"Nobody called “{speaker}” speaks; there are {', '.join(sorted(speakers)) or 'no turns'}.")
