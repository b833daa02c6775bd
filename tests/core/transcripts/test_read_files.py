"""The door for files: what is accepted, what is refused, and how errors are placed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadRecord, FileRefused, TutelageError, UnknownFormat
from core.transcripts.formats import Format
from core.transcripts.names import shown_name
from core.transcripts.read import READERS, Reading, detect, read, recognise

CHAT = {"id": "a", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]}


def lines(*records: object) -> bytes:
    return "\n".join(record if isinstance(record, str) else json.dumps(record) for record in records).encode()


def test_a_mark_blank_lines_crlf_and_one_broken_line_cost_only_that_line():
    text = (
        '\ufeff{"id":"a","messages":[{"role":"user","content":"x"}]}\r\n\r\n'
        '{"id":"b","messages":[{"role":"user","content":"y z"}]}\r\n{"id": \r\n'
        '{"id":"c","messages":[{"role":"user","content":"w"}]}'
    )
    reading = read(text.encode(), "sessions.jsonl")
    assert [session.external_id for session in reading.sessions] == ["a", "b", "c"]
    assert [session.place for session in reading.sessions] == [1, 3, 5]
    assert reading.blank == 1
    assert [error.place for error in reading.errors] == [4]
    assert reading.failed == "1 line failed (line 4)"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig", "utf-8"])
def test_a_byte_order_mark_says_the_encoding(encoding):
    reading = read('{"messages":[{"role":"user","content":"café 👍"}]}'.encode(encoding), "a.json")
    assert reading.sessions[0].transcript.messages[0].content == "café 👍"


def test_a_line_that_is_not_utf8_is_reported_and_the_others_come_in():
    data = lines(CHAT) + b'\n{"messages":[{"role":"user","content":"caf\xe9"}]}\n' + lines(CHAT)
    reading = read(data, "a.jsonl")
    assert len(reading.sessions) == 2
    assert [str(error) for error in reading.errors] == ["line 2: byte 0xE9 is not valid UTF-8"]


def test_a_record_of_a_list_that_is_not_utf8_is_reported_and_the_others_come_in():
    data = b'[{"messages":[{"role":"user","content":"caf\xe9"}]},\n' + lines(CHAT) + b"]"
    reading = read(data, "a.json")
    assert [session.place for session in reading.sessions] == [2]
    assert "byte 0xE9 is not valid UTF-8 (first on line 1)" in str(reading.errors[0])
    assert (reading.errors[0].place, reading.errors[0].unit) == (1, "record")


def test_utf16_that_breaks_off_is_refused():
    with pytest.raises(FileRefused, match="begins as UTF-16"):
        read("\ufeffab".encode("utf-16-le") + b"\x01", "a.json")


@pytest.mark.parametrize("data", [b"", b" \r\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(data):
    with pytest.raises(FileRefused, match="it is empty"):
        read(data, "a.json")


def test_a_file_over_the_limit_is_refused_before_it_is_parsed_and_the_limit_is_named():
    with pytest.raises(FileRefused, match="it has 101 bytes and the limit is 100 bytes"):
        read(b"{" * 101, "a.json", limit=100)


def test_an_unknown_shape_lists_what_is_accepted():
    with pytest.raises(UnknownFormat) as caught:
        read(b'{"rows": []}', "a.json")
    assert caught.value.accepted == tuple(format.label for format in Format)
    assert set(READERS) == set(Format)


def test_broken_json_says_where_it_breaks():
    with pytest.raises(FileRefused, match=r"not valid JSON: .* line 2, column"):
        read(b'{"messages": [\n{"role": "user", "content": "x"},,]}', "a.json")


def test_an_example_inside_prose_does_not_make_a_format():
    prose = "# How it looks\n\n" + "text\n" * 9 + json.dumps(CHAT) + "\n" + "text\n" * 9
    with pytest.raises(UnknownFormat):
        read(prose.encode(), "README.md")


def test_bottomless_json_costs_one_line():
    reading = read(lines(CHAT, "[" * 100_000, CHAT), "a.jsonl")
    assert len(reading.sessions) == 2
    assert [str(error) for error in reading.errors] == ["line 2: JSON that is nested too deeply"]


def test_a_deep_record_of_a_list_costs_that_record():
    deep: object = "x"
    for _ in range(300):
        deep = [deep]
    reading = read(json.dumps([CHAT, CHAT | {"odd": deep}]).encode(), "a.json")
    assert [session.place for session in reading.sessions] == [1]
    assert [str(error) for error in reading.errors] == ["record 2: nested deeper than 200 levels"]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ('"odd": NaN', "NaN is not a number that JSON knows"),
        ('"odd": -Infinity', "-Infinity is not a number that JSON knows"),
        ('"odd": ' + "9" * 5000, "a number has 5000 digits"),
        ('"id": "b", "id": "c"', "the key “id” stands twice in one object, so its value is not certain"),
    ],
)
def test_what_json_leaves_open_is_an_error_of_its_record(broken, why):
    record = '{"messages": [{"role": "user", "content": "x"}], ' + broken + "}"
    reading = read(lines(CHAT, record), "a.jsonl")
    assert len(reading.sessions) == 1
    assert [str(error) for error in reading.errors] == [f"line 2: {why}"]


def test_a_file_that_is_one_ambiguous_object_is_refused_with_the_reason():
    with pytest.raises(FileRefused, match="the key “messages” stands twice"):
        read(b'{"messages": [{"role": "user", "content": "x"}], "messages": []}', "a.json")


def test_half_an_emoji_and_a_zero_are_replaced_and_remarked_on():
    record = '{"messages": [{"role": "user", "content": "cut \\ud83d here\\u0000 👍"}]}'
    (session,) = read(record.encode(), "a.json").sessions
    assert session.transcript.messages[0].content == "cut \ufffd here\ufffd 👍"
    assert any("replaced by \ufffd" in remark for remark in session.remarks)


def test_escaped_emoji_are_no_reason_for_a_remark():
    (session,) = read(json.dumps({"messages": [{"role": "user", "content": "👍"}]}).encode(), "a.json").sessions
    assert session.transcript.messages[0].content == "👍"
    assert session.remarks == ()


def test_the_format_can_be_chosen_by_hand():
    reading = read(b"5\n", "a.txt", format=Format.OPENAI_CHAT)
    assert (reading.format, reading.sessions) == (Format.OPENAI_CHAT, ())
    assert [str(error) for error in reading.errors] == ["line 1: not a JSON object or list"]


def test_detection_says_by_what_it_knew_the_file():
    assert detect(lines(CHAT), "a.json") is Format.OPENAI_CHAT
    assert recognise(lines(CHAT), "a.json").sign == "“messages” holds messages with “role” and “content”"


@pytest.mark.parametrize("name", ["notes.exe", "policy.py", "../../core/policy.py", "a.json.exe", "x.JSON.sh"])
def test_a_file_whose_ending_is_not_accepted_is_refused(name):
    with pytest.raises(FileRefused, match=r"not accepted, but \.csv, \.json"):
        read(lines(CHAT), name)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../core/policy.py", "..%2F..%2Fcore%2Fpolicy.py"),
        ("..\\..\\x.json", "..%5C..%5Cx.json"),
        ("/etc/x.jsonl", "%2Fetc%2Fx.jsonl"),
        ("a\0b.json", "a%00b.json"),
        ("con.json", "con.json"),
        ("100%.json", "100%25.json"),
        ("gnp\u202ejson.exe", "gnp%E2%80%AEjson.exe"),
        ("", "(no name)"),
        ("..", "%2E%2E"),
        ("é👍.json", "é👍.json"),
    ],
)
def test_a_name_is_shown_without_harm(name, shown):
    assert shown_name(name) == shown


@given(st.text())
def test_no_shown_name_can_be_a_path_or_move_the_cursor(name):
    shown = shown_name(name)
    assert shown == shown_name(name)
    assert 0 < len(shown) <= 120
    assert not set(shown) & set("/\\\0\n\r\u202e")
    assert shown.strip(".")
    shown.encode()


@given(st.binary(max_size=300), st.sampled_from(["a.json", "a.jsonl", "a.csv", "a.txt", "a"]))
def test_no_bytes_surprise_the_caller(data, name):
    _only_known_errors(data, name, None)


KEYS = [
    "messages",
    "role",
    "content",
    "tool_calls",
    "function_call",
    "name",
    "arguments",
    "id",
    "conversations",
    "from",
    "value",
    "mapping",
    "message",
    "parent",
    "author",
    "parts",
    "current_node",
    "create_time",
    "traj",
    "info",
    "reward",
    "task_id",
    "trial",
    "error",
    "task",
    "simulations",
    "tasks",
    "reward_info",
    "nl_assertions",
    "met",
    "action_checks",
    "action",
    "environment_info",
    "user_scenario",
    "instructions",
    "termination_reason",
    "start_time",
    "messages_display",
    "feedback",
    "facts",
    "policies",
    "source",
    "good",
    "score",
    "started_at",
    "external_failure",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(["user", "tool"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)
SHELLS = st.sampled_from(
    [
        lambda inner: {"messages": [{"role": "user", "content": "x"}, inner], "feedback": inner},
        lambda inner: {"messages": [{"role": "tool", "content": inner, "tool_calls": inner}], "facts": [inner]},
        lambda inner: {"conversations": [{"from": "gpt", "value": inner}, inner]},
        lambda inner: {"mapping": {"r": {"message": None}, "m": {"parent": "r", "message": inner}, "n": inner}},
        lambda inner: {"traj": [inner], "info": inner, "reward": inner},
        lambda inner: {"simulations": [inner, {"messages": [inner], "reward_info": inner}], "tasks": [inner]},
        lambda inner: [inner, {"messages": inner}],
        lambda inner: inner,
    ]
)


@given(JSON, SHELLS, st.sampled_from([None, *Format]))
def test_no_json_surprises_the_caller(inner, shell, format):
    _only_known_errors(json.dumps(shell(inner)).encode(), "a.json", format)


@given(st.text(st.sampled_from('session,role,content\n\r"user;\t:USER: ASSISTANT\0x'), max_size=80))
def test_no_table_or_text_surprises_the_caller(text):
    _only_known_errors(b"session,role,content\n" + text.encode(), "a.csv", None)
    _only_known_errors(b"USER: " + text.encode(), "a.txt", None)


def _only_known_errors(data: bytes, name: str, format: Format | None) -> None:
    try:
        reading = read(data, name, format=format)
    except TutelageError as error:
        reading = Reading(Format.CSV, (), (BadRecord(1, str(error)),))
    for session in reading.sessions:
        assert session.transcript.messages or session.external_failure
        assert len(session.transcript.sha256) == 64
        repr(session).encode()
    for error in reading.errors:
        assert error.place > 0
        str(error).encode()
