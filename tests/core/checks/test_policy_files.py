"""Policies come from files; a broken one is refused with its name, the field and what is possible."""

from itertools import pairwise
from pathlib import Path

import pytest

from core.checks.policies import load_policies, policy_of
from core.errors import BadInput
from core.vocabulary import Severity

GOOD = """
id: no-promises
title: No promised returns
owner: Compliance
version: 3
date: 2026-09-14
text: >
  No return may be
  called certain.
words: [guaranteed return, risk-free]
severity: critical
improvement: >
  Never call
  a return certain.
trigger: Before describing a return
tags: [returns, wording]
"""


def test_a_policy_file_is_read_field_by_field():
    policy = policy_of(GOOD, "no-promises.yaml")

    assert (policy.id, policy.version, policy.date) == ("no-promises", 3, "2026-09-14")
    assert policy.words == ("guaranteed return", "risk-free")
    assert policy.severity is Severity.CRITICAL
    assert policy.improvement == "Never call a return certain."


def test_a_policy_may_be_text_alone():
    policy = policy_of("id: a\ntitle: A\nowner: B\nversion: 1\ndate: 2026-01-01\ntext: C\n", "a.yaml")

    assert (policy.words, policy.severity, policy.improvement) == ((), Severity.HIGH, "")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("severity: critical", "severity: severe", "“severity” is “severe”: possible are critical, high, medium, low"),
        ("severity: critical", "severity: positive", "“severity” is “positive”: possible are"),
        ("version: 3", "version: three", "“version” is “three”: a whole number from 1 to 1,000,000 is possible"),
        ("version: 3", "version: 0", "“version” is “0”"),
        ("date: 2026-09-14", "date: soon", "“date” is “soon”: a day such as"),
        ("id: no-promises", "id: No Promises!", "“id” is “No Promises!”: small letters"),
        ("owner: Compliance", "", "“owner” is missing; it is required"),
        ("trigger:", "triger:", "“triger” is unknown; possible are id, title"),
        ("tags: [returns, wording]", "tags: [A, b, c, d]", "“tags” is"),
        ("words: [guaranteed return, risk-free]", "words: risk-free", "“words” is “risk-free”: a list of words"),
    ],
)
def test_a_broken_field_is_named_with_what_is_possible(old, new, says):
    with pytest.raises(BadInput) as refusal:
        policy_of(GOOD.replace(old, new), "no-promises.yaml")

    assert str(refusal.value).startswith("“no-promises.yaml”, field ")
    assert says in str(refusal.value)
    assert str(refusal.value).endswith("No policy was loaded.")
    with pytest.raises(BadInput) as refusal:
        policy_of(GOOD.replace(old, new), "no-promises.yaml", "Nothing was stored.")
    assert str(refusal.value).endswith(" Nothing was stored.")
    assert "No policy was loaded" not in str(refusal.value)


@pytest.mark.parametrize("text", ["a: [", "- one\n- two", "", "!!python/object:os.system {}"])
def test_a_text_that_holds_no_fields_is_refused(text):
    with pytest.raises(BadInput, match=r"a\.yaml"):
        policy_of(text, "a.yaml")


def test_a_folder_gives_its_policies_in_the_order_of_names(tmp_path: Path):
    (tmp_path / "b.yaml").write_text(GOOD.replace("no-promises", "b"), encoding="utf-8")
    (tmp_path / "a.yml").write_text(GOOD.replace("no-promises", "a"), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")

    assert [policy.id for policy in load_policies(tmp_path)] == ["a", "b"]


def test_two_files_may_not_share_an_id(tmp_path: Path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")

    with pytest.raises(BadInput, match=r"“a\.yaml” and “b\.yaml” share the id “no-promises”"):
        load_policies(tmp_path)


def test_a_missing_folder_and_an_unreadable_file_are_refused(tmp_path: Path):
    with pytest.raises(BadInput, match="There is no folder"):
        load_policies(tmp_path / "none")
    (tmp_path / "a.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match=r"“a\.yaml” cannot be read as UTF-8 text"):
        load_policies(tmp_path)


PLAIN = "id: refunds\ntitle: Refunds\nowner: Ada\nversion: 1\ndate: 2026-06-30\ntext: Refunds take 14 days.\n"
BOMB = "a: &a [x, x, x]\n" + "".join(f"{two}: &{two} [*{one}, *{one}, *{one}]\n" for one, two in pairwise("abcdefghij"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PLAIN.replace("06-30", "06-31"), "a day such as 2026-11-01"),
        (PLAIN.replace("version: 1", "version: 9999999999999999999"), "from 1 to 1,000,000"),
        (BOMB + PLAIN, "no anchors and no aliases"),
        (PLAIN.replace("text: ", "text: &it "), None),
        (PLAIN + "words: " + "[" * 5_000, "is not YAML"),
        (PLAIN.replace("version: 1", "version: 0x" + "f" * 6_000), "is "),
    ],
    ids=["a day that is none", "a huge version", "a bomb", "an anchor alone", "brackets without end", "a huge number"],
)
def test_whatever_stands_in_a_file_it_is_a_policy_or_refused_in_words(text: str, said: str | None) -> None:
    if said is None:
        assert policy_of(text, "one.yaml").text == "Refunds take 14 days."
        return
    with pytest.raises(BadInput, match=said):
        policy_of(text, "one.yaml")


def test_a_file_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(PLAIN + "#" * 100_000)
    with pytest.raises(BadInput, match="larger than 100,000 bytes"):
        load_policies(tmp_path)
