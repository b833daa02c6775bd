"""Agreement beyond chance: the published examples, what must hold for any ratings, and what cannot be said."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.effects.agreement import FEWEST, Agreement, among_many, between_two

COHEN_1960 = ((88, 14, 18), (10, 40, 10), (2, 6, 12))
"""Cohen 1960, table 2: two hundred people judged by two clinicians; agreement .70, by chance .41, κ .49."""

FOURTEEN_RATERS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
"""The worked example of Fleiss' κ: ten subjects, fourteen raters, five categories; κ 0.210."""

FLEISS_1971 = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""
"""Fleiss 1971: thirty patients, six psychiatrists each, five diagnoses; κ .430."""

pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=FEWEST, max_size=40)


def crossed(table) -> list[tuple[str, str]]:
    return [
        (f"{row}", f"{at}") for row, cells in enumerate(table) for at, count in enumerate(cells) for _ in range(count)
    ]


def counted(rows) -> list[dict[str, int]]:
    return [{f"{at}": count for at, count in enumerate(row) if count} for row in rows]


def test_cohens_own_example() -> None:
    found = between_two(crossed(COHEN_1960))
    assert found.items == 200
    assert found.same == pytest.approx(0.70)
    assert found.kappa == pytest.approx(0.29 / 0.59)


def test_the_example_of_fourteen_raters() -> None:
    found = among_many(counted(FOURTEEN_RATERS))
    assert (round(found.same or 0, 3), round(found.kappa or 0, 3)) == (0.378, 0.210)


def test_fleiss_own_example_of_thirty_patients() -> None:
    found = among_many(counted([tuple(map(int, row)) for row in FLEISS_1971.split()]))
    assert (found.items, round(found.kappa or 0, 2)) == (30, 0.43)


def test_an_example_by_hand() -> None:
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: 35 of 50 the same; by chance 25/50·30/50 + 25/50·20/50 = 0.5
    found = between_two([("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15)
    assert (found.same, found.kappa) == (pytest.approx(0.7), pytest.approx(0.4))


def test_of_two_raters_each_item_counts_alike_however_many_rated_another() -> None:
    # Two of two, and two of four pairs in six: P = (1 + 1/3) / 2; shares y 5/6, n 1/6.
    found = among_many([{"y": 2}, {"y": 3, "n": 1}] * 5)
    assert found.same == pytest.approx((1 + 1 / 2) / 2)
    by_chance = (5 / 6) ** 2 + (1 / 6) ** 2
    assert found.kappa == pytest.approx((0.75 - by_chance) / (1 - by_chance))


@given(pairs)
def test_kappa_is_at_most_one_and_exactly_one_where_all_are_the_same(said: list[tuple[str, str]]) -> None:
    found = between_two(said)
    if found.kappa is None:
        assert len({word for pair in said for word in pair}) == 1
        return
    assert -1 <= found.kappa <= 1
    assert (found.kappa == pytest.approx(1)) is all(one == other for one, other in said)


@given(pairs, st.randoms(use_true_random=False))
def test_order_raters_and_names_of_categories_do_not_matter(said, chance: random.Random) -> None:
    found = between_two(said)
    shuffled = chance.sample(said, len(said))
    renamed = [("cab"["abc".index(one)], "cab"["abc".index(other)]) for one, other in said]
    turned = [(other, one) for one, other in said]
    for again in (shuffled, renamed, turned):
        assert _close(between_two(again).kappa, found.kappa)
    fleiss = among_many([_counts(pair) for pair in said])
    assert _close(among_many([_counts(pair) for pair in turned]).kappa, fleiss.kappa)


@given(pairs)
def test_the_same_ratings_give_the_same_interval_and_it_lies_within_what_is_possible(said) -> None:
    found = between_two(said)
    assert between_two(said) == found
    if found.low is not None and found.high is not None:
        assert -1 <= found.low <= found.high <= 1


def test_the_interval_narrows_with_more_items_and_holds_the_value() -> None:
    few, many = between_two(crossed(COHEN_1960)[::8]), between_two(crossed(COHEN_1960))
    assert (many.high or 0) - (many.low or 0) < (few.high or 0) - (few.low or 0)
    assert (many.low or 0) < (many.kappa or 0) < (many.high or 0)


def test_where_everybody_says_the_same_of_everything_nothing_can_be_said() -> None:
    for found in (between_two([("y", "y")] * 30), among_many([{"y": 2}] * 30)):
        assert (found.kappa, found.low, found.same) == (None, None, 1.0)
        assert found.text == "not defined: everybody said the same of every item, 100 % the same, 30 items"


def test_under_ten_items_it_is_said_that_they_are_too_few() -> None:
    found = between_two([("y", "n"), ("y", "y"), ("n", "n")] * 3)
    assert (found.items, found.kappa) == (9, None)
    assert found.text == "too few to say, 10 items are needed, 67 % the same, 9 items"
    assert (between_two([]), among_many([])) == (Agreement(0, why="too few to say, 10 items are needed"),) * 2


def test_an_item_with_one_rating_tells_nothing() -> None:
    assert among_many([{"y": 1}] * 30).items == 0
    assert among_many([{"y": 1}] * 30 + counted(FOURTEEN_RATERS)) == among_many(counted(FOURTEEN_RATERS))


def _counts(pair: tuple[str, str]) -> dict[str, int]:
    return {word: pair.count(word) for word in pair}


def _close(one: float | None, other: float | None) -> bool:
    return one is other or (one is not None and other is not None and math.isclose(one, other, abs_tol=1e-9))
