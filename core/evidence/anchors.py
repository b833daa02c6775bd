"""Evidence that stays with its words: what is stored of a span, and what becomes of it when the transcript changes.

Evidence, after a verdict. A span says where; an anchor also says what stood there and between which words, so that a
correction or a mask is noticed. Source: Web Annotation Data Model (W3C), text quote and text position selectors.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from core.evidence.contract import Reason, Span
from core.evidence.turns import negation_just_after, negation_just_before
from core.transcripts.message import Transcript

CONTEXT = 32
"""Characters of context that are kept on either side."""


@dataclass(frozen=True)
class Anchor:
    """``messages[turn].content[start:end] == exact``, between ``prefix`` and ``suffix``, in the transcript ``sha256``.

    ``speaker`` is whose turn it was, ``turns`` how many messages there were. Offsets count code points, half-open.
    """

    turn: int
    start: int
    end: int
    exact: str
    prefix: str
    suffix: str
    sha256: str
    speaker: str = ""
    turns: int = 0

    @property
    def span(self) -> Span:
        """Where the words stood when the anchor was made."""
        return Span(self.turn, self.start, self.end)


@dataclass(frozen=True)
class Standing:
    """The words stand where they stood."""

    span: Span


@dataclass(frozen=True)
class Moved:
    """The same words, said by the same speaker, stand elsewhere now."""

    span: Span
    was: Span


@dataclass(frozen=True)
class Stale:
    """The words no longer stand there as they did; ``reason`` says why. Codes: ``gone``, ``several``,
    ``elsewhere``, ``negated``."""

    was: Span
    reason: Reason


def anchor(span: Span, transcript: Transcript) -> Anchor:
    """What to store of a span of this transcript."""
    message = transcript.messages[span.turn]
    content = message.content
    return Anchor(
        turn=span.turn,
        start=span.start,
        end=span.end,
        exact=content[span.start : span.end],
        prefix=content[max(0, span.start - CONTEXT) : span.start],
        suffix=content[span.end : span.end + CONTEXT],
        sha256=transcript.sha256,
        speaker=message.speaker,
        turns=len(transcript.messages),
    )


def recheck(stored: Anchor, transcript: Transcript) -> Standing | Moved | Stale:
    """Where the anchored words stand in the transcript as it is now.

    Messages that were added at the end change nothing. Among several places the one between the same words counts;
    where none is better than another, the anchor is stale: a wrong place would be worse than none.
    """
    if _unchanged(stored, transcript) and _words(stored.span, transcript) == stored.exact:
        return Standing(stored.span)
    places = list(_places(stored, transcript))
    agreements = [_agreement(stored, place, transcript) for place in places]
    if not places:
        return Stale(stored.span, Reason("gone", f"The words “{stored.exact}” no longer stand in the transcript."))
    best = max(agreements)
    if agreements.count(best) > 1:
        return Stale(
            stored.span, Reason("several", f"The words “{stored.exact}” stand in several places now, equally likely.")
        )
    span = places[agreements.index(best)]
    if span.turn != stored.turn and 2 * best[0] < len(stored.prefix) + len(stored.suffix):
        why = f"The words “{stored.exact}” stand only in turn {span.turn + 1} now, amid other words."
        return Stale(stored.span, Reason("elsewhere", why))
    if _newly_negated(stored, span, transcript):
        return Stale(stored.span, Reason("negated", f"A negation now stands beside the words “{stored.exact}”."))
    return Standing(span) if span == stored.span else Moved(span, stored.span)


def _unchanged(stored: Anchor, transcript: Transcript) -> bool:
    turns = stored.turns or len(transcript.messages)
    return turns <= len(transcript.messages) and transcript.prefix_sha256(turns) == stored.sha256


def _words(span: Span, transcript: Transcript) -> str | None:
    if span.turn >= len(transcript.messages):
        return None
    return transcript.messages[span.turn].content[span.start : span.end]


def _places(stored: Anchor, transcript: Transcript) -> Iterator[Span]:
    if not stored.exact:
        return
    for turn, message in enumerate(transcript.messages):
        if stored.speaker and message.speaker != stored.speaker:
            continue
        start = message.content.find(stored.exact)
        while start >= 0:
            yield Span(turn, start, start + len(stored.exact))
            start = message.content.find(stored.exact, start + 1)


def _agreement(stored: Anchor, place: Span, transcript: Transcript) -> tuple[int, bool]:
    """How much of the context is as it was; then whether it is the same place, where no message came or went."""
    content = transcript.messages[place.turn].content
    before = _shared(content[max(0, place.start - CONTEXT) : place.start][::-1], stored.prefix[::-1])
    after = _shared(content[place.end : place.end + CONTEXT], stored.suffix)
    return before + after, place == stored.span and stored.turns == len(transcript.messages)


def _shared(one: str, other: str) -> int:
    length = 0
    for ours, theirs in zip(one, other, strict=False):
        if ours != theirs:
            break
        length += 1
    return length


def _newly_negated(stored: Anchor, span: Span, transcript: Transcript) -> bool:
    """Whether what turns the words stands beside them now and did not before; both looked at within ``CONTEXT``."""
    content = transcript.messages[span.turn].content
    prefix, suffix = content[max(0, span.start - CONTEXT) : span.start], content[span.end : span.end + CONTEXT]
    return _negated(prefix, stored.exact, suffix) > _negated(stored.prefix, stored.exact, stored.suffix)


def _negated(prefix: str, words: str, suffix: str) -> bool:
    text, end = f"{prefix}{words}{suffix}", len(prefix) + len(words)
    return negation_just_before(text, len(prefix)) or negation_just_after(text, end)
