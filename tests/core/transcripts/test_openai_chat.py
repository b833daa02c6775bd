"""OpenAI chat messages: content parts, calls, roles, and the fields beside the messages."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.transcripts.formats import Format
from core.transcripts.session import AgentDraft, FactDraft, FeedbackDraft
from core.vocabulary import Role, Source

USER = {"role": "user", "content": "Where is order 17?"}
CALL = {"id": "c1", "function": {"name": "find_order", "arguments": '{"id": 17}'}}


def contents(session):
    return [message.content for message in session.transcript.messages]


def test_parts_become_text_with_marks_in_place_and_no_encoded_bytes(session_of):
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    parts = [{"type": "text", "text": "My card "}, image, {"type": "text", "text": "was charged twice."}]
    session = session_of(
        {
            "messages": [
                {"role": "user", "content": parts},
                {"role": "tool", "content": [{"type": "text", "text": "2 charges"}]},
                {"role": "assistant", "content": []},
            ]
        }
    )
    assert contents(session) == ["My card [image] was charged twice.", "2 charges", ""]
    assert contents(session)[0][16:33] == "was charged twice"
    assert "AAAA" not in repr(session)


def test_text_parts_that_would_run_into_each_other_stand_on_their_own_lines(session_of):
    parts = [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}, "Three.", {"type": "input_file"}]
    assert contents(session_of([{"role": "user", "content": parts}])) == ["One.\nTwo.\nThree. [file]"]


def test_a_part_of_an_unknown_type_is_a_mark_with_a_remark(session_of):
    session = session_of([{"role": "user", "content": [{"type": "hologram", "data": "AAAA"}]}])
    assert contents(session) == ["[hologram]"]
    assert session.remarks == ("a part of type “hologram” is shown as a mark only",)


def test_null_content_with_a_call_keeps_the_turn_and_links_the_result(session_of):
    session = session_of(
        {
            "messages": [
                USER,
                {"role": "assistant", "content": None, "tool_calls": [CALL]},
                {"role": "tool", "tool_call_id": "c1", "content": "delayed"},
                {"role": "assistant", "content": "It is delayed."},
            ]
        }
    )
    assert contents(session) == ["Where is order 17?", "", "delayed", "It is delayed."]
    assert session.transcript.messages[1].tool_calls[0].shown == 'find_order({"id": 17})'
    assert session.transcript.messages[2].name == "find_order"


def test_a_call_id_that_is_used_again_links_to_the_latest_call(session_of):
    def call(name):
        return {"role": "assistant", "tool_calls": [{"id": "c1", "name": name, "arguments": {}}]}

    result = {"role": "tool", "tool_call_id": "c1", "content": "ok"}
    session = session_of([call("first"), result, call("second"), result])
    assert [message.name for message in session.transcript.messages] == [None, "first", None, "second"]


def test_the_old_function_call_is_a_call_and_its_result_a_tools_turn(session_of):
    session = session_of(
        [
            {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
            {"role": "function", "name": "f", "content": "r"},
        ]
    )
    call, result = session.transcript.messages
    assert [one.name for one in call.tool_calls] == ["f"]
    assert (result.role, result.name) == (Role.TOOL, "f")


def test_unknown_roles_stay_themselves(session_of):
    roles = ["developer", "Assistant ", "critic", "model"]
    session = session_of([{"role": role, "content": "x"} for role in roles])
    assert [message.speaker for message in session.transcript.messages] == [
        "developer",
        "assistant",
        "other:critic",
        "other:model",
    ]


def test_a_refusal_is_what_the_agent_said(session_of):
    assert contents(session_of([{"role": "assistant", "content": None, "refusal": "I cannot."}])) == ["I cannot."]


@pytest.mark.parametrize(
    ("result", "failed"),
    [
        ({"content": "Error: user not found"}, True),
        ({"content": "error"}, True),
        ({"content": "Errors: 0"}, False),
        ({"content": "No error"}, False),
        ({"content": '{"error": "no such order"}'}, True),
        ({"content": '{"error": {"code": 404}, "id": 7}'}, True),
        ({"content": '{"error": null, "id": 7}'}, False),
        ({"content": '{"id": 7, "error": "late"}'}, False),
        ({"content": '{"error": '}, False),
        ({"content": "fine", "error": True}, True),
        ({"content": "Error: as asked for", "error": False}, False),
        ({"content": "fine", "is_error": True}, True),
    ],
)
def test_a_tools_turn_has_failed_where_the_file_or_its_own_words_say_so(session_of, result, failed):
    (message,) = session_of([{"role": "tool", **result}]).transcript.messages
    assert message.failed is failed


def test_only_a_tool_can_fail(session_of):
    assert not session_of([{"role": "user", "content": "Error: help"}]).transcript.messages[0].failed


def test_every_shape_of_the_format_is_read(read_value):
    record, bare = {"messages": [USER]}, [USER]
    for value, count in [(record, 1), (bare, 1), ([record, record], 2), ([bare, bare, bare], 3), ([record, bare], 2)]:
        reading = read_value(value)
        assert (reading.format, len(reading.sessions), reading.errors) == (Format.OPENAI_CHAT, count, ())


def test_one_broken_record_of_a_list_costs_only_itself(read_value):
    reading = read_value([{"messages": [USER]}, {"id": "x"}, 5, {"messages": [{"content": "x"}]}, {"messages": []}])
    assert [session.place for session in reading.sessions] == [1]
    assert [str(error) for error in reading.errors] == [
        "record 2: “messages” is missing",
        "record 3: a record must be an object with “messages” or a list of messages; it is a number",
        "record 4: message 1: “role” is missing",
        "record 5: it holds no messages",
    ]
    assert reading.failed == "4 records failed (records 2, 3, 4, 5)"


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"role": "user"}, "neither “content” nor tool calls"),
        ({"role": "user", "content": 5}, "“content” must be text or a list of parts; it holds a number"),
        ({"role": ["user"], "content": "x"}, "“role” must be text; it is a list"),
        ({"role": "assistant", "tool_calls": "x"}, "“tool_calls” must be a list; it is text"),
        ({"role": "assistant", "tool_calls": [{"id": "c"}]}, "a tool call: “name” is missing"),
        ("hello", "a message must be an object; it is text"),
    ],
)
def test_a_broken_message_is_named_with_its_number(errors_of, message, why):
    assert errors_of({"messages": [USER, message]}) == [f"record 1: message 2: {why}"]


def test_all_own_fields_are_read(session_of):
    session = session_of(
        {
            "id": "s-1",
            "agent": "shop-desk",
            "user": 417,
            "task_class": "orders",
            "task": "Find an order",
            "started_at": "2026-03-10T09:30:00-08:00",
            "base_prompt": "You help.",
            "policies": ["P-1", "P-2"],
            "facts": [{"text": "prefers mail", "source": "crm"}],
            "feedback": [
                {"source": "evaluator", "good": False, "score": 0.25, "text": "late"},
                {"source": "user", "good": True, "text": "thanks"},
            ],
            "external_failure": "upstream 503",
            "messages": [USER],
        }
    )
    assert (session.external_id, session.agent, session.user) == ("s-1", "shop-desk", "417")
    assert (session.task_class, session.task) == ("orders", "Find an order")
    assert session.started_at == datetime(2026, 3, 10, 17, 30, tzinfo=UTC)
    assert session.agent_record == AgentDraft("You help.", ("P-1", "P-2"))
    assert session.facts == (FactDraft("prefers mail", "crm"),)
    assert session.feedback == (
        FeedbackDraft(Source.EVALUATOR, False, "late", 0.25),
        FeedbackDraft(Source.USER, True, "thanks"),
    )
    assert session.external_failure == "upstream 503"
    assert session.remarks == ()


def test_unknown_fields_are_ignored_and_named(session_of):
    session = session_of({"messages": [USER], "model": "m", "metadata": {}})
    assert session.remarks == ("ignored: “model”, “metadata”",)


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ({"user": {"name": "Ada"}}, "“user” must be text; it is an object"),
        ({"agent": True}, "“agent” must be text; it is true or false"),
        ({"policies": "P-1"}, "“policies” must be a list; it is text"),
        ({"policies": ["P-1", None]}, "“policies” must be a list of policy ids; it holds nothing"),
        ({"facts": [{"text": "x"}]}, "fact 1: “source” is missing"),
        ({"facts": ["x"]}, "fact 1 must be an object; it is text"),
        (
            {"feedback": [{"source": "boss", "good": True, "text": ""}]},
            "feedback 1: the source “boss” is unknown; possible: check, tool, evaluator, person, user, critic",
        ),
        ({"feedback": [{"source": "user", "text": ""}]}, "feedback 1: “good” must be true or false; it is nothing"),
        (
            {"feedback": [{"source": "user", "good": True, "score": 7}]},
            "feedback 1: “score” must lie between 0 and 1; it is 7",
        ),
        (
            {"feedback": [{"source": "user", "good": True, "score": "1"}]},
            "feedback 1: “score” must be a number; it is text",
        ),
    ],
)
def test_an_own_field_of_the_wrong_kind_is_an_error_of_its_record(errors_of, field, why):
    assert errors_of({"messages": [USER], **field}) == [f"record 1: {why}"]


def test_a_run_that_broke_outside_the_agent_may_have_no_messages(session_of):
    session = session_of({"messages": [], "external_failure": True})
    assert session.external_failure == "the file does not say why"


@pytest.mark.parametrize(
    ("time", "zone", "utc", "remarked"),
    [
        ("2026-03-10T09:30:00-08:00", None, datetime(2026, 3, 10, 17, 30, tzinfo=UTC), False),
        ("2026-03-10T09:30:00Z", None, datetime(2026, 3, 10, 9, 30, tzinfo=UTC), False),
        ("2026-03-10T09:30:00", None, datetime(2026, 3, 10, 9, 30, tzinfo=UTC), True),
        ("2026-03-10T09:30:00", ZoneInfo("Europe/Berlin"), datetime(2026, 3, 10, 8, 30, tzinfo=UTC), True),
        (1773135000, None, datetime(2026, 3, 10, 9, 30, tzinfo=UTC), False),
        (1773135000000, None, datetime(2026, 3, 10, 9, 30, tzinfo=UTC), False),
    ],
)
def test_times_are_in_utc_and_one_without_a_zone_is_remarked_on(session_of, time, zone, utc, remarked):
    session = session_of({"messages": [USER], "started_at": time}, zone=zone)
    assert session.started_at == utc
    assert session.remarks == ((f"1 time has no zone and was taken as {zone or 'UTC'}",) if remarked else ())


@pytest.mark.parametrize(
    "time", ["yesterday", "0001-01-01T00:00:00+14:00", 1e300, True, ["x"], "9999-12-31T23:00-05:00"]
)
def test_what_is_no_time_is_left_out_with_a_remark(session_of, time):
    session = session_of({"messages": [USER], "started_at": time})
    assert session.started_at is None
    assert session.remarks[0].endswith("could not be read as a time and was left out")


def test_without_a_start_the_first_timed_message_is_the_start(session_of):
    session = session_of([USER, USER | {"timestamp": "2026-03-10T09:30:00Z"}])
    assert session.started_at == datetime(2026, 3, 10, 9, 30, tzinfo=UTC)
