"""A line break is white space, except beside a negation that it parts from a statement, or before a number."""

import pytest

from core.vocabulary import Verdict
from tests.core.evidence.spoken import asked


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("Can I still swap it? No\nSwaps are free for members.", "No swaps are free for members"),
        ("Can I still swap it? No\nSwaps are free for members.", "No Swaps are free for members"),
        ("Can I still swap it? Never\n\nSwaps are free for members.", "Never swaps are free for members"),
        ("- Closed: No\n- Swaps are free for members", "No Swaps are free for members"),
        ("- closed: no\n- swaps are free for members", "no swaps are free for members"),
        ("1. we swap it never\n2. parcels are free for you", "we swap it never parcels are free for you"),
        ("Closed: No\n\n## Swaps are free for members", "No swaps are free for members"),
        ("Closed?\nno\nswaps are free for members", "no swaps are free for members"),
        ("Is it closed? No\u2028Swaps are free for members", "No swaps are free for members"),
        ("Is it closed? No<br>Swaps are free for members", "No swaps are free for members"),
        ("<ul><li>Closed: no</li><li>swaps are free here</li></ul>", "no swaps are free here"),
        ("What we do not\nWe swap it on the same day.", "What we do not we swap it on the same day"),
        ("Members swap\n\nNo fees are due for it.", "Members swap no fees are due for it"),
        ("- members pay\n- no fees for the swap", "members pay no fees for the swap"),
        ("There is no swap for this seat.", "There is no\n\nSwap for this seat"),
        ("Geht das noch? Nie\nUmtausch ist für alle kostenlos.", "Nie Umtausch ist für alle kostenlos"),
        ("¿Se puede cambiar? No\nSe cambia el asiento a todos.", "No se cambia el asiento a todos"),
        ("Можно обменять? Нет\nОбмен для всех бесплатный.", "нет обмен для всех бесплатный"),
        ("هل يمكن التبديل؟ لا\nيمكن التبديل مجانا للجميع", "لا يمكن التبديل مجانا للجميع"),
        ("还能换座吗？不\n可以换座的车次都列在下面。", "不可以换座的车次都列在下面"),
        ("还能换座吗？没有\n可以换座的车次都列在下面。", "没有可以换座的车次都列在下面"),
        ("เปลี่ยนได้ไหม? ไม่\nเปลี่ยนที่นั่งได้ทุกขบวนค่ะ", "ไม่เปลี่ยนที่นั่งได้ทุกขบวนค่ะ"),
    ],
)
def test_an_answer_is_not_the_beginning_of_the_next_statement(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.verdict is Verdict.ALTERED
    assert words == []
    assert grounding.nearest


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("There is no\nswap for this seat at all.", "There is no swap for this seat at all"),
        ("There is no\n\nswap for this seat at all.", "There is no swap for this seat at all"),
        ("That was it for today. No\nfees are due for a swap.", "No fees are due for a swap"),
        ("Mind this: No\nfees are due for a swap.", "Mind this: No fees are due for a swap"),
        ("It includes these:\n- No\nfees for a swap", "It includes these: No fees for a swap"),
        ("Two bags; no\nfees for a swap", "Two bags; no fees for a swap"),
        ("However, no\nswap is due for this seat.", "no swap is due for this seat"),
        ("THERE IS NO\nSWAP FOR THIS SEAT", "There is no swap for this seat"),
        ("You\ndo\nnot\npay\nfor\nthis", "You do not pay for this"),
        ("> We do not\n> swap it for you", "We do not swap it for you"),
        ("Is it closed? No\nSwaps are free here.", "No\nSwaps are free here"),
        ("Free swaps\n\nNo fees are due", "Free swaps No fees are due"),
        ("- Closed: No\n- Swaps are free here", "Closed: No - Swaps are free here"),
        ('{"fees": 5, "why":\n"No\nfees are due for a swap"}', '"No fees are due for a swap"'),
        ('{"closed": "no",\n "why": "a swap of seats"}', '"closed": "no", "why": "a swap of seats"'),
        ("我们不\n可以换您的座位，请您谅解。", "我们不可以换您的座位"),
    ],
)
def test_a_wrapped_line_or_a_border_that_the_quote_keeps_changes_nothing(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.grounded
    assert words


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("Members pay up to\n20. It is due in June.", "Members pay up to It is due in June"),
        ("Members pay a max of\n20) for each seat", "Members pay a max of for each seat"),
        ("Wir treffen uns am\n20. Juni am Schalter", "Wir treffen uns am Juni am Schalter"),
        ("The balance is\n+ 20 dollars for you", "The balance is 20 dollars for you"),
        ("It changed by\n- 20 dollars in June", "It changed by 20 dollars in June"),
        ("It changed by\n- $20 for each seat", "It changed by $20 for each seat"),
        ("It changed by 20 dollars in June", "It changed by\n- 20 dollars in June"),
        ("The bags weigh about\n> 20 kilos in all", "The bags weigh about 20 kilos in all"),
        ("We give # 5 to the first seat", "We give 5 to the first seat"),
    ],
)
def test_a_number_or_its_sign_at_the_head_of_a_line_is_not_left_out(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.verdict is Verdict.ALTERED
    assert words == []


@pytest.mark.parametrize(
    ("content", "evidence"),
    [
        ("Fees:\n1. 50 dollars\n2. 20 dollars", "Fees: 50 dollars 20 dollars"),
        ("Fees are these\n1. 50 dollars\n2. 20 dollars", "Fees are these 50 dollars 20 dollars"),
        ("Do this now\n7. open the door\n8. ring the bell", "Do this now open the door ring the bell"),
        ("Do this now\n1. open the door\n1. ring the bell", "Do this now open the door ring the bell"),
        ("Fees are these\n- 50 dollars\n- 20 dollars", "Fees are these 50 dollars 20 dollars"),
        ("Fees are these\n+ 50 dollars\n+ 20 dollars", "Fees are these 50 dollars 20 dollars"),
        ("Fees are these\n\n- 50 dollars", "Fees are these 50 dollars"),
        ("Fees\n- 50 dollars\n  for the bag\n\n- 20 dollars more", "Fees 50 dollars for the bag 20 dollars more"),
        ("> The fee is\n> 50 dollars a day", "The fee is 50 dollars a day"),
        ("What to do\n## 5 steps to go", "What to do 5 steps to go"),
        ("It changed by\n- 20 dollars in June", "It changed by - 20 dollars in June"),
    ],
)
def test_the_marks_of_a_list_are_left_out(content: str, evidence: str) -> None:
    grounding, words = asked(content, evidence)
    assert grounding.verdict is Verdict.FOLDED
    assert words


def test_thousands_of_marks_that_may_be_signs_are_judged_in_passing() -> None:
    content = "The fee was\n- 20 dollars" * 500 + "\n   " * 3_000 + "\n+ 5 was all"
    grounding, _ = asked(content, "The fee was 20 dollars and 5 was all")
    assert not grounding.grounded
