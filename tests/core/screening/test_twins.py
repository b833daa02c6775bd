"""The index finds every pair that the substring rule calls twins, and no other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.screening.likeness import common_run, edits_apart, folded
from core.screening.twins import TwinIndex
from core.screening.vectors import PieceFetcher, wordllama_fetcher

LESSON = "Check the refund policy before promising a refund to a student."


def by_the_rule(texts: list[str]) -> set[frozenset[int]]:
    """The rule itself, pair by pair: a common run of at least 80 % of the shorter text."""
    kept = [folded(text) for text in texts]
    return {
        frozenset((one, other))
        for one in range(len(kept))
        for other in range(one)
        if kept[one]
        and kept[other]
        and 5 * common_run(kept[one], kept[other]) >= 4 * min(len(kept[one]), len(kept[other]))
    }


def index_of(texts: list[str]) -> TwinIndex:
    return TwinIndex((str(place), text) for place, text in enumerate(texts))


PIECES = st.sampled_from(
    ["check ", "the ", "refund ", "policy ", "a", "b", "ab", "before ", "é", "  ", "order number "]
)
TEXTS = st.lists(st.lists(PIECES, min_size=1, max_size=12).map("".join), min_size=2, max_size=12)


@given(TEXTS)
def test_all_pairs_are_those_of_the_rule(texts):
    found = [frozenset((int(twin.one), int(twin.other))) for twin in index_of(texts).pairs()]
    assert set(found) == by_the_rule(texts)
    assert len(found) == len(set(found))


@given(TEXTS)
def test_asking_for_one_text_finds_the_same(texts):
    *known, asked = texts
    wanted = {min(pair) for pair in by_the_rule(texts) if len(known) in pair}
    assert {int(twin.other) for twin in index_of(known).find(asked)} == wanted


@given(TEXTS, st.data())
def test_adding_and_removing_in_any_order_leaves_no_trace(texts, data):
    index = TwinIndex()
    for place in data.draw(st.permutations(range(len(texts)))):
        index.add(str(place), texts[place])
    gone = data.draw(st.sets(st.integers(0, len(texts) - 1)))
    for place in gone:
        index.remove(str(place))
    found = {frozenset((int(twin.one), int(twin.other))) for twin in index.pairs()}
    assert found == {pair for pair in by_the_rule(texts) if not pair & gone}
    assert len(index) == len(texts) - len(gone)


def test_case_white_space_and_a_last_full_stop_do_not_count():
    index = TwinIndex([("L-0001", LESSON)])
    assert index.same("check the refund  policy before PROMISING a refund to a student") == ["L-0001"]
    assert index.same("Check the refund policy.") == []


def test_an_index_keeps_finding_while_it_grows():
    index = TwinIndex()
    for number in range(400):
        index.add(f"L-{number:04}", f"Look up rule number {number} of chapter {number % 7} before quoting the fee.")
    index.add("L-twin", LESSON)
    assert [twin.other for twin in index.find(LESSON + " Always.")] == ["L-twin"]


def test_a_text_under_a_used_key_replaces_the_old_one():
    index = TwinIndex([("L-0001", LESSON)])
    index.add("L-0001", "Quote every fee with its tax before asking for a card.")
    assert not index.find(LESSON)
    assert len(index) == 1


def test_removing_an_unknown_key_changes_nothing():
    index = TwinIndex([("L-0001", LESSON)])
    index.remove("L-0002")
    assert "L-0001" in index


def test_one_question_finds_all_of_many():
    texts = [f"{number} {LESSON[number % 20 :]} See chapter {number % 83}." for number in range(1_000)]
    wanted = {str(place) for place, text in enumerate(texts) if place == 5 or by_the_rule([texts[5], text])}
    assert {twin.other for twin in index_of(texts).find(texts[5])} == wanted


@pytest.mark.parametrize(
    ("one", "other", "edits"),
    [
        ("policy", "policy", 0),
        ("policy", "polcy", 1),
        ("policy", "poilcy", 1),
        ("policy", "polity", 1),
        ("refund", "return", 2),
    ],
)
def test_one_slip_of_the_pen_is_told_from_another_word(one, other, edits):
    assert edits_apart(one, other) == edits_apart(other, one) == edits


def test_word_pieces_bring_the_likest_first_and_forget_what_was_removed():
    fetcher = PieceFetcher()
    fetcher.add("L-0001", LESSON)
    fetcher.add("L-0002", "Quote every fee with its tax.")
    near = fetcher.near("Before promising a refund, check the refund policy.", 2)
    assert near[0][0] == "L-0001"
    assert 0.5 < near[0][1] <= 1.0
    fetcher.remove("L-0001")
    assert "L-0001" not in dict(fetcher.near(LESSON, 5))


def test_an_installed_embedding_is_loaded_without_the_network_and_proposes_a_paraphrase():
    fetcher = wordllama_fetcher()
    if fetcher is None:
        pytest.skip("wordllama is not installed; word pieces are used")
    fetcher.add("L-0001", "Explain the refund timeline to the customer.")
    fetcher.add("L-0002", "Check the stock of the warehouse.")
    (near, cosine), _ = fetcher.near("Tell the customer how long a refund takes.", 2)
    assert near == "L-0001"
    assert cosine > 0.5
