"""Numbers, measures and negations are never fuzzy, and never cut."""

import pytest

from core.vocabulary import Verdict
from tests.core.evidence.spoken import asked


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("The fee would be $1,250 in all.", "The fee would be $1"),
        ("The fee would be $1,250 in all.", "The fee would be $1,25"),
        ("It holds up to 10² items.", "It holds up to 10"),
        ("It holds up to 102 items.", "It holds up to 10"),
        ("A return of −5 % for you", "5 % for you"),
        ("A return of 5 % for you", "A return of 5"),
        ("A return of 5% for you", "A return of 5"),
        ("It takes 15–20 days to pay", "20 days to pay"),
        ("Meet us at 10:30 on Monday", "Meet us at 10"),
        ("It costs $50 for all days", "50 for all days"),
        ("It costs >$50 for all days", "$50 for all days"),
        ("It costs 10 000 euros now", "It costs 10"),
        ("non-refundable within thirty days", "refundable within thirty days"),
        ("nonrefundable within thirty days", "refundable within thirty days"),
        ("Please pay the refundable part", "Please pay the refund"),
        ("Write to info@example.com for help", "example.com for help"),
        ("The whole price is 5 million dollars.", "The whole price is 5"),
        ("The whole price is $5 million.", "The whole price is $5"),
        ("Now 5 million dollars are due.", "million dollars are due"),
        ("A discount of 5 percent is given", "A discount of 5"),
        ("Die Kosten sind 5 Millionen Euro", "Die Kosten sind 5"),
        ("El precio total es 5 mil euros", "El precio total es 5"),
        ("Цена заказа 5 тысяч рублей", "Цена заказа 5"),
        ("The loan is Rs 5 lakh now", "The loan is Rs 5"),
        ("आपका कुल शुल्क 5 लाख रुपये है", "आपका कुल शुल्क 5"),
        ("전체 가격은 5 만 원입니다", "전체 가격은 5"),
        ("本店会费是5万元整，请您付款。", "本店会费是5"),
        ("本店会费是15.5万元整，请您付款。", "本店会费是15.5"),
        ("本店会费是15.5 万元整，请您付款。", "本店会费是15.5"),
        ("本店会费是三百五十元整，请您付款。", "本店会费是三百"),
        ("包裹会在二十三天内送到，请放心等待。", "三天内送到，请放心等待"),
        ("您的订单三百五十元，请您付款。", "您的订单三"),
        ("您的订单一百五十元，请您付款。", "百五十元，请您付款"),
        ("包裹会在第三天送到，请您放心等待。", "三天送到，请您放心等待"),
        ("会费一共是百分之五的订单金额。", "五的订单金额"),
        ("会费一共是三点五万元，请付款。", "五万元，请付款"),
        ("今天的气温是零下五度，请注意保暖。", "五度，请注意保暖"),
        ("お届けは二十五日以内に行われますので。", "五日以内に行われますので"),
        ("会費は全部で5千円でございますので。", "会費は全部で5"),
        ("ค่าสมาชิกทั้งหมดคือ 5 ล้านบาทถ้วนค่ะ", "ค่าสมาชิกทั้งหมดคือ 5"),
    ],
)
def test_a_quote_does_not_cut_a_word_or_a_quantity(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.verdict is Verdict.INSIDE_WORD
    assert words == []


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("There are 10² ways of it.", "There are 102 ways of it"),
        ("You pay $1,250 in all.", "You pay $1,350 in all"),
        ("You pay $1,250 in all.", "You pay €1,250 in all"),
        ("You pay $1,250 in all.", "You pay 1,250 in all"),
        ("You pay 12.50 a month", "You pay 1250 a month"),
        ("You pay 1½ of the fee", "You pay 11/2 of the fee"),
        ("The return was -5 % a year", "The return was 5 % a year"),
        ("You pay 5 % of it", "You pay 5 of it"),
        ("You will get a refund today", "You will not get a refund today"),
        ("You will not get a refund today", "You will get a refund today"),
        ("You can get a refund today", "You can't get a refund today"),
        ("You cannot get a refund today", "You can get a refund today"),
        ("Order 17 of 2024 is late", "Order 17 of 2025 is late"),
        ("You pay ½“refund of the fee", "You pay ½refund of the fee"),
        ("You pay ½refund of the fee", "You pay ½“refund of the fee"),
        ("Step ①”refund the whole fee", "Step ①refund the whole fee"),
        ("It is 10²“refund of the fee", "It is 10²refund of the fee"),
    ],
)
def test_another_number_or_a_negation_is_an_altered_quote(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.verdict is Verdict.ALTERED
    assert words == []
    assert grounding.nearest


def test_a_quote_may_begin_with_its_currency_and_end_with_its_measure() -> None:
    for quote in ("$1,250 is due at 5 %", "₹50,000 in all is due", "-5 % a year is due", "due are 10² items"):
        grounding, words = asked(f"Now {quote}, as agreed.", quote)
        assert grounding.verdict is Verdict.EXACT
        assert words == [quote]


@pytest.mark.parametrize(
    ("content", "quote"),
    [
        ("The price is 5 dollars in all", "The price is 5"),
        ("The price is 5 million in all", "The price is 5 million"),
        ("本店会费是5万元整，请您付款。", "本店会费是5万元整"),
        ("本店会费是三百五十元整，请您付款。", "三百五十元整，请您付款"),
        ("我们统一三天内送到，请您放心等待。", "三天内送到，请您放心等待"),
        ("万一三天内没有送到，请联系我们。", "三天内没有送到，请联系我们"),
        ("这是唯一一次免费换座的机会。", "一次免费换座的机会"),
        ("您的包裹2024已经送到，请您查收。", "您的包裹2024"),
        ("您付了三百元。一定会送到您的家。", "一定会送到您的家"),
    ],
)
def test_a_quote_may_begin_and_end_beside_a_numeral(content: str, quote: str) -> None:
    grounding, words = asked(content, quote)
    assert grounding.verdict is Verdict.EXACT
    assert words == [quote]


@pytest.mark.parametrize(
    "before", ["must never ", "must **never** ", r"must never\n", "must not ever ", "must&nbsp;never "]
)
def test_a_negation_just_before_is_flagged_however_it_is_written(before: str) -> None:
    grounding, _ = asked(f"You {before}approve the whole refund", "approve the whole refund")
    assert grounding.grounded
    assert [flag.code for flag in grounding.flags] == ["negation_before_quote"]


@pytest.mark.parametrize("before", ["No, ", "Never. ", "never mind that: ", "must "])
def test_a_negation_of_another_clause_is_not_flagged(before: str) -> None:
    grounding, _ = asked(f"{before}approve the whole refund", "approve the whole refund")
    assert grounding.grounded
    assert grounding.flags == ()
