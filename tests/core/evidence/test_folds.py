"""Honest ways of retyping are folded, and named; the words that are lit are the words that stand."""

import html
import json

import pytest

from core.evidence import ground
from core.vocabulary import Verdict
from tests.core.evidence.spoken import asked, said

CONTENT = "I’m sorry — the “priority” refund of $1,250.50 isn't due before 5–7 May, per your e‑mail."


@pytest.mark.parametrize(
    ("content", "evidence", "words", "fold"),
    [
        (CONTENT, 'I\'m sorry - the "priority" refund', "I’m sorry — the “priority” refund", "quotes"),
        (CONTENT, "isn’t due before 5-7 May", "isn't due before 5–7 May", "hyphens"),
        ("The refund\u00a0is due in May", "The refund is due in May", "The refund\u00a0is due in May", "spaces"),
        ("The refund is  due in May", "The refund is due in May", "The refund is  due in May", "spaces"),
        ("Fees are due.\nPay them now", "fees are due. Pay them now", "Fees are due.\nPay them now", "line breaks"),
        ("The CAFÉ is closed today", "the café is closed today", "The CAFÉ is closed today", "case"),
        ("The cafe\u0301 is closed today", "The café is closed today", "The cafe\u0301 is closed today", "composition"),
        ("The café is closed today", "The cafe\u0301 is closed today", "The café is closed today", "composition"),
        ("İstanbul is closed today", "istanbul is closed today", "İstanbul is closed today", "case"),
        ("Die Straße ist heute gesperrt", "Die STRASSE ist heute gesperrt", "Die Straße ist heute gesperrt", "case"),
        ("ο σοφός ΟΔΥΣΣΕΎΣ ήρθε", "ο σοφός οδυσσεύς ήρθε", "ο σοφός ΟΔΥΣΣΕΎΣ ήρθε", "case"),
        ("The ofﬁce is closed today", "The office is closed today", "The ofﬁce is closed today", "letter forms"),
        ("Ｔｈｅ office ｉｓ closed", "The office is closed", "Ｔｈｅ office ｉｓ closed", "letter forms"),
        ("A re\u00adfund is due today", "A refund is due today", "A re\u00adfund is due today", "zero-width"),
        ("Pay «the whole fee» today", 'Pay "the whole fee" today', "Pay «the whole fee» today", "quotes"),
        ("A **full** refund is `due` now", "A full refund is due now", "A **full** refund is `due` now", "markdown"),
        ("An un**believ**able fee is due", "An unbelievable fee is due", "An un**believ**able fee is due", "markdown"),
        ("A full refund is due", "A **full** refund _is_ due", "A full refund is due", "markdown"),
        ("## Fees\n\n- Pay now\n- Or later", "Fees Pay now Or later", "Fees\n\n- Pay now\n- Or later", "markdown"),
        ("Steps:\n1. Pay it now\n2. Or wait", "Pay it now Or wait", "Pay it now\n2. Or wait", "markdown"),
        ("You see [our rules](https://x.example/a_(b)) here", "You see our rules here",
         "You see [our rules](https://x.example/a_(b)) here", "markdown"),
        ("You see [our rules][1] here\n\n[1]: https://x.example", "You see our rules here",
         "You see [our rules][1] here", "markdown"),
        ("You see [our rules][Rules a] here\n\n[rules A]: https://x.example", "You see our rules here",
         "You see [our rules][Rules a] here", "markdown"),
        ("You see [our rules][2] here", "You see our rules here", "You see [our rules][2] here", "markdown"),
        ("You see [our whole rules][2] here", "our whole rules here", "our whole rules][2] here", "markdown"),
        ("You see our rules[^1] here\n\n[^1]: Of May.", "You see our rules here",
         "You see our rules[^1] here", "markdown"),
        ("You see [our rules](<x.example/a b> 'Rules') here", "You see our rules here",
         "You see [our rules](<x.example/a b> 'Rules') here", "markdown"),
        ("You see <https://x.example/a> here", "You see https://x.example/a here",
         "You see <https://x.example/a> here", "markdown"),
        ("You write to <us@x.example> today", "You write to us@x.example today",
         "You write to <us@x.example> today", "markdown"),
        ("The key foo\\_bar is set", "The key foo_bar is set", "The key foo\\_bar is set", "json escapes"),
        ("Fish &amp; chips cost &euro;5", "Fish & chips cost €5", "Fish &amp; chips cost &euro;5", "html entities"),
        ("Fish & chips are ready now", "Fish &amp; chips are ready now", "Fish & chips are ready now", "html entities"),
        (r'{"say": "Pay the \"fee\"\nby \u20ac card"}', 'Pay the "fee" by € card',
         r'Pay the \"fee\"\nby \u20ac card', "json escapes"),
        ("请支付全部⾦额并确认⽇期", "请支付全部金额并确认日期", "请支付全部⾦额并确认⽇期", "letter forms"),
        ("Pick plan Ⓐ or plan Ⓑ now", "Pick plan A or plan B now", "Pick plan Ⓐ or plan Ⓑ now", "letter forms"),
        ("I will pay ½ of the fee", "I will pay 1/2 of the fee", "I will pay ½ of the fee", "letter forms"),
        ("Great! 🎉 The fee is waived", "Great! The fee is waived", "Great! 🎉 The fee is waived", "pictures"),
        ("If so, we refund the fee", "If so we refund the fee", "If so, we refund the fee", "punctuation"),
        ("It makes sense, we swap the seat", "It makes sense we swap the seat",
         "It makes sense, we swap the seat", "punctuation"),
        ("We lift the cap, we swap it for you", "We lift the cap we swap it for you",
         "We lift the cap, we swap it for you", "punctuation"),
        (r"Open C:\Users\anna at once", r"Open C:\\Users\\anna at once", r"Open C:\Users\anna at once", "json escapes"),
        (r"Open C:\\Users\\anna at once", r"Open C:\Users\anna at once",
         r"Open C:\\Users\\anna at once", "json escapes"),
        (r"Match '(\d+)' for the seats", r"Match '(\\d+)' for the seats",
         r"Match '(\d+)' for the seats", "json escapes"),
        (r"Take $\epsilon$ as small as it", r"Take $\\epsilon$ as small as it",
         r"Take $\epsilon$ as small as it", "json escapes"),
        ("- [x] Swap the seat\n- [X] Ring there", "Swap the seat Ring there",
         "Swap the seat\n- [X] Ring there", "markdown"),
        ("1. [x] Swap the seat\n2. [ ] Ring there", "Swap the seat Ring there",
         "Swap the seat\n2. [ ] Ring there", "markdown"),
        ("- [x] Swap [the seat](u.example)\n- [x] Ring", "[x] Swap the seat [x] Ring",
         "[x] Swap [the seat](u.example)\n- [x] Ring", "markdown"),
        ("Run this:\n\n```bash\nmake it all\n```", "Run this: make it all",
         "Run this:\n\n```bash\nmake it all", "markdown"),
        ("The fee is waived for you", "“The fee is waived for you”", "The fee is waived for you", "edge punctuation"),
    ],
)  # fmt: skip
def test_a_retyped_quote_is_folded_and_lit_as_it_stands(content: str, evidence: str, words: str, fold: str) -> None:
    grounding, lit = asked(content, evidence)
    assert grounding.verdict is Verdict.FOLDED
    assert lit == [words]
    assert fold in grounding.folds or (fold == "case" and "letter forms" in grounding.folds)


@pytest.mark.parametrize("times", [1, 2])
def test_json_escapes_are_resolved_once_and_twice(times: int) -> None:
    plain = 'Dear “Åsa”,\nyour "fee" is €5 👍 and waived'
    source = plain
    for _ in range(times):
        source = json.dumps(source)[1:-1]
    grounding, words = asked(f"Sent: {source}", plain)
    assert grounding.verdict is Verdict.FOLDED
    assert words == [source]
    grounding, words = asked(f"Sent: {plain}", source)
    assert grounding.verdict is Verdict.FOLDED
    assert words == [plain]


def test_entities_are_resolved_on_either_side() -> None:
    plain = 'The "gold" plan & its fee are < 5 % dearer'
    for content, evidence in ((html.escape(plain), plain), (plain, html.escape(plain))):
        grounding, words = asked(content, evidence)
        assert grounding.verdict is Verdict.FOLDED
        assert words == [content]


def test_a_verbatim_quote_is_exact_with_all_its_marks() -> None:
    for quote in ("**Never** share your `PIN` with us.", "«Never share it», they said.", "- one more item here"):
        grounding, words = asked(f"Rule:\n{quote}\nThat is all.", quote)
        assert grounding.verdict is Verdict.EXACT
        assert grounding.folds == ()
        assert words == [quote]


@pytest.mark.parametrize(
    ("content", "evidence", "words"),
    [
        ("So: “Swap‑day is the first.” Good.", "“Swap-day is the first.”", "“Swap‑day is the first.”"),
        ("So: “Swap‑day is the first”, good.", "“Swap-day is the first.”", "Swap‑day is the first"),
        ("So: (swap‑day\nis the first) good.", "(swap-day is the first)", "(swap‑day\nis the first)"),
        ("So: **swap‑day is first**.", "**swap-day is first.**", "swap‑day is first"),
        ("说：“您的座位，已换好。”好。", "“您的座位已换好。”", "“您的座位，已换好。”"),
    ],
)
def test_marks_at_the_edges_are_lit_where_all_of_them_stand_there(content: str, evidence: str, words: str) -> None:
    grounding, lit = asked(content, evidence)
    assert grounding.verdict is Verdict.FOLDED
    assert lit == [words]
    assert ("edge punctuation" in grounding.folds) is (words[0].isalnum())


def test_right_to_left_text_is_found() -> None:
    content = "مرحبا! لن نعيد الرسوم قبل يوم الأحد."
    grounding, words = asked(content, "نعيد الرسوم قبل يوم الأحد")
    assert grounding.verdict is Verdict.EXACT
    assert words == ["نعيد الرسوم قبل يوم الأحد"]
    assert [flag.code for flag in grounding.flags] == ["negation_before_quote"]


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("No, refunds are allowed here.", "No refunds are allowed here"),
        ("We do not, ever, refund it.", "We do not ever refund it"),
        ("You want the refund? I see that.", "You want the refund. I see that"),
        ("We re-sign the contract today.", "We resign the contract today"),
        ("It's a shame they were late", "Its a shame they were late"),
        ("❌ Refunds ❌ vouchers ✅ exchanges are on", "Refunds vouchers exchanges are on"),
        ("✅ Approved for you today", "❌ Approved for you today"),
        ("Đây là nội dung của ông ấy.", "Đây là no dung của ông ấy"),
        ("The résumé is on file", "The resume is on file"),
        ("- [x] Swap the seat\n- [ ] Ring there now", "- [ ] Swap the seat"),
        ("- [x] Swap the seat\n- [x] Ring there now", "Swap the seat [ ] Ring there now"),
        ("- [ ] Swap the seat\n- [ ] Ring there now", "- [x] Swap the seat"),
        ("Té sentit, cap, i és per a vostè", "Té sentit cap i és per a vostè"),
        ("See [our rules](https://a.example/one) today", "See [our rules](https://b.example/two) today"),
        ("1. Pay it now\n2. Or wait", "1. Pay it now 3. Or wait"),
        ("It is in list[0][1] of the fees", "It is in list[0] of the fees"),
        ("Your [refund][denied] is in the list", "Your refund is in the list"),
        ("You pay it in 5 days[1] at most", "You pay it in 5 days at most"),
        ("You pay it[^5] in two days", "You pay it in two days"),
        ("If a <b and c> d then pay", "If a b and c d then pay"),
    ],
)
def test_a_difference_that_may_turn_the_meaning_is_not_folded(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.verdict is Verdict.ALTERED
    assert words == []
    assert grounding.nearest


def test_a_statement_made_of_a_question_is_flagged() -> None:
    grounding, _ = asked("Should I refund the whole fee? Tell me.", "I refund the whole fee.")
    assert grounding.verdict is Verdict.FOLDED
    assert [flag.code for flag in grounding.flags] == ["asked_in_source"]
    grounding, _ = asked("Should I refund the whole fee? Tell me.", "Should I refund the whole fee?")
    assert grounding.flags == ()


def test_half_width_kana_are_folded() -> None:
    grounding, words = asked("本日ｶﾞｽ料金をお支払いください。", "本日ガス料金をお支払いください")
    assert grounding.verdict is Verdict.FOLDED
    assert words == ["本日ｶﾞｽ料金をお支払いください"]


@pytest.mark.parametrize("evidence", ["👍🏽 Thanks for your help today", "Thanks for your help today"])
def test_the_tone_of_a_picture_belongs_to_it(evidence: str) -> None:
    content = "👍🏽 Thanks for your help today"
    found = ground(evidence, said(content))
    assert [content[span.start : span.end] for span in found.spans] == [evidence]
