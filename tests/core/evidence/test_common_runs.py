"""Runs of words in common are those that difflib finds."""

from difflib import SequenceMatcher

from hypothesis import given, settings
from hypothesis import strategies as st

from core.evidence.common_runs import common_runs

words = st.lists(st.sampled_from(["pay", "the", "fee", "back", "now"]), max_size=30)


@settings(max_examples=300, deadline=None)
@given(words, words)
def test_the_runs_are_those_of_difflib(ours: list[str], theirs: list[str]) -> None:
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    pairs = [(block.a + n, block.b + n) for block in blocks for n in range(block.size)]
    runs = common_runs(ours, theirs)
    assert [(run.start + n, run.at + n) for run in runs for n in range(run.size)] == pairs


def test_lists_without_a_word_in_common_share_no_run() -> None:
    assert common_runs(["pay", "the"], ["not", "now"]) == []
    assert common_runs([], ["now"]) == []
