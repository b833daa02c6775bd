"""What is stored of a span follows its words, or says that it is stale."""

from core.evidence import Moved, Span, Stale, Standing, anchor, recheck
from core.transcripts.message import Transcript
from tests.core.evidence.spoken import transcript_of

BEFORE = transcript_of(("user", "Hi"), ("assistant", "Hello. I can send the refund today, as agreed."))
WORDS = Span(1, 7, 34)


def test_an_anchor_holds_the_words_their_surroundings_and_the_hash() -> None:
    stored = anchor(WORDS, BEFORE)
    assert (stored.turn, stored.start, stored.end) == (1, 7, 34)
    assert stored.exact == "I can send the refund today"
    assert stored.prefix == "Hello. "
    assert stored.suffix == ", as agreed."
    assert stored.sha256 == BEFORE.sha256
    assert stored.span == WORDS


def test_an_unchanged_transcript_leaves_words_standing() -> None:
    assert recheck(anchor(WORDS, BEFORE), BEFORE) == Standing(WORDS)


def test_a_message_added_at_the_end_leaves_words_standing() -> None:
    after = Transcript(
        messages=(*BEFORE.messages, *transcript_of(("assistant", "I can send the refund today")).messages)
    )
    assert recheck(anchor(WORDS, BEFORE), after) == Standing(WORDS)


def test_a_mask_before_the_words_moves_the_anchor() -> None:
    after = transcript_of(("user", "Hi"), ("assistant", "[name]: Hello. I can send the refund today, as agreed."))
    assert recheck(anchor(WORDS, BEFORE), after) == Moved(Span(1, 15, 42), was=WORDS)


def test_a_message_put_before_moves_the_anchor() -> None:
    after = Transcript(messages=(*transcript_of(("user", "Hm")).messages, *BEFORE.messages))
    assert recheck(anchor(WORDS, BEFORE), after) == Moved(Span(2, 7, 34), was=WORDS)


def test_a_correction_elsewhere_leaves_words_standing() -> None:
    after = transcript_of(("user", "Hello"), ("assistant", "Hello. I can send the refund today, as agreed."))
    assert recheck(anchor(WORDS, BEFORE), after) == Standing(WORDS)


def test_words_that_were_changed_are_stale() -> None:
    after = transcript_of(("user", "Hi"), ("assistant", "Hello. I can send the [masked] today, as agreed."))
    answer = recheck(anchor(WORDS, BEFORE), after)
    assert isinstance(answer, Stale)
    assert answer.reason.code == "gone"
    assert answer.was == WORDS


def test_words_that_another_speaker_repeats_do_not_take_the_anchor() -> None:
    after = transcript_of(("user", "I can send the refund today"), ("assistant", "Hello."))
    answer = recheck(anchor(WORDS, BEFORE), after)
    assert isinstance(answer, Stale)


def test_a_negation_put_before_the_words_makes_them_stale() -> None:
    before = transcript_of(("assistant", "You must approve the refund first."))
    stored = anchor(Span(0, 9, 27), before)
    answer = recheck(stored, transcript_of(("assistant", "You must never approve the refund first.")))
    assert isinstance(answer, Stale)
    assert answer.reason.code == "negated"


def test_a_negation_put_behind_the_words_makes_them_stale() -> None:
    before = transcript_of(("assistant", "You may approve the refund today."))
    stored = anchor(Span(0, 8, 26), before)
    answer = recheck(stored, transcript_of(("assistant", "You may approve the refund only if asked.")))
    assert isinstance(answer, Stale)
    assert answer.reason.code == "negated"


def test_a_negation_farther_away_than_the_context_moves_no_anchor() -> None:
    before = transcript_of(("assistant", "You must never, whatever anybody may tell you, approve the refund."))
    after = transcript_of(("assistant", "So: You must never, whatever anybody may tell you, approve the refund."))
    assert recheck(anchor(Span(0, 46, 64), before), after) == Moved(Span(0, 50, 68), Span(0, 46, 64))


def test_equally_likely_places_make_an_anchor_stale_rather_than_wrong() -> None:
    before = transcript_of(("assistant", "Yes, we do."), ("user", "Sure?"), ("assistant", "Yes, we do."))
    after = Transcript(messages=(*transcript_of(("user", "Hm"), ("user", "Eh")).messages, *before.messages))
    answer = recheck(anchor(Span(2, 0, 10), before), after)
    assert isinstance(answer, Stale)
    assert answer.reason.code == "several"


def test_a_repeated_sentence_stays_where_it_was_when_no_message_came_or_went() -> None:
    before = transcript_of(("assistant", "Yes, we do."), ("user", "Sure?"), ("assistant", "Yes, we do."))
    after = transcript_of(("assistant", "Yes, we do."), ("user", "Really?"), ("assistant", "Yes, we do."))
    assert recheck(anchor(Span(2, 0, 10), before), after) == Standing(Span(2, 0, 10))


def test_a_shorter_transcript_is_answered() -> None:
    answer = recheck(anchor(WORDS, BEFORE), transcript_of(("user", "Hi")))
    assert isinstance(answer, Stale)
