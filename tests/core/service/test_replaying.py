"""A buffer replayed over logs: on real ones, and on small ones that are made up."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.memory.buffer_file import buffer_file
from core.memory.buffer_replay import LoggedTrial, replay
from core.screening.comparison import are_twins
from core.screening.likeness import Alike
from core.service.replaying import logged_trials, replay_folder
from core.settings import DEFAULTS, Settings
from core.store.database import Database
from tests.commands import Commands

SAID = "I was stuck in a loop because I tried the same door; I will try the window before the door."


def logs(folder: Path, *rounds: dict[str, tuple[list[str], bool]]) -> Path:
    """A folder of logs: for each round what each task remembers, and whether it was solved."""
    for number, tasks in enumerate(rounds):
        rows = [{"name": name, "memory": said, "is_success": good} for name, (said, good) in tasks.items()]
        (folder / f"env_results_trial_{number}.json").write_text(json.dumps(rows), "utf-8")
    return folder


def same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def failing(rounds: int, *, words: str = "text {}") -> list[LoggedTrial]:
    return [LoggedTrial(n, "task", False, (words.format(n),)) for n in range(rounds)]


def test_a_reflection_expires_after_the_trials_for_which_it_lives() -> None:
    replayed = replay(failing(13), same, DEFAULTS)
    assert [one.expired for one in replayed.rounds] == [0] * 10 + [1, 1, 1]
    assert [one.size for one in replayed.rounds] == [*range(1, 11), 10, 10, 10]
    assert [one.ttl_remaining for one in replayed.buffer] == list(range(1, 11))


def test_the_same_words_again_take_the_place_of_the_older_ones() -> None:
    replayed = replay(failing(4, words="always the same"), same, DEFAULTS)
    assert [(one.size, one.twins, one.same) for one in replayed.rounds] == [(1, 0, 0), *[(1, 1, 1)] * 3]
    assert [one.trial for one in replayed.buffer] == [4]


def test_more_than_the_budget_and_the_cap_are_told() -> None:
    numbers = Settings(buffer_budget=2, reflections_in_briefing=3)
    assert [(one.over_budget, one.beyond_cap) for one in replay(failing(4), same, numbers).rounds] == [
        (0, 0),
        (0, 0),
        (1, 0),
        (1, 1),
    ]


@given(st.lists(st.tuples(st.integers(0, 2), st.lists(st.sampled_from("abcde"), max_size=2)), max_size=30))
def test_replaying_twice_gives_byte_equal_buffers_and_loses_nothing(rows: list[tuple[int, list[str]]]) -> None:
    trials = [LoggedTrial(n, f"task {task}", False, tuple(said)) for n, (task, said) in enumerate(rows)]
    first, again = (replay(trials, same, DEFAULTS) for _ in range(2))
    assert buffer_file(first.buffer).encode() == buffer_file(again.buffer).encode()
    came, gone = (sum(getattr(one, name) for one in first.rounds) for name in ("added", "twins"))
    assert came == gone + sum(one.expired for one in first.rounds) + len(first.buffer)
    assert all(0 < one.ttl_remaining <= DEFAULTS.reflection_trials for one in first.buffer)


@given(st.randoms())
def test_tasks_in_another_order_within_a_round_make_the_same_buffer(random: Random) -> None:
    one_round = [LoggedTrial(0, f"task {n}", False, (f"text {n}",)) for n in range(6)]
    mixed = random.sample(one_round, 6)
    assert buffer_file(replay(mixed, same, DEFAULTS).buffer) == buffer_file(replay(one_round, same, DEFAULTS).buffer)


def test_a_task_that_was_solved_has_no_further_trials(tmp_path: Path) -> None:
    folder = logs(tmp_path, {"a": (["x"], False), "b": ([], True)}, {"a": (["x"], True), "b": ([], True)})
    trials = [(one.round, one.task_class, one.succeeded, one.reflections) for one in logged_trials(folder)]
    assert trials == [(0, "a", False, ("x",)), (0, "b", True, ()), (1, "a", True, ())]


@pytest.mark.parametrize(
    "content",
    ["no JSON", "{}", '[{"name": "a"}]', '[{"name": "a", "memory": [1], "is_success": true}]', "[3]"],
)
def test_a_log_that_cannot_be_read_is_told_by_name_and_place(tmp_path: Path, content: str) -> None:
    (tmp_path / "env_results_trial_0.json").write_text(content, "utf-8")
    with pytest.raises(BadInput, match=r"env_results_trial_0\.json"):
        replay_folder(tmp_path, DEFAULTS)


def test_logs_that_forget_what_was_learned_are_refused(tmp_path: Path) -> None:
    folder = logs(tmp_path, {"a": (["x"], False)}, {"a": (["y"], False)})
    with pytest.raises(BadInput, match="remembered before"):
        replay_folder(folder, DEFAULTS)


def test_a_folder_without_logs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="env_results_trial_N"):
        replay_folder(tmp_path, DEFAULTS)


def test_the_command_says_that_nobody_approved_what_is_replayed(database: Database, tmp_path: Path) -> None:
    folder = logs(tmp_path, {"a": ([SAID], False)}, {"a": ([SAID, SAID], False)})
    told = Commands(database.url)("buffer", "replay", str(folder), "--out", str(tmp_path / "buffer.json"))
    assert "approved by nobody" in told.stdout
    assert "2 reflections came; 1 gave way to a newer twin." in told.stdout
    (row,) = json.loads((tmp_path / "buffer.json").read_text("utf-8"))
    assert (row["task_class"], row["trial"], row["created_at"], row["ttl_remaining"]) == ("a", 2, None, 10)


@pytest.mark.corpus
def test_the_logs_of_alfworld_replayed(corpus: Path) -> None:
    folder = corpus / "data/reflexion/alfworld/reflexion_run_logs"
    replayed = replay_folder(folder, DEFAULTS)
    assert [one.size for one in replayed.rounds] == [
        50, 79, 95, 98, 104, 106, 107, 110, 110, 111, 106, 104, 106, 106, 106,
    ]  # fmt: skip
    assert [one.twins for one in replayed.rounds] == [0, 2, 7, 18, 11, 14, 10, 5, 6, 4, 4, 3, 0, 0, 0]
    assert [one.expired for one in replayed.rounds] == [0] * 10 + [5, 3, 1, 1, 0]
    assert sum(one.added for one in replayed.rounds) == 200
    assert buffer_file(replayed.buffer) == buffer_file(replay_folder(folder, DEFAULTS).buffer)


@pytest.mark.corpus
def test_half_of_the_consecutive_reflections_of_alfworld_are_twins(corpus: Path) -> None:
    twins, last = are_twins(Alike.by(DEFAULTS)), dict[str, str]()
    pairs = [0, 0]
    for trial in logged_trials(corpus / "data/reflexion/alfworld/reflexion_run_logs"):
        for text in trial.reflections:
            if trial.task_class in last:
                pairs[twins(text, last[trial.task_class])] += 1
            last[trial.task_class] = text
    assert pairs == [74, 76]
