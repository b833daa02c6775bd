"""Who said it, who was told it, and in which turn."""

import pytest
from spoken import transcript_of

from core.evidence import Span, ground
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role, Verdict

TALK = transcript_of(
    ("system", "Always greet people by their first name."),
    ("user", "Where is my parcel today?"),
    ("tool", "Parcel is in the Leeds depot."),
    ("assistant", "Your parcel left the depot. It comes tomorrow."),
    ("user", "It comes tomorrow, you say?"),
)


@pytest.mark.parametrize(
    ("quote", "speaker", "verdict"),
    [
        ("Where is my parcel today", Role.USER, Verdict.EXACT),
        ("Where is my parcel today", None, Verdict.EXACT),
        ("Where is my parcel today", Role.ASSISTANT, Verdict.WRONG_SPEAKER),
        ("Parcel is in the Leeds depot", Role.TOOL, Verdict.EXACT),
        ("Parcel is in the Leeds depot", Role.ASSISTANT, Verdict.WRONG_SPEAKER),
        ("Your parcel left the depot", Role.USER, Verdict.WRONG_SPEAKER),
        ("greet people by their first name", None, Verdict.ONLY_IN_BRIEFING),
        ("greet people by their first name", Role.ASSISTANT, Verdict.ONLY_IN_BRIEFING),
        ("greet people by their first name", Role.SYSTEM, Verdict.EXACT),
    ],
)
def test_only_the_claimed_speakers_words_count(quote: str, speaker: Role | None, verdict: Verdict) -> None:
    grounding = ground(quote, TALK, speaker=speaker)
    assert grounding.verdict is verdict
    assert bool(grounding.spans) is grounding.grounded


def test_the_same_words_of_another_speaker_do_not_make_a_quote_ambiguous() -> None:
    grounding = ground("It comes tomorrow.", TALK, speaker=Role.ASSISTANT)
    assert grounding.verdict is Verdict.EXACT
    assert grounding.spans == (Span(3, 28, 46),)


def test_a_named_speaker_is_told_from_others_of_the_same_role() -> None:
    transcript = Transcript(
        messages=(
            Message(role=Role.OTHER, name="critic", content="The refund was far too late."),
            Message(role=Role.OTHER, name="coder", content="The patch was far too late."),
        )
    )
    assert ground("The refund was far too late", transcript, speaker="other:critic").verdict is Verdict.EXACT
    assert ground("The refund was far too late", transcript, speaker="other:coder").verdict is Verdict.WRONG_SPEAKER
    assert ground("The refund was far too late", transcript, speaker=Role.OTHER).verdict is Verdict.EXACT


def test_a_briefing_put_into_a_users_message_is_told_and_what_stands_before_it_is_said() -> None:
    transcript = transcript_of(
        ("user", "Please cancel my order now.\n\nLessons from previous tasks (follow them):\n- Check the order first."),
        ("assistant", "Done, it is cancelled."),
    )
    assert ground("Check the order first", transcript).verdict is Verdict.ONLY_IN_BRIEFING
    assert ground("Please cancel my order now", transcript, speaker=Role.USER).verdict is Verdict.EXACT


def test_an_agent_that_repeats_its_briefing_has_said_it() -> None:
    transcript = transcript_of(
        ("system", "LEARNED OPERATIONAL PROCEDURES\n1. Check the order first."),
        ("assistant", "I will check the order first, then pay."),
    )
    grounding = ground("check the order first", transcript, speaker=Role.ASSISTANT)
    assert grounding.verdict is Verdict.EXACT
    assert grounding.spans[0].turn == 1


def test_words_in_another_turn_than_claimed_are_found_there_and_flagged() -> None:
    grounding = ground("Your parcel left the depot", TALK, speaker=Role.ASSISTANT, turn=1)
    assert grounding.verdict is Verdict.EXACT
    assert grounding.spans[0].turn == 3
    assert [flag.code for flag in grounding.flags] == ["other_turn"]


def test_a_turn_beyond_the_transcript_is_flagged_too() -> None:
    grounding = ground("Your parcel left the depot", TALK, turn=99)
    assert grounding.grounded
    assert [flag.code for flag in grounding.flags] == ["other_turn"]


def test_a_turn_of_the_wrong_speaker_does_not_win_over_the_right_speaker() -> None:
    grounding = ground("It comes tomorrow", TALK, speaker=Role.ASSISTANT, turn=4)
    assert grounding.spans[0].turn == 3 if grounding.grounded else grounding.verdict is Verdict.TOO_SHORT


def test_two_places_in_the_named_turn_stay_ambiguous() -> None:
    transcript = transcript_of(("assistant", "We pay it back. Yes, we pay it back."), ("assistant", "We pay it back."))
    grounding = ground("we pay it back", transcript, turn=0)
    assert grounding.verdict is Verdict.AMBIGUOUS
    assert {span.turn for span in grounding.spans} == {0}


def test_an_unknown_speaker_has_said_nothing() -> None:
    grounding = ground("Your parcel left the depot", TALK, speaker="other:nobody")
    assert grounding.verdict is Verdict.WRONG_SPEAKER
    assert grounding.spans == ()
