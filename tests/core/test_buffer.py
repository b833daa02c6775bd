"""The buffer of reflections: which are read, what stands for the others, how long each lives, file and report."""

import json
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory.buffer import (
    ReflectionCandidate,
    choose_reflections,
    older_ones,
    overflow_line,
    remaining,
    themes_of,
)
from core.memory.buffer_file import Buffered, buffer_file, expiring, expiring_report
from core.memory.compaction import Reflection, clusters, joined_tags, merged_by_extract
from core.settings import DEFAULTS
from core.vocabulary import Status

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def reflected(
    n: int, *, tags: tuple[str, ...] = ("timeouts", "retry"), status: str = "active", left: int = 5, text: str = ""
) -> ReflectionCandidate:
    said = text or f"I failed to wait because I retried at once; next time, I wait {n} seconds."
    return ReflectionCandidate(f"L-{n:04d}", said, tags, status, left, DAY + timedelta(hours=n), n, n)


def test_of_ten_reflections_the_six_newest_are_read_and_one_line_counts_the_four_others() -> None:
    choice = choose_reflections([reflected(n) for n in range(10)], DEFAULTS)
    assert [taken.item.item for taken in choice.taken] == [9, 8, 7, 6, 5, 4]
    assert overflow_line(older_ones(choice)) == "... and 4 older reflections about timeouts"
    assert len(choice.taken) + len(choice.left) == 10


def test_of_sixty_reflections_the_line_counts_fifty_four() -> None:
    choice = choose_reflections([reflected(n, tags=("refund",)) for n in range(60)], DEFAULTS)
    assert len(choice.taken) == 6
    assert overflow_line(older_ones(choice)) == "... and 54 older reflections about refund"


def test_a_reflection_whose_trials_are_over_is_not_read_whatever_its_status_says() -> None:
    choice = choose_reflections([reflected(1, left=0), reflected(2)], DEFAULTS)
    assert [taken.item.item for taken in choice.taken] == [2]
    assert choice.left[0].why == "the trials for which it lives are over"
    assert older_ones(choice) == ()


@pytest.mark.parametrize("status", [*(one for one in Status if one is not Status.ACTIVE), "some_future_state"])
def test_only_an_active_reflection_is_read(status: str) -> None:
    choice = choose_reflections([reflected(1, status=status)], DEFAULTS)
    assert not choice.taken
    assert older_ones(choice) == ()
    assert choice.left[0].why == status


def test_activations_of_one_moment_are_ordered_by_their_place() -> None:
    both = [ReflectionCandidate(key, key, (), "active", 1, DAY, order) for key, order in (("a", 1), ("b", 2))]
    assert [taken.item.key for taken in choose_reflections(both, DEFAULTS).taken] == ["b", "a"]


def test_nothing_beyond_the_cap_needs_no_line() -> None:
    assert overflow_line(()) is None


def test_one_reflection_beyond_the_cap_is_counted_in_the_singular() -> None:
    assert overflow_line([reflected(1, tags=("timeouts",))]) == "... and 1 older reflection about timeouts"


def test_themes_are_joined_where_none_is_shared_by_most() -> None:
    others = [reflected(n, tags=(tag,)) for n, tag in enumerate(["timeouts", "timeouts", "refunds", "refunds"])]
    assert overflow_line(others) == "... and 4 older reflections about timeouts and refunds"


def test_many_themes_end_with_more() -> None:
    assert themes_of([(f"theme{n}",) for n in range(9)]) == ("theme0", "theme1", "theme2", "more")


def test_reflections_without_tags_are_summed_up_by_a_word_that_they_share() -> None:
    texts = (
        "I failed to look because I guessed; next time, open the drawer.",
        "I failed to use the drawer; next time, do.",
    )
    assert overflow_line([reflected(n, tags=(), text=text) for n, text in enumerate(texts)]) == (
        "... and 2 older reflections about drawer"
    )


def test_reflections_that_share_nothing_are_only_counted() -> None:
    texts = ("I failed to look because I guessed; next time, open it.", "Nothing whatever.")
    others = [reflected(n, tags=(), text=text) for n, text in enumerate(texts)]
    assert overflow_line(others) == "... and 2 older reflections"


@given(st.lists(st.lists(st.sampled_from(["ab", "abc", "refund", "timeouts"]), max_size=3), max_size=12), st.randoms())
def test_the_themes_do_not_depend_on_the_order_of_the_reflections(terms: list[list[str]], random: Random) -> None:
    mixed = list(terms)
    random.shuffle(mixed)
    assert themes_of(terms) == themes_of(mixed)


@given(st.integers(0, 50), st.integers(0, 80), st.integers(1, 20))
def test_a_reflection_lives_for_exactly_so_many_trials_after_its_activation(begun: int, more: int, lives: int) -> None:
    left = remaining(begun, begun + more, lives)
    assert left == max(0, lives - more)
    assert (left > 0) == (more < lives)


def test_what_was_never_in_force_has_no_trials_left() -> None:
    assert remaining(None, 3, 10) == 0


def buffered(n: int, left: int, *, user: str | None = None) -> Buffered:
    at = DAY + timedelta(hours=n)
    return Buffered(
        f"L-{n:04d}", f"S-{n}", n, "refunds", "user" if user else "task_class", f"T{n}", ("a",), at, left, user
    )


def test_the_file_names_trial_class_scope_text_time_and_trials_left() -> None:
    (one,) = json.loads(buffer_file([buffered(3, 7, user="asha")]))
    assert one == {
        "ref": "L-0003", "trial_id": "S-3", "trial": 3, "task_class": "refunds", "scope": "user", "user": "asha",
        "text": "T3", "tags": ["a"], "created_at": "2026-03-01T03:00:00+00:00", "ttl_remaining": 7,
    }  # fmt: skip


@given(st.permutations(range(6)))
def test_the_same_buffer_in_any_order_gives_the_same_bytes(order: list[int]) -> None:
    rows = [buffered(n, 1 + n) for n in range(6)]
    assert buffer_file(rows[n] for n in order) == buffer_file(rows)


def test_a_reflection_whose_trials_are_over_is_not_in_the_file() -> None:
    assert json.loads(buffer_file([buffered(1, 0)])) == []


def test_the_report_lists_what_has_few_trials_left_the_fewest_first() -> None:
    rows = [buffered(1, 3), buffered(2, 4), buffered(3, 1)]
    assert [one.ref for one in expiring(rows, DEFAULTS)] == ["L-0003", "L-0001"]
    assert expiring_report(rows, DEFAULTS)[0] == "L-0003 (refunds): 1 trial left. T3"
    assert expiring_report([], DEFAULTS) == ("Nothing expires within 3 trials.",)


def close(one: str, other: str) -> bool:
    """Texts are numbers; two are twins where they are one apart at most."""
    return abs(int(one) - int(other)) <= 1


def placed(*numbers: int, tags: tuple[str, ...] = ()) -> list[Reflection]:
    return [Reflection(f"R{n}", str(n), tags, DAY + timedelta(hours=n)) for n in numbers]


def test_every_two_of_a_cluster_are_twins_so_that_no_chain_becomes_one() -> None:
    found = clusters(placed(1, 2, 3, 9), close)
    assert [[one.key for one in each] for each in found] == [["R3", "R2"]]


def test_reflections_for_other_people_are_never_in_one_cluster() -> None:
    mine, theirs = placed(1)[0], Reflection("R0", "1", (), DAY, among="user asha")
    assert clusters([mine, theirs], close) == ()


def test_the_merged_one_has_the_words_of_the_newest_the_tags_of_most_and_cites_all() -> None:
    cluster = [
        Reflection("R1", "old", ("a", "b"), DAY),
        Reflection("R3", "new", ("c", "b"), DAY + timedelta(hours=3)),
        Reflection("R2", "mid", ("b", "d", "a"), DAY + timedelta(hours=2)),
    ]
    merged = merged_by_extract(cluster)
    assert (merged.text, merged.tags) == ("new", ("b", "a", "c"))
    assert [one.key for one in merged.parents] == ["R3", "R2", "R1"]
    assert joined_tags([]) == ()
