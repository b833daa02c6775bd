"""Words that do not count stand in a file that is read again, and a broken file leaves the last good one in force."""

import os
from pathlib import Path

import pytest

from core.governance.stop_words import STAYS, stop_words, stop_words_now


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "words.toml"
    monkeypatch.setenv("TUTELAGE_STOP_WORDS", str(path))
    return path


def write(path: Path, text: str, later: int = 0) -> None:
    """Write the file, ``later`` seconds after it was written before."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, (1_800_000_000 + later, 1_800_000_000 + later))


def test_without_a_file_the_general_words_count(file: Path) -> None:
    assert {"the", "and", "whether"} <= stop_words("Campus Desk")
    assert not stop_words_now().problem


def test_each_agent_has_words_of_its_own_beside_the_general_ones(file: Path) -> None:
    write(file, '[agents]\n"Campus Desk" = ["student", "course"]\nFinCoach = ["money"]\n')
    assert {"student", "course", "the"} <= stop_words("Campus Desk")
    assert "student" not in stop_words("FinCoach")
    assert "money" not in stop_words("an agent that nobody named")


def test_the_file_can_name_the_general_words_too(file: Path) -> None:
    write(file, 'general = ["the"]\n')
    assert stop_words("Campus Desk") == {"the"}


def test_the_file_is_read_again_when_it_changes(file: Path) -> None:
    write(file, '[agents]\n"Campus Desk" = ["student"]\n')
    assert "student" in stop_words("Campus Desk")
    write(file, '[agents]\n"Campus Desk" = ["teacher"]\n', later=1)
    assert "teacher" in stop_words("Campus Desk")
    assert "student" not in stop_words("Campus Desk")
    file.unlink()
    assert "teacher" not in stop_words("Campus Desk")


@pytest.mark.parametrize(
    ("broken", "line", "why"),
    [
        ('[agents]\n"Campus Desk" = ["student"\n', "line 2", "cannot be read"),
        ('[agents]\n"Campus Desk" = "student"\n', "line 2", "no list of words"),
        (
            '[agents]\nFinCoach = ["money"]\n"Campus Desk" = ["fine", "Student"]\n',
            "line 3",
            "three or more small letters",
        ),
        ('[agents]\n"Campus Desk" = ["ab"]\n', "line 2", "“ab”"),
        ('[agents]\n"Campus Desk" = ["re-fund"]\n', "line 2", "“re-fund”"),
        ('[agents]\n"Campus Desk" = ["fine", 404]\n', "line 2", "“404”"),
        ('# words\n[agent]\n"Campus Desk" = ["student"]\n', "line 2", "none of its parts"),
        ('agents = ["student"]\n', "line 1", "no table"),
    ],
)
def test_a_broken_file_says_which_line_and_leaves_the_last_good_words(
    file: Path, broken: str, line: str, why: str
) -> None:
    write(file, '[agents]\n"Campus Desk" = ["teacher"]\n')
    before = stop_words("Campus Desk")
    write(file, broken, later=1)
    known = stop_words_now()
    assert stop_words("Campus Desk") == before
    assert line in known.problem
    assert why in known.problem
    assert known.problem.endswith(STAYS)
    write(file, '[agents]\n"Campus Desk" = ["mended"]\n', later=2)
    assert ("mended" in stop_words("Campus Desk"), stop_words_now().problem) == (True, "")


def test_a_file_in_another_encoding_leaves_the_last_good_words(file: Path) -> None:
    write(file, '[agents]\n"Campus Desk" = ["teacher"]\n')
    assert "teacher" in stop_words("Campus Desk")
    file.write_bytes(b'[agents]\n"Caf\xe9" = ["student"]\n')
    os.utime(file, (1_900_000_000, 1_900_000_000))
    assert "teacher" in stop_words("Campus Desk")
    assert "UTF-8" in stop_words_now().problem


def test_a_file_that_an_editor_began_with_a_mark_of_its_encoding_is_read_like_any_other(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + b'general = ["the"]\n[agents]\n"Campus Desk" = ["student"]\n')
    assert stop_words("Campus Desk") == {"the", "student"}
    assert not stop_words_now().problem


@pytest.mark.parametrize(
    "nested", ["general = " + "[" * 3_000, "agents = " + "{a=" * 3_000, "[agents]\na = " + "[" * 9_000]
)
def test_a_file_that_is_nested_too_deeply_leaves_the_last_good_words(file: Path, nested: str) -> None:
    write(file, '[agents]\n"Campus Desk" = ["teacher"]\n')
    before = stop_words("Campus Desk")
    write(file, nested, later=1)
    assert stop_words("Campus Desk") == before
    assert stop_words_now().problem == f"“words.toml” cannot be read: it is nested too deeply. {STAYS}"
    write(file, '[agents]\n"Campus Desk" = ["mended"]\n', later=2)
    assert ("mended" in stop_words("Campus Desk"), stop_words_now().problem) == (True, "")
