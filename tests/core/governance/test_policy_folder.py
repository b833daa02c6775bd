"""A policy is written as a file that people can read, and that reads as the same policy."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checks.contract import Policy
from core.checks.policies import FOLDER, load_policies, policy_of, read_policy
from core.errors import BadInput
from core.governance.policy_files import as_yaml, policy_files, write_policy
from tests.policies import ID, folder, put_file

__all__ = ["folder"]

BARE = Policy("refund-window", "Refund window", "Tomas Berg", 3, "2026-08-01", "A course is refunded.")
WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=40).map(str.strip)


@pytest.mark.parametrize("policy", load_policies(FOLDER), ids=lambda policy: policy.id)
def test_the_policies_of_the_samples_are_written_as_they_are_read(policy: Policy) -> None:
    assert policy_of(as_yaml(policy), policy.id) == policy


def test_the_fields_stand_in_their_order_and_the_text_as_a_block() -> None:
    policy = replace(BARE, text="A word. " * 40 + "End.", words=("no: questions",), tags=("refund", "policy"))
    lines = as_yaml(policy).splitlines()
    assert [line.partition(":")[0] for line in lines if line[0] != " "] == [
        *("id", "title", "owner", "version", "date", "text", "words", "severity", "tags")
    ]
    assert lines[lines.index("text: >") + 1].startswith("  A word. A word.")
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("text", ["First.\n\nSecond.", "One\n  indented\nthree", "- a list", "a: b # c", "x\u2028y"])
def test_a_text_with_lines_of_its_own_reads_as_the_same(text: str) -> None:
    policy = replace(BARE, text=text)
    assert policy_of(as_yaml(policy), "it") == policy


@given(title=WORDS.filter(bool), text=WORDS.filter(bool), word=WORDS.filter(bool))
def test_whatever_can_be_a_policy_reads_as_the_same(title: str, text: str, word: str) -> None:
    policy = replace(BARE, title=title, text=text, words=(word,))
    assert policy_of(as_yaml(policy), "it") == policy


def test_a_file_is_replaced_whole_and_nothing_else_is_left(folder: Path) -> None:
    path = put_file(folder, name="of-its-own.yml")
    assert write_policy(replace(BARE, text="Another text."), "of-its-own.yml") == "of-its-own.yml"
    assert read_policy(path).text == "Another text."
    assert [one.name for one in folder.iterdir()] == ["of-its-own.yml"]
    assert policy_files().by_id[ID].policy.text == "Another text."


def test_the_file_of_another_policy_is_not_written_over(folder: Path) -> None:
    path = put_file(folder, policy="another", name=f"{ID}.yaml")
    before = path.read_text()
    with pytest.raises(BadInput, match="holds another policy"):
        write_policy(BARE)
    assert path.read_text() == before
