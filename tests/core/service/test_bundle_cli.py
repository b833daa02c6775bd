"""Bundles on the command line: made with the database, checked without it."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from core.governance.log import head
from core.governance.people import set_person
from core.service.cli import main
from core.store.database import Database
from core.vocabulary import Duty
from tests.core.governance.at_the_desk import refusals
from tests.core.service.test_bundles import a_case
from tests.desk import OPERATOR


@pytest.fixture(name="run")
def _run(database: Database, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("DATABASE_URL", database.url)
    monkeypatch.setenv("TUTELAGE_SAMPLES", "0")
    return lambda *words: CliRunner().invoke(main, ["audit", *words])


def test_a_bundle_is_written_and_checked_without_the_database(
    database: Database, run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_case(database)
    seq, sha256 = head(database)
    out = tmp_path / "n1.html"
    told = run("bundle", "N-0001", "--out", str(out))
    digest = hashlib.sha256(out.read_bytes()).hexdigest()
    fits = "1 transcript, 1 quote, 6 rows fit their hashes"
    assert told.output == f"{out}: {fits}; SHA-256 {digest}\n"
    monkeypatch.setenv("DATABASE_URL", "sqlite:////nowhere/at/all.db")
    assert run("check-bundle", str(out)).output == f"{fits}\n"
    assert run("check-bundle", str(out), "--expect", f"{seq}:{sha256}").exit_code == 0
    other = run("check-bundle", str(out), "--expect", f"{seq}:{'0' * 64}")
    assert (other.exit_code, "is another one than the link that was kept elsewhere" in other.output) == (2, True)
    assert run("check-bundle", str(out), "--expect", f"999:{'0' * 64}").exit_code == 1


def test_a_bundle_that_was_changed_ends_with_exit_code_2_and_names_it(
    database: Database, run: Callable[..., Result], tmp_path: Path
) -> None:
    a_case(database)
    out = tmp_path / "all.html"
    assert run("bundle", "--all-critical", "--out", str(out)).exit_code == 0
    out.write_bytes(out.read_bytes().replace(b">Can I get my money back?", b">Can I keep it?"))
    told = run("check-bundle", str(out), "--json")
    assert told.exit_code == 2
    assert json.loads(told.output)["broken"] == "turn 1 of CD-1 is shown otherwise than it was hashed"


@pytest.mark.parametrize("words", [(), ("N-0001", "--all-critical")])
def test_a_bundle_is_of_one_note_or_of_all(
    database: Database, run: Callable[..., Result], tmp_path: Path, words: tuple[str, ...]
) -> None:
    a_case(database)
    out = tmp_path / "none.html"
    told = run("bundle", *words, "--out", str(out))
    assert (told.exit_code, "Nothing was written" in told.output, out.exists()) == (1, True, False)


def test_whoever_may_not_make_one_writes_nothing(
    database: Database, run: Callable[..., Result], tmp_path: Path
) -> None:
    a_case(database)
    set_person(database, "Ben", {Duty.LEAD})
    out = tmp_path / "none.html"
    told = run("bundle", "N-0001", "--out", str(out), "--by", "Ben")
    assert (told.exit_code, out.exists()) == (1, False)
    assert refusals(database) == [("role", "Ben")]
    assert run("bundle", "N-0001", "--out", str(out), "--by", OPERATOR).exit_code == 0


def test_what_is_no_bundle_is_said(run: Callable[..., Result], tmp_path: Path) -> None:
    for name, content in (("a.html", b"\xff\xfe"), ("b.html", b"<p>hello</p>")):
        (tmp_path / name).write_bytes(content)
        assert run("check-bundle", str(tmp_path / name)).exit_code == 1
