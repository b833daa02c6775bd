"""A review of a draft is read leniently in its spelling and strictly in its sense: in doubt, nothing is good."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.critic.self_review_reply import CONTRADICTS, NAMELESS, parse_self_review
from core.critic.shapes import SELF_REVIEW

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@pytest.mark.parametrize(
    "reply",
    [
        '{"ok": true, "problems": [], "fix": ""}',
        '```json\n{"ok": "true", "problems": []}\n```',
        '{"ok": "Yes", "problems": null, "fix": null}',
        "{'ok': True, 'problems': [], 'fix': '',}",
        '<think>{"ok": false, "problems": ["x"]}</think>{"ok": true, "problems": []}',
        '{"ok": true, "problems": ["None"], "fix": "No change needed."}',
        '{"ok": true, "problems": "No problems found.", "fix": "N/A"}',
        '{"review": {"ok": true, "problems": []}}',
        '[{"ok": true, "problems": []}, {"ok": true, "problems": []}]',
    ],
)
def test_a_good_draft_is_called_good_in_many_spellings(reply: str) -> None:
    read = parse_self_review(reply)
    assert (read.ok, read.problems, read.fix, read.error) == (True, (), "", None)


@pytest.mark.parametrize(
    ("reply", "problems"),
    [
        ('{"ok": false, "problems": ["It skips the date."], "fix": "Name it."}', ("It skips the date.",)),
        ('{"ok": "no", "problems": "It skips\\n the date."}', ("It skips the date.",)),
        ('{"ok": false, "problems": [{"problem": "It skips the date.", "point": 3}]}', ("It skips the date.",)),
        ('{"problems": ["It skips the date."]}', ("It skips the date.",)),
        ('{"ok": "perhaps", "problems": ["It skips the date."]}', ("It skips the date.",)),
        ('{"ok": false, "problems": []}', (NAMELESS,)),
    ],
)
def test_a_draft_that_is_not_good_has_its_problems(reply: str, problems: tuple[str, ...]) -> None:
    read = parse_self_review(reply)
    assert (read.ok, read.problems, read.error) == (False, problems, None)


@pytest.mark.parametrize(
    ("reply", "problems"),
    [
        ('{"ok": true, "problems": ["It skips the date."]}', ("It skips the date.",)),
        ('{"ok": true, "problems": [], "fix": "Name the date."}', (CONTRADICTS,)),
        ('{"ok": true, "problems": []} {"ok": false, "problems": ["x y"]}', ("x y",)),
        ('{"ok": false, "problems": ["x y"], "ok": true, "problems": []}', ("x y",)),
        ("{'ok': false, 'problems': ['x y'], 'ok': true, 'problems': [],}", ("x y",)),
        ('{"ok": true, "issues": ["x y"]}', ("x y",)),
        ('{"ok": true, "problem": "x y", "fix": ""}', ("x y",)),
        ('{"ok": true, "problems": [], "review": {"ok": false, "problems": ["x y"]}}', ("x y",)),
        ('{"ok": true, "problems": {"a": {"b": "x y"}}}', ("x y",)),
        ('{"ok": true, "problems": [["x y"], {"problem": "none", "text": "z"}]}', ("x y", "z")),
        ('{"ok": true, "problems": [], "fix": ["Name the date."]}', (CONTRADICTS,)),
        (
            '{"ok": true, "problems": ["None of the sums is in a tool result."]}',
            ("None of the sums is in a tool result.",),
        ),
    ],
)
def test_a_review_that_contradicts_itself_does_not_call_the_draft_good(reply: str, problems: tuple[str, ...]) -> None:
    read = parse_self_review(reply)
    assert (read.ok, read.problems, read.error) == (False, problems, None)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "empty reply"),
        ("Looks good to me!", "not an object with key ok"),
        ("ok", "not an object with key ok"),
        ('{"verdict": "fine"}', "not an object with key ok"),
        ('{"problems": []}', "neither true nor false"),
        ('{"ok": "maybe", "problems": []}', "“maybe”"),
        ('{"ok": null}', "neither true nor false"),
        ('<think>{"ok": true, "problems": []}', "in the middle of its reasoning"),
        ('{"ok": true, "problems": [', "broken JSON"),
        ('{"ok": true, "problems": []} {"ok": fal', "broken JSON"),
        ('{"ok": true, "problems": []} {"ok": "maybe"}', "“maybe”"),
        ('The draft says {"ok": true, "problems": []}. Mine: {"ok": false, "problems": []}', "another does not"),
        ('{"ok": false, "ok": true, "problems": []}', "“ok” stands in it twice"),
        ('{"ok": true, "OK": false, "problems": []}', "“ok” stands in it twice"),
        ('{"ok": true, "problems": [], "approved": false}', "not asked for, “approved”"),
        ('{"ok": true, "problems": [], "review": {"ok": false}}', "not asked for, “review”"),
        ('{"review": {"ok": true, "problems": []}, "but": "It lies."}', "neither true nor false"),
        ('{"ok": true, "problems": []} {"verdict": "It lies."}', "no review"),
        ('{"ok": true, "problems": []} {ok: false, problems: ["It lies."]}', "broken JSON"),
        ('{"ok": true, "problems": []}<think>But no', "in the middle of its reasoning"),
        ('{"ok": true, "problems": 3}', "“problems” cannot be read"),
        ('{"ok": true, "problems": {"It lies": null}}', "“problems” cannot be read"),
        ('{"ok": true, "problems": [], "fix": {"It lies": ""}}', "“fix” cannot be read"),
    ],
)
def test_a_reply_without_a_verdict_says_nothing(reply: str, why: str) -> None:
    read = parse_self_review(reply)
    assert (read.ok, read.problems) == (False, ())
    assert why in (read.error or "")


def test_problems_beyond_a_number_that_can_be_mended_are_counted() -> None:
    read = parse_self_review(json.dumps({"ok": False, "problems": [f"Problem {number}" for number in range(25)]}))
    assert (len(read.problems), read.cut) == (20, 5)


def test_an_empty_field_more_says_nothing_against_a_draft() -> None:
    assert parse_self_review('{"ok": true, "problems": [], "fix": "", "note": "", "issues": [], "more": null}').ok


def test_half_a_character_is_no_review() -> None:
    read = parse_self_review('{"ok": false, "problems": ["\\ud800 here"]}')
    assert read.error == "its words cannot be stored: it holds half a character"


@given(ok=st.booleans(), problems=st.lists(TEXTS, max_size=4), fix=TEXTS)
def test_only_a_plain_yes_is_good(ok: bool, problems: list[str], fix: str) -> None:
    said: dict[str, Any] = {"ok": ok, "problems": problems, "fix": fix}
    assert set(said) == set(SELF_REVIEW.schema_["required"])
    read = parse_self_review(json.dumps(said))
    assert read.error is None
    assert read.ok <= ok
    assert read.ok == (not read.problems)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(problems=ANYTHING, fix=ANYTHING, more=st.dictionaries(TEXTS, ANYTHING, max_size=2))
def test_a_word_anywhere_beside_the_yes_is_no_plain_yes(problems: Any, fix: Any, more: dict[str, Any]) -> None:
    said = {"ok": True, "problems": [problems, "It skips the date."], "fix": fix, **more}
    assert not parse_self_review(json.dumps(said)).ok
    assert not parse_self_review(json.dumps({"ok": True, "more": {"deep": [problems, "It lies."]}})).ok


@given(st.text(max_size=200))
def test_no_reply_breaks_the_reading(reply: str) -> None:
    read = parse_self_review(reply)
    assert read.ok is False or "ok" in reply
