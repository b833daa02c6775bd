"""The commands of an auditor: what they print, and with which exit code they end."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.governance.log import head
from core.service.cli import main
from core.service.start import open_database
from core.store.clock import now
from core.store.database import ROOT, Database
from tests.core.governed import filled, run


class Told(NamedTuple):
    """How a command ended, and what it printed."""

    returncode: int
    stdout: bytes
    stderr: bytes


@pytest.fixture
def desk(tmp_path: Path):
    """A desk with a filled log."""
    database = open_database(f"sqlite:///{tmp_path / 'audit.db'}")
    filled(database)
    yield database
    database.close()


def audit(database: Database, *words: str) -> Told:
    """One command against this desk."""
    told = CliRunner().invoke(main, ["audit", *words], env={"DATABASE_URL": database.url})
    return Told(told.exit_code, told.stdout_bytes, told.stderr_bytes)


def test_a_broken_log_ends_a_process_of_its_own_with_2(desk: Database) -> None:
    run(desk, "delete from refusal")
    given = [sys.executable, "-m", "core", "audit", "verify"]
    told = subprocess.run(given, cwd=ROOT, env={**os.environ, "DATABASE_URL": desk.url}, capture_output=True)
    assert told.returncode == 2
    assert b"refusal 1, logged on" in told.stdout


def test_a_whole_log_ends_with_0_and_prints_its_head(desk: Database) -> None:
    seq, sha256 = head(desk)
    told = audit(desk, "verify")
    assert told.returncode == 0
    assert told.stdout.decode() == f"log whole, {seq} rows\nhead {seq}:{sha256}\n"
    printed = audit(desk, "head").stdout.decode().strip()
    assert printed == f"{seq}:{sha256}"
    assert audit(desk, "verify", "--expect", printed).returncode == 0


def test_a_broken_log_ends_with_2_and_names_the_first_row(desk: Database) -> None:
    run(desk, "update decision set text = 'other' where id = 2")
    told = audit(desk, "verify")
    assert told.returncode == 2
    assert b"decision 2, L-0001 approved by Ben on" in told.stdout
    assert b"its row was changed" in told.stdout
    machine = json.loads(audit(desk, "verify", "--json").stdout)
    assert (machine["whole"], machine["breaks"][0]["table"], machine["breaks"][0]["row_id"]) == (False, "decision", 2)


def test_a_tail_that_was_cut_off_ends_with_2_against_the_head_that_was_kept(desk: Database) -> None:
    kept = audit(desk, "head").stdout.decode().strip()
    run(desk, f"delete from log_entry where seq = {kept.split(':')[0]}", "delete from desk_settings")
    assert audit(desk, "verify").returncode == 0
    told = audit(desk, "verify", "--expect", kept)
    assert told.returncode == 2
    assert b"its tail was cut off" in told.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "--expect", "12"),
        ("verify", "--expect", "x:" + "a" * 64),
        ("as-of", "yesterday"),
        ("as-of", "2026-11-24", "--zone", "Mars/Olympus"),
        ("as-of", "2026-11-24", "--agent", "Nobody"),
        ("export", "--first", "2026-02-02", "--last", "2026-02-01"),
    ],
)
def test_what_cannot_be_understood_ends_with_1_and_says_what_is_possible(
    desk: Database, words: tuple[str, ...]
) -> None:
    told = audit(desk, *words)
    assert (told.returncode, told.stdout) == (1, b"")
    assert told.stderr
    assert b"Traceback" not in told.stderr


def test_an_export_is_filtered_and_goes_to_a_file_or_to_the_screen(desk: Database, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    assert audit(desk, "export", "--person", "Dora", "--out", str(path)).returncode == 0
    assert path.read_bytes().startswith(b"\xef\xbb\xbfseq,")
    assert path.read_bytes().count(b",Dora,") == 2
    told = audit(desk, "export", "--format", "jsonl", "--view", "refusals").stdout.decode().splitlines()
    assert [json.loads(line)["who"] for line in told] == ["Cleo"]
    assert b",L-0001," in audit(desk, "export", "--kind", "lesson").stdout
    assert b",L-0001," not in audit(desk, "export", "--kind", "note").stdout
    today = now().date().isoformat()
    of_today = audit(desk, "export", "--view", "rights", "--first", today, "--last", today).stdout
    assert of_today.count(b"\r\n") == 1 + 5


def test_a_refused_export_leaves_a_file_as_it_was(desk: Database, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("kept")
    assert audit(desk, "export", "--first", "2026-02-02", "--last", "2026-02-01", "--out", str(path)).returncode == 1
    assert path.read_text() == "kept"


def test_as_of_says_what_was_active_and_what_an_agent_would_have_read(desk: Database) -> None:
    told = audit(desk, "as-of", "2020-01-01", "--zone", "Europe/Berlin").stdout.decode()
    assert "As of 2020-01-01 22:59:59 UTC" in told
    assert "nothing was active or open" in told
    issued = issue(desk, Asked("Campus Desk", "student 1", "refunds", "a refund"))
    words = ("--agent", "Campus Desk", "--user", "student 1", "--task-class", "refunds", "--task", "a refund")
    told = audit(desk, "as-of", now().isoformat(), *words).stdout.decode()
    assert "active    L-0001 v2, Look the refund rule up first. (by Cleo," in told
    for item in issued.items:
        assert f"· {item.ref}: " in told
    machine = json.loads(audit(desk, "as-of", now().isoformat(), *words, "--json").stdout)
    assert machine["briefing"]["messages"] == list(issued.messages)
    assert {one["status"] for one in machine["in_force"]} == {"active", "open"}
