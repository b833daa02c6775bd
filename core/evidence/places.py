"""One of several places, once a person or an anchor has said which.

Evidence, after an ``ambiguous`` verdict. The words at that place are judged again as if they stood nowhere else.
"""

from dataclasses import replace

from core.evidence.contract import Grounding, Span
from core.evidence.grounding import PreparedTranscript
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role, Verdict


def at_place(prepared: PreparedTranscript, quote: str, speaker: Role | None, place: tuple[Span, ...]) -> Grounding:
    """What becomes of a quote that means ``place``: the spans of one place, one a piece, of one turn."""
    turn, start = place[0].turn, place[0].start
    there = prepared.ground(quote, speaker=speaker, turn=turn)
    if there.spans == place:
        return there
    message = prepared.transcript.messages[turn]
    alone = Message(role=message.role, name=message.name, content=message.content[start : place[-1].end])
    found = PreparedTranscript(Transcript(messages=(alone,))).ground(quote)
    moved = tuple(_from(start, turn, span) for span in found.spans)
    if moved != place:
        return replace(there, spans=place, verdict=Verdict.FOLDED, pieces=len(place))
    gaps = tuple(_from(start, turn, gap) for gap in found.gaps)
    return replace(found, spans=moved, gaps=gaps, flags=there.flags)


def _from(start: int, turn: int, span: Span) -> Span:
    return Span(turn, span.start + start, span.end + start)
