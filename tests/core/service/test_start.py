"""The desk starts ready for use, keeps what it has, and its samples are worth looking at."""

from collections import Counter
from pathlib import Path

from sqlmodel import select

from core.governance.episodes import is_found
from core.service.desk_views import critical_counts, session_list, waiting_count
from core.service.sample_memory import BY
from core.service.session_views import OPEN
from core.service.start import SAMPLES, start
from core.store.database import Database
from core.store.memory_records import BeliefBody, Episode
from core.store.records import Item
from core.vocabulary import Cause, EpisodeSource, Kind, Status


def critical(database: Database) -> int:
    """How many critical notes wait for an auditor."""
    return sum(count for status, count in critical_counts(database).items() if status in OPEN)


def test_an_empty_desk_starts_with_the_sample_sessions_and_keeps_them(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'desk.db'}"
    first = start(url)
    counts = (session_list(first).total, waiting_count(first), critical(first))
    first.close()
    again = start(url)
    assert (session_list(again).total, waiting_count(again), critical(again)) == counts
    again.close()
    assert counts[0] >= 24
    assert counts[1] >= 10
    assert counts[2] >= 4


def test_samples_can_be_left_out(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TUTELAGE_SAMPLES", "0")
    database = start(f"sqlite:///{tmp_path / 'desk.db'}")
    assert session_list(database).total == 0
    database.close()


def test_what_the_samples_remember_waits_for_a_person_and_is_proven(tmp_path: Path) -> None:
    database = start(f"sqlite:///{tmp_path / 'desk.db'}")
    with database.reading() as db:
        items = db.exec(select(Item).where(Item.proposer == BY)).all()
        episodes = db.exec(select(Episode).where(Episode.source == EpisodeSource.IMPORT)).all()
        depths = db.exec(select(BeliefBody.depth)).all()
    kinds = Counter((one.kind, one.status) for one in items)
    assert kinds == {("belief", "proposed"): 4, ("belief", "held"): 1, ("lesson", "proposed"): 5}
    assert [one.cause for one in items if one.status == Status.HELD] == [Cause.STALE_SOURCE]
    assert sorted(depths) == [1, 1, 1, 1, 2]
    assert len(episodes) >= 60
    assert sum((one.importance or 0) >= 0.7 for one in episodes) >= 50
    gone = [one for one in episodes if one.withdrawn]
    assert {one.withdrawn for one in gone} == {"its words no longer stand in FC-0087"}
    assert all(is_found(quote) for one in episodes if one not in gone for quote in one.quotes)
    assert all(one.quotes for one in episodes)
    database.close()


def test_a_folder_of_samples_without_memory_brings_its_sessions_alone(tmp_path: Path) -> None:
    folder = tmp_path / "samples"
    folder.mkdir()
    (folder / "desk.jsonl").write_bytes((SAMPLES / "campus-desk.jsonl").read_bytes())
    database = start(f"sqlite:///{tmp_path / 'desk.db'}", folder)
    with database.reading() as db:
        assert db.exec(select(Item).where(Item.kind == Kind.BELIEF)).all() == []
    assert session_list(database).total == 13
    database.close()
