"""Episodes for a question: recency × importance × similarity, each shown, each with a weight that can be moved."""

import math
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory.episodes import EpisodeCandidate, best_episodes, likeness_among, recency, shared_words, words
from core.settings import DEFAULTS, Settings

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)


def episode(id: int, text: str, *, days: float = 0, importance: str = "0.50") -> EpisodeCandidate:
    return EpisodeCandidate(id, text, Decimal(importance), NOW - timedelta(days=days))


def weighed(**weights: str) -> Settings:
    return Settings(**{f"{name}_weight": Decimal(value) for name, value in weights.items()})


def test_recency_halves_with_each_half_life_and_never_leaves_its_bounds() -> None:
    assert [recency(NOW - timedelta(days=days), NOW, 30) for days in (0, 30, 60)] == [1.0, 0.5, 0.25]
    assert recency(NOW + timedelta(days=9), NOW, 30) == 1.0


def test_the_score_is_the_product_of_the_factors_that_are_shown() -> None:
    [found] = best_episodes([episode(1, "refund of a course", days=30, importance="0.80")], "refund", NOW, DEFAULTS)
    assert (found.recency, found.importance) == (0.5, 0.8)
    assert 0 < found.similarity < 1
    assert found.score == pytest.approx(found.recency * found.importance * found.similarity, abs=1e-9)


def test_each_factor_can_be_left_out() -> None:
    old, dull, far = (
        episode(1, "refund", days=300, importance="0.90"),
        episode(2, "refund", importance="0.10"),
        episode(3, "letters", importance="0.90"),
    )

    def order(**weights: str) -> list[int]:
        return [one.episode.id for one in best_episodes([old, dull, far], "refund", NOW, weighed(**weights))]

    assert order() == [2, 1, 3]
    assert order(recency="0.00") == [1, 2, 3]
    assert order(importance="0.00", similarity="0.00")[-1] == 1
    assert order(similarity="0.00") == [3, 2, 1]


def test_rare_words_weigh_more_than_common_ones() -> None:
    texts = ["the deploy was late", "the deploy failed on the auth subsystem", "the deploy was fine"]
    alike = shared_words("auth in the deploy", texts)
    assert max(range(3), key=alike.__getitem__) == 1
    assert all(0 <= one <= 1 for one in alike)
    assert shared_words("", texts) == [0.0] * 3
    assert shared_words("deploys", texts)[0] > 0


def as_the_formula_says(question: str, texts: list[str]) -> list[float]:
    """Cosine of TF-IDF, each text on its own."""
    counted, asked = [Counter(words(text)) for text in texts], Counter(words(question))
    holders = Counter(word for each in counted for word in each)
    weight = {word: math.log((1 + len(texts)) / (1 + holders[word])) + 1 for word in (*holders, *asked)}

    def norm(each: Counter[str]) -> float:
        return math.sqrt(sum((count * weight[word]) ** 2 for word, count in sorted(each.items())))

    def cosine(each: Counter[str]) -> float:
        lengths = norm(asked) * norm(each)
        shared = sum(asked[word] * each[word] * weight[word] ** 2 for word in sorted(asked.keys() & each.keys()))
        return min(1.0, shared / lengths) if lengths else 0.0

    return [cosine(each) for each in counted]


SAID = st.lists(st.sampled_from(["refund", "refunds", "logs", "late", "退款", "환불", "café", "a", "5"])).map(" ".join)


@given(question=SAID | st.text(max_size=12), texts=st.lists(SAID | st.text(max_size=12), max_size=8))
def test_likeness_is_what_the_formula_says_to_the_last_bit(question: str, texts: list[str]) -> None:
    assert shared_words(question, texts) == as_the_formula_says(question, texts)
    among = likeness_among(iter(texts))
    assert [among(one) for one in (question, "refund", question)][2] == as_the_formula_says(question, texts)


def test_words_of_scripts_without_spaces_are_found_by_pairs() -> None:
    alike = shared_words("退款", ["学生要求退款", "学生问候"])
    assert alike[0] > alike[1]


@pytest.mark.parametrize(
    ("one", "other"), [("fee", "fees"), ("file", "filed"), ("policy", "policies"), ("use", "using"), ("dog", "dogs")]
)
def test_the_forms_of_a_word_meet(one: str, other: str) -> None:
    assert words(one) == words(other)
    assert words("note") != words("not")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("वापसी की नीति।", ["वापसी", "की", "नीति"]),
        ("சேவைக் கட்டணம்", ["சேவைக்", "கட்டணம்"]),
        ("cafe\u0301 open", ["café", "open"]),
    ],
)
def test_the_marks_of_a_script_are_part_of_their_word(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_a_letter_with_its_mark_is_one_however_it_is_written() -> None:
    assert words("CAFE\u0301") == words("café")
    assert shared_words("café", ["the cafe\u0301 was open", "the bar was open"])[0] > 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("환불 요청", ["환불", "요청"]),
        ("он не ел", ["он", "не", "ел"]),
        ("in a de à x1 __", []),
        ("route 5", ["rout", "5"]),
    ],
)
def test_words_of_two_letters_count_where_they_are_no_latin_ones(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_as_many_as_the_settings_give_and_ties_go_to_the_newest() -> None:
    many = [episode(id, "refund", days=0 if id < 5 else 1) for id in range(20)]
    found = best_episodes(many, "refund", NOW, weighed(recency="0.00"))
    assert [one.episode.id for one in found] == [4, 3, 2, 1, 0, 19, 18, 17]
    assert best_episodes(many[::-1], "refund", NOW, weighed(recency="0.00")) == found
    assert len(best_episodes(many, "refund", NOW, DEFAULTS, most=3)) == 3


def test_nothing_alike_falls_back_to_what_is_recent_and_important() -> None:
    found = best_episodes([episode(1, "a letter", days=90), episode(2, "a call")], "refund", NOW, DEFAULTS)
    assert [one.episode.id for one in found] == [2, 1]
    assert {one.score for one in found} == {0.0}


def test_another_measure_of_likeness_can_take_its_place() -> None:
    found = best_episodes(
        [episode(1, "refund"), episode(2, "money back")],
        "refund",
        NOW,
        DEFAULTS,
        similarity=lambda _, texts: [0.2, 1.7],
    )
    assert [(one.episode.id, one.similarity) for one in found] == [(2, 1.0), (1, 0.2)]
