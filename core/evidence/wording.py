"""The sentences that go with a verdict.

Evidence. A quote is "found", never "verified": that words were said does not make the critique right.
"""

from collections.abc import Sequence

from core.evidence.contract import Reason, Span
from core.transcripts.message import Transcript
from core.vocabulary import Verdict


def shown(turn: int) -> int:
    """A turn as people count it, from 1."""
    return turn + 1


def exact(span: Span) -> Reason:
    """The words stand letter for letter."""
    return Reason(Verdict.EXACT.value, f"Quote found in turn {shown(span.turn)}, letter for letter.")


def folded(span: Span, folds: Sequence[str]) -> Reason:
    """The words stand, written otherwise."""
    differing = ", ".join(folds)
    return Reason(Verdict.FOLDED.value, f"Quote found in turn {shown(span.turn)}; only this differs: {differing}.")


def elided(turn: int, hidden: Sequence[str]) -> Reason:
    """All pieces stand, and what the gaps leave out."""
    left_out = "; ".join(f"“{shortened(text)}”" for text in hidden) or "nothing"
    return Reason(Verdict.ELIDED.value, f"Quote found in turn {shown(turn)}, shortened. Left out: {left_out}.")


def ambiguous(spans: Sequence[Span], places: int) -> Reason:
    """The words stand more than once."""
    turns = ", ".join(str(shown(turn)) for turn in sorted({span.turn for span in spans}))
    return Reason(
        Verdict.AMBIGUOUS.value,
        f"Quote found {places} times (turn {turns}); naming the turn or picking a place decides.",
    )


def hides_negation(turn: int, hidden: str) -> Reason:
    """A gap holds a negation."""
    return Reason(
        Verdict.ELISION_HIDES_NEGATION.value,
        f"All pieces stand in turn {shown(turn)}, but the words left out hold a negation: “{shortened(hidden)}”. "
        "A person decides whether the meaning was kept.",
    )


def no_words() -> Reason:
    """There is nothing to look for."""
    return Reason(Verdict.TOO_SHORT.value, "The quote has no words. A quote needs three, or a whole sentence or turn.")


def too_short(text: str) -> Reason:
    """A piece proves too little."""
    return Reason(
        Verdict.TOO_SHORT.value,
        f"“{shortened(text)}” has fewer than three words and is not a whole sentence there. "
        "A longer quote, or a whole sentence, can be found.",
    )


def wrong_speaker(transcript: Transcript, turn: int, claimed: object) -> Reason:
    """The words stand, in another's turn."""
    said_by = transcript.messages[turn].speaker
    text = f"The words stand in turn {shown(turn)}, said by {said_by}, not by {claimed}."
    return Reason(Verdict.WRONG_SPEAKER.value, text)


def only_in_briefing(turn: int) -> Reason:
    """The agent was told these words."""
    return Reason(
        Verdict.ONLY_IN_BRIEFING.value,
        f"The words stand only in what the agent was told (turn {shown(turn)}); nobody said them in the session.",
    )


def inside_word(passage: str) -> Reason:
    """The quote cuts a word or a number."""
    return Reason(
        Verdict.INSIDE_WORD.value, f"The quote begins or ends inside a word or a number: “{shortened(passage)}”."
    )


def out_of_order(turn: int) -> Reason:
    """The pieces were swapped."""
    return Reason(Verdict.OUT_OF_ORDER.value, f"All pieces stand in turn {shown(turn)}, but in another order.")


def crosses_messages(turns: Sequence[int]) -> Reason:
    """The pieces come from several messages."""
    listed = ", ".join(str(shown(turn)) for turn in sorted(set(turns)))
    return Reason(
        Verdict.CROSSES_MESSAGES.value, f"The words stand in several messages (turns {listed}), in none as a whole."
    )


def altered(passage: str) -> Reason:
    """Something close stands there."""
    return Reason(Verdict.ALTERED.value, f"The transcript has other words: “{shortened(passage)}”.")


def not_found(passage: str | None) -> Reason:
    """Nothing stands there."""
    nearest = f" The nearest passage is “{shortened(passage)}”." if passage else ""
    return Reason(Verdict.NOT_FOUND.value, f"These words do not stand in the transcript.{nearest}")


def in_a_call(turn: int) -> Reason:
    """Nobody said the words, but a tool was called with them."""
    return Reason("in_a_call", f"The words stand in a call of a tool in turn {shown(turn)}; calls have no spans.")


def other_turn(claimed: int, spans: Sequence[Span]) -> Reason:
    """The turn that was named is not where the words stand."""
    turns = ", ".join(str(shown(turn)) for turn in sorted({span.turn for span in spans}))
    return Reason("other_turn", f"The words do not stand in turn {shown(claimed)}, as claimed, but in turn {turns}.")


def asked_in_source(sentence: str) -> Reason:
    """The quote closes with a full stop, the source with a question mark."""
    return Reason("asked_in_source", f"The source asks what the quote states: “{sentence}”")


def negation_before_quote(sentence: str) -> Reason:
    """The quote starts right after its own negation."""
    return Reason("negation_before_quote", f"What stands just before the quote negates it: “{sentence}”")


def negation_after_quote(sentence: str) -> Reason:
    """The quote ends right before its own negation."""
    return Reason("negation_after_quote", f"What stands just after the quote negates it: “{sentence}”")


def shortened(text: str, most: int = 240) -> str:
    """The text on one line, cut in the middle where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most // 2]} […] {line[-most // 2 :]}"
