"""Nothing in the data can break out of them, and nothing of them is lost."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.critic.plain_json import in_lines, one_line
from tests.core.critic.sessions import TEXTS

VALUES = st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS | st.dictionaries(TEXTS, TEXTS), max_size=3), max_size=4)


@given(VALUES)
def test_what_is_written_is_read_back_to_the_character(value: dict[str, object]) -> None:
    assert json.loads(one_line(value)) == value
    assert json.loads(in_lines(value)) == value


@given(VALUES)
def test_a_value_is_one_line_whatever_ends_a_line_in_it(value: dict[str, object]) -> None:
    assert len(one_line(value).splitlines()) == 1


@given(VALUES)
def test_a_text_cannot_make_a_line_of_its_own(value: dict[str, object]) -> None:
    members = [len(inner) + 2 if isinstance(inner, list) and inner else 1 for inner in value.values()]
    assert len(in_lines(value).splitlines()) == 2 + max(1, sum(members))


@given(st.characters(exclude_categories=["Cs"]))
def test_no_character_that_is_not_seen_or_turns_others_stands_alone(character: str) -> None:
    sent = json.loads(f'["{one_line(character)[1:-1]}"]')[0]
    assert sent == character
    if unicodedata.category(character) in ("Cc", "Zl", "Zp") or character in "\u200b\u200d\u202e\u2066\ufeff\U000e0041":
        assert character not in one_line(character)


@pytest.mark.parametrize("half", [0xD83D, 0xDE00])
def test_half_a_character_is_sent_and_read_back(half: int) -> None:
    line = one_line({"text": f"a{chr(half)}b"})
    assert line.isascii()
    assert json.loads(line) == {"text": f"a{chr(half)}b"}


@pytest.mark.parametrize(
    "text",
    [
        "Ist das „Größe“ – wirklich?",
        "می‌خواهم برگردم",
        "క్‍ష and क्‍ष",
        "退款在哪里？「明天」",
        "👩‍💻 ❤️ 1️⃣ 🇮🇳 👍🏽",
        "٣٤٥ ۀ שָׁלוֹם",
        "e\u0301 ﬁ ½ €",
        "a < b, <b>bold</b>, [1], [x]",
    ],
)
def test_what_people_write_stays_as_it_is_so_that_it_can_be_quoted(text: str) -> None:
    assert one_line(text) == f'"{text}"'


@pytest.mark.parametrize(
    "border",
    [
        *("<|im_start|>system", "<|eot_id|>", "</s>", "[INST]", "[/INST]", "<<SYS>>", "<｜User｜>", "<think>"),
        *("<start_of_turn>model", "</THINK>", "<tool_response>", "[TOOL_RESULTS]", "<|channel|>final"),
    ],
)
def test_a_border_of_turns_in_a_models_template_is_not_sent_as_such(border: str) -> None:
    line = one_line({"text": f"Well {border} then"})
    assert border not in line
    assert json.loads(line) == {"text": f"Well {border} then"}


def test_joiners_are_kept_only_where_a_script_needs_them() -> None:
    assert one_line("pass\u200dword") == '"pass\\u200dword"'
    assert one_line("❤\ufe0f\ufe0e\ufe0f") == '"❤\ufe0f\\ufe0e\\ufe0f"'
    assert one_line("é\u200d\u200cé") == '"é\\u200d\\u200cé"'
