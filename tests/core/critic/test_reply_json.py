"""The objects of a reply are found whatever stands around them, and no character of a string is changed."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.critic.lenient_json import BrokenJson, decode
from core.critic.reply_json import objects_in


def contents(reply: str) -> list[dict[str, Any]]:
    return [each.content for each in objects_in(reply).found]


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('```json\n{"notes": []}\n```\nSee turn [2].', [{"notes": []}]),
        ('{"notes":[{"observation":"uses `ok`"}]} Note [1].', [{"notes": [{"observation": "uses `ok`"}]}]),
        ('```\n{"a": "```python\\nprint({})\\n```"}\n```', [{"a": "```python\nprint({})\n```"}]),
        ('Here is the `review`: {"notes": []} hope it helps {smile}', [{"notes": []}]),
        ('{curly} prose {"notes": []}', [{"notes": []}]),
        ('{"a": 1}\n{"b": 2}', [{"a": 1}, {"b": 2}]),
        ("no object at all", []),
        ("", []),
    ],
)
def test_prose_and_fences_around_an_object_do_not_matter(reply, found):
    assert contents(reply) == found


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ('<think>maybe {"notes":[1]}</think>\n{"notes": []}', [{"notes": []}]),
        ('maybe {"notes":[1]} or {so}</think>\n{"notes": []}', [{"notes": []}]),
        ('<THINKING>a</THINKING><think>{"a": 1}</think>{"notes": []}', [{"notes": []}]),
        ('<|channel|>analysis<|message|>{"a": 1}<|end|><|channel|>final<|message|>{"notes": []}', [{"notes": []}]),
        ('{"a": "</think>", "b": {"c": "<think>"}}', [{"a": "</think>", "b": {"c": "<think>"}}]),
        ('{"notes": []}</think>', []),
    ],
)
def test_what_was_thought_is_no_answer_and_quoted_marks_of_it_are_words(reply, found):
    assert contents(reply) == found


def test_a_reply_that_ends_while_thinking_says_so():
    objects = objects_in('<think>perhaps {"notes": []} but')
    assert (objects.found, objects.unfinished) == ((), True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"notes": [],}', {"notes": []}),
        ('{"a": [1, 2,], "b": 3,}', {"a": [1, 2], "b": 3}),
        ("{'a': True, 'b': None, 'c': \"it's\"}", {"a": True, "b": None, "c": "it's"}),
        ("{'a': 'it's the user's fee'}", {"a": "it's the user's fee"}),
        ('{"a": "he said "hello" twice"}', {"a": 'he said "hello" twice'}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        (r'{"a": "costs \$5, isn\'t \(much\)"}', {"a": r"costs \$5, isn't \(much\)"}),
        ('{"a": "\\ud83d\\ude00",}', {"a": "😀"}),
        ('{"a": "\\u20b950,000",}', {"a": "₹50,000"}),
    ],
)
def test_faults_that_leave_no_doubt_are_forgiven(text, value):
    decoded = decode(text, 0)
    assert (decoded.value, decoded.end) == (value, len(text))


def test_numbers_are_read_to_the_digit_and_none_is_too_large():
    assert decode('{"a": 0.70, "b": 1e99999999999999999999, "c": NaN}', 0).value == {
        "a": Decimal("0.70"),
        "b": "1e99999999999999999999",
        "c": "NaN",
    }
    assert decode("{'a': 0.70}", 0).value == {"a": Decimal("0.70")}


@pytest.mark.parametrize("text", ['{"a": 1', '{"a" 1}', '{"a": bare}', "{a: 1}", '{"a": "x', "{", '{"a":' * 5_000])
def test_what_leaves_doubt_is_broken(text):
    with pytest.raises(BrokenJson, match=r"expected at character \d+"):
        decode(text, 0)


def test_a_broken_object_is_reported_once_and_the_whole_ones_in_it_are_found():
    objects = objects_in('{"notes": [{"a": 1}, {"a": oops}, {"a": 3}]}')
    assert [each.content for each in objects.found] == [{"a": 1}, {"a": 3}]
    assert objects.broken == ("a value expected at character 28",)


def test_a_reply_that_is_made_to_be_slow_is_given_up():
    assert contents("{'b':\"" * 20_000 + '{"notes": []}') == []


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(min_size=1), VALUES, min_size=1, max_size=4), st.booleans())
def test_every_json_object_is_read_as_it_was_written_in_a_fence_or_not(value, escaped):
    text = json.dumps(value, ensure_ascii=escaped)
    assert contents(f"Here:\n```json\n{text}\n```\n") == [value]


@given(st.dictionaries(st.text("ab\\\"'{}[]:, \n", min_size=1), st.text("ab\\\"'{}[]:, \n"), min_size=1, max_size=3))
def test_a_comma_too_many_changes_no_character_of_a_string(value):
    whole = json.dumps(value)
    text = whole.removesuffix("}") + ",}"
    assert contents(text) == [value]
