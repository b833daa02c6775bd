"""Real transcripts that nobody here wrote, and fault reports from the field."""

import json
from collections import Counter

import pytest

from core.errors import FileRefused, UnknownFormat
from core.transcripts.formats import Format
from core.transcripts.read import read
from core.transcripts.text_form import as_text
from core.vocabulary import Role

pytestmark = pytest.mark.corpus


def test_tau2_airline(corpus):
    (file,) = (corpus / "data" / "tau2-bench").glob("*airline*.json")
    reading = read(file.read_bytes(), file.name)
    sessions = reading.sessions
    assert (reading.format, len(sessions), reading.errors) == (Format.TAU2_BENCH, 50, ())
    assert sum(len(session.transcript.messages) for session in sessions) == 1320
    assert Counter(session.feedback[0].score for session in sessions) == {1.0: 28, 0.0: 22}
    assert all(session.feedback[0].good is (session.feedback[0].score == 1) for session in sessions)
    assert len({session.external_id for session in sessions}) == 50
    assert {session.started_at.isoformat() for session in sessions} == {"2025-01-01T00:00:00+00:00"}
    assert all(turn.name for session in sessions for turn in session.transcript.messages if turn.role is Role.TOOL)
    assert all(session.agent == "airline-agent" and session.task for session in sessions)


def test_tau2_airline_sessions_have_the_task_of_the_user_who_speaks(corpus):
    """The simulations of this file name other tasks than they ran; the user's own words tell."""
    (file,) = (corpus / "data" / "tau2-bench").glob("*airline*.json")
    sessions = read(file.read_bytes(), file.name).sessions
    said = [
        session.user in message.content
        for session in sessions
        for message in session.transcript.messages
        if message.role is Role.USER and session.user and session.user.split("_")[-1] in message.content
    ]
    assert said
    assert all(said)
    looked_up = [
        (session.user, json.loads(call.arguments)["user_id"])
        for session in sessions
        for message in session.transcript.messages
        for call in message.tool_calls
        if call.name == "get_user_details"
    ]
    agreeing = sum(user == asked for user, asked in looked_up)
    assert agreeing >= 0.9 * len(looked_up)


def test_tau2_small_runs(corpus):
    files = sorted((corpus / "data" / "tau2-activegraph").glob("*/tau2_output/results.json"))
    readings = [read(file.read_bytes(), file.name) for file in files]
    sessions = [session for reading in readings for session in reading.sessions]
    assert (len(files), len(sessions)) == (16, 29)
    assert sum(len(session.transcript.messages) for session in sessions) == 420
    assert Counter(session.feedback[0].score for session in sessions) == {1.0: 14, 0.0: 15}
    assert sum(turn.failed for session in sessions for turn in session.transcript.messages) == 4
    assert not any(reading.errors for reading in readings)


@pytest.mark.parametrize(("domain", "count", "turns"), [("airline", 19, 463), ("retail", 69, 1955)])
def test_tau_examples(corpus, domain, count, turns):
    file = corpus / "data" / "tau-bench" / f"few_shot_{domain}.jsonl"
    reading = read(file.read_bytes(), file.name)
    assert (reading.format, len(reading.sessions), reading.errors) == (Format.TAU_FEW_SHOT, count, ())
    messages = [message for session in reading.sessions for message in session.transcript.messages]
    assert len(messages) == turns
    assert not any(message.content == "None" for message in messages if message.role is Role.ASSISTANT)
    assert any(message.tool_calls for message in messages)


def test_tau_runs_with_calls_in_text(corpus):
    files = list((corpus / "data" / "tau-bench-qwen-ck496" / "trajectories").rglob("*.json"))
    assert files
    for file in files:
        records = json.loads(file.read_bytes())
        crashed = [record for record in records if not record["traj"]]
        reading = read(file.read_bytes(), file.name)
        assert (reading.format, reading.errors) == (Format.TAU_BENCH, ())
        assert len(reading.sessions) == len(records)
        assert len([session for session in reading.sessions if session.external_failure]) == len(crashed)
        assert all(bool(session.feedback) is not bool(session.external_failure) for session in reading.sessions)
        assert all(session.user and session.task for session in reading.sessions if not session.external_failure)


def test_every_other_file_gives_sessions_or_a_clean_answer(corpus):
    formats = Counter()
    for file in sorted((corpus / "data").rglob("*")):
        if file.suffix not in {".json", ".jsonl", ".md", ".txt", ".eval"} or not file.is_file():
            continue
        try:
            reading = read(file.read_bytes(), file.name)
        except (UnknownFormat, FileRefused):
            continue
        assert reading.sessions or reading.errors
        formats[reading.format] += 1
        for session in reading.sessions:
            assert as_text(session.transcript).count("\n[") == len(session.transcript.messages) - 1
    assert set(formats) == {Format.OPENAI_CHAT, Format.TAU_BENCH, Format.TAU2_BENCH, Format.TAU_FEW_SHOT}


def test_the_reported_chat_messages_are_read_as_expected(case, session_of):
    parts = case("I-01")
    session = session_of(parts["input"])
    assert [message.content for message in session.transcript.messages] == parts["expected"]["texts"]
    quote = parts["expected"]["quote_check"]
    start, end = quote["span"]
    assert session.transcript.messages[quote["message_index"]].content[start:end] == quote["evidence"]

    calls = case("I-02")
    session = session_of(calls["input"])
    text = as_text(session.transcript)
    assert len(session.transcript.messages) == calls["expected"]["turns"]
    assert calls["expected"]["turn_1"]["shown"] in text
    assert session.transcript.messages[2].name == calls["expected"]["tool_result_linked_to"]
    assert "None" not in text


def test_the_reported_speakers_stay_who_they_are(case, session_of):
    report = case("I-03")
    shared = session_of({"conversations": report["input"]["conversations"]})
    assert [message.speaker for message in shared.transcript.messages] == report["expected"]["roles"]
    chat = session_of({"messages": report["input"]["plus_openai"]})
    assert [message.speaker for message in chat.transcript.messages] == report["expected"]["openai_roles"]


def test_the_reported_jsonl_costs_one_line(case):
    report = case("I-06")
    reading = read(report["input"]["text"].encode(), "sessions.jsonl")
    assert [session.external_id for session in reading.sessions] == report["expected"]["imported"]
    assert reading.blank == report["expected"]["skipped_blank"]
    assert [{"line": error.place} for error in reading.errors] == report["expected"]["errors"]
    assert reading.failed in report["expected"]["summary"]


def test_the_reported_export_is_read_and_an_unknown_one_is_named(case, session_of):
    report = case("I-10")
    session = session_of(report["input"]["export"])
    assert [message.content for message in session.transcript.messages] == report["expected"]["turns"]


def test_the_reported_names_are_refused_or_shown_without_harm(case):
    for name in case("U-11")["input"]["names"]:
        with pytest.raises((FileRefused, UnknownFormat)) as caught:
            read(b"{}", name)
        assert not set(str(caught.value).split("”")[0]) & set("/\\\0")


def test_the_reported_times_are_in_utc(case, session_of):
    report = case("D-03")
    sessions = [
        session_of({"started_at": written, "messages": [{"role": "user", "content": "x"}]})
        for written in report["input"]["write"]
    ]
    assert [session.started_at.isoformat() for session in sessions[:2]] == report["expected"]["read_utc"][:2]
    assert [bool(session.remarks) for session in sessions] == [False, False, True]
