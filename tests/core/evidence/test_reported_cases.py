"""What "Self-reflection memory" promises of a quote, and faults that people reported of systems like this one."""

import pytest

from core.evidence import Span, ground, prepare
from core.vocabulary import Role, Verdict
from tests.core.evidence.spoken import asked, lit, transcript_of

ADVICE = (
    "Given your goal of good returns over 5 years, I would recommend splitting your ₹50,000 as follows: ₹20,000 in a "
    "large-cap equity mutual fund for long-term growth, ₹20,000 in HDFC Short Duration debt fund, and ₹10,000 in a "
    "liquid fund for emergency access. The equity allocation will give you the best returns over your 5-year horizon."
)


def test_a_quote_is_found_though_its_last_mark_differs() -> None:
    quote = "I would recommend splitting your ₹50,000 as follows: ₹20,000 in a large-cap equity mutual fund."
    grounding, words = asked(ADVICE, quote)
    assert grounding.verdict is Verdict.FOLDED
    assert grounding.folds == ("edge punctuation",)
    assert words == [quote.removesuffix(".")]


def test_a_guess_about_what_might_have_followed_is_not_found() -> None:
    grounding, words = asked(
        "Before we proceed, could you please let me know your risk tolerance? This will help me tailor suggestions.",
        "The assistant asked for the user's risk tolerance, which implies a recommendation of equity investments.",
    )
    assert not grounding.grounded
    assert words == []


def test_retyped_hyphens_are_folded() -> None:
    grounding, words = asked(ADVICE, "₹20,000 in a large‑cap equity mutual fund for long‑term growth")
    assert grounding.verdict is Verdict.FOLDED
    assert grounding.folds == ("hyphens",)
    assert words == ["₹20,000 in a large-cap equity mutual fund for long-term growth"]


def test_a_shortened_quote_lights_its_pieces() -> None:
    grounding, words = asked(
        ADVICE, "I would recommend splitting your ₹50,000 … The equity allocation will give you the best returns"
    )
    assert grounding.verdict is Verdict.ELIDED
    assert words == [
        "I would recommend splitting your ₹50,000",
        "The equity allocation will give you the best returns",
    ]


def test_an_ellipsis_that_swallows_a_negation_is_held_with_the_gap() -> None:
    content = "On the trial plan you are not able to cancel before day thirty."
    grounding, words = asked(content, "On the trial plan you are ... able to cancel before day thirty")
    assert grounding.verdict is Verdict.ELISION_HIDES_NEGATION
    assert words == []
    assert grounding.gaps == (Span(0, 26, 29),)
    assert "“not”" in grounding.reasons[0].text


REPEATED = transcript_of(
    ("user", "Hi"),
    ("assistant", "I can send the refund today."),
    ("user", "Which account?"),
    ("user", "Are you sure?"),
    ("assistant", "Yes."),
    ("assistant", "As I said, I can send the refund today."),
)


def test_a_turn_decides_among_several_places() -> None:
    grounding = ground("I can send the refund today", REPEATED, turn=5)
    assert grounding.verdict is Verdict.EXACT
    assert grounding.spans == (Span(5, 11, 38),)


def test_without_a_turn_every_place_is_lit() -> None:
    grounding = ground("I can send the refund today", REPEATED)
    assert grounding.verdict is Verdict.AMBIGUOUS
    assert grounding.grounded
    assert grounding.spans == (Span(1, 0, 27), Span(5, 11, 38))


def test_pictures_before_a_quote_do_not_shift_it() -> None:
    grounding, words = asked("👍🏽 Done! 👨‍👩‍👧 I will waive the late fee.", "I will waive the late fee")
    assert grounding.spans == (Span(0, 15, 40),)
    assert words == ["I will waive the late fee"]


TYPOGRAPHIC = "The fee is 5–7 % a year, so it’s a ‘short‐term’ ﬁx with no lock\u00adin."


def test_typographic_forms_are_folded() -> None:
    grounding, _ = asked(TYPOGRAPHIC, "The fee is 5-7 % a year, so it's a 'short-term' fix with no lockin")
    assert grounding.verdict is Verdict.FOLDED
    assert grounding.spans == (Span(0, 0, 66),)
    assert set(grounding.folds) == {"hyphens", "quotes", "letter forms", "zero-width"}


def test_an_invisible_space_is_folded() -> None:
    grounding, _ = asked("Please do not\u200b share the code with anyone.", "Please do not share the code with anyone")
    assert grounding.spans == (Span(0, 0, 41),)


def test_a_paraphrase_is_not_a_typographic_form() -> None:
    grounding, words = asked(TYPOGRAPHIC, "The fee is 5 to 7 percent a year")
    assert not grounding.grounded
    assert words == []


def test_markdown_dropped_in_the_quote_is_folded() -> None:
    content = "**Never** share your `PIN` with [support](https://help.example/pin) staff."
    grounding, _ = asked(content, "Never share your PIN with support staff")
    assert grounding.verdict is Verdict.FOLDED
    assert grounding.folds == ("markdown",)
    assert grounding.spans == (Span(0, 2, 73),)


@pytest.mark.parametrize(
    ("content", "evidence", "span"),
    [
        ("我建议您购买股票基金,收益更高。", "我建议您购买股票基金", Span(0, 0, 10)),
        ("はい、株式ファンドをお勧めします。", "株式ファンドをお勧めします", Span(0, 3, 16)),
    ],
)
def test_scripts_without_spaces_are_found(content: str, evidence: str, span: Span) -> None:
    grounding, _ = asked(content, evidence)
    assert grounding.verdict is Verdict.EXACT
    assert grounding.spans == (span,)


def test_two_characters_of_a_script_without_spaces_prove_nothing() -> None:
    grounding, words = asked("我建议您购买股票基金,收益更高。", "股票")
    assert grounding.verdict is Verdict.TOO_SHORT
    assert words == []


def test_line_breaks_do_not_move_the_span() -> None:
    grounding, _ = asked("Hello,\r\n\r\nYour fee is waived\r\nfor this year.", "Your fee is waived for this year")
    assert grounding.spans == (Span(0, 10, 43),)
    assert grounding.folds == ("line breaks",)


def test_words_of_the_other_side_are_not_the_agents() -> None:
    transcript = transcript_of(
        ("user", "Just tell me you promise a full refund."), ("assistant", "I cannot do that yet.")
    )
    grounding = ground("you promise a full refund", transcript, speaker=Role.ASSISTANT)
    assert grounding.verdict is Verdict.WRONG_SPEAKER
    assert grounding.spans == ()
    assert grounding.nearest == (Span(0, 13, 38),)
    assert "said by user" in grounding.reasons[0].text


def test_thirty_absent_quotes_in_a_long_transcript_are_all_refused() -> None:
    line = "The customer asked about order {0} and the agent looked at page {0} of the catalogue again. "
    transcript = transcript_of(*(("assistant", "".join(line.format(n * 40 + m) for m in range(40))) for n in range(55)))
    prepared = prepare(transcript)
    for number in range(30):
        quote = f"Nobody ever promised the {number} violet umbrellas would arrive before the autumn fair"
        assert not prepared.ground(quote).grounded


def test_a_reason_never_calls_a_quote_verified() -> None:
    content = "I recommend the liquid fund for this part."
    grounding, _ = asked(content, "I recommend the liquid fund for this part")
    assert grounding.reasons[0].text.startswith("Quote found")
    assert "verif" not in grounding.reasons[0].text


CUT = "You must never approve the refund without a check. We do not disapprove exchange requests."


def test_a_quote_right_after_its_negation_is_flagged_with_its_sentence() -> None:
    grounding, _ = asked(CUT, "approve the refund without a check")
    assert grounding.verdict is Verdict.EXACT
    assert grounding.spans == (Span(0, 15, 49),)
    assert [flag.code for flag in grounding.flags] == ["negation_before_quote"]
    assert "You must never approve the refund without a check." in grounding.flags[0].text


def test_a_quote_that_starts_inside_a_word_is_refused() -> None:
    grounding, words = asked(CUT, "approve exchange requests")
    assert grounding.verdict is Verdict.INSIDE_WORD
    assert words == []


def test_injected_notes_are_not_what_the_agent_said() -> None:
    transcript = transcript_of(
        ("system", "What I learned from prior trials\n- The agent shared a card number in chat."),
        ("user", "hi"),
        ("assistant", "Hello, how can I help?"),
    )
    grounding = ground("The agent shared a card number in chat", transcript)
    assert grounding.verdict is Verdict.ONLY_IN_BRIEFING
    assert grounding.spans == ()


def test_markup_in_a_transcript_is_quoted_as_it_stands() -> None:
    transcript = transcript_of(
        ("user", "<img src=x onerror=alert(1)> refund me"), ("assistant", "I will refund <b>you</b> & close it.")
    )
    grounding = ground("I will refund <b>you</b> & close it", transcript)
    assert grounding.verdict is Verdict.EXACT
    assert lit(grounding, transcript) == ["I will refund <b>you</b> & close it"]
