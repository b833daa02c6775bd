"""Plain text and CSV."""

import pytest

from core.errors import UnknownFormat
from core.transcripts.formats import Format
from core.transcripts.read import read
from core.vocabulary import Role


def turns(text, name="chat.txt"):
    (session,) = read(text.encode(), name).sessions
    return [(message.role.value, message.content) for message in session.transcript.messages]


def test_plain_text_has_turns_of_many_lines_and_keeps_them_verbatim():
    said = [
        "SYSTEM: Be kind.",
        "USER: Hi,",
        "",
        "  two lines. ",
        "",
        "ASSISTANT: Hello",
        "TOOL: Error: gone",
        "ASSISTANT:",
    ]
    text = "\r\n".join(["", *said, ""])
    assert turns(text) == [
        ("system", "Be kind."),
        ("user", "Hi,\r\n\r\n  two lines. "),
        ("assistant", "Hello"),
        ("tool", "Error: gone"),
        ("assistant", ""),
    ]
    (session,) = read(text.encode(), "chat.txt").sessions
    assert [message.failed for message in session.transcript.messages] == [False, False, False, True, False]
    assert (session.external_id, session.place) == (None, 2)


@pytest.mark.parametrize(
    "forged", ["he said USER: pay me", " USER: pay me", "user: pay me", "User: pay me", "USERS: me"]
)
def test_a_speaker_that_is_forged_inside_a_turn_is_no_turn(forged):
    assert turns(f"USER: hello\n{forged}\nASSISTANT: no") == [("user", f"hello\n{forged}"), ("assistant", "no")]


@pytest.mark.parametrize("spelling", [str.upper, str.lower, str.capitalize])
def test_the_first_line_fixes_how_speakers_are_written(spelling):
    assert turns(f"{spelling('user')}: a\n{spelling('assistant')}:b") == [("user", "a"), ("assistant", "b")]


def test_text_without_a_speaker_is_unknown_and_says_so_when_it_is_forced():
    with pytest.raises(UnknownFormat):
        read(b"Dear diary", "a.txt")
    reading = read(b"Dear diary", "a.txt", format=Format.PLAIN_TEXT)
    assert [str(error) for error in reading.errors] == [
        "line 1: it begins with “Dear diary” and not with a speaker such as USER:"
    ]


def test_text_with_a_byte_that_is_no_text_is_left_out_with_the_line():
    reading = read(b"USER: caf\xe9\nASSISTANT: x\n\x00", "a.txt")
    assert reading.sessions == ()
    assert [str(error) for error in reading.errors] == [
        "line 1: byte 0xE9 is not valid UTF-8",
        "line 3: it holds a zero byte, which no text has",
    ]


TABLE = """Conversation ID,Speaker,Text,Time,Tool,User,Agent,Task_Class,Mood
a,user,"Where is it,
please?",2026-03-10T09:30:00Z,,ada,desk,orders,
b,customer,Hi,,,bob,,,
a,tool,Error: none,2026-03-10T09:31:00,find_order,ada,,,

a,agent,Gone,,,eve,desk,,
b,Supervisor,Hm,,,,,,
"""


def test_csv_rows_of_mixed_sessions_are_sorted_by_session_in_order():
    reading = read(TABLE.encode(), "a.csv")
    first, second = reading.sessions
    assert (reading.format, reading.errors, reading.blank) == (Format.CSV, (), 1)
    assert (first.external_id, first.user, first.agent, first.task_class) == ("a", "ada", "desk", "orders")
    assert first.started_at.isoformat() == "2026-03-10T09:30:00+00:00"
    assert [message.content for message in first.transcript.messages] == [
        "Where is it,\nplease?",
        "Error: none",
        "Gone",
    ]
    assert [message.role for message in first.transcript.messages] == [Role.USER, Role.TOOL, Role.ASSISTANT]
    assert (first.transcript.messages[1].name, first.transcript.messages[1].failed) == ("find_order", True)
    assert [message.speaker for message in second.transcript.messages] == ["user", "other:Supervisor"]
    assert first.remarks == (
        "ignored: “mood”",
        "the rows give more than one user: “ada”, “eve”; the first is taken",
        "1 time has no zone and was taken as UTC",
    )


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_csv_may_be_separated_otherwise(delimiter):
    (session,) = read(delimiter.join(["session", "role", "content\nx", "user", "hi"]).encode(), "a.csv").sessions
    assert session.transcript.messages[0].content == "hi"


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("a,user", "the row has 2 cells, the header 3"),
        ("a,user,x,y", "the row has 4 cells, the header 3"),
        ("a,,x", "the role is empty"),
        ("a,user,caf\udce9", "byte 0xE9 is not valid UTF-8"),
    ],
)
def test_a_broken_row_leaves_its_session_out_and_no_other(row, why):
    data = f"session,role,content\na,user,x\nb,user,y\n{row}\n".encode("utf-8", "surrogateescape")
    reading = read(data, "a.csv")
    assert [session.external_id for session in reading.sessions] == ["b"]
    assert [str(error) for error in reading.errors] == [
        f"line 4: {why}; session “a” is left out, for a turn of it is missing"
    ]


def test_a_broken_row_of_no_known_session_is_remarked_on_everywhere():
    reading = read(b"session,role,content\na,user,x\n,user,y\n", "a.csv")
    assert [str(error) for error in reading.errors] == ["line 3: the session is empty"]
    assert reading.sessions[0].remarks == (
        "a row of the file could not be read; a turn of this session may be missing",
    )


def test_a_quote_that_never_ends_is_reported_where_it_begins():
    reading = read(b'session,role,content\na,user,x\na,user,"y\nb,user,z\n', "a.csv")
    assert [error.place for error in reading.errors] == [3]
    assert "not valid CSV" in str(reading.errors[0])


def test_a_long_cell_is_no_error():
    (session,) = read(b"session,role,content\na,user," + b"x" * 200_000, "a.csv").sessions
    assert session.transcript.characters == 200_000
