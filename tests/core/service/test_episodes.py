"""Where episodes come from when the critic wrote none, and what a corrected transcript does to them."""

import json
from collections.abc import Iterator
from decimal import Decimal

import pytest
from sqlalchemy import event
from sqlmodel import select

from core.service.bring_in import bring_in
from core.service.consolidation.from_notes import GAVE_WAY, from_notes
from core.service.debrief import debrief
from core.store.database import Database
from core.store.memory_records import Accumulator, Episode
from core.store.records import AgentSession, Item
from core.vocabulary import EpisodeSource, Kind, Status, Writer
from tests.critic_desk import PROMISED, Desk, critic_desk, note
from tests.desk import OPERATOR
from tests.remembered import active, status, withdrawn

TOLD = {"text": "The agent said that a refund was arranged.", "importance": 0.7}
PROOF = {"quote": "the refund has been arranged", "speaker": "assistant", "turn": 2}


@pytest.fixture
def desk(database: Database) -> Iterator[Desk]:
    with critic_desk(database) as made:
        yield made


def episodes(database: Database) -> list[Episode]:
    with database.reading() as db:
        return list(db.exec(select(Episode).order_by(Episode.id)).all())


def total(database: Database) -> int:
    with database.reading() as db:
        return sum(db.exec(select(Accumulator.hundredths)).all())


def without_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_the_critics_episodes_add_up_with_the_importance_that_it_gave(desk: Desk) -> None:
    desk.answers[Writer.EPISODES] = {
        "episodes": [{**TOLD, "evidence": [PROOF]}, {"text": "Nothing is quoted.", "importance": 0.9, "evidence": []}]
    }
    desk.debrief(desk.bring())
    kept, held = episodes(desk.database)
    assert (kept.source, kept.importance, kept.held) == (EpisodeSource.CRITIC, Decimal("0.70"), None)
    assert held.held is not None
    assert total(desk.database) == 70
    desk.debrief(desk.bring(id="s2"), again=True)
    assert total(desk.database) == 140


def test_where_the_critic_wrote_none_the_notes_severity_is_the_importance(desk: Desk) -> None:
    desk.answers[Writer.NOTES] = {
        "notes": [note("the refund has been arranged"), note("never said by anybody", severity="critical")]
    }
    desk.debrief(desk.bring())
    with desk.database.reading() as db:
        proven = db.exec(select(Item).where(Item.kind == Kind.NOTE, Item.status == Status.OPEN)).all()
    made = episodes(desk.database)
    assert {one.note_id for one in made} == {one.id for one in proven}
    by_severity = {"critical": "0.95", "high": "0.80", "medium": "0.50", "low": "0.25", "positive": "0.30"}
    expected = [Decimal(by_severity[one.severity]) for one in proven]
    assert sorted(one.importance for one in made if one.importance) == sorted(expected)
    assert all(one.source == EpisodeSource.NOTE and one.quotes for one in made)
    assert total(desk.database) == int(sum(expected) * 100)


def test_without_a_model_the_checks_notes_are_remembered_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_a_model(monkeypatch)
    said = {"id": "s1", "agent": "Campus Desk", "user": "student 1", "messages": list(PROMISED)}
    bring_in(database, json.dumps([said]).encode(), "made.json")
    debrief(database)
    before = episodes(database)
    assert before
    assert {one.source for one in before} == {EpisodeSource.NOTE}
    debrief(database, [before[0].external_id or "s1"])
    assert len(episodes(database)) == len(before)
    assert total(database) == sum(int((one.importance or 0) * 100) for one in before)


def test_only_a_sessions_own_notes_are_asked_about(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    without_a_model(monkeypatch)
    said = [{"id": f"s{one}", "agent": "Campus Desk", "messages": list(PROMISED)} for one in range(3)]
    bring_in(database, json.dumps(said).encode(), "made.json")
    debrief(database)
    assert len({one.session_id for one in episodes(database)}) == 3
    with database.reading() as db:
        session = db.exec(select(AgentSession).order_by(AgentSession.id)).first()
        assert session is not None
        known = db.exec(select(Item.number).where(Item.kind == Kind.NOTE, Item.session_id == session.id)).all()
        asked: list[tuple[str, tuple[object, ...]]] = []
        event.listen(database.engine, "before_cursor_execute", lambda *told: asked.append((told[2], told[3])))
        assert from_notes(db, session) == []
    [numbers] = [values for statement, values in asked if "JOIN episode" in statement]
    assert set(numbers) <= {Kind.NOTE, *known}


def test_what_notes_told_gives_way_to_what_the_critic_tells_later(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    without_a_model(monkeypatch)
    ref = desk.bring()
    debrief(desk.database, [ref])
    told = [one.id for one in episodes(desk.database)]
    assert told
    desk.answers[Writer.EPISODES] = {"episodes": [{**TOLD, "evidence": [PROOF]}]}
    desk.debrief(ref)
    assert {withdrawn(desk.database, one or 0) for one in told} == {GAVE_WAY}
    assert [one.source for one in episodes(desk.database) if one.withdrawn is None] == [EpisodeSource.CRITIC]


def test_a_corrected_transcript_takes_episodes_whose_words_are_gone_and_what_rests_on_them(desk: Desk) -> None:
    other = {"quote": "You will have the money by tomorrow morning", "speaker": "assistant", "turn": 4}
    desk.answers[Writer.EPISODES] = {
        "episodes": [
            {**TOLD, "evidence": [PROOF]},
            {"text": "The agent named a day for the money.", "importance": 0.7, "evidence": [other]},
        ]
    }
    desk.debrief(desk.bring())
    lost, kept = (one.id or 0 for one in episodes(desk.database))
    rests = active(desk.database, "Money is promised to this user before the ledger shows it.", lost, kept)
    said = [dict(one) for one in PROMISED]
    said[1]["content"] = "I have asked for the refund; nothing is arranged yet."
    record = {"id": "s1", "agent": "Campus Desk", "user": "student 1", "messages": said}
    bring_in(desk.database, json.dumps([record]).encode(), "made.json", correct=True, by=OPERATOR)
    assert withdrawn(desk.database, lost) == "its words no longer stand in s1"
    assert withdrawn(desk.database, kept) is None
    assert status(desk.database, rests) == Status.SUSPENDED
