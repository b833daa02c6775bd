"""Episodes from files: each once, and reflections of a generative agent with their evidence, judged and not hidden."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import select

from core.errors import BadInput, Refused
from core.service.episode_files import read_episodes
from core.service.episode_import import import_episodes
from core.store.database import Database
from core.store.memory_records import Accumulator, Episode
from core.store.records import Item
from core.vocabulary import Status
from tests.commands import Commands
from tests.desk import OPERATOR

NO_MODEL: dict[str, str] = {}


def lines(*rows: dict[str, Any] | str) -> bytes:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode()


def row(id: str = "e1", **more: Any) -> dict[str, Any]:
    fields = {"id": id, "agent": "Campus Desk", "user": "student 1", "text": f"The user asked, {id}."}
    return {**fields, "importance": 0.7, "at": "2026-11-03T09:00:00+01:00", **more}


def brought(database: Database, data: bytes, **how: Any) -> Any:
    return import_episodes(database, data, by=OPERATOR, environ=NO_MODEL, **how)


def stored(database: Database) -> list[Episode]:
    with database.reading() as db:
        return list(db.exec(select(Episode).order_by(Episode.id)).all())


def test_lines_are_stored_once_and_counted(database: Database) -> None:
    data = lines(row(), row("e2", importance="0.855"), "", row("e3", user=None))
    found = brought(database, data)
    assert found.summary == "3 episodes: 3 new, 0 known, 0 refused"
    assert [str(one.importance) for one in stored(database)] == ["0.70", "0.86", "0.70"]
    assert stored(database)[0].true_from == datetime(2026, 11, 3, 8, tzinfo=UTC)
    assert brought(database, data).summary == "3 episodes: 0 new, 3 known, 0 refused"
    with database.reading() as db:
        sums = {one.user_key: one.hundredths for one in db.exec(select(Accumulator)).all()}
    assert sums == {"student 1": 156, "": 70}


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085"])
def test_only_a_line_feed_ends_a_line(database: Database, mark: str) -> None:
    said = json.dumps(row(text=f"The user asked{mark}for logs."), ensure_ascii=False)
    found = brought(database, f"{said}\r\n{json.dumps(row('e2'))}\r\n".encode())
    assert (found.new, found.refused) == (2, ())
    assert stored(database)[0].text == "The user asked for logs."


def test_what_json_does_not_allow_in_a_text_is_one_error(database: Database) -> None:
    said = json.dumps(row(text="The user asked_for logs.")).replace("_", "\x0b")
    assert brought(database, lines(row(), said)).refused == (("line 2", "it is no JSON"),)


def test_a_file_asks_once_for_each_agent_and_user_however_many_lines_it_has(database: Database) -> None:
    def asked(count: int, start: int) -> int:
        statements: list[str] = []
        listening = (database.engine, "before_cursor_execute", lambda *said: statements.append(said[2]))
        event.listen(*listening)
        made = brought(database, lines(*(row(f"e{one}") for one in range(start, start + count))))
        event.remove(*listening)
        assert made.new == count
        return len(statements)

    assert asked(2, 0) >= asked(200, 2)
    ids = {one.external_id: one.id for one in stored(database)}
    assert list(ids.values()) == sorted(ids.values())
    assert list(ids) == [f"e{one}" for one in range(202)]


@pytest.mark.databases("sqlite", "postgresql")
def test_a_line_that_stands_twice_is_stored_once_and_those_of_others_are_others(database: Database) -> None:
    data = lines(row(), row("again", text=row()["text"]), row(user="student 2"), row(user=None), row(agent="Other"))
    dry = brought(database, data, dry_run=True)
    found = brought(database, data)
    assert (found.summary, found.summary) == ("5 episodes: 4 new, 1 known, 0 refused", dry.summary)
    assert len(stored(database)) == 4
    later = row(at="2026-11-04T09:00:00+01:00")
    assert brought(database, lines(later, row())).summary == "2 episodes: 1 new, 1 known, 0 refused"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"importance": 1.2}, "its importance is no number from 0 to 1"),
        ({"importance": "much"}, "its importance is no number from 0 to 1"),
        ({"importance": True}, "its importance is no number from 0 to 1"),
        ({"text": "  "}, "it has no text that can be stored"),
        ({"text": "\ud800"}, "it has no text that can be stored"),
        ({"at": "yesterday"}, "“yesterday” is no time such as"),
        ({"at": None}, "it has no time"),
        ({"at": 20261103}, "its time is no text such as"),
        ({"id": ["e2"]}, "its id is no text"),
        ({"user": int("9" * 300)}, "its user is no name of 200 characters at most"),
        ({"weight": 1}, "it has a field “weight”, which is unknown"),
        ("[1, 2]", "it is no object"),
        ("{broken", "it is no JSON"),
    ],
)
def test_what_is_wrong_with_a_line_is_said_and_its_siblings_go_on(database: Database, wrong: Any, why: str) -> None:
    bad = wrong if isinstance(wrong, str) else row(**{"id": "bad", **wrong})
    found = brought(database, lines(row(), bad, row("e3")))
    assert (found.new, len(found.refused)) == (2, 1)
    assert found.refused[0][0] == "line 2"
    assert found.refused[0][1].startswith(why)


def test_a_credential_is_not_stored(database: Database) -> None:
    found = brought(database, lines(row(text="The password is Tr0ub4dor&3, she said."), row("e2")))
    assert found.refused == (("e1", "it holds a credential or a number of a person"),)
    assert "Tr0ub4dor" not in " ".join(one.text for one in stored(database))


def test_nothing_is_stored_of_a_file_that_cannot_be_read_or_by_whoever_may_not(database: Database) -> None:
    for data in (b"\xff\xfe", b"nonsense", lines(row(agent=None))):
        with pytest.raises(BadInput):
            brought(database, data)
    with pytest.raises(Refused, match="lacks the duty"):
        import_episodes(database, lines(row()), by="Nobody", environ=NO_MODEL)
    with pytest.raises(BadInput, match="bytes"):
        read_episodes(b"x" * 11, 10)
    assert brought(database, lines(row()), dry_run=True).new == 1
    assert stored(database) == []


def node(
    description: str, *, filling: list[str] | None = None, depth: int = 0, poignancy: object = 7
) -> dict[str, Any]:
    kind = "thought" if filling else "event"
    return {
        "type": kind,
        "depth": depth,
        "created": "2023-02-13 17:47:20",
        "description": description,
        "poignancy": poignancy,
        "filling": filling,
    }


@pytest.mark.databases("sqlite", "postgresql")
def test_a_memory_with_its_evidence_becomes_episodes_and_proposals_that_wait(database: Database) -> None:
    nodes = {
        "n1": node("Klaus reads at the library."),
        "n2": node("Klaus writes his paper at the cafe."),
        "n3": node("Klaus asks for another book.", poignancy=99),
        "n4": node("Klaus works on his research wherever he sits.", filling=["n1", "n2"], depth=1, poignancy=8),
        "n5": node("Research fills the days that Klaus spends in town.", filling=["n4", "n1"], depth=2),
        "n6": node("Klaus is diligent.", filling=["n1"], depth=1),
        "n7": node("Klaus rests on three layers of thought about his work.", filling=["n5", "n1"], depth=3),
        "n8": node("Klaus borrows more books than one shelf holds.", filling=["n1", "n99"], depth=1),
    }
    data = json.dumps(nodes).encode()
    found = brought(database, data, agent="Smallville", user="Klaus")
    assert (found.new, len(found.reflections)) == (3, 5)
    became = {one.name: (one.became, one.problems) for one in found.reflections}
    assert became["n4"] == ("new", ())
    assert became["n6"] == ("", ("a single citation",))
    assert became["n7"][1][0] == "deeper than 2"
    assert became["n8"] == ("", ("evidence that is not in the file",))
    assert "rests on too little" in became["n5"][1][0]  # n4 waits for a person, so nothing rests on it yet
    with database.reading() as db:
        [item] = db.exec(select(Item)).all()
    assert (item.status, item.user, item.headline) == (Status.HELD, "Klaus", nodes["n4"]["description"])
    by_name = {one.external_id: one for one in stored(database) if one.external_id}
    assert by_name["n1"].importance == Decimal("0.70")
    assert by_name["n3"].held == "Its importance could not be read."
    with database.reading() as db:
        place = db.exec(select(Episode).where(Episode.belief_id == item.id)).one()
    assert (place.depth, place.importance) == (1, Decimal("0.80"))


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"filling": 7}, "its filling is no list"),
        ({"filling": "n1"}, "its filling is no list"),
        ({"filling": [["n1"], True]}, "its filling names something that is no node"),
        ({"depth": "deep"}, "its depth is no whole number"),
        ({"depth": [1]}, "its depth is no whole number"),
        ({"depth": 1.5}, "its depth is no whole number"),
        ({"depth": True}, "its depth is no whole number"),
        ({"created": None}, "it has no time"),
        ({"created": "soon"}, "“soon” is no time such as 2026-11-03T09:00:00+00:00"),
        ({"description": 7}, "it has no text that can be stored"),
    ],
)
def test_what_is_wrong_with_a_node_is_said_in_our_own_words(wrong: dict[str, Any], why: str) -> None:
    thought = node("Klaus works wherever he sits.", filling=["n1", "n2"], depth=1)
    talk = {**node("Klaus talks with Maria."), "type": "chat", "filling": [["Klaus", "Hello."]]}
    nodes = {"n1": node("Klaus reads."), "n2": talk, "n3": {**thought, **wrong}, "n4": thought}
    found = read_episodes(json.dumps(nodes).encode(), 10_000)
    assert found.errors == (("n3", why),)
    assert (len(found.episodes), [one.external_id for one in found.reflections]) == (2, ["n4"])


def test_the_real_excerpt_is_reported_and_nothing_of_it_is_stored_as_good(database: Database, corpus: Path) -> None:
    file = corpus / "data" / "generative-agents" / "klaus_reflections_excerpt.json"
    found = brought(database, file.read_bytes(), agent="Smallville", user="Klaus Mueller")
    assert (found.episodes, len(found.reflections)) == (4, 15)
    single = {one.name for one in found.reflections if "a single citation" in one.problems}
    assert single == {"node_423", "node_424", "node_425"}
    assert sum("deeper than 2" in one.problems for one in found.reflections) == 14
    assert not any(one.became for one in found.reflections)
    counts = sorted(len(one.evidence) for one in found.reflections)
    assert counts == [1, 1, 1, 2, 2, 3, 3, 3, 3, 4, 5, 5, 6, 6, 7]
    with database.reading() as db:
        assert db.exec(select(Item)).all() == []


def test_the_command_prints_the_summary_of_the_document(database: Database, corpus: Path) -> None:
    file = corpus / "data" / "generative-agents" / "klaus_reflections_excerpt.json"
    run = Commands(database.url)
    words = ("episodes", "import", str(file), "--agent", "Smallville", "--user", "Klaus Mueller")
    dry = run(*words, "--dry-run").stdout
    told = run(*words).stdout
    assert dry.splitlines()[0] == f"Would be: {told.splitlines()[0]}"
    told_in_docs = Path(__file__).resolve().parents[3] / "docs" / "beliefs.md"
    assert told.splitlines()[0] in told_in_docs.read_text().replace("\n> ", " ")
