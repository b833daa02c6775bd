"""A folder of policy files for tests, and a desk that stands on it."""

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from core.governance.people import current_person, people
from core.governance.policy_adoption import adopt, folder_problems
from core.service.agents import agent_record, save_agent
from core.store.database import Database
from core.vocabulary import Action
from tests.desk import act, agent, lesson, note, procedure, session

ID = "refund-window"
TEXT = "A course is refunded in full within 7 days of purchase. Outside of that a credit is offered."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of policies that this desk stands on."""
    path = tmp_path / "policies"
    path.mkdir()
    monkeypatch.setenv("TUTELAGE_POLICIES", str(path))
    return path


def put_file(folder: Path, version: int = 1, text: str = TEXT, *, policy: str = ID, name: str = "") -> Path:
    """A policy file of this version."""
    path = folder / (name or f"{policy}.yaml")
    said = (
        f"id: {policy}\ntitle: Refund window\nowner: Tomas Berg\nversion: {version}\ndate: 2026-08-01\ntext: {text}\n"
    )
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(said, encoding="utf-8")
    while path.stat().st_mtime_ns == before:  # two files written within one tick of the clock look alike
        os.utime(path, ns=(before + 1_000_000, before + 1_000_000))
    return path


def give(database: Database, name: str = "Campus Desk", *policies: str) -> tuple[str, ...]:
    """The agent has these policies from now on; returns what left its briefing."""
    agent(database, name)
    record = agent_record(database, name)
    return save_agent(database, type(record)(**{**record.__dict__, "policies": policies or (ID,)}))


def read_by_the_agent(database: Database) -> tuple[int, int, int]:
    """A lesson and a procedure in force, and an open note."""
    first = lesson(database, "Ask for the order number before you look an order up.").item_id
    second = procedure(database).item_id
    for one in (first, second):
        act(database, one, Action.APPROVE, person=operator(database))
    return first, second, note(database, session(database)).item_id


def operator(database: Database) -> str:
    """Somebody with the duty lead who proposed nothing."""
    with database.reading() as db:
        known = [one.name for one in people(db) if "lead" in one.duties]
    return known[0] if known else current_person(database).name


class Told(NamedTuple):
    """What an adoption did, and what is wrong with the folder after it."""

    versions: tuple[str, ...]
    suspended: tuple[str, ...]
    problems: tuple[str, ...]


def adopted(database: Database) -> Told:
    """What the folder brings into force now."""
    done = adopt(database)
    with database.reading() as db:
        return Told(done.versions, done.suspended, folder_problems(db))
