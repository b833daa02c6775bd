"""The desk starts ready for use, keeps what it has, and its samples are worth looking at."""

from pathlib import Path

from core.service.desk_views import critical_counts, session_list, waiting_count
from core.service.session_views import OPEN
from core.service.start import start
from core.store.database import Database


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
