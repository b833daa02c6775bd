"""Where the words of a quote stand in a transcript, and by what verdict.

The station between what a critic or a check remarks and the screening of it. It promises: what is called grounded
stands in the transcript as claimed, and the span proves it; a quote is never dropped, trimmed or repaired; and the
answer names its reason. The order of verdicts is the order of the questions below. Source: Self-reflection memory,
"Grounding"; the rules beyond it are told in ``docs/evidence.md``.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from core.evidence import wording
from core.evidence.calls import Calls
from core.evidence.chains import Chain, by_turn, chains
from core.evidence.claims import Claim, Voices
from core.evidence.context import is_asked, sentence_around
from core.evidence.contract import Grounding, Reason, Span
from core.evidence.folds import LOOSE
from core.evidence.layers import Layers
from core.evidence.matching import Place
from core.evidence.nearest import nearest_passage
from core.evidence.quote import Piece, Quote
from core.evidence.search import Found, found, proves
from core.evidence.turns import hides_negation, negation_just_after, negation_just_before
from core.transcripts.message import Transcript
from core.vocabulary import Role, Verdict

_What = TypeVar("_What")

_MOST_FLAGGED = 100
"""Of how many places of a quote that stands in many the surroundings are looked at."""


class PreparedTranscript:
    """A transcript made ready once, to be asked many times. It holds no state that a question changes."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.layers = Layers([message.content for message in transcript.messages])
        self.voices = Voices(transcript.messages)
        self.calls = Calls(transcript.messages)

    def ground(self, evidence: str, *, speaker: Role | str | None = None, turn: int | None = None) -> Grounding:
        """Where the words stand.

        ``speaker`` is who is said to have said them, None for anyone who spoke (what the agent was told does not
        count as said). ``turn`` decides among several places; where the words stand only in another turn of the right
        speaker, they are grounded there and flagged ``other_turn``.
        """
        claim = Claim(self.voices, speaker, turn)
        return _Inquiry(self, Quote(evidence), claim).answer

    def text(self, span: Span) -> str:
        """The words of a span, as they stand."""
        return self.transcript.messages[span.turn].content[span.start : span.end]

    def content(self, turn: int) -> str:
        """The text of one turn."""
        return self.transcript.messages[turn].content


def prepare(transcript: Transcript) -> PreparedTranscript:
    """Make a transcript ready to be asked many times."""
    return PreparedTranscript(transcript)


def ground(
    evidence: str, transcript: Transcript, speaker: Role | str | None = None, turn: int | None = None
) -> Grounding:
    """Where the words stand, for one question to one transcript; see ``PreparedTranscript.ground``."""
    return prepare(transcript).ground(evidence, speaker=speaker, turn=turn)


class _Inquiry:
    """One quote, one claim, one transcript: what is found out on the way is kept, so that no search is done twice."""

    def __init__(self, prepared: PreparedTranscript, quote: Quote, claim: Claim) -> None:
        self.prepared, self.quote, self.claim = prepared, quote, claim

    @property
    def answer(self) -> Grounding:
        """The first question that has an answer decides."""
        if not self.quote.plain.bones:
            return self._wordless()
        return (
            self._as_a_whole()
            or self._shortened()
            or self._said_by_another()
            or self._too_short()
            or self._cut_inside_a_word()
            or self._scattered()
            or self._elsewhere()
        )

    @cached_property
    def _whole(self) -> Found:
        return found(self.quote.readings, self.prepared.layers, self.claim.settled_by)

    @cached_property
    def _pieces(self) -> list[tuple[Piece, Found]]:
        """The pieces of a shortened quote, each with its places; of the reading that is found best."""
        best: list[tuple[Piece, Found]] = []
        for pieces in self.quote.shortened:
            searched = self._searched(pieces)
            if all(result.places for _, result in searched):
                return searched
            best = best or searched
        return best

    def _searched(self, pieces: Sequence[Piece]) -> list[tuple[Piece, Found]]:
        """Each piece with its places; equal pieces are looked for once, and none after one that stands nowhere."""
        results: dict[str, Found] = {}
        for piece in pieces:
            if piece.text not in results:
                results[piece.text] = found([piece], self.prepared.layers, self._never)
            if not results[piece.text].places and not results[piece.text].misses:
                break
        return [(piece, results.get(piece.text, Found())) for piece in pieces]

    def _never(self, span: Span) -> bool:
        return False

    def _proves(self, place: Place) -> bool:
        return proves(place, self.quote.plain, self.prepared.content(place.span.turn))

    def _as_a_whole(self) -> Grounding | None:
        """Do the words stand together, said by the right speaker?"""
        places = [place for place in self._whole.places if self.claim.holds(place.span) and self._proves(place)]
        closest = [place for place in places if not LOOSE & set(place.folds)]
        return self._grounded([Chain((place,)) for place in closest or places])

    def _shortened(self) -> Grounding | None:
        """Do the pieces stand in order, in one message of the right speaker, with nothing hidden that negates?"""
        proven = self._chains(said=True, proving=True)
        if not proven:
            return None
        open_ones = [chain for chain in proven if not self._hidden(chain)]
        if open_ones:
            return self._grounded(open_ones)
        chain = next((chain for chain in proven if chain.turn == self.claim.turn), proven[0])
        return self._hides_negation(chain)

    def _chains(self, *, said: bool, proving: bool) -> list[Chain]:
        """The strings of pieces: only what the claimed speaker said, only what is long enough to prove anything."""
        if not self._pieces or not all(result.places for _, result in self._pieces):
            return []
        return chains(
            self._of_pieces(
                lambda piece, result: by_turn(
                    place for place in result.places if self._counts(place, piece, said, proving)
                )
            )
        )

    def _of_pieces(self, what: Callable[[Piece, Found], _What]) -> list[_What]:
        """``what`` of each piece, worked out once for equal pieces."""
        known: dict[str, _What] = {}
        for piece, result in self._pieces:
            if piece.text not in known:
                known[piece.text] = what(piece, result)
        return [known[piece.text] for piece, _ in self._pieces]

    def _counts(self, place: Place, piece: Piece, said: bool, proving: bool) -> bool:
        if said and not self.claim.holds(place.span):
            return False
        return not proving or proves(place, piece, self.prepared.content(place.span.turn))

    def _hidden(self, chain: Chain) -> list[Span]:
        """The gaps that hold a negation."""
        gaps = chain.gaps(self.prepared.content(chain.turn))
        return [gap for gap in gaps if self._turns(gap)]

    def _turns(self, gap: Span) -> bool:
        return hides_negation(self.prepared.content(gap.turn), gap.start, gap.end)

    def _grounded(self, found_chains: Sequence[Chain]) -> Grounding | None:
        """The verdict for words that stand as claimed: at the turn that was named, if they stand there."""
        if not found_chains:
            return None
        there = [chain for chain in found_chains if chain.turn == self.claim.turn]
        chosen = there or found_chains
        flags = self._flags(chosen, bool(there))
        folds = tuple(dict.fromkeys(fold for chain in chosen for place in chain.places for fold in place.folds))
        if len(chosen) > 1:
            spans = _spans(chosen)
            reason = wording.ambiguous(spans, len(chosen))
            pieces = len(chosen[0].places)
            return Grounding(Verdict.AMBIGUOUS, spans, (reason,), folds, flags=flags, pieces=pieces)
        return self._at(chosen[0], folds, flags)

    def _at(self, chain: Chain, folds: tuple[str, ...], flags: tuple[Reason, ...]) -> Grounding:
        if len(chain.places) > 1:
            gaps = chain.gaps(self.prepared.content(chain.turn))
            reason = wording.elided(chain.turn, [self.prepared.text(gap) for gap in gaps])
            pieces = len(chain.places)
            return Grounding(Verdict.ELIDED, chain.spans, (reason,), folds, gaps, flags=flags, pieces=pieces)
        span = chain.spans[0]
        if folds:
            return Grounding(Verdict.FOLDED, chain.spans, (wording.folded(span, folds),), folds, flags=flags)
        return Grounding(Verdict.EXACT, chain.spans, (wording.exact(span),), flags=flags)

    def _flags(self, chosen: Sequence[Chain], in_turn: bool) -> tuple[Reason, ...]:
        flags = []
        if self.claim.turn is not None and not in_turn:
            flags.append(wording.other_turn(self.claim.turn, [chain.spans[0] for chain in chosen]))
        for chain in chosen[:_MOST_FLAGGED]:
            content, start, end = self.prepared.content(chain.turn), chain.spans[0].start, chain.spans[-1].end
            if negation_just_before(content, start):
                flags.append(wording.negation_before_quote(sentence_around(content, start, end)))
            if negation_just_after(content, end):
                flags.append(wording.negation_after_quote(sentence_around(content, start, end)))
            if self.quote.states and is_asked(content, end):
                flags.append(wording.asked_in_source(sentence_around(content, start, end)))
        return tuple(dict.fromkeys(flags))

    def _hides_negation(self, chain: Chain) -> Grounding:
        gaps = chain.gaps(self.prepared.content(chain.turn))
        reasons = [wording.hides_negation(chain.turn, self.prepared.text(gap)) for gap in self._hidden(chain)]
        return Grounding(Verdict.ELISION_HIDES_NEGATION, (), tuple(reasons), gaps=gaps, nearest=chain.spans)

    def _said_by_another(self) -> Grounding | None:
        """Do the words stand, but said by someone else, or told to the agent?"""
        strung = [Chain((place,)) for place in self._whole.places if self._proves(place)]
        strung = strung or self._chains(said=False, proving=True)
        elsewhere = [chain for chain in strung if not all(self.claim.holds(span) for span in chain.spans)]
        said = [chain for chain in elsewhere if not self.prepared.voices.told(chain.spans[0])]
        if said:
            reason = wording.wrong_speaker(self.prepared.transcript, said[0].turn, self.claim.speaker)
            return Grounding(Verdict.WRONG_SPEAKER, (), (reason,), nearest=_spans(said))
        if elsewhere:
            reason = wording.only_in_briefing(elsewhere[0].turn)
            return Grounding(Verdict.ONLY_IN_BRIEFING, (), (reason,), nearest=_spans(elsewhere))
        return None

    def _too_short(self) -> Grounding | None:
        """Do the words stand, but prove too little?"""
        if self._whole.places:
            spans = tuple(place.span for place in self._whole.places)
            return Grounding(Verdict.TOO_SHORT, (), (wording.too_short(self.quote.text),), nearest=spans)
        own = self._chains(said=True, proving=False)
        strung = own or self._chains(said=False, proving=False)
        if not strung:
            return None
        chain = strung[0]
        reasons = [wording.too_short(piece.text.strip()) for piece, _ in self._pieces if not piece.long_enough]
        reasons += [wording.hides_negation(chain.turn, self.prepared.text(gap)) for gap in self._hidden(chain)]
        gaps = chain.gaps(self.prepared.content(chain.turn)) if own else ()
        return Grounding(Verdict.TOO_SHORT, (), tuple(reasons), gaps=gaps, nearest=chain.spans)

    def _cut_inside_a_word(self) -> Grounding | None:
        """Do the letters stand, but begin or end inside a word?"""
        misses = [*self._whole.misses, *(miss for _, result in self._pieces for miss in result.misses)]
        if self._pieces and any(not result.places and not result.misses for _, result in self._pieces):
            misses = self._whole.misses
        inside = [miss.span for miss in misses if miss.inside_word and self.claim.holds(miss.span)]
        blocked = [result for _, result in self._pieces if not result.places]
        if not inside or (self._pieces and not self._whole.misses and not blocked):
            return None
        return Grounding(
            Verdict.INSIDE_WORD, (), (wording.inside_word(self._sentence(inside[0])),), nearest=tuple(inside[:1])
        )

    def _scattered(self) -> Grounding | None:
        """Do all pieces stand, but in another order or in several messages?"""
        turns = self._of_pieces(lambda _, result: by_turn(result.places))
        if not turns or not all(turns):
            return self._across_a_border()
        common = set.intersection(*map(set, turns))
        if common:
            turn = min(common)
            nearest = tuple(of_piece[turn][0].span for of_piece in turns)
            return Grounding(Verdict.OUT_OF_ORDER, (), (wording.out_of_order(turn),), nearest=nearest)
        nearest = tuple(of_piece[min(of_piece)][0].span for of_piece in turns)
        reason = wording.crosses_messages([span.turn for span in nearest])
        return Grounding(Verdict.CROSSES_MESSAGES, (), (reason,), nearest=nearest)

    def _across_a_border(self) -> Grounding | None:
        piece = self.quote.plain
        if not self._whole.loosely or not piece.prefers_narrow or not piece.long_enough:
            return None
        parts = self.prepared.layers.plain.narrow.across(piece.narrow)
        spans = tuple(Span(part, first, last + 1) for part, first, last in parts)
        if len(spans) < 2:
            return None
        reason = wording.crosses_messages([span.turn for span in spans])
        return Grounding(Verdict.CROSSES_MESSAGES, (), (reason,), nearest=spans)

    def _elsewhere(self) -> Grounding:
        """What comes closest, and whether the words stand in a call of a tool, where nothing can be lit."""
        closest, turn = self._close_to(), self.prepared.calls.turn_holding(self.quote.readings)
        if turn is None:
            return closest
        return replace(closest, reasons=(*closest.reasons, wording.in_a_call(turn)))

    def _close_to(self) -> Grounding:
        """Is there anything like it at all?"""
        unlike = [miss.span for miss in self._whole.misses if self.claim.holds(miss.span)]
        if unlike:
            return Grounding(Verdict.ALTERED, (), (wording.altered(self._sentence(unlike[0])),), nearest=(unlike[0],))
        passage = nearest_passage(self.prepared.layers.plain, self.quote.plain, self.claim.holds)
        if passage is None:
            return Grounding(Verdict.NOT_FOUND, (), (wording.not_found(None),))
        words, nearest = self.prepared.text(passage.span), (passage.span,)
        if passage.altered and self.claim.holds(passage.span):
            return Grounding(Verdict.ALTERED, (), (wording.altered(words),), nearest=nearest)
        return Grounding(Verdict.NOT_FOUND, (), (wording.not_found(words),), nearest=nearest)

    def _sentence(self, span: Span) -> str:
        return sentence_around(self.prepared.content(span.turn), span.start, span.end)

    def _wordless(self) -> Grounding:
        """A quote without words stands only where it is a whole turn, such as a single picture."""
        wanted = self.quote.text.strip()
        whole = [
            Span(turn, content.find(wanted), content.find(wanted) + len(wanted))
            for turn, content in enumerate(message.content for message in self.prepared.transcript.messages)
            if wanted and content.strip() == wanted
        ]
        places = [Chain((Place(span),)) for span in whole if self.claim.holds(span)]
        return self._grounded(places) or Grounding(Verdict.TOO_SHORT, (), (wording.no_words(),))


def _spans(strung: Iterable[Chain]) -> tuple[Span, ...]:
    return tuple(span for chain in strung for span in chain.spans)
